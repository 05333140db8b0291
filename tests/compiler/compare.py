#!/usr/bin/env python3
"""Compiles a Cilk program and its serial elision, and compares what they print.

usage: compare.py CILK2CHAN PREFIX tasks|native|device SOURCES [OPTION...] [-- ARGUMENT...]

The program, as tasks alone, as host code with what tasks there are, or for the emulated device, runs with each of the runtime's settings below;
output and exit status have to be those of the elision every time. Files are written to PREFIX.*. With the option
--device-aggregator, for the emulated device, the aggregator is there, too.
"""

import os
import subprocess
import sys

TASK_SETTINGS = [
    {},
    {"CHANNELS_READINESS": "counted"},
    {"CHANNELS_FORCE_YIELD": "0.2", "CHANNELS_SEED": "1"},
    {"CHANNELS_FORCE_YIELD": "0.2", "CHANNELS_SEED": "2", "CHANNELS_READINESS": "counted"},
    {"CHANNELS_WIDTH": "8"},
    {"CHANNELS_WIDTH": "8", "CHANNELS_FORCE_YIELD": "0.2", "CHANNELS_READINESS": "counted"},
]

NATIVE_SETTINGS = [{"CHANNELS_CUS": "1"}, {"CHANNELS_CUS": "2"}] + [
    {"CHANNELS_CUS": units, "CHANNELS_GIVE": give, "CHANNELS_SEED": seed}
    for units in ("1", "2") for give, seed in (("always", "1"), ("random", "1"), ("random", "2"))
] + [dict(settings, CHANNELS_ORDER="channels") for settings in TASK_SETTINGS]

DEVICE_SETTINGS = [
    dict(settings, CHANNELS_DEVICE="emulated", CHANNELS_STATS="1", CHANNELS_MEMORY="32M") for settings in (
        {}, {"CHANNELS_CUS": "1"}, {"CHANNELS_CUS": "2", "CHANNELS_FORCE_YIELD": "0.2"},
        {"CHANNELS_ORDER": "channels"},
        {"CHANNELS_ORDER": "channels", "CHANNELS_READINESS": "counted"},
        {"CHANNELS_ORDER": "channels", "CHANNELS_AGGREGATOR": "device"},
        {"CHANNELS_ORDER": "channels", "CHANNELS_AGGREGATOR": "device", "CHANNELS_READINESS": "counted"},
        {"CHANNELS_ORDER": "channels", "CHANNELS_FORCE_YIELD": "0.1", "CHANNELS_READINESS": "counted"})
] + [{"CHANNELS_DEVICE": "host"}, {"CHANNELS_ORDER": "channels"}]


def main():
    tool, prefix, lowering, *rest = sys.argv[1:]
    split = rest.index("--") if "--" in rest else len(rest)
    sources, arguments = rest[:split], rest[split + 1:]
    if lowering == "tasks":
        sources, arguments = rest[:1], rest[1:]

    def compile_to(file, what, *options):
        subprocess.run([tool, *options, "-w", *what, "-o", file], check=True, timeout=240)

    def run(file, settings):
        ended = subprocess.run([file, *arguments], env=dict(os.environ, **settings),
                               capture_output=True, text=True, timeout=60)
        return ended.stdout, ended.returncode, ended.stderr

    # With --device cilk2chan turns contraction off, so that devices round as the host does.
    rounding = ["-ffp-contract=off"] if lowering == "device" else []
    of_serial = [one for one in sources if one != "--device-aggregator"]
    compile_to(prefix + ".serial", of_serial, "--serial", "-O1", *rounding)
    # To optimise all of a device's code takes twice as long. Host code is optimised where it is what is tested.
    level = "-O1" if "/host_code/" in os.path.abspath(sources[0]) else "-O0"
    how = {"tasks": (["--tasks", "-O1"], TASK_SETTINGS), "host_code": ([level], NATIVE_SETTINGS),
           "device": (["--device=emulated", "-O0"], DEVICE_SETTINGS)}
    compile_to(prefix + ".lowered", sources, *how[lowering][0])
    wanted = run(prefix + ".serial", {})
    with_aggregator = "--device-aggregator" in sources
    for settings in how[lowering][1]:
        if settings.get("CHANNELS_AGGREGATOR") == "device" and not with_aggregator:
            continue
        found = run(prefix + ".lowered", settings)
        if "CHANNELS_STATS" in settings and "on the device 'emulated'" not in found[2]:
            sys.exit(f"with {settings} nothing ran on the device: {found}")
        if found[:2] != wanted[:2]:
            sys.exit(f"with {settings or 'the default settings'}\nfound  {found}\nwanted {wanted}")


if __name__ == "__main__":
    main()
