#!/usr/bin/env python3
"""Times the programs of examples/corpus: the serial elision, cilk2chan's program with 1 and 2 compute units, and the oneTBB
version of tbb/ with 1 and 2 threads. Medians of the time that each prints for its parallel part; all configurations
of a program take turns, so that what else the machine does meets all of them. Every run's answer is compared with the
elision's.

    run.py --cilk2chan build/release/compiler/cilk2chan/cilk2chan --directory build/release/bench/corpus [NAME...]
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
    "pascal": "26", "tak": "11", "karatsuba": "65536", "listsort": "1000000", "floyd": "512",
    "life": "50 1000 1000", "mandelbrot": "1000 1000", "quicksort": "5000000", "vectors": "1000000", "strings": "20",
    "treewalk": "65536", "functional": "20000000", "wordcount": "200000", "nbody": "2000 10",
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
    parser.add_argument("--runs", type=int, default=5, help="of each configuration (default: %(default)s)")
    parser.add_argument("--json", type=pathlib.Path, help="a file for all times")
    parser.add_argument("names", nargs="*", help="programs (default: all)")
    return parser.parse_args()


def compile_all(name, options):
    """{kind: program}, where kind is elision, channels, onetbb; what was not compiled is left out and said."""
    if options.compile == "not":
        programs_there = {kind: options.directory / f"{name}.{kind}" for kind in ("elision", "channels", "onetbb")}
        return {kind: program for kind, program in programs_there.items() if program.exists()}
    flags = options.flags.split()
    clangxx = options.clang.replace("clang", "clang++")
    commands = {"elision": [clangxx if programs.is_cxx(name) else options.clang, *flags, "-I", ROOT / "include",
                            *programs.sources(name), *programs.flags(name)]}
    if options.cilk2chan:
        commands["channels"] = [options.cilk2chan, *flags, *programs.sources(name), *programs.flags(name)]
    tbb = ROOT / "bench" / "corpus" / "tbb" / (name + ".cpp")
    if tbb.exists():
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


def run(program, arguments, environment):
    """(seconds, what was printed); seconds are None if it failed."""
    done = subprocess.run([str(program), "-t", *arguments], env=dict(os.environ, **environment),
                          capture_output=True, text=True, timeout=600)
    times = [line.split()[1] for line in done.stderr.splitlines() if line.startswith("seconds: ")]
    return (float(times[0]) if times and done.returncode == 0 else None), done.stdout


def measure(name, options):
    """{configuration: [seconds, ...]}; a configuration whose answer differs has no times and is said."""
    built = compile_all(name, options)
    configurations = {"elision": ("elision", {})}
    for units in ("1", "2"):
        configurations["channels " + units] = ("channels", {"CHANNELS_CUS": units})
        configurations["onetbb " + units] = ("onetbb", {"CORPUS_THREADS": units})
    arguments = SIZES[name].split()
    times, answer = {}, None
    for _ in range(options.runs):
        for configuration, (kind, environment) in configurations.items():
            if kind not in built or times.get(configuration, []) is None:
                continue
            seconds, printed = run(built[kind], arguments, environment)
            answer = printed if answer is None else answer
            if seconds is None or printed != answer:
                print(f"{name}: {configuration} failed or differs: {printed.strip()[-200:]}", file=sys.stderr)
                times[configuration] = None
            else:
                times.setdefault(configuration, []).append(seconds)
    return {configuration: seconds for configuration, seconds in times.items() if seconds}


HEADINGS = ("program", "size", "Ts", "T1", "T2", "T1/Ts", "T1/T2", "TBB 1", "TBB 2", "TBB 1/T1", "TBB 2/T2")
LINE = "{:<12}{:<26}" + "{:>9}" * 9


def row(name, times):
    """Milliseconds and ratios of medians; T is channels."""
    median = {configuration: 1e3 * statistics.median(seconds) for configuration, seconds in times.items()}
    ts, t1, t2, b1, b2 = (median.get(c) for c in ("elision", "channels 1", "channels 2", "onetbb 1", "onetbb 2"))

    def shown(value):
        return "-" if value is None else f"{value:.1f}" if value < 1e5 else f"{value:.0f}"

    def ratio(a, b):
        return f"{a / b:.2f}" if a and b else "-"

    return LINE.format(name, SIZES[name], *map(shown, (ts, t1, t2)), ratio(t1, ts), ratio(t1, t2),
                       *map(shown, (b1, b2)), ratio(b1, t1), ratio(b2, t2))


def main():
    options = arguments_of_this()
    options.directory.mkdir(parents=True, exist_ok=True)
    print("Milliseconds. Ts: elision; T1, T2: channels with 1 and 2 compute units; TBB: oneTBB with as many threads.")
    print(LINE.format(*HEADINGS), flush=True)
    everything = {}
    for name in options.names or SIZES:
        if options.compile == "only":
            compile_all(name, options)
            continue
        everything[name] = measure(name, options)
        print(row(name, everything[name]), flush=True)
    if options.json:
        options.json.write_text(json.dumps({"flags": options.flags, "sizes": SIZES, "seconds": everything}, indent=1))


if __name__ == "__main__":
    main()
