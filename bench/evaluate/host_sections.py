"""What is measured on the host device, section by section of the paper's evaluation. Each function takes a Runner and
returns what docs/measurements keeps; times are seconds unless a name says otherwise."""

import re
import shutil
import statistics

import code_lines
from runner import (ROOT, WORKLOADS, aggregator_seconds, busy_seconds, median, seconds, statistic)


def table3(runner):
    """The workloads: nodes, channels, wavefronts, time a wavefront. The paper's sizes, on one compute unit."""
    sizes = runner.sizes if runner.quick else {**runner.sizes, "fib": 24}
    runs = runner.all({w: {"workload": w, "size": sizes[w], "environment": {"CHANNELS_CUS": "1"}} for w in WORKLOADS})
    rows = {}
    for w in WORKLOADS:
        last = runs[w][-1]["statistics"]
        rows[w] = {"size": sizes[w], "nodes": len(last["channels"]),
                   "widths": {c["name"]: c["largest_capacity"] for c in last["channels"]},
                   "tasks": last["tasks"], "wavefronts": statistic(runs[w], "wavefronts"), "batches": last["batches"],
                   "nanoseconds_a_wavefront": 1e9 * median(runs[w], lambda r: busy_seconds(r) / r["statistics"]["wavefronts"]),
                   "seconds": seconds(runs[w])}
    return rows


def registers(runner):
    """Of each workload's kernel on an NVIDIA GPU, by the compiler; a GPU is not needed, nvcc is."""
    nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
    if nvcc is None or runner.quick:
        return {}
    report = runner.process([nvcc, "-arch=sm_90", "-O3", "-std=c++20", "--expt-relaxed-constexpr",
                             "-I", ROOT / "include" / "channels" / "nvcc", "-I", ROOT / "include",
                             "-I", ROOT / "examples", "-cubin", "-Xptxas=-v", ROOT / "bench" / "evaluate" / "registers.cu",
                             "-o", runner.directory / "registers.cubin"]).stderr
    found = re.findall(r"entry function '\w*?run_tasks\w*?5tasks\d+([a-z]+)E\w*'.*?Used (\d+) registers", report, re.S)
    return {name: int(count) for name, count in found}


def figure15(runner):
    """One and two compute units."""
    configurations = {}
    for w in WORKLOADS:
        for units in (1, 2):
            environment = {"CHANNELS_CUS": str(units)}
            configurations[w, "channels", units] = {"workload": w, "environment": environment}
            configurations[w, "depth-first", units] = {"workload": w, "environment": environment,
                                                       "options": ("--order", "depth-first")}
    runs = runner.all(configurations)
    near = runner.all({w: {"workload": w, "environment": {"CHANNELS_CUS": "2"}, "near": True} for w in WORKLOADS}) if runner.apart else {}
    rows = {}
    for w in WORKLOADS:
        rows[w] = {"channels_near": {"2": seconds(near[w])}} if near else {}
        for order in ("channels", "depth-first"):
            rows[w][order] = {str(units): seconds(runs[w, order, units]) for units in (1, 2)}
        for units in (1, 2):
            of = runs[w, "channels", units]
            rows[w].setdefault("aggregator_share", {})[str(units)] = median(
                of, lambda r: aggregator_seconds(r) / (r["statistics"]["run_ns"] / 1e9))
            rows[w].setdefault("units_waiting", {})[str(units)] = statistic(of, "units_waiting")
    return rows


def figure17(runner):
    """Reservation by lane, wavefront and work-group; padded elements; records and fields."""
    measured = runner.benchmarks(["channel"], runner.directory / "channel.json", "fib_graph|fields")
    rows = {"fib_graph": {}, "fields": {}}
    # The repetitions took turns at random; the rows come in order.
    for name, kept in sorted(measured.items(), key=lambda entry: int("0" + entry[0].rpartition(":")[2])
                             if ":" in entry[0] else 0):
        name = name.removeprefix("channel/")
        if name.startswith("fib_graph"):
            layout = "padded" if "padded" in name else "packed"
            rows["fib_graph"].setdefault(layout, {})[name.rsplit(":", 1)[1]] = {
                "seconds": statistics.median(kept["real"]) / 1e9, "reservations": kept["counters"]["reservations"]}
        else:
            rows["fields"][name] = kept["counters"]["items_per_second"]
    return rows


def figure18(runner):
    """Channel widths, with yields and where compute units' time went; and done counts of so many elements."""
    widths = (64, 1024) if runner.quick else (64, 256, 1024, 4096, 8192, 16384, 32768, 65536)
    groups = (1, 64) if runner.quick else (1, 16, 64, 256, 1024)
    configurations = {}
    for w in WORKLOADS:
        for width in widths:
            configurations[w, "width", width] = {"workload": w, "environment": {"CHANNELS_CUS": "2", "CHANNELS_CAPACITY": str(width)}}
        for group in groups:
            configurations[w, "group", group] = {"workload": w, "environment": {"CHANNELS_CUS": "2", "CHANNELS_DONE_GROUP": str(group)}}
    runs = runner.all(configurations)
    rows = {w: {"width": {}, "done_group": {}} for w in WORKLOADS}
    for (w, kind, value), of in runs.items():
        if kind == "group":
            rows[w]["done_group"][str(value)] = {"seconds": seconds(of)}
            continue
        rows[w]["width"][str(value)] = {
            "seconds": seconds(of), "units_waiting": statistic(of, "units_waiting"),
            "aggregator_share": median(of, lambda r: aggregator_seconds(r) / (r["statistics"]["run_ns"] / 1e9)),
            "yields_per_thousand_tasks": median(of, lambda r: 1e3 * r["statistics"]["yields"] / r["statistics"]["tasks"]),
            "retries_per_thousand_tasks": median(of, lambda r: 1e3 * r["statistics"]["retries"] / r["statistics"]["tasks"]),
            "memory": statistic(of, "memory_high_water")}
    return rows


