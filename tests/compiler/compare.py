#!/usr/bin/env python3
"""Compiles a Cilk program and its serial elision, and compares what they print.

usage: compare.py CILK2CHAN PREFIX SOURCE [ARGUMENT...]

The program runs with each of the runtime's settings below; output and exit status have to be those of
the elision every time. Files are written to PREFIX.*.
"""

import os
import subprocess
import sys

SETTINGS = [
    {},
    {"CHANNELS_READINESS": "counted"},
    {"CHANNELS_FORCE_YIELD": "0.2", "CHANNELS_SEED": "1"},
    {"CHANNELS_FORCE_YIELD": "0.2", "CHANNELS_SEED": "2", "CHANNELS_READINESS": "counted"},
    {"CHANNELS_WIDTH": "8"},
    {"CHANNELS_WIDTH": "8", "CHANNELS_FORCE_YIELD": "0.2", "CHANNELS_READINESS": "counted"},
]


def main():
    tool, prefix, source, *arguments = sys.argv[1:]

    def compile_to(file, *options):
        subprocess.run([tool, *options, "-O1", "-w", source, "-o", file], check=True, timeout=240)

    def run(file, settings):
        ended = subprocess.run([file, *arguments], env=dict(os.environ, **settings),
                               capture_output=True, text=True, timeout=60)
        return ended.stdout, ended.returncode, ended.stderr

    compile_to(prefix + ".serial", "--serial")
    compile_to(prefix + ".tasks")
    wanted = run(prefix + ".serial", {})
    for settings in SETTINGS:
        found = run(prefix + ".tasks", settings)
        if found[:2] != wanted[:2]:
            sys.exit(f"with {settings or 'the default settings'}\nfound  {found}\nwanted {wanted}")


if __name__ == "__main__":
    main()
