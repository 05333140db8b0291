#!/usr/bin/env python3
"""Runs the corpus on a device, in a folder that can be carried to a machine that has one.

on_device.py build CILK2CHAN DEVICE FOLDER    compiles NAME.DEVICE into the folder, and puts this script and what it
                                              needs beside them
on_device.py run DEVICE FOLDER                runs them

A run has to print what expected.txt says, whatever the settings; or it ends with an error that names a setting to
change, for some of those that are tried leave too little room. Large runs, which fill a GPU, have to print what the
same program prints on the host. The exit status is 1 if a run did anything else.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE if (HERE / "programs.py").exists() else HERE.parents[1] / "examples" / "corpus"
sys.path.insert(0, str(PROGRAMS))
import programs  # noqa: E402

# What fills a GPU: some tenths of a second to a second of it.
LARGE = {
    "algorithms": "1000000",
    "barneshut": "20000 1",
    "cilksort": "-n 4000000",
    "etree": "100",
    "fft": "-n 1048576",
    "fib": "42",
    "floyd": "256",
    "flowshop": "14 5",
    "frontier": "300000",
    "heat": "-x 1024 -y 1024 -s 20",
    "karatsuba": "20000",
    "kdtree": "300000 100000",
    "knapsack": "44",
    "listsort": "300000",
    "lu": "-n 512",
    "matmul": "1024",
    "matmul_for": "1000",
    "nqueens": "11",
    "primes": "30000000",
    "queens": "15",
    "queens_loop": "15",
    "quickhull": "1000000",
    "scan": "10000000",
    "skynet": "1000000",
    "strassen": "1024",
    "tak": "9",
    "uts": "10000 12 0.2",
    "uts_sha1": "T1",
}
NAMES_A_SETTING = re.compile(r"CHANNELS_(MEMORY|CAPACITY|BATCH|LEVELS|HEAP|DEVICE_MALLOC|DEVICE_STACK)")
TIMEOUT = 120


def random_settings(choose):
    """Settings for one run, among them some that leave little room."""
    def some(values):
        return {} if (value := choose.choice(values)) is None else value

    settings = {"CHANNELS_SEED": str(choose.randrange(1, 1000))}
    settings |= some([None, {"CHANNELS_FORCE_YIELD": "0.02"}, {"CHANNELS_FORCE_YIELD": "0.2"}])
    settings |= some([None, *({"CHANNELS_MEMORY": m} for m in ("4M", "16M", "64M", "1G"))])
    if choose.random() < 0.4:
        return settings | some([None, *({"CHANNELS_CUS": n} for n in ("1", "2", "13"))])
    settings["CHANNELS_ORDER"] = "channels"
    settings["CHANNELS_READINESS"] = choose.choice(["levelized", "counted"])
    settings["CHANNELS_AGGREGATOR"] = choose.choice(["host", "device"])
    settings |= some([None, *({"CHANNELS_BATCH": n} for n in ("37", "1000", "8192"))])
    settings |= some([None, *({"CHANNELS_CAPACITY": n} for n in ("64", "1024", "65536"))])
    return settings | some([None, *({"CHANNELS_DONE_GROUP": n} for n in ("1", "16"))])


def build(options):
    options.folder.mkdir(parents=True, exist_ok=True)
    for file in (__file__, PROGRAMS / "programs.py", PROGRAMS / "expected.txt"):
        shutil.copy(file, options.folder)

    def compile_one(name):
        command = [options.cilk2chan, f"--device={options.device}", "--device-aggregator", *options.option, *programs.sources(name),
                   *programs.channels_flags(name), "-o", options.folder / f"{name}.{options.device}"]
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
        if done.returncode != 0:
            print(f"{name}: not compiled\n{done.stderr}")
        return done.returncode == 0

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        return all(list(pool.map(compile_one, options.names)))


def run_one(options, name, arguments, settings):
    """(status, what it printed, what it said)"""
    environment = {"CHANNELS_TIMEOUT": "60", "CHANNELS_DEVICE": options.device, **settings}
    environment["LD_LIBRARY_PATH"] = f"{options.folder}:{os.environ.get('LD_LIBRARY_PATH', '')}"
    try:
        done = subprocess.run([options.folder / f"{name}.{options.device}", *arguments], capture_output=True,
                              text=True, timeout=TIMEOUT, env=os.environ | environment)
    except subprocess.TimeoutExpired:
        return "timeout", "", ""
    return done.returncode, done.stdout, done.stderr


def tasks_of(options):
    """(name, arguments, settings, status and output that it has to have) of all runs"""
    choose = random.Random(options.seed)
    for name in options.names:
        for arguments, output in programs.expected()[name][:options.cases]:
            for settings in [{}, *(random_settings(choose) for _ in range(options.settings))]:
                yield name, arguments, settings, (0, output)
    for name in options.names:
        if options.large == 0:
            continue
        arguments = LARGE[name].split()
        wanted = run_one(options, name, arguments, {"CHANNELS_DEVICE": "host"})[:2]
        for _ in range(options.large):
            yield name, arguments, {}, wanted


def run(options):
    counts = collections.defaultdict(collections.Counter)

    end = time.monotonic() + options.seconds

    def check(task):
        name, arguments, settings, wanted = task
        if time.monotonic() > end:
            return name, "not run", ""
        status, printed, said = run_one(options, name, arguments, settings)
        if (status, printed) == wanted:
            return name, "right", ""
        refused = status != 0 and "CHANNELS_SEED" in settings and NAMES_A_SETTING.search(said)
        setting = " ".join(f"{key}={value}" for key, value in settings.items())
        return (name, "refused" if refused else "wrong",
                f"{setting} {name} {' '.join(arguments)}: status {status}\n{printed[-1000:]}{said[-2000:]}")

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, how, why in pool.map(check, tasks_of(options)):
            counts[name][how] += 1
            if how == "wrong" or (how == "refused" and options.verbose):
                print(f"{how}: {why}", flush=True)
    for name, count in counts.items():
        print(f"{name}: " + ", ".join(f"{number} {how}" for how, number in sorted(count.items())))
    total = sum(counts.values(), collections.Counter())
    print(f"{total['right']} runs right, {total['refused']} refused for a setting, {total['wrong']} wrong"
          + (f", {total['not run']} not run for want of time" if total["not run"] else ""))
    return total["wrong"] == 0 and total["not run"] == 0 and total["right"] > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    modes = parser.add_subparsers(dest="mode", required=True)
    building = modes.add_parser("build")
    building.add_argument("cilk2chan")
    building.add_argument("--option", action="append", default=[], help="for cilk2chan")
    running = modes.add_parser("run")
    running.add_argument("--settings", type=int, default=6, help="random settings for each case of expected.txt")
    running.add_argument("--cases", type=int, help="of expected.txt, for each program")
    running.add_argument("--large", type=int, default=0, help="large runs of each program")
    running.add_argument("--seconds", type=float, default=float("inf"), help="after which no run is begun")
    running.add_argument("--seed", type=int, default=1, help="of the settings")
    running.add_argument("--verbose", action="store_true", help="say why runs were refused")
    for mode in (building, running):
        mode.add_argument("device")
        mode.add_argument("folder", type=pathlib.Path)
        mode.add_argument("names", nargs="*", default=sorted(LARGE), metavar="NAME")
        mode.add_argument("--jobs", type=int, default=2, help="at a time")
    options = parser.parse_args()
    options.folder = options.folder.resolve()
    sys.exit(0 if (build if options.mode == "build" else run)(options) else 1)


if __name__ == "__main__":
    main()
