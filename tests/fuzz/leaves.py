#!/usr/bin/env python3
"""Random leaves with loops, which the lanes of a GPU's wavefront may share, against the serial elision.

usage: leaves.py --cilk2chan FILE [--seed N] [--count PROGRAMS] [--leaves FUNCTIONS] [--keep DIRECTORY]

A program is a function of its seed. Its leaves use one pool of memory through pointers that often overlap when it runs.
Their loops are independent and dependent, forwards and backwards, strided and nested, over rows, with sums, with
variables that they leave behind, and with ways out. A difference is printed with the seed and the program's place.
"""

import argparse
import os
import pathlib
import random
import subprocess
import sys
import tempfile

POOL = 6000
FIRST, LAST = 2000, 3500   # where pointers may begin: no index is more than 1500 away
SETTINGS = [{}, {"CHANNELS_CUS": "1"}, {"CHANNELS_CUS": "2", "CHANNELS_SEED": "3"}]


class Leaf:
    """The text of one function."""

    def __init__(self, rng, number):
        self.rng = rng
        self.number = number
        self.names = 0
        self.locals = ["n", "m"]   # integers that can be read
        self.counted = []          # variables of the loops around
        self.unsigned = set()      # of these: a difference below zero would lead far away

    def pick(self, *options):
        return self.rng.choice(options)

    def fresh(self, stem):
        self.names += 1
        return f"{stem}{self.names}"

    def index(self):
        """A subscript of which no value is further away than 700."""
        if not self.counted:
            return str(self.rng.randrange(20))
        i = self.counted[-1]
        outer = self.counted[0]
        offset = self.rng.choice((0, 0, 0, 1, 2, 7, -1, -3))
        forms = [f"{i}", f"{i}", f"{i} + {offset}", f"2 * {i} + {abs(offset) % 2}", f"n - 1 - {i}", f"{i} + m",
                 f"{i} * m", f"(size_t){i} + {abs(offset)}", f"{i} - m", f"3 * {i}", f"{offset} + ({i} << 1)"]
        if len(self.counted) > 1:
            forms += [f"{outer} * m + {i}"] * 5 + [f"{i} * m + {outer}", f"{outer} + {i}", f"{outer}", f"{outer} * 40 + {i}"] * 2
        if self.unsigned.intersection(self.counted):
            forms = [f"{i}", f"{i} + {abs(offset)}", f"2 * {i}", f"{i} + m", f"{i} * m + {outer}", f"{outer} + {i}"]
        return self.rng.choice(forms)

    def place(self):
        pointer = self.pick("p", "p", "q", "r")
        return self.pick(f"{pointer}[{self.index()}]", f"{pointer}[{self.index()}]", f"*({pointer} + {self.index()})")

    def scattered(self):
        return f"{self.pick('p', 'q', 'r')}[{self.pick('q', 'r')}[{self.index()}] & 63]"

    def value(self, depth=2):
        roll = self.rng.random()
        if depth == 0 or roll < 0.25:
            return self.pick(str(self.rng.randrange(100)), *(self.locals + self.counted))
        if roll < 0.6:
            return self.place()
        if roll < 0.64:
            return self.scattered()
        if roll < 0.7:
            return f"mix({self.value(depth - 1)}, {self.value(depth - 1)})"
        if roll < 0.76:
            return f"({self.value(depth - 1)} > {self.value(depth - 1)} ? {self.value(depth - 1)} : {self.value(0)})"
        return f"({self.value(depth - 1)} {self.pick('+', '-', '*', '^', '&', '|')} {self.value(depth - 1)})"

    def store(self):
        roll = self.rng.random()
        if roll < 0.06:
            return f"{self.scattered()} = {self.value()} & 511;"
        if roll < 0.1:
            return f"count({self.value(1)});"
        if roll < 0.16 and self.counted:
            return f"table[{self.rng.randrange(4)}][{self.counted[-1]} & 31] = {self.value()} & 255;"
        place = self.place()
        if roll < 0.3:
            return f"{place} ^= {self.value()} & 127;"
        if roll < 0.36:
            return f"({place})++;"
        return f"{place} = {self.value()} & 511;"

    def statement(self, depth):
        roll = self.rng.random()
        if roll < 0.5:
            return [self.store()]
        if roll < 0.6:
            return [f"if ({self.value()} & 1) {self.store()}"]
        if roll < 0.64:
            return [f"if (({self.value()} & 7) == 3) continue;"] if self.counted else [self.store()]
        if roll < 0.66:
            return [f"if (({self.value()} & 63) == 5) break;"] if self.counted else [self.store()]
        if roll < 0.74:
            name = self.fresh("t")
            text = f"int {name} = {self.value()} & 1023;"
            self.locals.append(name)
            return [text, self.store()]
        if roll < 0.82:
            return [f"sum {self.pick('+=', '-=')} {self.value()};"]
        if roll < 0.86:
            return [f"bits ^= {self.value()};"]
        if roll < 0.9:
            return [f"last = {self.value()} & 2047;", self.store()]
        if roll < 0.92:
            place = self.place()
            return [self.pick(f"most = most > {place} ? most : {place};", f"if ({place} > most) most = {place};",
                              f"if ({place} <= least) {{ least = {place}; }}",
                              f"most = most > ({place} & 31) ? most : {self.rng.randrange(900)};")]
        return self.loop(depth + 1) if depth < 3 else [self.store()]

    def body(self, depth):
        kept = len(self.locals)
        lines = []
        for _ in range(self.rng.choice((1, 1, 2, 3))):
            lines += self.statement(depth)
        del self.locals[kept:]
        return ["  " + text for text in lines]

    def loop(self, depth):
        outside = self.rng.random() < 0.4
        i = self.pick("i", "j", "k") if outside else self.fresh("i")
        if i in self.counted:
            i, outside = self.fresh("i"), False
        kind = "" if outside else self.pick("int ", "int ", "long ", "unsigned ")
        most = "n" if depth == 1 else self.pick("n", "m", "5", "8", "12")
        if depth > 1 and most == "n":
            most = "(n < 12 ? n : 12)"
        first = self.pick("0", "0", "0", "1", "2")
        if self.counted and self.rng.random() < 0.2 and kind != "unsigned ":
            first = f"(int){self.counted[-1]}"
        step = self.pick("++", "++", "++", " += 2", " += 3")
        head = f"for ({kind}{i} = {first}; {i} < {most}; {i}{step}) {{"
        if kind != "unsigned " and self.rng.random() < 0.2:
            head = f"for ({kind}{i} = {most} - 1; {i} >= 0; {i}--) {{"
        elif kind == "int " and self.rng.random() < 0.1:
            head = f"for ({kind}{i} = 0; {i} <= {most} - 1; {i}++) {{"
        if kind == "unsigned ":
            self.unsigned.add(i)
        self.counted.append(i)
        lines = [head] + self.body(depth) + ["}"]
        self.counted.pop()
        return lines

    def text(self):
        lines = []
        for _ in range(self.rng.choice((1, 2, 2, 3))):
            lines += self.loop(1)
            if self.rng.random() < 0.3:
                lines.append(self.store())
        body = "\n".join("  " + line for line in lines)
        alone = self.rng.choice(("", "", " restrict"))
        variables = "  int i = 0, j = 0, k = 0, last = 7, most = 3, least = 400, sum = 1;\n  unsigned bits = 9;\n"
        result = "  return sum * 31 + (int)bits + last + most + 2 * least + 3 * i + 5 * j + 7 * k;\n"
        parameters = f"int* {alone} p, int* {alone} q, int* {alone} r, int n, int m"
        if self.number % 3 != 0:
            return bool(alone), f"static int leaf{self.number}({parameters}) {{\n{variables}{body}\n{result}}}\n"
        # The base case of a function that spawns.
        deeper = (f"  if (more > 0) {{\n    int down = cilk_spawn leaf{self.number}(p, q, r, n, m, more - 1);\n"
                  f"    cilk_sync;\n    return down * 3 + 1;\n  }}\n")
        return bool(alone), f"int leaf{self.number}({parameters}, int more) {{\n{variables}{deeper}{body}\n{result}}}\n"


