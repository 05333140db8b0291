"""docs/evaluation/cuda.md: what was measured on an NVIDIA GPU, with the paper's figures beside ours."""

import paper
import provenance
from markdown import milliseconds, number, percent, table
from runner import TITLES, WORKLOADS

INTRODUCTION = """# The paper's evaluation, on a GPU

`scripts/evaluate --device cuda` writes this page: medians, with every answer checked. Tasks run in one persistent kernel with a
scheduler of its own, or, as in the paper, through channels. The data are in [measurements](../measurements), as JSON and as a CSV
for each table. "The workloads" are fib(30), queens on 13 rows with the last four serial, a sort of a million numbers, and
matrices of 512: the paper's sizes but for fib, there 24.

"""

KEPT = {
    "fib_tasks": "summing", "fib_tasks_that_wait": "lane-private", "fib_tasks_on_stacks_of_work_groups": "pooled",
    "fib_through_channels/levelized": "channels, levelized", "fib_through_channels/counted": "channels, counted",
    "fib_through_channels/levelized_aggregator_on_device": "channels, levelized, aggregator on the device",
    "fib_through_channels/counted_aggregator_on_device": "channels, counted, aggregator on the device",
    "queens_by_two": "summing", "queens_by_two_that_wait": "lane-private",
    "queens_by_two_on_stacks_of_work_groups": "pooled"}
RESERVING = {"lane": "each lane for itself", "wave": "a wavefront together", "group": "a work-group of 256"}


def table3(rows):
    lines = []
    for w in WORKLOADS:
        if w not in rows:
            continue
        ours, theirs = rows[w], paper.TABLE3[w]
        r = ours.get("registers", {})
        lines.append((TITLES[w], f"{number(ours['nodes'])} / {theirs['nodes']}", f"{number(ours['width'])} / {number(theirs['width'])}",
                      number(ours["tasks"]), f"{number(ours['wavefronts'])} / {number(theirs['wavefronts'])}",
                      f"{number(ours['ns/wavefront'])} ns / {number(theirs['cycles'])} cycles",
                      f"{number(r.get('enter'))}, {number(r.get('resume'))}, {number(r.get('persistent'))} / {theirs['registers']}"))
    return ("## Table 3: the workloads through channels\n\n"
            "Time of a wavefront is the device's busy time over the number of wavefronts; many of them run at once. "
            "Registers are those of a lane of the pre-spawn kernel, of the post-spawn kernel and of the persistent one.\n\n" +
            table(["", "kernel nodes, ours / paper", "elements of the largest channel", "tasks", "wavefronts", "a wavefront",
                   "registers"], lines))


def figure15(rows):
    """Times of each problem by multiprocessors, and of what so many times one would make."""
    lines = []
    for units in next(iter(rows.values())):
        line = [units]
        for row in rows.values():
            speedup = row["1"]["seconds"] / row[units]["seconds"]
            line += [milliseconds(row[units]["seconds"]), percent(speedup / int(units))]
        lines.append(line)
    titles = [f"{name}({n})" for name, n in (problem.split(":") for problem in rows)]
    return ("## Figure 15: scaling\n\nEvery call of fib and every placement of a queen is a task, and the run is confined to so many "
            "multiprocessors. Efficiency is the speedup over one, divided by their number.\n\n" +
            table(["SMs", *(column for title in titles for column in (f"{title}, ms", "efficiency, %"))], lines))


def by_argument(title, rows, cell):
    arguments = list(next(iter(rows.values())))
    return table([title, *arguments], [(TITLES[w], *(cell(row[a]) if a in row else "" for a in arguments)) for w, row in rows.items()])


def figure17(rows):
    text = ("## Figure 17: reservation, padding, layout\n\nFour million lanes each reserve none to three elements and write them "
            "(`bench/gpu/reservation.cu`):\n\n")
    reservation = rows["reservation"]
    base = reservation["packed"]["lane"]["seconds"]
    text += table(["", "packed, ms", "of the first", "padded, ms", "of the first"],
                  [(what, milliseconds(reservation["packed"][by]["seconds"]), number(reservation["packed"][by]["seconds"] / base),
                    milliseconds(reservation["padded"][by]["seconds"]), number(reservation["padded"][by]["seconds"] / base))
                   for by, what in RESERVING.items()])
    fields = rows["fields"]
    return text + table(["M records read a second", "by record", "by field"],
                        [(kind.replace("_", " "), *(number(of[layout]["items_per_second"] / 1e6) for layout in ("by_record", "by_field")))
                         for kind, of in fields.items()])


def figure18(rows):
    return ("With the aggregator on the host:\n\n" +
            by_argument("ms", rows, lambda r: milliseconds(r["seconds"])) +
            by_argument("yields + retries per 1000 tasks", rows, lambda r: number(r["yields/1000"] + r["retries/1000"])) +
            by_argument("device waiting, %", rows, lambda r: percent(r["waiting"])) +
            by_argument("aggregator at work, % of the run", rows, lambda r: percent(r["aggregator"])))


def done_groups(rows):
    return ("By elements of a done count (section 8.2.1), in channels of 65,536 elements, where 32 is the finest. The aggregator on the "
            "host counts what is done, batch by batch, and no lane does:\n\n" +
            by_argument("ms", rows, lambda r: milliseconds(r["seconds"])))


