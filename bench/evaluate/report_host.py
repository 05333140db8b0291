"""docs/evaluation/host.md: what was measured on the host, with the paper's figures beside ours."""

import paper
import provenance
from markdown import milliseconds, number, percent, table
from runner import TITLES, WORKLOADS

TITLE = "# The paper's evaluation, on the host\n\n"

INTRODUCTION = """`scripts/evaluate --priority 5 --cores-apart 150` writes this page. It measures what section 8 of the paper measures, in
medians of five repetitions in which all configurations take turns, and checks every answer.

The paper's figures are of a simulated GPU of eight compute units at 1 GHz. Ours are of the host device: its compute units are
CPU threads, its wavefronts are loops over 64 elements, and its aggregator is on one of these threads. So *times* cannot be
compared, and *shapes* can: what amortises, what waits for what, where a width stops helping.

- **Two cores show** what a task, a reservation and a decision of the aggregator cost, and whether a second unit helps at all.
- **Two cores do not show** scaling to eight units, what hundreds of wavefronts do to one tail, or an aggregator that has a
  core for itself. Here a unit waits while the aggregator works.

Where times are compared, fib is fib(35), 29,860,703 tasks. Where things are counted, it is the paper's fib(24), which takes
half a millisecond. The data are in [measurements](../measurements), as JSON and as a CSV for each table.

"""


QUICK = "**Quick: small sizes, once each. It shows that the script works, and measures nothing.**\n\n"

# A section's function returns what was measured (its title, pictures and tables), and what we conclude from that. The
# conclusions are of the sizes and the repetitions that are measured by default, so a quick run's page has none.


def picture(name, text):
    return f"![{text}](../figures/{name}.svg)\n\n"


def table3(data, registers):
    text = "## Table 3: the workloads\n\n"
    rows = []
    for w in WORKLOADS:
        ours, theirs = data[w], paper.TABLE3[w]
        widths = max(ours["widths"].values())
        rows.append((f"{TITLES[w]} {theirs['size']}", f"{ours['nodes']} / {theirs['nodes']}", f"{widths:,} / {theirs['width']:,}",
                     f"{ours['tasks']:,}", f"{ours['wavefronts']:,.0f} / {theirs['wavefronts']:,}",
                     f"{number(ours['nanoseconds_a_wavefront'])} ns / {theirs['cycles']:,} cycles",
                     f"{registers.get(w, '')} / {theirs['registers']}"))
    text += table(["", "kernel nodes, ours / paper", "elements of the largest channel", "tasks, ours", "wavefronts", "time of a wavefront",
                   "registers, ours on sm_90 / paper"], rows)
    return text, """- **Nodes**: ours counts a pre-spawn and a post-spawn node for each function, and Sort has two functions. The paper's
  Strassen adds up atomically and needs no second node; ours adds in order, after a sync.
- **Channels**: 16,384 elements are the default's most of one level, and a channel is made no larger than what waits for it.
- **Wavefronts**: the paper's Fibonacci ends at n <= 2 (its figure 8) and has 139,102 pre- and post-spawn elements; ours ends
  at n < 2 and has 225,073. Both fill nearly all lanes. Of Strassen's, 586 are pre-spawn; the paper's are 587. Queens and Sort
  differ in their base cases: our Queens has a task for each queen down to the last four rows, 2.3 million of them, where the
  paper's wavefronts have room for 71 thousand; our Sort merges in parallel down to 64 elements, and each merge is a task.
- **Time of a wavefront**: Strassen's is the longest and Fibonacci's the shortest, as in the paper.
- **Registers**: a GPU runs all nodes of a program in one persistent kernel, which has its scheduler in it. So there is one
  number (of 32 bits, for a lane); the paper has scalars, doubles and conditions by kernel. The hand-written Sort calls
  `std::sort`, which has no code for a GPU.

"""


