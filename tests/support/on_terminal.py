#!/usr/bin/env python3
"""Runs a program whose stderr is a terminal, and prints what it wrote there: what begins a line anew is one, and what takes the
rest of a line away is [K].

usage: on_terminal.py PROGRAM [ARGUMENT...]
"""

import os
import pty
import subprocess
import sys


def run(command, **options):
    """What `command` writes to a terminal that is its stderr, what to its stdout, if `options` have a pipe for that, and its exit
    status."""
    ours, theirs = pty.openpty()
    running = subprocess.Popen(command, stderr=theirs, **options)
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
    os.close(ours)
    printed, _ = running.communicate()
    return written.decode(), printed, running.returncode


if __name__ == "__main__":
    shown, _, status = run(sys.argv[1:])
    print(shown.replace("\r", "\n").replace("\x1b[K", "[K]"), flush=True)
    sys.exit(status)
