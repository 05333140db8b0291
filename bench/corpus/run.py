#!/usr/bin/env python3
"""Times the programs of examples/corpus: the serial elision, cilk2chan's program and the oneTBB version of tbb/ with each
number of compute units and threads, and, with --gpu, cilk2chan's program on a GPU. Medians of the time that each prints for
its parallel part; all configurations of a program take turns, so that what else the machine does meets all of them. Every
run's answer is compared with the elision's.

    run.py --cilk2chan build/release/compiler/cilk2chan/cilk2chan --directory build/release/bench/corpus [NAME...]
    run.py ... --units 1,2,4,8,16                   scaling
    run.py ... --large --gpu cuda --units 1,16      beside all cores of the host, at sizes that fill a GPU
    run.py ... --gpu cuda --units 16 --repeat 12    twelve times in one process, and with CHANNELS_DEVICE=auto
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples" / "corpus"))
import programs  # noqa: E402

# Sizes that take the elision something like a tenth of a second to a second.
SIZES = {
    "fib": "37", "nqueens": "12", "queens": "15", "queens_all": "14", "cilksort": "-n 10000000", "strassen": "1024", "matmul": "1024",
    "matmul_for": "1024", "rectmul": "64 64 64", "lu": "-n 1024", "fft": "-n 1048576",
    "heat": "-x 1024 -y 1024 -s 100", "cholesky": "-n 2000 -z 10000", "knapsack": "56", "uts": "10000 19 0.2495",
    "uts_sha1": "T1", "skynet": "10000000", "bfs": "2000000 12", "scan": "20000000", "sum": "50000000", "collatz": "1000000", "primes": "100000000",
    "pascal": "26", "tak": "11", "karatsuba": "65536", "listsort": "1000000", "mergesort": "10000000", "floyd": "512",
    "life": "50 1000 1000", "mandelbrot": "1000 1000", "quicksort": "5000000", "vectors": "1000000", "strings": "20",
    "treewalk": "65536", "functional": "20000000", "wordcount": "200000", "nbody": "2000 10",
    "barneshut": "20000 2", "kdtree": "300000 100000", "quickhull": "3000000", "flowshop": "14 5", "etree": "200", "frontier": "500000",
    "scene": "600 5", "algorithms": "2000000", "refine": "20 8", "records": "300000",
    "solids": "8", "integral": "2000000",
}

# Sizes that take 16 cores about half a second.
LARGE = {
    "uts_sha1": "T1L", "cilksort": "-n 100000000", "nqueens": "14", "queens": "17", "queens_all": "16", "tak": "12", "strassen": "4096",
    "matmul": "4096", "listsort": "10000000", "mergesort": "100000000", "lu": "-n 4096", "heat": "-x 4096 -y 4096 -s 200", "fft": "-n 16777216",
    "scan": "200000000", "karatsuba": "262144", "skynet": "100000000", "fib": "45", "bfs": "10000000 12", "sum": "500000000",
    "collatz": "20000000", "primes": "268435456", "floyd": "1024", "life": "100 4000 4000", "mandelbrot": "4000 1000",
    "matmul_for": "2048", "rectmul": "256 256 256", "nbody": "20000 10", "pascal": "30", "knapsack": "60", "barneshut": "200000 1", "kdtree": "1500000 1000000", "quickhull": "30000000",
    "flowshop": "15 6", "etree": "500", "frontier": "3000000", "scene": "2000 5", "algorithms": "20000000", "refine": "26 16", "records": "5000000",
    "solids": "10", "integral": "100000000",
}


def arguments_of_this():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cilk2chan", help="the compiler; without it, only elisions and oneTBB")
    parser.add_argument("--clang", default="clang-19", help="for the elisions (default: %(default)s)")
    parser.add_argument("--directory", type=pathlib.Path, default=pathlib.Path("build/corpus"),
                        help="where the programs go (default: %(default)s)")
    parser.add_argument("--flags", default="-O2 -march=native", help="for all compilers (default: %(default)s)")
    parser.add_argument("--compile", choices=("and-run", "only", "not"), default="and-run",
                        help="'only' here and 'not' there measures on a machine without compilers (default: %(default)s)")
    parser.add_argument("--units", default="1,2", help="numbers of compute units and threads (default: %(default)s)")
    parser.add_argument("--gpu", choices=("cuda", "hip"), help="also compile for such a GPU, and run there")
    parser.add_argument("--large", action="store_true", help="sizes that take 16 cores about half a second")
    parser.add_argument("--limit", type=float, default=600, metavar="SECONDS", help="for one run (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=5, help="of each configuration (default: %(default)s)")
    parser.add_argument("--repeat", type=int, default=1, metavar="TIMES",
                        help="calls of main in one process; the median of the later half counts (default: %(default)s)")
    parser.add_argument("--json", type=pathlib.Path, help="a file for all times")
    parser.add_argument("names", nargs="*", help="programs (default: all)")
    return parser.parse_args()


def repeated(source, options):
    """A file with the program `source`, whose main runs as often as CORPUS_REPEAT says."""
    text = f"""#define main program_main