def figure15(data):
    text = "## Figure 15: scaling\n\n" + picture("figure15", "speedup of two compute units over one")
    rows = []
    for w in WORKLOADS:
        d = data[w]
        near = d.get("channels_near", {}).get("2")
        rows.append((TITLES[w], *(f"{milliseconds(d[o]['1'])} / {milliseconds(d[o]['2'])}" for o in ("channels", "depth-first")),
                     *(f"{d[o]['1'] / d[o]['2']:.2f}" for o in ("channels", "depth-first")),
                     f"{milliseconds(near)}, {d['channels']['1'] / near:.2f}" if near else "",
                     f"{percent(d['aggregator_share']['1'])} / {percent(d['aggregator_share']['2'])}", paper.FIGURE15[w]))
    text += table(["", "channels, ms on 1 / 2", "depth-first, ms on 1 / 2", "speedup, channels", "depth-first",
                   "channels on 2 near cores, ms, speedup", "aggregator's share of the run, % on 1 / 2", "paper, 8 units over 1"], rows)
    return text, """The order of the speedups is the paper's. Fibonacci has the smallest tasks and does not scale: consumers run on other
units than the producers of what they read. On cores that are far apart breadth-first order loses more by the second unit than
it gains; on near cores it gains. The aggregator's work does not become less with more units, as in the paper. Depth-first, a
unit consumes what it produced, and the same tasks scale on either.

"""


def figure17(data):
    graph, fields = data["fib_graph"], data["fields"]
    base = graph["packed"]["1"]["seconds"]
    text = "## Figure 17: reservation, padding, layout\n\n" + picture("figure17", "time by lanes that reserve together; reading by record and by field")
    names = {"1": "each lane for itself", "64": "a wavefront together", "256": "a work-group of 4", "4096": "64 wavefronts"}
    text += "The paper's figure 6, fib(24) through one channel, one thread (`bench/channel/fib.cpp`):\n\n"
    text += table(["", "reservations", "packed, ms", "of the first", "padded, ms"],
                  [(names.get(n, n), f"{row['reservations']:,.0f}", milliseconds(row["seconds"]), f"{row['seconds'] / base:.2f}",
                    milliseconds(graph["padded"][n]["seconds"])) for n, row in graph["packed"].items()])
    best, worst = max(fields.values()), min(fields.values())
    text += table(["M elements read a second", "by record", "by field"],
                  [(label, number(fields[f"{key}/by_record"] / 1e6), number(fields[f"{key}/by_field"] / 1e6))
                   for label, key in (("one of 8 fields", "one_of_8_fields"), ("all 8 fields", "all_8_fields"))]) if best > worst else ""
    return text, """The paper's optimisation, one compare-and-swap for a wavefront, is most of what there is to gain here, too, though no other
thread contends for the tail: a reservation by itself costs more than an element. A work-group's gains little more. (Tasks reserve by
the compute unit, in blocks of up to a batch: less than a thousandth of a reservation each.)

Padding, the paper's stand-in for a linked list, costs least where each lane is on its own, and more the better the rest is.
The paper found it worse in all cases, and less than expected, and names its array of structures as the reason. Structures of
arrays, which the paper leaves open, are the better layout for a consumer that reads one field. On a CPU they are the worse one
for a consumer that reads all eight, where a record is half a cache line.

"""


def figure18(data):
    text = "## Figure 18: channel width, and done counts\n\n" + picture("figure18", "where compute units' time goes by channel width")
    text += picture("figure18-times", "time by channel width and by elements of a done count")
    widths = list(data["fib"]["width"])
    text += table(["ms, 2 units, by width", *widths],
                  [(TITLES[w], *(milliseconds(data[w]["width"][v]["seconds"]) for v in widths)) for w in WORKLOADS])
    text += table(["yields + retries per 1000 tasks", *widths],
                  [(TITLES[w], *(number(data[w]["width"][v]["yields_per_thousand_tasks"] + data[w]["width"][v]["retries_per_thousand_tasks"])
                                 for v in widths)) for w in WORKLOADS])
    text += table(["units waiting, %", *widths],
                  [(TITLES[w], *(percent(data[w]["width"][v]["units_waiting"]) for v in widths)) for w in WORKLOADS])
    groups = list(data["fib"]["done_group"])
    text += table(["ms, 2 units, by elements of a done count", *groups],
                  [(TITLES[w], *(milliseconds(data[w]["done_group"][v]["seconds"]) for v in groups)) for w in WORKLOADS])
    return text, """As in the paper, narrow channels starve the device: the time goes to an aggregator that dispatches a few wavefronts at a
time. Yields do not cost here as they do there: the aggregator dispatches only what has room downstream, so yields are few.
Queens, which spawns in a loop and does not say how often, yields at every width; Sort and Strassen, whose continuations spawn,
yield where channels are narrow.

Wide channels stop helping when a batch amortises its dispatch. Strassen, which the paper's 1 MB cache makes slower beyond
8,192, never fills more than 4,096 elements here. Done counts of 64 elements are as good as any (section 8.2.1: deallocation is
less than 3 % of stalls); one for each element costs Fibonacci's small tasks most.

"""


