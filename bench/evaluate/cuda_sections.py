"""What is measured on an NVIDIA GPU: tasks in one persistent kernel with a scheduler of its own, and the paper's way, tasks through
channels, with the aggregator on the host and on the device. Each section is a process or a few, each with a time limit of its own."""

import json
import shutil
import statistics
import subprocess
import sys

from runner import BUILD, ROOT, WORKLOADS, Failure

BUNDLE = ROOT / "build" / "cuda" / "bundle"
COMPILER = BUILD / "compiler" / "cilk2chan" / "cilk2chan"
# Programs of the corpus that run on a device as a whole, and their sizes.
PROGRAMS = {"fib": ["42"], "tak": ["9"], "knapsack": ["30"], "cilksort": ["-n", "1000000"], "strassen": ["512"],
            "matmul": ["512"], "skynet": ["1000000"]}


def require_device():
    if shutil.which("nvidia-smi") is None or subprocess.run(["nvidia-smi", "-L"], capture_output=True).returncode != 0:
        sys.exit("scripts/evaluate: there is no NVIDIA GPU here, or no driver for it (nvidia-smi -L); --device host runs anywhere")


def build():
    """The bundle, on a machine with nvcc; where there is none it has to have been brought along, and programs of the corpus with
    it: what `--no-build` takes, too."""
    if shutil.which("nvcc", path="/usr/local/cuda/bin") is None and shutil.which("nvcc") is None:
        if not (BUNDLE / "gpu_bench").exists():
            sys.exit(f"scripts/evaluate: neither nvcc nor {BUNDLE}/gpu_bench is here; build the preset cuda where nvcc is, and bring "
                     "build/cuda/bundle")
        return
    for command in (["cmake", "--preset", "cuda", "--log-level=WARNING"], ["cmake", "--build", "--preset", "cuda", "--target", "gpu_bench"],
                    ["cmake", "--build", str(BUILD), "--target", "cilk2chan", "channels", "channels_heap"]):
        subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)


# What Google Benchmark says of a run besides times and counters.
STANDARD = {"iterations", "repetitions", "repetition_index", "threads", "family_index", "per_family_instance_index", "real_time",
            "cpu_time"}


def of_google_benchmark(text):
    """{name: {"seconds": median, counters...}} of what Google Benchmark printed as JSON."""
    units = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
    times, counters = {}, {}
    for entry in json.loads(text)["benchmarks"]:
        if entry["run_type"] != "iteration":
            continue
        name = entry["run_name"].removesuffix("/real_time")
        if entry.get("error_occurred"):
            raise Failure(f"{name}: {entry['error_message']}")
        times.setdefault(name, []).append(entry["real_time"] * units[entry["time_unit"]])
        counters[name] = {key: value for key, value in entry.items()
                          if key not in STANDARD and isinstance(value, (int, float)) and not isinstance(value, bool)}
    return {name: {"seconds": statistics.median(values), **counters[name]} for name, values in times.items()}


# Seconds: of a process, and the least that a benchmark is repeated for.
LIMIT = 240
LEAST = 0.02


def benchmarks(runner, pattern, repetitions=5, least=LEAST):
    repetitions = 1 if runner.quick else repetitions
    return of_google_benchmark(runner.command(
        [BUNDLE / "gpu_bench", "--benchmark_format=json", f"--benchmark_filter={pattern}", f"--benchmark_repetitions={repetitions}",
         f"--benchmark_min_time={0.001 if runner.quick else least}"], {"CHANNELS_BENCH_QUICK": "1"} if runner.quick else None, LIMIT))


def by_workload(runner, family, argument=None):
    """{workload: {argument: row}}, or {workload: row}, of the benchmarks of bench/gpu/through_channels.cu."""
    rows = {}
    for name, row in benchmarks(runner, f"^{family}/w:", 3).items():
        _, workload, *rest = name.split("/")
        workload = WORKLOADS[int(workload.removeprefix("w:"))]
        if argument is None:
            rows[workload] = row
        else:
            rows.setdefault(workload, {})[rest[0].removeprefix(f"{argument}:")] = row
    return rows


def table3(runner):
    """The workloads through channels, and registers of their kernels."""
    rows = by_workload(runner, "workload")
    for workload, registers in by_workload(runner, "registers").items():
        rows[workload]["registers"] = {name: value for name, value in registers.items() if name != "seconds"}
    return rows


def figure15(runner):
    """{fib:44: {multiprocessors: row}, ...}, confined to so many of them, by the scheduler of its own."""
    rows = {}
    for name, row in benchmarks(runner, "^(fib|queens)_units/", 3).items():
        _, problem, units = name.split("/")
        rows.setdefault(problem, {})[units.removeprefix("units:")] = row
    return rows


