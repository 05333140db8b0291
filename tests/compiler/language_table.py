#!/usr/bin/env python3
"""Checks the tables of what is accepted and refused: every row names tests, those are there, and none in refuse/ is missing.

usage: language_table.py LANGUAGE.md TESTS
"""

import pathlib
import re
import sys

TEST = re.compile(r"`([\w/]+\.(?:c|cpp|test))`")


def main():
    page, folder = map(pathlib.Path, sys.argv[1:])
    rows = [line for line in page.read_text().splitlines()
            if line.startswith("| ") and not line.startswith(("| ---", "| construct", "| in a task"))]
    named, wrong = set(), []
    for row in rows:
        tests = TEST.findall(row.rstrip("| ").split(" | ")[-1])
        if not tests:
            wrong.append(f"no test: {row}")
        named.update(tests)
    wrong += [f"there is no test {name}" for name in sorted(named) if not (folder / name).is_file()]
    refused = [path.relative_to(folder).as_posix() for name in ("tasks/refuse", "host_code/refuse")
               for path in (folder / name).iterdir() if path.suffix in (".c", ".cpp")]
    wrong += [f"no row names {name}" for name in sorted(refused) if name not in named]
    if len(rows) < 20 or len(refused) < 20:
        wrong.append(f"only {len(rows)} rows and {len(refused)} tests were found")
    sys.exit("\n".join(wrong) if wrong else 0)


if __name__ == "__main__":
    main()
