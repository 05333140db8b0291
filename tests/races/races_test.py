#!/usr/bin/env python3
"""races_test.py CILK2CHAN DIRECTORY: the programs of tests/races/programs, with --races.

A program says in comments which races it has: `// RACE: A, B` for accesses at these lines, in either order, in
the line's number or as `here`, which is the comment's own line. The program has to report exactly these.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent / "programs"
REPORT = re.compile(r"^race: [a-z ]+ at (\S+?):(\d+) in .*? and [a-z ]+ at (\S+?):(\d+) in ")


def wanted(source):
    pairs = set()
    for number, line in enumerate(source.read_text().splitlines(), 1):
        for both in re.findall(r"// RACE: (\w+), (\w+)", line):
            pairs.add(tuple(sorted(number if one == "here" else int(one) for one in both)))
    return pairs


def check(cilk2chan, directory, source):
    """What is wrong, or nothing."""
    program = directory / (source.name + ".out")
    built = subprocess.run([cilk2chan, "--races", "-O1", str(source), "-o", str(program)], capture_output=True,
                           text=True, timeout=120)
    if built.returncode != 0:
        return f"{source.name}: not compiled\n{built.stderr}"
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=60)
    told = set()
    for line in done.stderr.splitlines():
        if not line.startswith("race:"):
            continue
        found = REPORT.match(line)
        if not found or {pathlib.Path(found[1]).name, pathlib.Path(found[3]).name} != {source.name}:
            return f"{source.name}: a report without the program's places\n{done.stderr}"
        told.add(tuple(sorted((int(found[2]), int(found[4])))))
    pairs = wanted(source)
    if told != pairs or done.returncode != (66 if pairs else 0):
        return f"{source.name}: wanted {sorted(pairs)}, told {sorted(told)}, status {done.returncode}\n{done.stderr}"
    return None


def main():
    cilk2chan, directory = sys.argv[1], pathlib.Path(sys.argv[2])
    directory.mkdir(parents=True, exist_ok=True)
    sources = sorted(one for one in HERE.iterdir() if one.suffix in (".c", ".cpp"))
    racy = sum(1 for one in sources if wanted(one))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = [one for one in pool.map(lambda one: check(cilk2chan, directory, one), sources) if one]
    for one in failures:
        print(one)
    print(f"{racy} programs with races, {len(sources) - racy} without; {len(failures)} wrong")
    return 1 if failures or racy == 0 or racy == len(sources) else 0


if __name__ == "__main__":
    sys.exit(main())