def program(seed, leaves):
    rng = random.Random(seed)
    text = ["#include <cilk/cilk.h>", "#include <stdio.h>", "#include <stdlib.h>", "",
            f"static int pool[{POOL}];", "static int table[4][32];", "static int counted;",
            "static int mix(int a, int b) { return (a * 7 + b) & 1023; }",
            "static void count(int by) { counted = (counted * 3 + by) & 65535; }", ""]
    calls = []
    for number in range(leaves):
        alone, function = Leaf(rng, number).text()
        text.append(function)
        more = ", 2" if number % 3 == 0 else ""
        for _ in range(4):
            at = [rng.randrange(FIRST, LAST) for _ in range(3)]
            if alone:
                at = [2000, 3000, 4000]   # an index stays within 999
            elif rng.random() < 0.6:
                at[1] = at[0] + rng.randrange(-12, 13)
            n = rng.choice((0, 1, 2, 5, 9, 23) if alone else (0, 1, 2, 5, 9, 23, 40))
            m = rng.choice((1, 3, 9, 12)) if alone else rng.choice((1, 2, 3, 9, 12, 17))
            calls.append(f"  x = cilk_spawn leaf{number}(pool + {at[0]}, pool + {at[1]}, pool + {at[2]}, {n}, {m}{more});\n"
                         f"  cilk_sync;\n  result = result * 31 + (unsigned)x;\n")
    text.append("unsigned long run(void) {\n  unsigned long result = 1;\n  int x;\n" + "".join(calls) + "  return result;\n}\n")
    text.append("int main(void) {\n"
                f"  for (int i = 0; i < {POOL}; i++) pool[i] = i * 37 % 509;\n"
                "  unsigned long result = run(), hash = 0;\n"
                f"  for (int i = 0; i < {POOL}; i++) hash = hash * 31 + (unsigned)pool[i];\n"
                "  for (int i = 0; i < 4; i++)\n    for (int j = 0; j < 32; j++) hash = hash * 31 + (unsigned)table[i][j];\n"
                "  printf(\"%lu %lu %d\\n\", result, hash, counted);\n}\n")
    return "\n".join(text)