def figure19(data):
    text = "## Figure 19: lanes active\n\n" + picture("figure19", "lanes of a wavefront with an element, and in lockstep")
    text += table(["", "lanes with an element, %", "wavefronts that diverge, %", "lanes active in lockstep, %"],
                  [(TITLES[w], percent(data[w]["with_element"]), percent(data[w]["divergent"]), percent(data[w]["in_lockstep"])) for w in WORKLOADS])
    return text, """Our lanes run one after another, so nothing diverges. The last two columns count what would: how the pre-spawn node ended for
each of 64 elements that one unit took in turn (base case, spawned, yielded). In lockstep each path takes the wavefront's time
for the lanes that take it. As in the paper, Fibonacci and Queens mix base cases with others and Strassen hardly does. The
paper's Sort diverges most, inside its base case. That is one step in this count: the branches of `std::sort` are not in it.

"""


def table5(data):
    text = "## Table 5: time blocked on the aggregator\n\n" + picture("table5", "share of time that units wait by how slow the aggregator is")
    factors = list(data["fib"])
    text += table(["units waiting, %, aggregator slowed", *(f"x {f}" for f in factors)],
                  [(TITLES[w], *(percent(data[w][f]["units_waiting"]) for f in factors)) for w in WORKLOADS])
    text += table(["run, ms", *(f"x {f}" for f in factors)],
                  [(TITLES[w], *(milliseconds(data[w][f]["seconds"]) for f in factors)) for w in WORKLOADS])
    text += table(["paper, 8 units, %", *paper.TABLE5],
                  [(TITLES[w], *(paper.TABLE5[core][w] for core in paper.TABLE5)) for w in WORKLOADS])
    return text, """`CHANNELS_SLOW_AGGREGATOR` makes the aggregator take so many times as long for all that it does. That stands for the paper's
four cores, slowest last. Ours counts all time in which a unit runs no kernel node, and one of the two units is the
aggregator's own thread: what it works is counted as waiting, where the paper's has a core for itself.

Fibonacci is the most sensitive, as in the paper; the others are far less so there. Strassen is not among the least sensitive
here: its 37,449 tasks take some milliseconds together, so that the ends of its levels weigh. The device aggregator is not
measured here.

"""


def table4(_):
    return "## Table 4: beside conventional code\n\n", """[Results](../results.md#on-the-host) has the times and the lines of code. The paper compares with GPU code: Strassen in 42 % fewer
lines at 1.06 times the speed, Queens in 36 % fewer at 0.98. On CPUs the conventional program is serial code, oneTBB or OpenMP.

- Breadth-first and depth-first are tasks, of the first four by hand and of the others from Cilk source. Host code is Cilk source
  as `cilk2chan` compiles it by default, with clang; all else is g++.
- OpenMP is GNU's. Its threads share one locked queue of tasks, which far cores make worse.
- Breadth-first order loses on two far cores, as in figure 15.
- Cilk is about as long as OpenMP, and shorter than oneTBB where results have to be collected.
- knapsack prunes by what was found before: each order searches another part of the tree.
- uts is the tree T1. T3, 1572 levels deep and narrow, takes a minute breadth-first, some fifty times what depth-first takes:
  1.8 million batches of 2.6 elements, before each of which the aggregator looks at every level that holds anything. The reason
  is memory: the first levels' channels take what there is, and the deep ones have four elements each. With
  `CHANNELS_MEMORY=4G`, of which it uses one, it takes 19,000 batches and 2.8 s, four times the serial program; `bench_uts`
  gives it that. T1L, 102 million nodes, has the published counts in every order.

"""


