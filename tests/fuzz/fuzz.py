#!/usr/bin/env python3
"""Compares random Cilk programs, compiled by cilk2chan, with their serial elision.

Programs come from cilkgen.py, ten to a file. Each file is compiled by each lowering and run with several random
settings; what differs is compiled alone, kept with its settings and both outputs in --keep, and a command that
replays it is printed. Exit status: 0 if nothing differed.
"""

import argparse
import concurrent.futures
import shlex
import sys
import tempfile
import threading
import time
from pathlib import Path

from cilkgen import file_trees, language_of
from features import read_changes
from running import Ended, Difference, RUN_SECONDS, Toolchain, compare_run, compile_difference, random_settings, \
    suffix_of, written_for

BATCH = 10
# Of files in a row. Languages take turns, so an odd number. What tasks become takes long to optimise.
OPTIONS = {"host_code": ("-O0", "-O1", "-O2", "-O3 -g", "-O2 -flto"),
           "tasks": ("-O0", "-O1", "-O0 -g", "-O0", "-O2", "-O0", "-O0", "-O3", "-O0", "-O1 -flto", "-O0"),
           "emulated": ("-O0", "-O0 --stacks=lane-private", "-O0 --stacks=pooled", "-O0 -g", "-O1")}
# Of so many files in a row one is two files; --tasks takes one only.
SPLIT = 3


