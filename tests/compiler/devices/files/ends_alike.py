"""Each way in which a program ends is that of its serial elision: output, errors, status.

ends_alike.py SERIAL PROGRAM
"""
import os
import subprocess
import sys

SETTINGS = [{"CHANNELS_DEVICE": device, **more}
            for device in ("host", "emulated")
            for more in ({}, {"CHANNELS_CUS": "1"}, {"CHANNELS_ORDER": "channels"},
                         {"CHANNELS_WIDTH": "8", "CHANNELS_CUS": "3"},
                         {"CHANNELS_DEVICES": "2"})]


def run(program, way, settings):
    ended = subprocess.run([program, way], env=dict(os.environ, **settings), capture_output=True,
                           text=True, timeout=60)
    return ended.stdout, ended.stderr, ended.returncode


serial, program = sys.argv[1:]
failed = False
statuses = set()
for way in "01234":
    expected = run(serial, way, {})
    statuses.add(expected[2])
    for settings in SETTINGS:
        found = run(program, way, settings)
        if found != expected:
            failed = True
            print(f"way {way}, {settings}: {found} instead of {expected}")
if len(statuses) != 2 or 0 not in statuses:
    sys.exit(f"the serial elision ends with {statuses}")
sys.exit(failed)
