#!/usr/bin/env python3
"""Runs a program whose stderr is a terminal, and prints what it wrote there: what begins a line anew is one, and what takes the
rest of a line away is [K].

usage: on_terminal.py PROGRAM [ARGUMENT...]
"""

import os
import pty
import subprocess
import sys

ours, theirs = pty.openpty()
running = subprocess.Popen(sys.argv[1:], stderr=theirs)
os.close(theirs)
written = b""
while True:
    try:
        part = os.read(ours, 4096)
    except OSError:  # the other side is closed
        break
    if not part:
        break
    written += part
print(written.decode().replace("\r", "\n").replace("\x1b[K", "[K]"), flush=True)
sys.exit(running.wait())
