#!/usr/bin/env python3
"""Checks that cilkgen.py gives the same text for the same seed in another process, with another hash seed."""

import os
import subprocess
import sys
from pathlib import Path

GENERATOR = Path(__file__).with_name("cilkgen.py")


def text(seed, only, hash_seed):
    command = [sys.executable, str(GENERATOR), "--seed", str(seed), "--count", "10", "--only", only]
    return subprocess.run(command, env=dict(os.environ, PYTHONHASHSEED=hash_seed), capture_output=True, text=True,
                          check=True).stdout


for seed in range(0, 40, 10):
    for only in ("tasks", "host_code"):
        if text(seed, only, "1") != text(seed, only, "2"):
            sys.exit(f"seed {seed}, {only}: two runs give different programs")
        if text(seed, only, "1") == text(seed + 1000, only, "1"):
            sys.exit(f"seeds {seed} and {seed + 1000}, {only}: the same program")
print("same seed, same text")
