"""Numbers as text, and the rows of the table of figures."""

import html


def _with_unit(value, step, units):
    unit = 0
    # What would be rounded up to a step belongs to the next unit.
    while abs(value) >= step * 0.9995 and unit + 1 < len(units):
        value /= step
        unit += 1
    if unit == 0 and value == int(value):
        return f"{int(value)}{units[0]}"
    digits = 2 if abs(value) < 9.995 else 1 if abs(value) < 99.95 else 0
    if 0 < abs(value) < 1:
        return f"{value:.3g}{units[unit]}"
    return f"{value:.{digits}f}{units[unit]}"


def count(value):
    return _with_unit(value, 1000, ["", " k", " M", " G", " T"])


def rate(value):
    return count(value) + "/s"


def size(value):
    return _with_unit(value, 1024, [" B", " KiB", " MiB", " GiB", " TiB"])


def time(ns):
    return _with_unit(ns, 1000, [" ns", " µs", " ms", " s"])


def percent(share):
    return f"{100 * share:.1f} %"


def plain(value):
    return str(value)


def setting(value):
    """Bytes as variables take them: with K, M or G where that is exact."""
    value = int(value)
    for unit, name in ((1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")):
        if value >= unit and value % unit == 0:
            return f"{value // unit}{name}"
    return str(value)


def whole(value):
    return str(int(value))


def number(value):
    return f"{int(value):,}"


FORMATS = {f.__name__: f for f in (count, rate, size, time, percent, plain, setting, whole, number)}

# Settings that are bytes; docs/reference/settings.md says so of them.
BYTES = {"CHANNELS_MEMORY", "CHANNELS_HEAP", "CHANNELS_DEVICE_MALLOC", "CHANNELS_DEVICE_STACK"}


def form_of_setting(name):
    """The form in which a user writes the value of this variable."""
    return "setting" if name in BYTES else "plain"


def figure(run, expression, form):
    """The value of `expression` as HTML with its source; a dash if there is no value."""
    value = run.value(expression)
    if value is None:
        return '<span class="none">–</span>'
    return (
        f'<span class="figure" data-run="{run.number}" data-from="{html.escape(expression)}" '
        f'data-form="{form}" title="{html.escape(expression)}">{html.escape(FORMATS[form](value))}</span>'
    )


# Groups of rows: label, expression, form, and whether less or more is better.
GROUPS = [
    (
        "Time",
        [
            ("through channels, or on the device", "run_ns", "time", "less"),
            ("of the program", "wall_ns", "time", "less"),
            ("of all cores", "processor_ns", "time", "less"),
            ("runs", "runs", "count", None),
            ("calls on the device", "calls", "count", None),
        ],
    ),
    (
        "Work",
        [
            ("tasks", "tasks", "count", None),
            ("tasks a second", "tasks / run_ns * 1000000000", "rate", "more"),
            ("continuations", "continuations", "count", None),
            ("time in kernel nodes for each task", "busy_ns / tasks", "time", "less"),
            ("deepest level", "deepest_level", "plain", None),
        ],
    ),
    (
        "Scheduling",
        [
            ("compute units", "compute_units", "plain", None),
            ("units waiting", "units_waiting", "percent", "less"),
            ("batches", "batches", "count", None),
            ("elements in a batch", "batch_elements / batches", "count", "more"),
            ("batches cut by room downstream", "cut_by_room / batches", "percent", "less"),
            ("lanes active", "lanes_active", "percent", "more"),
            ("the aggregator's own work for each batch",
             "(total(aggregator_ns) - aggregator_ns.lent - aggregator_ns.idle) / batches", "time", "less"),
            ("retries", "retries", "count", "less"),
            ("yields", "yields", "count", "less"),
            ("restarts", "restarts", "count", "less"),
            ("reservations for each task", "blocks / tasks", "count", "less"),
            ("join atomics for each task", "join_atomics / tasks", "count", "less"),
        ],
    ),
    (
        "Memory",
        [
            ("channels, at most at one time", "memory_high_water", "size", "less"),
            ("of what is given to them", "memory_high_water / memory_limit", "percent", None),
            ("CHANNELS_MEMORY needed at least", "memory_minimum", "size", None),
            ("channels made", "channels_made", "count", None),
            ("of the device", "memory", "size", "less"),
        ],
    ),
    (
        "Host code",
        [
            ("children given", "host_code.given", "count", None),
            ("taken back", "host_code.taken_back", "count", None),
            ("stolen", "host_code.stolen", "count", None),
            ("loops halved", "host_code.loops_halved", "count", None),
            ("joins that waited", "host_code.joins_waited", "count", "less"),
            ("workers", "host_code.workers", "plain", None),
            ("idle time of all workers", "host_code.idle_ns", "time", "less"),
        ],
    ),
    (
        "Wavefronts of the device",
        [
            ("lanes", "lanes", "count", None),
            ("gifts to other wavefronts", "gifts", "count", None),
            ("tasks given", "given", "count", None),
        ],
    ),
]