def scheduling(rows):
    text = ("## Policies and predicates\n\n[The host's page](host.md#policies-and-predicates) says what "
            "each of them does.\n\n"
            "![time by policy and by predicate](../figures/cuda-scheduling.svg)\n\n")
    for kind, title in (("policy", "policy, aggregator on the host"), ("policy_on_device", "policy, aggregator on the device"),
                        ("predicate", "predicate, aggregator on the host")):
        of = {w: row[kind] for w, row in rows.items() if kind in row}
        if of:
            text += by_argument(f"ms, by {title}", of, lambda r: milliseconds(r["seconds"]))
            text += by_argument(f"batches, by {title}", of, lambda r: number(r["batches"]))
    return text


def kept(rows):
    """Of each program one table, the quickest first."""
    text = ("## Where tasks wait\n\nThe three kinds of stacks (`--stacks`), and flat, in channels by the two rules with the aggregator in "
            "its two places (`CHANNELS_ORDER=channels`). By default a call takes the first kind that its tasks allow.\n\n")
    for family, title in (("fib", "fib(26)"), ("queens", "queens 13, two children at a time")):
        of = sorted((row["seconds"], name.rsplit("/", 1)[0]) for name, row in rows.items() if name.startswith(family))
        text += table([title, "ms", "of the first"], [(KEPT.get(name, name), milliseconds(s), number(s / of[0][0])) for s, name in of])
    return text


def watched(rows):
    lines = []
    for home, row in rows.items():
        for how in ("statistics", "traced"):
            ratios = row[how]["ratios"]
            lines.append((f"on the {home}", how, milliseconds(row["untraced"]["seconds"]), milliseconds(row[how]["seconds"]),
                          *(f"{100 * (r - 1):+.1f}" for r in (ratios[len(ratios) // 2], ratios[0], ratios[-1]))))
    return ("## What it costs to watch a run\n\nfib(36) through channels with statistics, with a trace, and without either, in turns.\n\n" +
            table(["aggregator", "", "not watched, ms", "watched, ms", "%, median", "least", "most"], lines))


def page(measured):
    s = measured["sections"]
    text = INTRODUCTION + provenance.text(measured)
    if "table3" in s:
        text += table3(s["table3"])
    if "figure15" in s:
        text += figure15(s["figure15"])
    if "figure15-channels" in s:
        text += "The workloads through channels, with as many wavefronts as fit so many multiprocessors. The hardware spreads them over all:\n\n" + (
            "![speedup by wavefronts in flight](../figures/cuda-figure15.svg)\n\n" +
            by_argument("ms", s["figure15-channels"], lambda r: milliseconds(r["seconds"])))
    if "figure17" in s:
        text += figure17(s["figure17"])
    if "figure18" in s:
        text += "## Figure 18: channel width, and done counts\n\n![time and where it goes by channel width](../figures/cuda-figure18.svg)\n\n" + figure18(s["figure18"])
    if "figure18-done-groups" in s:
        text += done_groups(s["figure18-done-groups"])
    if "table3" in s:
        text += "## Figure 19: lanes active\n\nLanes with an element, of wavefronts of channels' batches:\n\n"
        text += table(["", "%"], [(TITLES[w], percent(row["lanes_active"])) for w, row in s["table3"].items()])
    if "figure19" in s:
        text += "Lanes that had work, of those in flight, by the scheduler's own count:\n\n"
        text += table(["", "%"], [(name, percent(row["lanes_active"])) for name, row in s["figure19"].items()])
    if any(section.startswith("table4") for section in s):
        text += ("## Table 4: beside conventional code\n\n[Results](../results.md#on-a-gpu) has the table; the CSV files "
                 "`cuda-table4-*.csv` in [measurements](../measurements) have all benchmarks of `bench/gpu`.\n\n")
    if "table5" in s:
        text += ("## Table 5: time blocked on the aggregator\n\nTasks through channels, with the aggregator on a thread of the host and on the "
                 "device (`bench/gpu/channels.cu`). `dispatches` is a chain of 1000 batches of one element.\n\n")
        text += table(["", "ms", "batches", "us for each", "of that, a decision on the device", "units waiting, %", "MB of channels"],
                      [(name, milliseconds(row["seconds"]), number(row["batches"]), number(row["us/dispatch"]),
                        number(row["us/decision"]), percent(row["waiting"]), number(row["MB"]))
                       for name, row in s["table5"].items()])
    if "table5-slowed" in s:
        text += ("The workloads with the aggregator on the host, as fast as it is and so many times slower, and with the aggregator on the "
                 "device:\n\n")
        text += by_argument("device waiting, %", s["table5-slowed"], lambda r: percent(r["waiting"]))
        text += by_argument("ms", s["table5-slowed"], lambda r: milliseconds(r["seconds"]))
    missing = [what for section, what in (("figure18-done-groups", "Elements of a done count"), ("kept", "Kinds of stacks beside channels"),
                                           ("scheduling", "Policies and predicates"))
               if section not in s]
    if missing:
        text += " and ".join([missing[0], *(what[0].lower() + what[1:] for what in missing[1:])]) + " have not been measured yet.\n\n"
    if "kept" in s:
        text += kept(s["kept"])
    if "watched" in s:
        text += watched(s["watched"])
    if "scheduling" in s:
        text += scheduling(s["scheduling"])
    if "programs" in s:
        text += ("## Programs\n\nPrograms of `examples/corpus` as `cilk2chan --device=cuda` compiles them, whole processes, on the GPU and on all cores of its "
                 "host:\n\n")
        text += table(["", "GPU, ms", "host, ms", "host / GPU"],
                      [(name, milliseconds(row["cuda"]), milliseconds(row["host"]), number(row["host"] / row["cuda"]))
                       for name, row in s["programs"].items()])
    return text
