"""The page of what was measured on an NVIDIA GPU."""

from markdown import milliseconds, number, percent, table

INTRODUCTION = """## The paper's evaluation, on a GPU

From `scripts/evaluate --device cuda`; medians, every answer checked. Tasks run in one persistent kernel with a scheduler of
its own, or, as in the paper, through channels. There is nothing beside figures 17 and 18, nor policies and predicates.

"""


def page(measured):
    s = measured["sections"]
    text = INTRODUCTION
    if "figure15" in s:
        text += "Figure 15, scaling: fib(38), every call a task, by multiprocessors.\n\n"
        first = next(iter(s["figure15"].values()))["seconds"]
        text += table(["SMs", "ms", "G tasks/s", "of one"],
                      [(n, milliseconds(row["seconds"]), number(row.get("tasks/s", 0) / 1e9), number(first / row["seconds"]))
                       for n, row in s["figure15"].items()])
    if "figure19" in s:
        text += "Figure 19, lanes that had work, of those in flight, by the scheduler's own count:\n\n"
        text += table(["", "%"], [(name, percent(row["lanes_active"])) for name, row in s["figure19"].items()])
    if "table4" in s:
        text += "Table 4, beside conventional code (`bench/gpu`):\n\n"
        text += table(["", "ms"], [(name, milliseconds(row["seconds"])) for name, row in s["table4"].items()])
    if "table5" in s:
        text += ("Table 5, tasks through channels, with the aggregator on a thread of the host and on the device (`bench/gpu/channels.cu`); "
                 "`dispatches` is a chain of 1000 batches of one element:\n\n")
        text += table(["", "ms", "batches", "us for each", "of that, a decision on the device", "units waiting, %", "MB of channels"],
                      [(name, milliseconds(row["seconds"]), number(row["batches"]), number(row["us/dispatch"]),
                        number(row["us/decision"]), percent(row["waiting"]), number(row["MB"]))
                       for name, row in s["table5"].items()])
    if "programs" in s:
        text += "Programs of `examples/corpus` as `cilk2chan --device=cuda` compiles them, on the GPU and on all cores of its host:\n\n"
        text += table(["", "GPU, ms", "host, ms", "host / GPU"],
                      [(name, milliseconds(row["cuda"]), milliseconds(row["host"]), number(row["host"] / row["cuda"]))
                       for name, row in s["programs"].items()])
    return text
