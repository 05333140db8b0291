"""What is measured on an NVIDIA GPU: tasks in one persistent kernel with a scheduler of its own, and the paper's way, tasks through
channels, with the aggregator on the host and on the device. Not figures 17 and 18, and policies; the page says so."""

import json
import shutil
import statistics
import subprocess
import sys

from runner import BUILD, ROOT, Failure

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


def of_google_benchmark(text):
    """{name: {"seconds": median, "counters": {}}} of what Google Benchmark printed as JSON."""
    units = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
    times, counters = {}, {}
    for entry in json.loads(text)["benchmarks"]:
        if entry["run_type"] != "iteration":
            continue
        name = entry["run_name"].removesuffix("/real_time")
        if entry.get("error_occurred"):
            raise Failure(f"{name}: {entry['error_message']}")
        times.setdefault(name, []).append(entry["real_time"] * units[entry["time_unit"]])
        counters[name] = {key: entry[key] for key in ("tasks/s", "items_per_second", "flop/s", "lanes_active", "MB", "lanes", "batches",
                                                            "waiting", "us/dispatch", "us/decision") if key in entry}
    return {name: {"seconds": statistics.median(values), **counters[name]} for name, values in times.items()}


def benchmarks(runner, pattern):
    repetitions = 1 if runner.quick else 5
    return of_google_benchmark(runner.command([BUNDLE / "gpu_bench", "--benchmark_format=json", f"--benchmark_filter={pattern}",
                                               f"--benchmark_repetitions={repetitions}"]))


def figure15(runner):
    """fib on some and on all multiprocessors."""
    return {name.split("/")[1]: row for name, row in benchmarks(runner, "fib_units").items()}


def figure19(runner):
    """Lanes that had work, of those in flight."""
    return {name: {"lanes_active": row["lanes_active"]} for name, row in
            benchmarks(runner, "fib_tasks/(30|40)|queens_tasks/rows:1[34]").items() if "lanes_active" in row}


def table4(runner):
    """Queens: tasks, and a kernel by hand; fib, and plain recursion on a core of that machine; sort beside CUB, and products of
    matrices beside cuBLAS."""
    return benchmarks(runner, "queens|fib_tasks|fib_serial|sort|strassen|cublas")


def table5(runner):
    """Tasks through channels with the aggregator in its two homes: shares of time that compute units wait for it, and dispatches."""
    return benchmarks(runner, "fib_through_channels|dispatches")


def programs(runner):
    """Programs of the corpus as cilk2chan compiles them for both: seconds on the GPU and on the host."""
    rows = {}
    for name, arguments in PROGRAMS.items():
        program = BUNDLE / f"{name}.cuda"
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


SECTIONS = {"figure15": figure15, "figure19": figure19, "table4": table4, "table5": table5, "programs": programs}