def output(command, settings, seconds):
    try:
        ended = subprocess.run(command, env=dict(os.environ, **settings), capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return f"no end within {seconds} s"
    return ended.stdout if ended.returncode == 0 else f"status {ended.returncode}: {ended.stderr}"


def try_seed(tool, seed, leaves, directory):
    """What is wrong with the program of a seed, and the number of loops that lanes share in it."""
    source = directory / f"leaves{seed}.c"
    source.write_text(program(seed, leaves))
    serial, emulated = source.with_suffix(".serial"), source.with_suffix(".emulated")
    # Sums may overflow. To optimise all of a device's code takes twice as long.
    common = ["-O0", "-w", "-fwrapv", str(source), "-o"]
    subprocess.run([tool, "--serial", *common, str(serial)], check=True, timeout=120)
    made = subprocess.run([tool, "--device=emulated", "--explain", *common, str(emulated)], timeout=600, capture_output=True,
                          text=True)
    if made.returncode != 0:
        return f"{source} does not compile:\n{made.stderr}", 0
    wanted = output([str(serial)], {}, 60)
    for settings in SETTINGS:
        found = output([str(emulated)], dict(settings, CHANNELS_DEVICE="emulated"), 120)
        if found != wanted:
            return f"{source}, with {settings}:\n  serial: {wanted}  device: {found}", 0
    return "", made.stderr.count("side by side on lanes")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--cilk2chan", required=True)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--count", type=int, default=1)
    arguments.add_argument("--leaves", type=int, default=16)
    arguments.add_argument("--keep", help="a directory for the programs")
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        directory = pathlib.Path(chosen.keep or scratch)
        directory.mkdir(parents=True, exist_ok=True)
        shared = 0
        for seed in range(chosen.seed, chosen.seed + chosen.count):
            wrong, loops = try_seed(chosen.cilk2chan, seed, chosen.leaves, directory)
            if wrong:
                print(f"leaves.py: seed {seed} ({chosen.leaves} leaves): {wrong}\n"
                      f"To see it again: leaves.py --seed {seed} --leaves {chosen.leaves} --keep DIRECTORY --cilk2chan FILE")
                return 1
            shared += loops
        if shared == 0:
            print("leaves.py: lanes share no loop of these programs; they test nothing")
            return 1
        print(f"leaves.py: {chosen.count} programs, {shared} loops that lanes share")
    return 0


if __name__ == "__main__":
    sys.exit(main())