class Fuzzer:
    def __init__(self, given):
        self.given = given
        self.tools = Toolchain.find(given.compiler)
        self.changes = read_changes(given.features)
        self.modes = ("tasks", "host_code", "emulated") if given.mode == "all" else (given.mode,)
        for mode in self.modes:
            if mode not in self.tools.lowerings and not given.check_only:
                raise ValueError(f"{self.tools.compiler} has no {mode} lowering")
        self.fixed = [dict(pair.split("=", 1) for pair in given.settings.split())] if given.settings else None
        self.lock = threading.Lock()
        self.programs = self.runs = self.exhausted = self.failures = self.disputed = 0

    def batch(self, seeds, mode, folder):
        """All programs of `seeds`, which are of one language."""
        language = self.given.language or language_of(seeds[0])
        sources = self.write(seeds, mode, language, folder)
        source = sources[-1]
        plain = source.with_suffix(".plain")
        wanted = self.serial(seeds, mode, sources, plain)
        if wanted is None or self.given.check_only:
            with self.lock:
                self.programs += len(seeds)
            return
        made = source.with_suffix(".lowered")
        compiled = self.tools.lowered(mode, sources, made, self.option(seeds[0], mode).split())
        if compiled.status != 0:
            self.refused(seeds, mode, language, compiled, folder)
            return
        found = {}
        for number in range(self.given.runs):
            settings = self.fixed[0] if self.fixed else random_settings(f"{seeds[0]} {number}", mode)
            differences, exhausted = compare_run(made, wanted, settings)
            with self.lock:
                self.runs += len(seeds)
                self.exhausted += exhausted
            for one in differences:
                found.setdefault(one.first, one)
        self.forget_disputed(sources, found)
        for index, one in found.items():
            # What only differs in the whole file is kept as the whole file.
            self.report(seeds if index < 0 else [seeds[index]], mode, language, one)
        with self.lock:
            self.programs += len(seeds)

    def files(self, seeds, mode):
        return 2 if mode != "tasks" and len(seeds) > 1 and seeds[0] // BATCH % SPLIT == SPLIT - 1 else 1

    def write(self, seeds, mode, language, folder, name=None):
        """The files of these programs, main's the last."""
        trees = file_trees(seeds, language, written_for(mode), self.changes, self.files(seeds, mode))
        paths = [folder / f"{name or f'{mode}{seeds[0]}'}{'' if i == 0 else f'_{i}'}{suffix_of(language)}"
                 for i in reversed(range(len(trees)))]
        for path, tree in zip(paths, trees):
            path.write_text(tree.text())
        return paths

    def forget_disputed(self, sources, found):
        """Where the host compiler makes different programs of the elision, by how it optimises, any of them will do."""
        other = sources[-1].with_suffix(".other")
        if not found or self.tools.elision(sources, other, ("-O0",)).status != 0:
            return
        lines = Ended.of([other], RUN_SECONDS).output.splitlines()
        for index in [i for i, one in found.items() if one.kind == "output" and 0 <= i < len(lines)]:
            if found[index].found == lines[index] + "\n":
                del found[index]
                with self.lock:
                    self.disputed += 1

    def option(self, seed, mode):
        return self.given.option or OPTIONS[mode][seed // BATCH % len(OPTIONS[mode])]

    def serial(self, seeds, mode, sources, plain):
        """What the elision prints; with sanitizers for some files, to check the generator."""
        compiled = self.tools.elision(sources, plain)
        wanted = Ended.of([plain], RUN_SECONDS) if compiled.status == 0 else compiled
        fault = None if wanted.status == 0 else wanted
        if fault is None and self.given.check and seeds[0] // BATCH % self.given.check == 0:
            run = self.tools.checked(sources, plain.with_suffix(".checked"))
            if run.status != 0 or run.output != wanted.output:
                fault = run
        if fault is None:
            return wanted
        self.report(seeds, mode, self.given.language or language_of(seeds[0]),
                    Difference("generator", f"status {fault.status}\n{fault.errors[:2000]}"))
        return None

    def refused(self, seeds, mode, language, compiled, folder):
        """Finds the programs that the compiler does not take."""
        count = 0
        for seed in seeds if len(seeds) > 1 else ():
            sources = self.write([seed], mode, language, folder, f"{mode}{seed}.alone")
            alone = self.tools.lowered(mode, sources, sources[-1].with_suffix(".out"), ["-O0"])
            if alone.status != 0:
                count += 1
                self.report([seed], mode, language, compile_difference(alone))
        if count == 0:
            self.report(seeds, mode, language, compile_difference(compiled))

    def report(self, seeds, mode, language, found):
        command = ["tests/fuzz/fuzz.py", "--seed", str(seeds[0]), "--count", str(len(seeds)), "--mode", mode]
        if self.given.language:
            command += ["--language", language]
        if self.given.features:
            command += ["--features", self.given.features]
        command += [f"--option={self.option(seeds[0], mode)}"]
        if found.settings:
            command += ["--settings", " ".join(f"{k}={v}" for k, v in found.settings.items())]
        if found.kind == "generator":
            command += ["--check", "1", "--check-only"]
        replay = shlex.join(command)
        where = Path(self.given.keep) / f"{mode}-{seeds[0]}{'' if len(seeds) == 1 else f'-{seeds[-1]}'}"
        where.mkdir(parents=True, exist_ok=True)
        self.write(seeds, mode, language, where, "program")
        (where / "report.txt").write_text(f"{replay}\n\n{found.kind}: {found.what}\n\nsettings {found.settings}\n\n"
                                          f"wanted\n{found.wanted}\nfound\n{found.found}\n")
        with self.lock:
            self.failures += 1
            lines = found.what.strip().splitlines() or [""]
            first = next((line for line in lines if "error:" in line), lines[0])
            print(f"{found.kind}: {first[:200]}\n  {replay}", flush=True)

    def run(self):
        given = self.given
        last = given.seed + given.count
        starts = [given.seed] + [s for s in range(given.seed + 1, last) if s % BATCH == 0]
        ends = starts[1:] + [last]
        with tempfile.TemporaryDirectory(prefix="cilk-fuzz-") as name, \
                concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
            waiting = [pool.submit(self.batch, range(a, b), mode, Path(name))
                       for a, b in zip(starts, ends) for mode in self.modes]
            for one in concurrent.futures.as_completed(waiting):
                one.result()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200, help="programs (200)")
    parser.add_argument("--seed", type=int, default=0, help="of the first program; the others follow (0)")
    parser.add_argument("--jobs", type=int, default=2, help="files at a time (2)")
    parser.add_argument("--runs", type=int, default=4, help="settings for each file (4)")
    parser.add_argument("--mode", choices=("tasks", "host_code", "emulated", "all"), default="tasks", help="lowerings to test")
    parser.add_argument("--language", choices=("c", "c++"), help="default: by the seed")
    parser.add_argument("--features", default="", help="weights to change: alloca=5,loop=0")
    parser.add_argument("--option", help="for the compiler; default: -O0, -O1 or -O2, and kinds of stacks, by the seed")
    parser.add_argument("--settings", help="run with these only: 'CHANNELS_WIDTH=8 CHANNELS_CUS=1'")
    parser.add_argument("--check", type=int, default=10, metavar="N",
                        help="compile every Nth file's elision with sanitizers, 0 none (10)")
    parser.add_argument("--check-only", action="store_true", help="check the generator, not the compiler")
    parser.add_argument("--compiler", help="cilk2chan (the newest below build/)")
    parser.add_argument("--keep", default="fuzz-failures", help="where failures go (fuzz-failures)")
    given = parser.parse_args()
    try:
        fuzzer = Fuzzer(given)
    except ValueError as wrong:
        parser.error(str(wrong))
    start = time.monotonic()
    fuzzer.run()
    print(f"{fuzzer.programs} programs, {fuzzer.runs} runs, {fuzzer.exhausted} out of room as they should say, "
          f"{fuzzer.failures} failures, {fuzzer.disputed} differ between the host compiler's own levels, {time.monotonic() - start:.0f} s")
    return 1 if fuzzer.failures else 0


if __name__ == "__main__":
    sys.exit(main())
