#!/usr/bin/env python3
"""Truncates sources and flips bytes in them, and checks that cilk2chan neither crashes nor hangs on any of it.

usage: mangle.py [--count N] [--seed S] [--jobs J] [--compiler PATH] [--keep DIR] FILE|DIRECTORY...

The exit status of `cilk2chan --emit=source` has to be 0 or 1 every time, without a stack dump.
"""

import argparse
import concurrent.futures
import random
import sys
import tempfile
from pathlib import Path

from cilkgen import file_tree, language_of
from running import Ended, Toolchain

SECONDS = 30
WORDS = [b"cilk_spawn ", b"cilk_sync;", b"cilk_for ", b"cilk_scope ", b"cilk_reducer(a, b) ", b"{", b"}", b"(", b")", b";",
         b"return ", b"int ", b"*", b"#define x cilk_spawn\n", b"goto a;", b"[", b"]", b"\\\n", b"template <class T> ", b"::",
         b"\"", b"/*", b"auto ", b"0", b"\xff", b"\0", b"switch (0) ", b"case 1: ", b"for (;;) ", b"static ", b"= ", b"&"]


def mangled(text, pick):
    """One of many ways to break `text`."""
    kind = pick.randrange(7)
    at = pick.randrange(len(text) + 1)
    if kind == 0:
        return text[:at]
    if kind == 1:
        data = bytearray(text)
        for _ in range(pick.choice((1, 1, 2, 5))):
            data[pick.randrange(len(data))] ^= 1 << pick.randrange(8)
        return bytes(data)
    if kind == 2:
        return text[:at] + text[at + pick.randrange(1, 40):]
    if kind == 3:
        return text[:at] + pick.choice(WORDS) + text[at:]
    lines = text.splitlines(keepends=True)
    one, other = pick.randrange(len(lines)), pick.randrange(len(lines))
    if kind == 4:
        del lines[one]
    elif kind == 5:
        lines[one], lines[other] = lines[other], lines[one]
    else:
        lines.insert(one, lines[other])
    return b"".join(lines)


def sources(places):
    files = []
    for place in map(Path, places):
        files += [place] if place.is_file() else sorted(p for p in place.rglob("*") if p.suffix in (".c", ".cpp"))
    return [f for f in files if f.stat().st_size]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("places", nargs="+", metavar="FILE|DIRECTORY")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--compiler")
    parser.add_argument("--keep", default="fuzz-failures")
    given = parser.parse_args()
    tools = Toolchain.find(given.compiler)
    files = sources(given.places)
    failures = []

    def check(number):
        pick = random.Random(f"mangle {number}")
        if pick.random() < 0.2:
            seed = pick.randrange(100000)
            suffix = ".cpp" if language_of(seed) == "c++" else ".c"
            text = file_tree([seed], language_of(seed), pick.choice(("tasks", "host_code"))).text().encode()
            folder = Path(".")
        else:
            file = pick.choice(files)
            suffix, text, folder = file.suffix, file.read_bytes(), file.parent
        text = mangled(text, pick)
        source = Path(name) / f"mangled{number}{suffix}"
        source.write_bytes(text)
        output = source.with_suffix(".out")
        lowering = pick.choice(list(tools.lowerings.values()))
        run = Ended.of([tools.compiler, *lowering, "--emit=source", "-I", folder, source, "-o", output], SECONDS)
        if run.status in (0, 1) and "Stack dump" not in run.errors and (run.status == 0) == output.exists():
            return
        keep = Path(given.keep)
        keep.mkdir(parents=True, exist_ok=True)
        (keep / source.name).write_bytes(text)
        failures.append(number)
        print(f"status {run.status}, output file {output.exists()}: {keep / source.name}\n{run.errors[-1500:]}",
              flush=True)

    with tempfile.TemporaryDirectory(prefix="cilk-mangle-") as name, \
            concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        list(pool.map(check, range(given.seed, given.seed + given.count)))
    print(f"{given.count} mangled sources from {len(files)} files, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
