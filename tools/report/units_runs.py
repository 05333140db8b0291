"""Runs a program with several numbers of units, and keeps what its runs took and left."""

import json
import os
import statistics
import subprocess
import tempfile
import time

from runs import ReportError

# What a run for channels-scale sets itself, or what would write a file for each run.
OWN = ("CHANNELS_CUS", "CHANNELS_STATS", "CHANNELS_SPAN", "CHANNELS_TRACE", "CHANNELS_GRAPH", "CHANNELS_PROGRESS")


class ScaleError(ReportError):
    """Why a program cannot be measured, for the user."""


class TimedOut(ScaleError):
    """A run took longer than it may."""


class Program:
    """A command, and how it is run."""

    def __init__(self, command, timeout, standard_input=os.devnull):
        self.command = command
        self.timeout = timeout
        self.standard_input = standard_input

    def run(self, **settings):
        """Runs it with these settings. Returns its output, and the document of its statistics."""
        environment = {k: v for k, v in os.environ.items() if k not in OWN}
        environment.update({f"CHANNELS_{k}": str(v) for k, v in settings.items()})
        shown = " ".join(f"CHANNELS_{k}={v}" for k, v in settings.items())
        what = f"{shown} {' '.join(self.command)}"
        with tempfile.TemporaryDirectory(prefix="channels-scale-") as folder:
            document = os.path.join(folder, "run.json")
            environment["CHANNELS_STATS"] = f"json:{document}"
            try:
                with open(self.standard_input, "rb") as given:
                    done = subprocess.run(self.command, env=environment, stdin=given, capture_output=True,
                                          timeout=self.timeout, check=False)
            except subprocess.TimeoutExpired as e:
                raise TimedOut(f"{what}: took longer than {self.timeout:g} s and was ended; give it a smaller problem, "
                               "or more time with --timeout") from e
            except OSError as e:
                raise ScaleError(f"{e.filename or self.command[0]}: {e.strerror}") from e
            if done.returncode != 0:
                said = done.stderr.decode(errors="replace").strip().splitlines()[-3:]
                status = f"signal {-done.returncode}" if done.returncode < 0 else f"status {done.returncode}"
                raise ScaleError("\n".join([f"{what}: ended with {status}", *said]))
            return done.stdout, self._read(document, what)

    def _read(self, document, what):
        try:
            with open(document, encoding="utf-8") as file:
                fields = json.load(file)
        except OSError as e:
            raise ScaleError(
                f"{what}: left no statistics; it has to be compiled by cilk2chan, or to use channels::runtime, to "
                "spawn or run something, and to end by returning from main or by exit"
            ) from e
        return fields


class Measured:
    """What the runs with one number of units took, in nanoseconds, and the document of the last."""

    def __init__(self, units):
        self.units = units
        self.times = []
        self.fields = {}

    @property
    def time(self):
        return statistics.median(self.times)

    @property
    def waiting(self):
        """The share of their time in which units had nothing to run; None if that is not known."""
        parts = self.fields.get("runtimes", [self.fields])
        if len(parts) == 1 and "units_waiting" in parts[0]:
            return parts[0]["units_waiting"]
        if "host_code" in self.fields and "runs" not in self.fields:
            return min(1.0, self.fields["host_code"]["idle_ns"] / (self.units * self.fields["wall_ns"]))
        return None


class Span:
    """Work and span in nanoseconds, or why there are none."""

    def __init__(self, work=None, span=None, why=""):
        self.work = work
        self.span = span
        self.why = why  # of what is missing

    @property
    def parallelism(self):
        return self.work / self.span if self.work and self.span else None


def form_of(fields):
    """How the program runs its tasks."""
    if "calls" in fields:
        return "device"
    if "runs" in fields or "runtimes" in fields:
        return "channels" if "host_code" not in fields else "both"
    return "host code"


def measure(program, units, repetitions, compare, say=lambda text: None):
    """Runs the program with each of `units`, in turns. Returns a list of Measured."""
    all_measured = [Measured(n) for n in units]
    first = None
    total = repetitions * len(units)
    for turn in range(repetitions):
        for number, one in enumerate(all_measured):
            say(f"run {turn * len(units) + number + 1} of {total}: {one.units} unit{'s' if one.units > 1 else ''}")
            output, one.fields = program.run(CUS=one.units)
            _check_units(one)
            one.times.append(one.fields["wall_ns"])
            first = output if first is None else first
            if compare and output != first:
                raise ScaleError(
                    f"CHANNELS_CUS={one.units} {' '.join(program.command)}: printed something else than the first run "
                    f"with {all_measured[0].units}: {_difference(first, output)}; if it prints times, use --any-output"
                )
    return all_measured


def _check_units(one):
    ran = [part["compute_units"] for part in one.fields.get("runtimes", [one.fields]) if "compute_units" in part]
    if ran and one.units not in ran and one.fields["device"] == "host":
        raise ScaleError(
            f"CHANNELS_CUS={one.units}: the program ran with {ran[0]} units: it sets settings::compute_units itself; "
            "let it take what settings::from_environment() returns"
        )


def _difference(first, other):
    before, now = (text.decode(errors="replace").splitlines() for text in (first, other))
    for number, (a, b) in enumerate(zip(before, now), 1):
        if a != b:
            return f"line {number} is {b[:60]!r} and was {a[:60]!r}"
    return f"{len(now)} lines and not {len(before)}"


def measure_span(program, one_unit, say=lambda text: None):
    """Work and span, by a run of its own; `one_unit`: what runs with one unit took."""
    form = form_of(one_unit.fields)
    if form == "channels":
        parts = one_unit.fields.get("runtimes", [one_unit.fields])
        return Span(sum(part["busy_ns"] for part in parts), None,
                    "a run through channels notes batches, and not which element made which")
    if form == "device":
        return Span(why="a device does not note when its tasks wait for each other")
    if form == "both":
        return Span(why="a part of the program runs through channels, which do not note which element made which")
    say("the run that measures work and span")
    begin = time.monotonic()
    try:
        _, fields = program.run(CUS=1, SPAN=1)
    except TimedOut:
        return Span(why=f"the run that measures it took longer than {time.monotonic() - begin:.0f} s (--timeout)")
    host = fields.get("host_code", {})
    if "span_ns" not in host:
        return Span(why="several threads of the program spawn, or it was linked with a version of channels "
                        "without CHANNELS_SPAN")
    return Span(host["work_ns"], host["span_ns"])
