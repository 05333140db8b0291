"""The programs of this folder: which there are, what they are made of, and what they print."""

import pathlib

HERE = pathlib.Path(__file__).resolve().parent

# The programs use OpenCilk's pragma for grain sizes, and two are in the C of before prototypes.
WARNINGS = ["-Wall", "-Wno-unknown-pragmas", "-Wno-deprecated-non-prototype"]

# The emulated device runs these with its own aggregator, too: tasks that sum up, that keep frames, that allocate, of
# several kinds, with structures, in C++, and of OpenMP.
WITH_AGGREGATOR = ["fib", "cilksort", "karatsuba", "lu", "records", "quicksort", "omp_sort"]


def sources(name):
    """The translation units of a program: name.c, name.cpp, openmp/name.c, or all of the folder name/."""
    if (HERE / name).is_dir():
        return sorted((HERE / name).glob("*.c"))
    places = [HERE / (name + suffix) for suffix in (".c", ".cpp")] + [HERE / "openmp" / (name + ".c")]
    found = [place for place in places if place.exists()]
    if len(found) != 1:
        raise SystemExit(f"corpus: there is no program {name} in {HERE}")
    return found


def is_cxx(name):
    return sources(name)[0].suffix == ".cpp"


def flags(name):
    return WARNINGS + (["-std=c++20"] if is_cxx(name) else []) + ["-lm"]


def channels_flags(name):
    """The same for cilk2chan."""
    return flags(name) + (["-fopenmp-tasks"] if sources(name)[0].parent.name == "openmp" else [])


def expected():
    """{name: [(arguments, output), ...]} of expected.txt, where "$ name arguments" precedes the output."""
    result = {}
    for entry in (HERE / "expected.txt").read_text().split("$ ")[1:]:
        command, output = entry.split("\n", 1)
        name, *arguments = command.split()
        result.setdefault(name, []).append((arguments, output))
    return result
