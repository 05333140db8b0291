#!/usr/bin/env python3
"""Runs cilk2chan on a program that it must refuse, and passes on what it says.

usage: refused.py CILK2CHAN OUTPUT ARGUMENT...

Fails unless the exit status is 1 and there is no output file.
"""

import pathlib
import subprocess
import sys

tool, output, *arguments = sys.argv[1:]
pathlib.Path(output).unlink(missing_ok=True)
run = subprocess.run([tool, *arguments, "-o", output], capture_output=True, text=True, timeout=60)
print(run.stdout + run.stderr)
if run.returncode != 1:
    sys.exit(f"exit status {run.returncode}, not 1")
if pathlib.Path(output).exists():
    sys.exit(f"{output} was written")
