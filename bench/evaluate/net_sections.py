"""What is measured at several places: Gravel's workloads (Orr et al., SC 2017, tables 4 and 5, figures 12 and 14) in
examples/net. Each function takes a Runner and returns what docs/measurements keeps. A program compares its result with
a serial one, whose time it prints too."""

import json
import os
import re
import shutil
import statistics

from code_lines import lines_of
from runner import BUILD, ROOT, Failure

# The options of a run, those of a quick one, and the kernel node that consumes what comes over the far channel.
WORKLOADS = {
    "gups": (["--updates", 8_000_000], ["--updates", 100_000], "add"),
    "pagerank": (["--vertices", 1 << 17], ["--vertices", 4096, "--iterations", 2], "gather"),
    "sssp": (["--vertices", 1 << 17], ["--vertices", 4096], "relax"),
    "color": (["--vertices", 1 << 17], ["--vertices", 4096], "hear"),
    "kmeans": (["--points", 1_000_000], ["--points", 10_000, "--iterations", 2], "add"),
    "mer": (["--reads", 30_000, "--genome", 300_000], ["--reads", 1000], "insert"),
}
ON_GRAPHS = ("pagerank", "sssp", "color")
GRAPHS = ("mesh", "banded")
# Kernel nodes of the programs' other graphs that do so: all places agree, and centres move.
OTHER_NODES = ("combine", "take")
MOST_PLACES = 4
LINE = re.compile(r"(\d+) places, .* in ([\d.]+) s: .*; serially ([\d.]+) s\nright\n")


def started(places, transport):
    """What starts a program at so many places, and the options that it needs for that."""
    if transport == "threads":
        return [], ["--places", places]
    mpirun = shutil.which("mpirun")
    if mpirun is None:
        raise Failure("there is no mpirun")
    as_root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    return [mpirun, *as_root, "--oversubscribe", "-n", places], []


def run(runner, workload, places, transport, options=()):
    """{"seconds", "serially"} of one run."""
    before, after = started(places, transport)
    usual, quick, _ = WORKLOADS[workload]
    printed = runner.command([*before, BUILD / "examples" / workload, *(quick if runner.quick else usual), *options, *after])
    found = LINE.fullmatch(printed)
    if found is None or int(found[1]) != places:
        raise Failure(f"{workload} at {places} places: {printed}")
    return {"seconds": float(found[2]), "serially": float(found[3])}


def traffic(runner, workload, places, options=()):
    """What of a run at places that are threads went to others: its share, and the mean parcel."""
    file = runner.directory / "places.json"
    usual, quick, node = WORKLOADS[workload]
    runner.command([BUILD / "examples" / workload, *(quick if runner.quick else usual), *options, "--places", places],
                   {"CHANNELS_STATS": f"json:{file}"})
    document = json.loads(file.read_text())
    consumed = sum(n["elements"] for n in document["nodes"] if n["name"] in (node, *OTHER_NODES))
    sent, parcels, size = (sum(link[field] for link in document["links"])
                           for field in ("elements_sent", "parcels_sent", "bytes_sent"))
    return {"remote_share": sent / consumed, "parcel_bytes": size / max(parcels, 1), "elements_in_parcel": sent / max(parcels, 1)}


def medians(runs):
    return {field: statistics.median(one[field] for one in runs) for field in runs[0]}


def configurations():
    """{name: (workload, options)}"""
    made = {}
    for workload in WORKLOADS:
        if workload in ON_GRAPHS:
            made.update({f"{workload} {graph}": (workload, ["--graph", graph]) for graph in GRAPHS})
        else:
            made[workload] = (workload, [])
    return made


def scaling(runner):
    """One, two and four places, which are threads, and two and four processes of MPI."""
    ways = [(places, "threads") for places in (1, 2, MOST_PLACES)] + [(places, "mpi") for places in (2, MOST_PLACES)]
    measured = {(name, way): [] for name in configurations() for way in ways}
    for _ in range(runner.rounds):
        for name, (workload, options) in configurations().items():
            for way in ways:
                measured[name, way].append(run(runner, workload, *way, options))
    rows = {}
    for name in configurations():
        rows[name] = {f"{transport} {places}": medians(measured[name, (places, transport)])["seconds"] for places, transport in ways}
        # Alone: with others the serial program shares the cores with theirs.
        rows[name]["serially"] = medians(measured[name, (1, "threads")])["serially"]
    return rows


def remote(runner):
    """What goes to other places, of four."""
    return {name: traffic(runner, workload, MOST_PLACES, options) for name, (workload, options) in configurations().items()}


def capacity(runner):
    """GUPS at two places, by the capacity of the channel of updates and of its landing channels."""
    sizes = (1024, 4096, 16384, 65536, 262144)
    runs = {size: [] for size in sizes}
    for _ in range(runner.rounds):
        for size in sizes:
            runs[size].append(run(runner, "gups", 2, "threads", ["--capacity", size]))
    return {str(size): {"seconds": medians(of)["seconds"], **traffic(runner, "gups", 2, ["--capacity", size])}
            for size, of in runs.items()}


def lines(_runner):
    """Lines of code of each program, with its serial reference and the comparison."""
    return {w: {"lines": lines_of((ROOT / "examples" / "net" / f"{w}.cpp").read_text())} for w in WORKLOADS}


SECTIONS = {"scaling": scaling, "remote": remote, "capacity": capacity, "lines": lines}
