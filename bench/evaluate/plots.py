"""Plots of what was measured on the host and on a GPU, as SVG and PNG."""

import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

from runner import TITLES, WORKLOADS  # noqa: E402

plt.rcParams.update({"svg.hashsalt": "channels", "svg.fonttype": "none", "savefig.bbox": "tight", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False,
                     "axes.grid": True, "grid.alpha": 0.3, "axes.axisbelow": True, "figure.constrained_layout.use": True})
MARKERS = dict(zip(WORKLOADS, "os^D"))


def save(figure, folders, name):
    """Under `folders["svg"]` and `folders["png"]`."""
    for kind, folder in folders.items():
        pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
        figure.savefig(pathlib.Path(folder) / f"{name}.{kind}", dpi=120, metadata={"Date": None} if kind == "svg" else None)
    plt.close(figure)


def bars(axis, groups, series, values, label="{:.2f}"):
    """Bars of each series beside each other in each group; None leaves one out."""
    width = 0.8 / len(series)
    for i, name in enumerate(series):
        at = [g + (i - (len(series) - 1) / 2) * width for g in range(len(groups))]
        heights = [values(group, name) for group in groups]
        drawn = axis.bar(at, [h or 0 for h in heights], width * 0.92, label=name)
        axis.bar_label(drawn, [label.format(h) if h is not None else "" for h in heights], fontsize=6, padding=1)
    axis.set_xticks(range(len(groups)), [TITLES.get(group, group) for group in groups])


def figure15(data):
    figure, axis = plt.subplots(figsize=(6.4, 3))
    bars(axis, WORKLOADS, ("channels", "depth-first"), lambda w, order: data[w][order]["1"] / data[w][order]["2"])
    axis.axhline(1, color="black", linewidth=0.8)
    axis.set_ylabel("speedup, 2 compute units over 1")
    axis.legend(frameon=False, ncols=2)
    return figure


def figure17(data):
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3))
    graph = data["fib_graph"]
    lanes = list(graph["packed"])
    base = graph["packed"]["1"]["seconds"]
    bars(left, lanes, ("packed", "padded"), lambda n, layout: graph[layout][n]["seconds"] / base)
    left.set_xlabel("lanes that reserve together")
    left.set_ylabel("time, of one lane at a time, packed")
    left.legend(frameon=False)
    fields = data["fields"]
    kinds = {"one of 8 fields": "one_of_8_fields", "all 8 fields": "all_8_fields"}
    bars(right, list(kinds), ("by record", "by field"),
         lambda kind, layout: fields[f"{kinds[kind]}/{layout.replace(' ', '_')}"] / 1e6, "{:.0f}")
    right.set_ylabel("M elements read a second")
    right.legend(frameon=False)
    return figure


def figure18(data):
    figure, axes = plt.subplots(1, 4, figsize=(11, 3), sharex=True)
    for axis, w in zip(axes, WORKLOADS):
        rows = data[w]["width"]
        widths = [int(width) for width in rows]
        aggregator = [row["aggregator_share"] / 2 for row in rows.values()]
        waiting = [max(0, row["units_waiting"] - a) for row, a in zip(rows.values(), aggregator)]
        busy = [1 - row["units_waiting"] for row in rows.values()]
        axis.stackplot(widths, busy, waiting, aggregator, labels=("in kernel nodes", "waiting", "aggregator's own work"),
                       colors=("#59a14f", "#f1ce63", "#e15759"), alpha=0.8)
        axis.set_xscale("log", base=2)
        axis.set_ylim(0, 1)
        axis.set_title(TITLES[w])
        axis.set_xlabel("channel width")
        axis.grid(False)
        right = axis.twinx()
        right.spines["right"].set_visible(True)
        right.plot(widths, [row["yields_per_thousand_tasks"] + row["retries_per_thousand_tasks"] for row in rows.values()],
                   "k.-", linewidth=1)
        right.set_ylim(0, 1.05 * max(1, *right.get_ylim()))
        right.grid(False)
    axes[0].set_ylabel("share of compute units' time")
    right.set_ylabel("yields and retries per 1000 tasks (line)")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3, frameon=False)
    return figure


def figure18_times(data):
    figure, axes = plt.subplots(1, 2, figsize=(8, 3))
    for axis, kind, label in zip(axes, ("width", "done_group"), ("channel width", "elements of one done count")):
        for w in WORKLOADS:
            rows = data[w][kind]
            best = min(row["seconds"] for row in rows.values())
            axis.plot([int(v) for v in rows], [row["seconds"] / best for row in rows.values()], marker=MARKERS[w],
                      label=TITLES[w], linewidth=1.2, markersize=4)
        axis.set_xscale("log", base=2)
        axis.set_yscale("log" if kind == "width" else "linear")
        axis.set_xlabel(label)
    axes[0].set_ylabel("time, of the shortest")
    axes[1].legend(frameon=False)
    return figure


