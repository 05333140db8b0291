"""Runs programs in settings of one's choice, their repetitions taking turns, and keeps all times."""

import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import bench_results  # noqa: E402

BUILD = ROOT / "build" / "release"

# n for fib where its time is measured: the paper's, 24, takes half a millisecond. The other sizes are the paper's.
WORKLOADS = ("fib", "queens", "sort", "strassen")
SIZES = {"fib": 35, "queens": 13, "sort": 1_000_000, "strassen": 512}
QUICK_SIZES = {"fib": 20, "queens": 8, "sort": 20_000, "strassen": 128}
TITLES = {"fib": "Fibonacci", "queens": "Queens", "sort": "Sort", "strassen": "Strassen"}


# Some two minutes, for cores to be moved.
MOST_TRIES = 100


class Failure(Exception):
    """A program that failed, or whose answer was wrong."""


class Runner:
    def __init__(self, quick, priority, directory, kept, apart=0):
        """Scratch files go to `directory`, what is worth keeping besides what sections return to `kept`. Runs in which a
        cache line's round trip took less than `apart` ns are done again: see round_trip.hpp."""
        self.quick = quick
        self.rounds = 1 if quick else 5
        self.kept = kept
        self.apart = apart
        self.sizes = QUICK_SIZES if quick else SIZES
        self.directory = directory
        self.round_trips = []
        self.prefix = ["chrt", "-f", str(priority)] if priority and shutil.which("chrt") else []

    def process(self, command, environment=None, limit=3600):
        """The command, which has to succeed within so many seconds, when it has ended."""
        try:
            done = subprocess.run([*self.prefix, *map(str, command)], capture_output=True, text=True, timeout=limit,
                                  env=dict(os.environ, **(environment or {})))
        except subprocess.TimeoutExpired:
            raise Failure(f"{' '.join(map(str, command))} has not ended after {limit} s") from None
        if done.returncode != 0:
            raise Failure(f"{' '.join(map(str, command))} in {environment}: status {done.returncode}: "
                          f"{done.stderr.strip()[-400:]}")
        return done

    def command(self, command, environment=None, limit=3600):
        """What the command printed."""
        return self.process(command, environment, limit).stdout

    def one(self, workload, environment=None, options=(), size=None, near=False):
        """The second of two runs in one process, whose memory the first has touched. With `near`, of cores nearer to each
        other than all others are to be apart."""
        command = [BUILD / "bench" / "evaluate" / "evaluate_runs", workload, "--size", size or self.sizes[workload],
                   "--runs", 2, *options, *([] if self.quick else ["--round-trip"])]
        for _ in range(MOST_TRIES):
            measured = json.loads(self.command(command, environment))
            trips = measured["round_trip_ns"]
            if max(trips) < self.apart if near else min(trips) >= self.apart:
                break
            time.sleep(1)
        if not self.quick and not near:
            self.round_trips += measured["round_trip_ns"]
        return measured["runs"][1]

    def far_apart(self):
        """The median of what the cores' round trips took since this was asked last, and the lowest and the highest."""
        trips, self.round_trips = self.round_trips, []
        return {"median": statistics.median(trips), "lowest": min(trips), "highest": max(trips)} if trips else None

    def all(self, configurations):
        """{key: [run, ...]} for {key: arguments of `one`}; each round runs all of them."""
        runs = {key: [] for key in configurations}
        for _ in range(self.rounds):
            for key, arguments in configurations.items():
                runs[key].append(self.one(**arguments))
        return runs

    def benchmarks(self, workloads, output, pattern="."):
        """{name: {"real": [ns], "counters": {}}} of scripts/bench, which are kept in `output`."""
        everything = {}
        for workload in workloads:
            for _ in range(4):
                self.one("fib", size=1)
                seen = len(self.round_trips)
                self.process([ROOT / "scripts" / "bench", workload, "--no-build", "--output", output, "--filter", pattern,
                              "--repetitions", self.rounds, "--min-time", 0.001 if self.quick else 0.05])
                self.one("fib", size=1)
                if min(self.round_trips[seen:], default=0) >= self.apart:
                    break
            measured = json.loads(output.read_text())
            everything = {**measured, "benchmarks": {**everything.get("benchmarks", {}), **measured["benchmarks"]}}
        output.write_text(bench_results.text(everything))
        return everything["benchmarks"]


def median(runs, of):
    """The median over runs of `of(run)`."""
    return statistics.median(of(run) for run in runs)


def seconds(runs):
    return median(runs, lambda run: run["seconds"])


def statistic(runs, name):
    return median(runs, lambda run: run["statistics"][name])


def busy_seconds(run):
    """Time of compute units in kernel nodes."""
    s = run["statistics"]
    return (1 - s["units_waiting"]) * s["run_ns"] * s["compute_units"] / 1e9


def aggregator_seconds(run):
    """Time in which the aggregator's thread did the aggregator's work."""
    phases = run["statistics"]["aggregator_ns"]
    return sum(value for name, value in phases.items() if name not in ("lent", "idle")) / 1e9
