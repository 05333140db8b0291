"""The parts of docs/results.md that are made of measurements: the paper's table 4, beside conventional code."""

import provenance
from markdown import milliseconds, number, table

COMPETITORS = {"onetbb": "oneTBB", "openmp": "OpenMP", "channels_tasks": "tasks, breadth-first",
               "channels_depth_first": "tasks, depth-first", "channels_cilk": "host code"}

# What ran, by which benchmark, what a user would choose instead, and by which benchmark.
ON_A_GPU = (
    ("fib(20), every call a task", "fib_tasks/20", "recursion on one core", "fib_serial_on_cpu/20"),
    ("fib(30)", "fib_tasks/30", "recursion on one core", "fib_serial_on_cpu/30"),
    ("fib(40)", "fib_tasks/40", "recursion on one core", "fib_serial_on_cpu/40"),
    ("fib(44)", "fib_tasks/44", "", None),
    ("fib(48)", "fib_tasks/48", "", None),
    ("fib(44), lane-private frames", "fib_tasks_that_wait/44", "", None),
    ("fib(40), pooled frames", "fib_tasks_on_stacks_of_work_groups/40", "", None),
    ("queens 14, two children at a time", "queens_by_two/rows:14", "a kernel by hand", "queens_by_hand/14"),
    ("queens 16, two children at a time", "queens_by_two/rows:16", "a kernel by hand", "queens_by_hand/16"),
    ("queens 16, children in a plain loop", "queens_in_a_loop/rows:16", "a kernel by hand", "queens_by_hand/16"),
    ("queens 17, two children at a time, below the first queen first", "queens_first_below/rows:17", "a kernel by hand", "queens_by_hand/17"),
    ("queens 17, half the boards", "queens_mirrored/every_placement/rows:17", "", None),
    ("queens 18, half the boards", "queens_mirrored/every_placement/rows:18", "", None),
    ("queens 16 in a loop, last four rows serial, pooled frames", "queens_tasks/rows:16/cutoff:4", "a kernel by hand",
     "queens_by_hand/16"),
    ("sort of 1,000,000 ints", "sort_tasks_by_parts/1000000/1024/2048", "`cub::DeviceMergeSort`", "cub_merge_sort/1000000"),
    ("sort of 10,000,000 ints", "sort_tasks_by_parts/10000000/2048/4096", "`cub::DeviceMergeSort`", "cub_merge_sort/10000000"),
    ("sort of 100,000,000 ints", "sort_tasks_by_parts/100000000/32768/65536", "`cub::DeviceMergeSort`", "cub_merge_sort/100000000"),
    ("the same sort, merges cut in halves as in Cilk's sort", "sort_tasks/100000000/32768/65536", "`cub::DeviceRadixSort`",
     "cub_radix_sort/100000000"),
    ("product of 2048 x 2048 floats", "product_tasks/2048/64", "cuBLAS SGEMM", "cublas_sgemm/2048"),
    ("product of 8192 x 8192 floats", "product_tasks/8192/128", "cuBLAS SGEMM", "cublas_sgemm/8192"),
    ("the same product by eight products of quadrants", "strassen_tasks/8192/256", "cuBLAS SGEMM", "cublas_sgemm/8192"),
)


def host(measured):
    data = measured["sections"].get("table4")
    if not data:
        return ""
    times = data["seconds"]

    def shown(w, c):
        return f"{milliseconds(times[w][c]['1'])} / {milliseconds(times[w][c]['2'])}" if c in times[w] else ""

    text = "![speedup of two threads over the serial program](figures/table4.svg)\n\n"
    text += table(["ms, 1 / 2 threads", "serial", *COMPETITORS.values()],
                  [(w, milliseconds(times[w]["serial"]["1"]), *(shown(w, c) for c in COMPETITORS)) for w in times])
    text += "Lines of the functions that spawn:\n\n"
    text += table(["", "Cilk", "oneTBB", "OpenMP"],
                  [(name, row["cilk"], row.get("onetbb", ""), row.get("openmp", "")) for name, row in data["lines"].items()])
    return text + provenance.text(measured, ("table4",))


def cuda(measured):
    of = {name: row for section, rows in measured["sections"].items() if section.startswith("table4") for name, row in rows.items()}
    lines = []
    for what, ours, instead, theirs in ON_A_GPU:
        if ours not in of:
            continue
        row, other = of[ours], of.get(theirs)
        rate = f"{number(row['tasks/s'] / 1e9)} G" if "tasks/s" in row else ""
        lines.append((what, milliseconds(row["seconds"]), rate, number(row.get("MB")), instead if other else "",
                      milliseconds(other["seconds"]) if other else "",
                      number(other["seconds"] / row["seconds"]) if other else ""))
    if not lines:
        return ""
    return (table(["", "ms", "tasks/s", "MB on the device", "instead", "ms", "times as fast"], lines) +
            provenance.text(measured, [name for name in measured["sections"] if name.startswith("table4")]))