def figure19(data):
    figure, axis = plt.subplots(figsize=(6.4, 3))
    names = {"with an element": "with_element", "in lockstep": "in_lockstep"}
    bars(axis, WORKLOADS, list(names), lambda w, name: data[w][names[name]])
    axis.set_ylim(0, 1.1)
    axis.set_ylabel("share of a wavefront's lanes")
    axis.legend(frameon=False, ncols=2, loc="lower left")
    return figure


def table5(data):
    figure, axis = plt.subplots(figsize=(5, 3))
    for w in WORKLOADS:
        factors = [int(f) for f in data[w]]
        axis.plot(factors, [100 * row["units_waiting"] for row in data[w].values()], marker=MARKERS[w], label=TITLES[w])
    axis.set_xscale("log", base=2)
    axis.set_xticks(factors, [str(f) for f in factors])
    axis.set_ylim(0, 100)
    axis.set_xlabel("times as slow as it is")
    axis.set_ylabel("% of time waiting for the aggregator")
    axis.legend(frameon=False)
    return figure


def table4(data):
    times = data["seconds"]
    series = {"oneTBB": "onetbb", "OpenMP": "openmp", "breadth-first": "channels_tasks",
              "depth-first": "channels_depth_first", "host code": "channels_cilk"}
    figure, axis = plt.subplots(figsize=(9, 3.2))
    bars(axis, list(times), list(series), lambda w, s: times[w]["serial"]["1"] / times[w][series[s]]["2"]
         if series[s] in times[w] else None, "{:.2g}")
    axis.set_yscale("log")
    axis.axhline(1, color="black", linewidth=0.8)
    axis.set_ylabel("speedup of 2 threads over serial")
    axis.legend(frameon=False, ncols=5, fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1))
    return figure


def readiness(data):
    figure, axis = plt.subplots(figsize=(6.4, 3))
    rules = ("levelized", "counted", "depth-first")
    bars(axis, WORKLOADS, rules, lambda w, rule: data[w][rule]["2"] / data[w]["levelized"]["2"])
    axis.set_ylabel("time on 2 units, of levelized")
    axis.legend(frameon=False, ncols=3)
    return figure


def scheduling(data):
    figure, axes = plt.subplots(1, 2, figsize=(10, 3))
    for axis, kind in zip(axes, ("policy", "predicate")):
        names = list(data["fib"][kind])
        bars(axis, WORKLOADS, names, lambda w, name, kind=kind, first=names[0]:
             data[w][kind][name]["seconds"] / data[w][kind][first]["seconds"])
        axis.set_ylabel(f"time, of {names[0]}")
        axis.legend(frameon=False, fontsize=7, ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1))
    return figure


def cuda_figure15(data):
    figure, axis = plt.subplots(figsize=(5, 3))
    for w, rows in data.items():
        units = [int(n) for n in rows]
        first = next(iter(rows.values()))["seconds"]
        axis.plot(units, [first / row["seconds"] for row in rows.values()], marker=MARKERS[w], label=TITLES[w], markersize=4)
    axis.plot(units, [n / units[0] for n in units], color="black", linewidth=0.5)
    axis.set_xscale("log", base=2)
    axis.set_yscale("log", base=2)
    axis.set_xlabel("wavefronts, in multiprocessors' worth")
    axis.set_ylabel(f"speedup over {units[0]}")
    axis.legend(frameon=False)
    return figure


def cuda_figure18(data):
    figure, axes = plt.subplots(1, 3, figsize=(11, 3))
    measures = (("time, of the shortest", lambda rows, row: row["seconds"] / min(r["seconds"] for r in rows.values())),
                ("% of time that the device waits", lambda rows, row: 100 * row["waiting"]),
                ("yields and retries per 1000 tasks", lambda rows, row: row["yields/1000"] + row["retries/1000"]))
    for axis, (label, of) in zip(axes, measures):
        for w, rows in data.items():
            axis.plot([int(v) for v in rows], [of(rows, row) for row in rows.values()], marker=MARKERS[w], label=TITLES[w],
                      linewidth=1.2, markersize=4)
        axis.set_xscale("log", base=2)
        axis.set_xlabel("channel width")
        axis.set_ylabel(label)
    axes[0].set_yscale("log")
    axes[0].legend(frameon=False)
    return figure


CUDA_PLOTS = {"cuda-figure15": (cuda_figure15, "figure15-channels"), "cuda-figure18": (cuda_figure18, "figure18"),
              "cuda-scheduling": (scheduling, "scheduling")}
PLOTS = {"figure15": (figure15, "figure15"), "figure17": (figure17, "figure17"), "figure18": (figure18, "figure18"),
         "figure18-times": (figure18_times, "figure18"), "figure19": (figure19, "figure19"), "table5": (table5, "table5"),
         "table4": (table4, "table4"), "readiness": (readiness, "readiness"), "scheduling": (scheduling, "scheduling")}


def draw(sections, folders, device="host"):
    """A plot of each section that was measured; returns their names."""
    plots = PLOTS if device == "host" else CUDA_PLOTS
    drawn = [name for name, (_, section) in plots.items() if section in sections]
    for name in drawn:
        plot, section = plots[name]
        save(plot(sections[section]), folders, name)
    return drawn
