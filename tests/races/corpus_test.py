#!/usr/bin/env python3
"""corpus_test.py CILK2CHAN DIRECTORY [NAME...]: programs of examples/corpus, built with --races, have no races.

Each runs the cases of expected.txt that are not in LARGE, and has to print what it prints without --races.
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples" / "corpus"))
import programs  # noqa: E402

# Cases that take long with --races.
LARGE = {"sum 1000000", "collatz 300000", "wordcount 20000", "bfs 100000 12", "vectors 100000", "strings 15",
         "rectmul 16 16 16"}


# Programs that spawn as others do (fib, queens): each costs a second of compilers.
ALIKE = {"queens_all", "queens_loop", "tak"}


def check(cilk2chan, directory, name):
    """What is wrong, as lines."""
    program = directory / name
    command = [cilk2chan, "--races", *programs.sources(name), *programs.channels_flags(name), "-o", program]
    built = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300)
    if built.returncode != 0:
        return [f"{name}: not compiled\n{built.stderr}"]
    wrong = []
    for arguments, output in programs.expected()[name]:
        case = " ".join([name, *arguments])
        if case in LARGE:
            continue
        done = subprocess.run([str(program), *arguments], capture_output=True, text=True, timeout=120)
        if (done.returncode, done.stdout) != (0, output):
            wrong.append(f"{case}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return wrong


def main():
    cilk2chan, directory = sys.argv[1], pathlib.Path(sys.argv[2])
    directory.mkdir(parents=True, exist_ok=True)
    names = sys.argv[3:] or sorted(set(programs.expected()) - ALIKE)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [line for lines in pool.map(lambda name: check(cilk2chan, directory, name), names) for line in lines]
    for line in wrong:
        print(line)
    print(f"{len(names)} programs, {len(wrong)} cases wrong")
    return 1 if wrong or not names else 0


if __name__ == "__main__":
    sys.exit(main())
