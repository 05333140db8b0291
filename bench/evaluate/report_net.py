"""docs/evaluation/net.md: what was measured at several places, with the figures of Gravel beside ours."""

import provenance
from markdown import milliseconds, number, percent, table

INTRODUCTION = """# Gravel's evaluation, at several places

`scripts/evaluate --net` writes this page: the workloads of Orr et al., "Gravel: Fine-Grain GPU-Initiated Network Messages"
(SC 2017), as graphs with far channels on the host device, in medians of five runs in turn. Each run compares its result with
a serial program. Gravel's own figures are of eight nodes with a GPU each, and its inputs are 20 times as large and more; so shapes can
be compared, and times cannot.

The serial programs are those that the results are compared with, and are not tuned: that of color sorts the vertices by
priority, and that of mer counts in a `std::unordered_map`.

A place has one unit, which runs kernel nodes and the courier. Four places share two cores here, and are there to show that
nothing goes wrong, not to be fast.

"""

QUICK = "**Quick: small sizes, once each. It shows that the script works, and measures nothing.**\n\n"

# Gravel's table 5: the share of operations that go to other nodes, of eight, in percent, and the mean message in bytes. Its
# graphs hugebubbles-00020 and cage15 are a planar mesh and one of degree 19.
GRAVEL_REMOTE = {"gups": (87.5, 65440), "pagerank mesh": (37.7, 64611), "pagerank banded": (16.5, 15700),
                 "sssp mesh": (30.0, 1563), "sssp banded": (16.2, 57916), "color mesh": (36.7, 27258),
                 "color banded": (16.5, 9463), "kmeans": (87.5, 5656), "mer": (87.5, 64822)}


def scaling(data):
    text = "## Places\n\nMilliseconds, and the speed against the serial program on one core, which has no places.\n\n"
    rows = []
    for name, of in data.items():
        cells = [milliseconds(of["serially"])]
        for way, seconds in of.items():
            if way != "serially":
                cells.append(f"{milliseconds(seconds)} ({of['serially'] / seconds:.2f})")
        rows.append((name, *cells))
    ways = [way for way in next(iter(data.values())) if way != "serially"]
    names = {"threads 1": "1 place", "threads 2": "2, threads", "threads 4": "4, threads", "mpi 2": "2, MPI", "mpi 4": "4, MPI"}
    return text + table(["", "serial", *(names.get(w, w) for w in ways)], rows)


def remote(data):
    text = "## What goes to other places\n\nAt four places, of what crosses a far channel; Gravel's are of eight nodes (its table 5).\n\n"
    rows = [(name, f"{percent(of['remote_share'])} / {GRAVEL_REMOTE[name][0]}", number(of["elements_in_parcel"]),
             f"{number(of['parcel_bytes'])} / {GRAVEL_REMOTE[name][1]:,}") for name, of in data.items()]
    return text + table(["", "% to other places, ours / Gravel's", "elements in a parcel", "bytes of a parcel, ours / Gravel's"], rows)


def capacity(data):
    text = "## The size of queues\n\nGUPS at two places that are threads (Gravel's figure 14).\n\n"
    rows = [(f"{int(size):,}", milliseconds(of["seconds"]), number(of["parcel_bytes"])) for size, of in data.items()]
    return text + table(["capacity", "ms", "bytes of a parcel"], rows)


def lines(data):
    text = "## Lines of code\n\nOf the whole program, with its serial reference and the comparison (Gravel's table 2).\n\n"
    return text + table(["", *data], [("lines", *(of["lines"] for of in data.values()))])


WRITERS = {"scaling": scaling, "remote": remote, "capacity": capacity, "lines": lines}


def page(measured):
    text = INTRODUCTION
    if measured.get("machine", {}).get("quick"):
        text += QUICK
    text += provenance.text(measured)
    for name, write in WRITERS.items():
        if measured["sections"].get(name):
            text += write(measured["sections"][name])
    return text
