#!/usr/bin/env python3
"""Cuts a program short at many places, and checks that cilk2chan neither crashes nor hangs on any of it.

usage: truncate.py CILK2CHAN PREFIX tasks|native SOURCE

The exit status has to be 0 or 1 every time, and a refused program must leave no output file.
"""

import pathlib
import subprocess
import sys

tool, prefix, lowering, source = sys.argv[1:]
text = pathlib.Path(source).read_bytes()
cut = pathlib.Path(prefix + pathlib.Path(source).suffix)
output = pathlib.Path(prefix + ".emitted")
STEP = 37
for length in range(0, len(text), STEP):
    # Once cut, and once with a hole, which leaves the end in place.
    for version in (text[:length], text[:length] + text[length + STEP:]):
        cut.write_bytes(version)
        output.unlink(missing_ok=True)
        run = subprocess.run([tool, *(["--tasks"] if lowering == "tasks" else []), "--emit=source", str(cut), "-o", str(output)],
                             capture_output=True, timeout=60)
        if run.returncode not in (0, 1):
            sys.exit(f"exit status {run.returncode} for {cut}, cut at {length}:\n{run.stderr.decode()}")
        if (run.returncode == 0) != output.exists():
            sys.exit(f"exit status {run.returncode}, output file {output.exists()}, cut at {length}")
