#!/usr/bin/env python3
"""Compares programs of Csmith, given spawns and syncs, with what they print without.

Csmith writes C with everything that is ordinary in it: unions, bit-fields, packed structures, volatile variables,
jumps, assignments inside of expressions. Each function of a program becomes two: its body, in which strands end at
random places, and a wrapper that spawns the body, so that calls inside of expressions are calls of tasks. A file has
several programs, under names of their own. It is compiled once, for the emulated device, and runs as host code,
through channels and on the device. What each program prints has to be what Csmith's own text prints, compiled by
Clang, and what the serial elision prints. Exit status: 0 if nothing differed.
"""

import argparse
import collections
import random
import re
import shutil
import sys
import tempfile
from pathlib import Path

from running import Ended, Toolchain

FUNCTION = re.compile(r"^static (?P<type>.*?)\s*\b(?P<name>func_\d+)\((?P<parameters>.*)\)(?P<end>;?)$")
NAMED = re.compile(r"\b((?:g|(?:body_)?func|l|p|lbl)_\d+|[SU]\d+|__undefined|main)\b")
# A line on which a statement of a block begins. Declarations, `else` and braces are none.
STATEMENT = re.compile(r"^(?P<indent> +)(?:if \(|for \(|return |goto |\(|\*|\+\+|--|[gl]_\d+)")
UNBRACED = re.compile(r"^ +(for|if) \(.*\)$|^ +else$")
# What stays on the host, and why: file, line and column are another program's, and names are the generator's.
STAYS = re.compile(r"^(?:warning: )?(?P<name>[\w:]+)(?: \(.*?\))?: stays on the host.*?:\d+:\d+: (?P<why>.*)$")
SUM = re.compile(r"tasks: (\d+) of (\d+) functions?")
RUNS = ({"CHANNELS_GIVE": "always"}, {"CHANNELS_ORDER": "channels"}, {"CHANNELS_DEVICE": "emulated"})
SECONDS = 20


def csmith_options(seed):
    """Csmith's options for a program. Small ones, of which many go through the compiler in a second."""
    pick = random.Random(f"csmith {seed}")
    options = ["--no-argc", "--concise", "--max-funcs", str(pick.randint(2, 5)), "--max-block-size", "3",
               "--max-block-depth", str(pick.randint(2, 3)), "--max-expr-complexity", str(pick.randint(2, 6))]
    for feature in ("packed-struct", "bitfields", "jumps", "unions"):
        if pick.random() < 0.4:
            options.append(f"--no-{feature}")
    # C++, which tasks are compiled as, copies no volatile structures.
    return options + pick.choice((["--no-volatiles"], ["--no-structs", "--no-unions"]))


def generated(seed):
    made = Ended.of(["csmith", "--seed", seed, *csmith_options(seed)], SECONDS)
    return made.output if made.status == 0 else None


def argument_names(parameters):
    return "" if parameters == "void" else ", ".join(re.findall(r"\bp_\d+\b", parameters))


def wrapper(found):
    """What spawns a function's body and has its name."""
    kind, name, parameters = found["type"], found["name"], found["parameters"]
    return (f"static {kind} {name}({parameters})\n{{\n"
            f"    {kind} result = cilk_spawn body_{name}({argument_names(parameters)});\n"
            "    cilk_sync;\n    return result;\n}\n")


class Cilk:
    """The text of one of Csmith's programs with spawns and syncs in it."""

    def __init__(self, text, seed):
        self.pick = random.Random(f"spawns {seed}")
        self.notes = 0
        self.share = self.pick.choice((0.1, 0.3, 0.6))
        self.lines = []
        self.wrappers = []
        previous, inside = "", False
        for line in text.splitlines():
            inside = inside and not line.startswith("}")
            if inside:
                self.body_line(line, previous)
            else:
                inside = self.outer_line(line)
            previous = line

    def outer_line(self, line):
        """Whether a body begins behind it."""
        found = FUNCTION.match(line)
        if found is None:
            if line.startswith("int main"):
                self.lines += self.wrappers
            self.lines.append(line)
            return False
        if found["end"]:
            self.lines.append(line)
            self.lines.append(line.replace(found["name"], "body_" + found["name"], 1))
            return False
        self.lines.append(line.replace(found["name"], "body_" + found["name"], 1))
        self.wrappers.append(wrapper(found))
        return True

    def body_line(self, line, previous):
        found = STATEMENT.match(line)
        if found and not UNBRACED.match(previous) and self.pick.random() < self.share:
            self.lines.append(found["indent"] + self.strand_end())
        self.lines.append(line)

    def strand_end(self):
        """A child that changes nothing of the program's, and mostly a sync behind it."""
        self.notes += 1
        return f"cilk_spawn note({self.pick.randint(1, 9)});" + (" cilk_sync;" if self.pick.random() < 0.7 else "")

    def text(self):
        return "\n".join(self.lines)


HEAD = """#include "csmith.h"
#include <cilk/cilk.h>
static long noted;
static void note(long n) { __atomic_fetch_add(&noted, n, __ATOMIC_RELAXED); }
"""