#include "{source}"
#undef main
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char** argv) {{
  const char* wanted = getenv("CORPUS_REPEAT");
  int times = wanted == NULL ? 1 : atoi(wanted);
  int status = 0;
  for (int i = 0; i < times; i++) {{
    char** own = (char**)malloc((size_t)(argc + 1) * sizeof *own);
    memcpy(own, argv, (size_t)(argc + 1) * sizeof *own);
    status |= program_main(argc, own);
    free(own);
  }}
  return status;
}}
"""
    place = options.directory / f"repeated_{source.name}"
    place.write_text(text)
    return place


def compile_all(name, options):
    """{kind: program}, where kind is elision, channels, onetbb; what was not compiled is left out and said."""
    if options.compile == "not":
        programs_there = {kind: options.directory / f"{name}.{kind}" for kind in ("elision", "channels", "onetbb", "gpu")}
        return {kind: program for kind, program in programs_there.items() if program.exists()}
    flags = options.flags.split()
    clangxx = options.clang.replace("clang", "clang++")
    sources = programs.sources(name)
    if options.repeat > 1 and len(sources) == 1:
        sources = [repeated(sources[0], options), "-I", sources[0].parent]
    commands = {"elision": [clangxx if programs.is_cxx(name) else options.clang, *flags, "-I", ROOT / "include",
                            *sources, *programs.flags(name)]}
    if options.cilk2chan:
        commands["channels"] = [options.cilk2chan, *flags, *sources, *programs.channels_flags(name)]
        if options.gpu:
            commands["gpu"] = [*commands["channels"], f"--device={options.gpu}"]
    tbb = ROOT / "bench" / "corpus" / "tbb" / (name + ".cpp")
    if tbb.exists() and options.repeat == 1:
        commands["onetbb"] = [clangxx, *flags, "-std=c++20", "-w", "-I", ROOT, "-I", ROOT / "include", tbb, "-ltbb"]
    result = {}
    for kind, command in commands.items():
        program = options.directory / f"{name}.{kind}"
        done = subprocess.run([*map(str, command), "-o", str(program)], capture_output=True, text=True)
        if done.returncode == 0:
            result[kind] = program
        else:
            first = next((line for line in done.stderr.splitlines() if "error:" in line), done.stderr[:200])
            print(f"{name}: {kind} is not compiled: {first}", file=sys.stderr)
    return result


def run(program, arguments, environment, limit, repeat):
    """(seconds, what was printed); seconds are None if it failed. Of several calls the later half counts."""
    try:
        done = subprocess.run([str(program), "-t", *arguments], env=dict(os.environ, CORPUS_REPEAT=str(repeat), **environment),
                              capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None, f"it has not ended after {limit:g} s"
    times = [line.split()[1] for line in done.stderr.splitlines() if line.startswith("seconds: ")]
    good = times and done.returncode == 0
    later = [float(time) for time in times[len(times) // 2:]]
    return (statistics.median(later), done.stdout) if good else (None, (done.stdout + done.stderr).strip())


def configurations(options):
    """{configuration: (kind of program, its environment)}"""
    all_of_them = {"elision": ("elision", {})}
    for units in options.units.split(","):
        all_of_them["channels " + units] = ("channels", {"CHANNELS_CUS": units})
        all_of_them["onetbb " + units] = ("onetbb", {"CORPUS_THREADS": units})
    if options.gpu:
        all_of_them["gpu"] = ("gpu", {"CHANNELS_DEVICE": options.gpu})
    if options.gpu and options.repeat > 1:
        all_of_them["auto"] = ("gpu", {"CHANNELS_DEVICE": "auto"})
    return all_of_them


def measure(name, size, options):
    """{configuration: [seconds, ...]}; a configuration whose answer differs has no times and is said."""
    built = compile_all(name, options)
    times, answer = {}, None
    for _ in range(options.runs):
        for configuration, (kind, environment) in configurations(options).items():
            if kind not in built or times.get(configuration, []) is None:
                continue
            seconds, printed = run(built[kind], size.split(), environment, options.limit, options.repeat)
            answer = printed if answer is None else answer
            if seconds is None or printed != answer:
                print(f"{name}: {configuration} failed or differs: {printed.strip()[-200:]}", file=sys.stderr)
                times[configuration] = None
            else:
                times.setdefault(configuration, []).append(seconds)
    return {configuration: seconds for configuration, seconds in times.items() if seconds}


def columns(options):
    """{heading: its value, from a program's medians}; T: channels, B: oneTBB, G: the GPU."""
    units = options.units.split(",")
    last = units[-1]

    def time(configuration):
        return lambda median: median.get(configuration)

    def ratio(above, below):
        return lambda median: median[above] / median[below] if above in median and below in median else None

    found = {"Ts": time("elision")}
    found |= {f"T{u}": time(f"channels {u}") for u in units}
    found |= {f"B{u}": time(f"onetbb {u}") for u in units}
    found[f"{units[0]}/{last}"] = ratio(f"channels {units[0]}", f"channels {last}")
    found[f"B{last}/T{last}"] = ratio(f"onetbb {last}", f"channels {last}")
    if options.gpu:
        found |= {"G": time("gpu"), f"T{last}/G": ratio(f"channels {last}", "gpu")}
    if options.gpu and options.repeat > 1:
        found |= {"A": time("auto"), f"T{last}/A": ratio(f"channels {last}", "auto"), "G/A": ratio("gpu", "auto")}
    return found


def row(name, size, cells):
    return f"{name:<12}{size:<26}" + "".join(f"{cell:>9}" for cell in cells)


def shown(heading, value):
    if value is None:
        return "-"
    return f"{value:.2f}" if "/" in heading else f"{1e3 * value:.1f}" if value < 100 else f"{1e3 * value:.0f}"


def main():
    options = arguments_of_this()
    options.directory.mkdir(parents=True, exist_ok=True)
    sizes = LARGE if options.large else SIZES
    table = columns(options)
    if options.compile != "only":
        print("Milliseconds. Ts: elision; T, B: channels and oneTBB with so many compute units and threads; G: the GPU; A: auto.")
        print(row("program", "size", table), flush=True)
    everything = {}
    for name in options.names or sizes:
        if options.compile == "only":
            compile_all(name, options)
            continue
        everything[name] = measure(name, sizes[name], options)
        median = {configuration: statistics.median(seconds) for configuration, seconds in everything[name].items()}
        print(row(name, sizes[name], [shown(heading, value(median)) for heading, value in table.items()]), flush=True)
    if options.json:
        options.json.write_text(json.dumps({"flags": options.flags, "sizes": sizes, "seconds": everything}, indent=1))


if __name__ == "__main__":
    main()