def figure19(runner):
    """Lanes of a wavefront that have an element, and that would be active were lanes in lockstep."""
    # Not fib(35): how each of 30 million tasks ended is kept.
    sizes = runner.sizes if runner.quick else {**runner.sizes, "fib": 24}
    runs = {w: runner.one(w, size=sizes[w], options=("--divergence",)) for w in WORKLOADS}
    return {w: {"with_element": run["statistics"]["lanes_active"], "divergent": run["divergence"]["divergent"],
                "in_lockstep": run["divergence"]["lanes_active"]} for w, run in runs.items()}


def table5(runner):
    """Share of time that compute units wait for the aggregator, with the aggregator slowed."""
    factors = (1, 4) if runner.quick else (1, 2, 4, 8, 16)
    runs = runner.all({(w, f): {"workload": w, "environment": {"CHANNELS_CUS": "2", "CHANNELS_SLOW_AGGREGATOR": str(f)}}
                       for w in WORKLOADS for f in factors})
    return {w: {str(f): {"units_waiting": statistic(runs[w, f], "units_waiting"), "seconds": seconds(runs[w, f])}
                for f in factors} for w in WORKLOADS}


COMPETITORS = ("serial", "onetbb", "openmp", "channels_tasks", "channels_depth_first", "channels_cilk")
# Of workloads with several inputs, and of competitors in several ways: what is in table 4.
VARIANTS = {"fib": {"onetbb": "onetbb/spawn_one", "serial": "serial/n:35"},
            "queens": {"": "cutoff:4", "serial": "serial/rows:13"},
            "sort": {"": "cutoff:2048"}, "strassen": {"": "cutoff:64"},
            "uts": {"": "tree:0"}, "skynet": {"serial": "serial/leaves:1000000"}}


def variant_name(workload, competitor, threads):
    own = VARIANTS.get(workload, {})
    name = own.get(competitor, competitor)
    if competitor == "serial":
        suffix = own.get("", "") if "serial" not in own else ""
        return name + (f"/{suffix}" if suffix else "")
    return f"{name}/threads:{threads}" + (f"/{own['']}" if "" in own else "")


def table4(runner):
    """Lines of code, and times of serial, oneTBB, OpenMP and channels."""
    workloads = ("skynet",) if runner.quick else ("fib", "queens", "sort", "strassen", "uts", "matmul", "heat", "knapsack", "skynet")
    measured = runner.benchmarks(workloads, runner.kept / "bench.json")
    rows = {}
    for w in workloads:
        rows[w] = {}
        for competitor in COMPETITORS:
            for threads in (1, 2) if competitor != "serial" else (1,):
                kept = measured.get(f"{w}/{variant_name(w, competitor, threads)}")
                if kept:
                    rows[w].setdefault(competitor, {})[str(threads)] = statistics.median(kept["real"]) / 1e9
    return {"seconds": rows, "lines": code_lines.count()}


def readiness(runner):
    """Levelized against counted frames, and breadth-first against depth-first."""
    configurations = {}
    for w in WORKLOADS:
        for units in (1, 2):
            for rule in ("levelized", "counted"):
                configurations[w, rule, units] = {"workload": w, "environment": {"CHANNELS_CUS": str(units), "CHANNELS_READINESS": rule}}
            configurations[w, "depth-first", units] = {"workload": w, "environment": {"CHANNELS_CUS": str(units)},
                                                       "options": ("--order", "depth-first")}
    runs = runner.all(configurations)
    rows = {w: {} for w in WORKLOADS}
    for (w, rule, units), of in runs.items():
        rows[w].setdefault(rule, {})[str(units)] = seconds(of)
        if rule != "depth-first" and units == 2:
            rows[w].setdefault("memory", {})[rule] = statistic(of, "memory_high_water")
    return rows


POLICIES = ("bounded-breadth-first", "deepest", "shallowest", "level-first", "first-come")
PREDICATES = ("always", "wavefront", "16-wavefronts", "half-channel")


def scheduling(runner):
    """Other policies, and predicates that wait for more."""
    configurations = {(w, "policy", p): {"workload": w, "environment": {"CHANNELS_CUS": "2"}, "options": ("--policy", p)}
                      for w in WORKLOADS for p in POLICIES}
    configurations.update({(w, "predicate", p): {"workload": w, "environment": {"CHANNELS_CUS": "2"}, "options": ("--predicate", p)}
                           for w in WORKLOADS for p in PREDICATES})
    runs = runner.all(configurations)
    rows = {w: {"policy": {}, "predicate": {}} for w in WORKLOADS}
    for (w, kind, name), of in runs.items():
        rows[w][kind][name] = {"seconds": seconds(of), "batches": statistic(of, "batches"),
                               "memory": statistic(of, "memory_high_water")}
    return rows


SECTIONS = {"table3": table3, "registers": registers, "figure15": figure15, "figure17": figure17, "figure18": figure18, "figure19": figure19,
            "table5": table5, "table4": table4, "readiness": readiness, "scheduling": scheduling}