def figure15_channels(runner):
    """The workloads through channels, likewise."""
    return by_workload(runner, "units", "units")


def figure17(runner):
    """Reservation by lane, wavefront and work-group; padded elements; records and fields."""
    rows = {"reservation": {}, "fields": {}}
    for name, row in benchmarks(runner, "^(reservation|fields)/").items():
        kind, first, second = name.split("/")
        rows[kind].setdefault(first, {})[second] = row
    return rows


def figure18(runner):
    """Channel widths, with yields and where the time went."""
    return by_workload(runner, "width", "width")


def figure18_done_groups(runner):
    """Elements of a done count."""
    return by_workload(runner, "done_group", "elements")


def figure19(runner):
    """Lanes that had work, of those in flight."""
    return {name: {"lanes_active": row["lanes_active"]} for name, row in
            benchmarks(runner, "fib_tasks/(30|40)|queens_tasks/rows:1[34]").items() if "lanes_active" in row}


def table4_of(pattern):
    """Of one program: tasks, and conventional code."""
    return lambda runner: benchmarks(runner, pattern)


def table5(runner):
    """Tasks through channels with the aggregator in its two homes: shares of time that compute units wait for it, and dispatches."""
    return benchmarks(runner, "fib_through_channels|fib_in_ample|dispatches")


def table5_slowed(runner):
    """The workloads with the aggregator on the host, slowed, and with the aggregator on the device."""
    rows = by_workload(runner, "slowed", "times")
    for workload, row in by_workload(runner, "aggregator_on_device").items():
        rows[workload]["on the device"] = row
    return rows


def kept(runner):
    """The same programs with their tasks kept nowhere, on stacks of lanes or work-groups, and in channels by both rules."""
    return benchmarks(runner, "^fib_(tasks|through_channels).*/26/|^queens_by_two.*/rows:13/")


def watched(runner):
    """fib(36) through channels untraced, with statistics and with a trace, in turns: medians of each, and the ratios to the first, least first.
    Each in a process of its own: where its memory lies makes a runtime up to 5 % faster or slower, and the second of a process is elsewhere."""
    rows = {}
    for home in ("host", "device"):
        turns = []
        for _ in range(1 if runner.quick else 7):
            names = {how: f"watched/aggregator_on_{home}/{how}" for how in ("untraced", "statistics", "traced")}
            turns.append({how: benchmarks(runner, f"^{name}/", 1, 0.3)[name]["seconds"] for how, name in names.items()})
        rows[home] = {how: {"seconds": statistics.median(t[how] for t in turns), "ratios": sorted(t[how] / t["untraced"] for t in turns)}
                      for how in turns[0]}
    return rows


def scheduling(runner):
    """Policies and predicates with the aggregator on the host; the built-in policies with it on the device."""
    rows = {w: {} for w in WORKLOADS}
    for kind in ("policy", "policy_on_device", "predicate"):
        for workload, row in by_workload(runner, kind, kind).items():
            rows[workload][kind] = row
    return rows


def programs(runner):
    """Programs of the corpus as cilk2chan compiles them for both: seconds on the GPU and on the host."""
    rows = {}
    for name, arguments in PROGRAMS.items():
        program = BUNDLE / f"{name}.cuda"
        if not COMPILER.exists() and not program.exists():
            raise Failure(f"neither cilk2chan nor {program} is here: compile it where cilk2chan and nvcc are, and bring it along")
        if COMPILER.exists():
            runner.command([COMPILER, "--device=cuda", ROOT / "examples" / "corpus" / f"{name}.c", "-lm", "-o", program])
        rows[name] = {}
        answers = set()
        for device in ("host", "cuda"):
            times = []
            for _ in range(1 if runner.quick else 5):
                done = runner.process([program, "-t", *arguments], {"CHANNELS_DEVICE": device})
                answers.add(done.stdout)
                times.append(float(done.stderr.split("seconds: ")[1].split()[0]))
            rows[name][device] = statistics.median(times)
        if len(answers) != 1:
            raise Failure(f"{name}: the answers on the host and on the GPU differ: {answers}")
    return rows


TABLE4 = {"table4-fib": "fib_tasks|fib_serial", "table4-queens": "queens_(tasks|in|by|first|mirrored|with)", "table4-sort": "sort_tasks|cub_",
          "table4-product": "strassen_tasks|product_tasks|cublas"}

SECTIONS = {"table3": table3, "figure15": figure15, "figure15-channels": figure15_channels, "figure17": figure17, "figure18": figure18,
            "figure18-done-groups": figure18_done_groups,
            "figure19": figure19, **{name: table4_of(pattern) for name, pattern in TABLE4.items()}, "table5": table5,
            "table5-slowed": table5_slowed, "kept": kept, "watched": watched, "scheduling": scheduling, "programs": programs}