def readiness(data):
    text = "## Levelized against counted, breadth-first against depth-first\n\n" + picture("readiness", "time on two units")
    text += table(["ms, 1 / 2 units", "levelized", "counted", "depth-first", "MB of channels, levelized", "counted"],
                  [(TITLES[w], *(f"{milliseconds(data[w][r]['1'])} / {milliseconds(data[w][r]['2'])}" for r in ("levelized", "counted", "depth-first")),
                    *(number(data[w]["memory"][r] / 1e6) for r in ("levelized", "counted"))) for w in WORKLOADS])
    return text, """The paper has levelized frames only, and leaves the hybrid of help-first and work-first to future work. Counted frames (a child
that ends last runs its parent's continuation) wait for no level. They pay with a count for each child and a larger frame, and
pay more on two units, where counts are atomics. Depth-first order, with children given away as others ask, is the default for
compiled programs.

"""


def scheduling(data):
    text = "## Policies and predicates\n\n" + picture("scheduling", "time by policy and by predicate")
    for kind, title in (("policy", "ms, 2 units, by policy"), ("predicate", "ms, 2 units, by predicate")):
        names = list(data["fib"][kind])
        text += table([title, *names], [(TITLES[w], *(milliseconds(data[w][kind][n]["seconds"]) for n in names)) for w in WORKLOADS])
    text += table(["batches, by policy", *data["fib"]["policy"]],
                  [(TITLES[w], *(number(row["batches"]) for row in data[w]["policy"].values())) for w in WORKLOADS])
    return text, """*Bounded breadth-first* takes what makes the largest batch with the room downstream, *deepest* and *shallowest* go by the level
alone, *first-come* by age. The paper's scheduler follows the level of the recursion (section 7.2). Predicates hold a channel
back while something else runs: until it has a wavefront (the paper's), sixteen wavefronts, or is half full.

No other policy was faster. Holding back costs Fibonacci already at a wavefront, and never gained: what waits for more is not
dispatched before everything else has ended. Predicates are objects of the C++ API; `CHANNELS_POLICY` names a built-in policy.

"""


PARTS = {"figure15": figure15, "figure17": figure17, "figure18": figure18, "figure19": figure19, "table5": table5, "table4": table4,
         "readiness": readiness, "scheduling": scheduling}


def distance(trips):
    """How far apart the cores were, section by section."""
    text = ("## How far apart the cores are\n\nA cache line's way from one core to the other and back, in ns, before and after the runs "
            "of each section: lowest, median, highest.\n\n")
    text += table(["", *trips], [("ns", *(f"{number(t['lowest'])}, {number(t['median'])}, {number(t['highest'])}" for t in trips.values()))])
    return text, """The cores of a virtual machine can be moved. For some seconds ours are so near to each other that a cache line takes 55 ns, and
mostly they are as far as in this table. What two units share takes up to three times as long on far cores, and breadth-first
order shares all that it does; what units do apart, depth-first, takes as long on either. With `--cores-apart 150` runs on near
cores are done again, so that sections can be compared.

"""


def page(measured):
    s = measured["sections"]
    quick = measured.get("machine", {}).get("quick")
    text = TITLE + (QUICK if quick else INTRODUCTION) + provenance.text(measured)
    parts = [distance(measured["round_trip_ns"])] if measured.get("round_trip_ns") else []
    parts += [table3(s["table3"], s.get("registers", {}))] if "table3" in s else []
    parts += [part(s[name]) for name, part in PARTS.items() if name in s]
    return text + "".join(found if quick else found + concluded for found, concluded in parts)
