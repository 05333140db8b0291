"""What the benchmarks of bench/ run, in plain words."""

# Names of benchmarks, without their arguments. Longer names come first where one begins with another.
NAMES = {"standard_sort": "std::sort", "serial_c": "serial, in C", "serial": "serial",
         "onetbb": "oneTBB", "openmp": "OpenMP",
         "channels_tasks": "tasks in channels", "channels_depth_first": "tasks depth-first",
         "channels_cilk": "compiled Cilk", "channels": "compiled Cilk"}

# Workloads whose tasks are written by hand; those of the others are what cilk2chan makes of Cilk source.
HAND_WRITTEN = {"fib", "queens", "sort", "strassen"}


def split(workload, benchmark):
    """(what runs, the rest of the benchmark's name) of a benchmark such as "channels_tasks/threads:2"; what is not a
    competitor keeps its name."""
    for name, words in NAMES.items():
        if benchmark == name or benchmark.startswith((name + "/", name + "_")):
            by_hand = words.startswith("tasks") and workload in HAND_WRITTEN
            return ("hand-written " if by_hand else "") + words, benchmark[len(name) + 1:].replace("/", " ")
    name, _, rest = benchmark.partition("/")
    return name, rest.replace("/", " ")