def renamed(text, number):
    """The same program under names that no other in the file has."""
    text = re.sub(r'^#include "csmith.h"$', "", text, flags=re.M)
    text = NAMED.sub(rf"\1_{number}", text)
    return text.replace("int main_" + str(number), "static int main_" + str(number))


def file_of(programs):
    """One text of all `programs`; its main runs them in turn."""
    calls = "".join(f"  crc32_context = 0xFFFFFFFFUL;\n  main_{n}();\n" for n in range(len(programs)))
    return (HEAD + "\n".join(renamed(text, n) for n, text in enumerate(programs))
            + f'\nint main(void) {{\n{calls}  printf("noted %ld\\n", noted);\n  return 0;\n}}\n')


class Comparison:
    def __init__(self, given):
        self.given = given
        self.tools = Toolchain.find(given.compiler)
        self.programs = self.tasks = self.functions = self.failures = self.skipped = 0
        self.why = collections.Counter()

    def plain(self, seed, folder):
        """What Csmith's text prints, or None if it does not end soon, and the text."""
        text = generated(seed)
        if text is None:
            return None, None
        source, made = folder / "plain.c", folder / "plain"
        source.write_text(text)
        compiled = Ended.of([self.tools.c, "-w", self.given.option, "-I", self.given.csmith, source, "-o", made], 60)
        run = Ended.of([made], 2) if compiled.status == 0 else compiled
        return (run.output if run.status == 0 else None), text

    def batch(self, seeds, folder):
        wanted, texts = "", []
        for seed in seeds:
            printed, text = self.plain(seed, folder)
            if printed is None:
                self.skipped += 1
            else:
                wanted += printed
                texts.append(Cilk(text, seed).text())
        if texts:
            self.compare(seeds, texts, wanted, folder)

    def compare(self, seeds, texts, wanted, folder):
        source, made = folder / "cilk.c", folder / "cilk"
        source.write_text(file_of(texts))
        options = [self.given.option, "-w", "-I", self.given.csmith, source, "-o", made]
        elision = Ended.of([self.tools.compiler, "--serial", *options], 120)
        serial = Ended.of([made], SECONDS) if elision.status == 0 else elision
        if serial.status != 0 or not serial.output.startswith(wanted):
            self.report(seeds, source, "the elision", serial)
            return
        compiled = Ended.of([self.tools.compiler, "--device=emulated", "--explain", *options], 600)
        self.count(compiled.output + compiled.errors)
        if compiled.status != 0:
            self.report(seeds, source, "the compiler", compiled)
            return
        for settings in RUNS:
            run = Ended.of([made], SECONDS, settings)
            if run.status != 0 or run.output != serial.output:
                self.report(seeds, source, " ".join("=".join(pair) for pair in settings.items()), run)
        self.programs += len(texts)

    def count(self, explained):
        found = SUM.search(explained)
        if found:
            self.tasks += int(found[1])
            self.functions += int(found[2])
        for line in explained.splitlines():
            stays = STAYS.match(line)
            if stays and not stays["name"].startswith("main"):
                self.why[re.sub(r"'[^']*'|\d+", "_", stays["why"])] += 1

    def report(self, seeds, source, what, run):
        self.failures += 1
        self.given.keep.mkdir(parents=True, exist_ok=True)
        kept = self.given.keep / f"csmith-{seeds[0]}-{len(seeds)}.c"
        shutil.copy(source, kept)
        said = [line for line in run.errors.splitlines() if "error" in line or "channels:" in line]
        print(f"seeds {seeds[0]} to {seeds[-1]}: {what}: status {run.status} {' '.join(said)[:600]}\n"
              f"  kept {kept}; again: {sys.argv[0]} --seed {seeds[0]} --count {len(seeds)} --batch {len(seeds)}",
              flush=True)

    def sums(self):
        print(f"{self.programs} programs, {self.skipped} skipped, {self.failures} failures; "
              f"{self.tasks} of {self.functions} functions are tasks")
        for why, times in self.why.most_common(20):
            print(f"{times:6} {why}")


def parsed():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100, help="number of programs")
    parser.add_argument("--seed", type=int, default=1, help="of the first program")
    parser.add_argument("--batch", type=int, default=5, help="programs in a file")
    parser.add_argument("--option", default="-O0", help="of the host compiler")
    parser.add_argument("--compiler", type=Path, help="cilk2chan")
    parser.add_argument("--csmith", default="/usr/include/csmith", help="the folder of csmith.h")
    parser.add_argument("--keep", type=Path, default=Path("csmith-failures"), help="where programs that differ go")
    return parser.parse_args()


def main():
    given = parsed()
    comparison = Comparison(given)
    try:
        with tempfile.TemporaryDirectory() as folder:
            for first in range(given.seed, given.seed + given.count, given.batch):
                last = min(first + given.batch, given.seed + given.count)
                comparison.batch(list(range(first, last)), Path(folder))
    except KeyboardInterrupt:
        print("interrupted")
    comparison.sums()
    sys.exit(comparison.failures != 0)


if __name__ == "__main__":
    main()
