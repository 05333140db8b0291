"""Rules over figures: what stands out, what limited a run, and which setting to try."""

from dataclasses import dataclass, field

from runs import settings_that_matter


@dataclass
class Finding:
    """`text` and `advice` have figures in braces, by their number in `figures`."""

    text: str
    advice: str = ""
    figures: list = field(default_factory=list)  # (expression, form)


@dataclass
class Sentence:
    """`text` has figures in braces, by their number in `figures`; `run`: the run that it is about, or None."""

    text: str
    figures: list  # (run, expression, form)
    run: object = None


def at_first_sight(runs):
    """What anyone would say first of these runs: only what the numbers carry."""
    said = _against_each_other(runs)
    for run in runs:
        said += [s for s in (_idle_unit(run),) if s]
    return said


# One run of each is no sample: a smaller difference may be noise.
_CLEARLY = 1.1


def _against_each_other(runs):
    """The fastest of runs of one command, and more units that were slower than fewer."""
    clock = "wall_ns" if all(r.has("wall_ns") for r in runs) else "run_ns"
    if len(runs) < 2 or not all(r.value(clock) for r in runs) or any(r.fields.get("error") for r in runs):
        return []
    if len({r.command for r in runs}) > 1 or any("runtime" in r.name for r in runs):
        return []
    ordered = sorted(runs, key=lambda r: r.value(clock))
    best, second = ordered[:2]
    said = []
    if second.value(clock) >= _CLEARLY * best.value(clock):
        said.append(Sentence("was the fastest: {0}; the next took {1}.",
                             [(best, clock, "time"), (second, clock, "time")], best))
    for more in runs:
        fewer = [r for r in runs if _only_fewer_units(r, more) and more.value(clock) >= _CLEARLY * r.value(clock)]
        if fewer:
            less = max(fewer, key=lambda r: r.value("settings.CHANNELS_CUS"))
            unit = "units" if less.value("settings.CHANNELS_CUS") > 1 else "unit"
            said.append(Sentence("{0} units lost to {1} " + unit + ": {2} against {3}.", [
                (more, "settings.CHANNELS_CUS", "plain"), (less, "settings.CHANNELS_CUS", "plain"),
                (more, clock, "time"), (less, clock, "time")]))
    return said


def _only_fewer_units(a, b):
    """Whether nothing but the number of units differs, and `a` has fewer. 0 is the number of cores, which the file
    does not have."""
    return settings_that_matter([a, b]) == ["CHANNELS_CUS"] and 0 < a.setting("CHANNELS_CUS") < b.setting("CHANNELS_CUS")


def _idle_unit(run):
    """A unit that ran less than a quarter of its share of many batches."""
    units = run.fields.get("units", [])
    if len(units) < 2 or not _more(run, "batches", 20 * len(units)):
        return None
    least = min(range(len(units)), key=lambda i: units[i]["batches"])
    if units[least]["batches"] * 4 * len(units) >= run.value("batches"):
        return None
    return Sentence("one unit ran {0} of {1} batches.",
                    [(run, f"units[{least}].batches", "number"), (run, "batches", "number")], run)


def findings(run):
    """The findings of one run, what matters most first."""
    found = []
    if run.fields.get("error"):
        first = run.fields["error"].splitlines()[0]
        found.append(Finding(f"The run failed: {_literal(first)}", "The message names the setting."))
    if run.through_channels:
        for rule in (_no_times, _short_of_memory, _no_room, _waiting, _unequal, _lanes, _atomics, _small_tasks):
            found += [f for f in [rule(run)] if f]
    elif run.on_device:
        found += [f for f in [_lanes(run), _yields_on_device(run)] if f]
    elif "host_code" in run.fields:
        found += [f for f in [_idle_workers(run)] if f]
    return found or [Finding("Nothing in the figures stands out.")]


def _literal(text):
    return text.replace("{", "{{").replace("}", "}}")


def _more(run, expression, limit):
    value = run.value(expression)
    return value is not None and value > limit


def _no_times(run):
    if run.timed:
        return None
    return Finding("The document has no times.", "Make it with CHANNELS_STATS=json:FILE.")


def _forced(run):
    return (run.setting("CHANNELS_FORCE_YIELD") or 0) > 0


def _memory_is_short(run):
    return _more(run, "memory_high_water / memory_limit", 0.8)


def _capacity_is_reached(run):
    return _more(run, 'most(channels, "largest_capacity") / settings.CHANNELS_CAPACITY', 0.99)


def _room_advice(run, number):
    """What gives channels more room: capacity, or memory where that kept them smaller. Returns the advice and its
    figure, which has this number."""
    if not run.compiled and not _capacity_is_reached(run) and not _memory_is_short(run):
        return ("Give channels a larger capacity where the program makes them: {%d} is the largest." % number,
                ('most(channels, "largest_capacity")', "whole"))
    if _capacity_is_reached(run):
        return (f"Try CHANNELS_CAPACITY={{{number}}}.", ("settings.CHANNELS_CAPACITY * 4", "whole"))
    return (
        f"Memory kept channels smaller than CHANNELS_CAPACITY lets them be: try CHANNELS_MEMORY={{{number}}}.",
        (_more_memory(run), "setting"),
    )


def _more_memory(run):
    """Four times what the run had: CHANNELS_MEMORY, or where that is 0 what the device gave."""
    return "settings.CHANNELS_MEMORY * 4" if run.value("settings.CHANNELS_MEMORY") else "memory_limit * 4"


def _short_of_memory(run):
    if run.value("settings.CHANNELS_MEMORY") and _more(run, "memory_minimum / settings.CHANNELS_MEMORY", 1):
        return Finding(
            "A run as deep as this needs {1} at least in the worst case, and had {0}.",
            "Try CHANNELS_MEMORY={1} or more.",
            [("settings.CHANNELS_MEMORY", "setting"), ("memory_minimum", "setting")],
        )
    if _memory_is_short(run):
        return Finding(
            "Channels took {0} of the memory given to them.",
            "Try CHANNELS_MEMORY={1}; tasks then wait less for room.",
            [("memory_high_water / memory_limit", "percent"), (_more_memory(run), "setting")],
        )
    return None


def _no_room(run):
    share = "(retries + yields) / (tasks + continuations)"
    if not _more(run, share, 0.001):
        return None
    figures = [("retries", "count"), ("yields", "count")]
    text = "Work was begun without room for what it spawns: {0} retries and {1} yields."
    if _forced(run):
        return Finding(text, "CHANNELS_FORCE_YIELD asks for them: leave it out.", figures)
    advice, figure = _room_advice(run, 2)
    return Finding(text, advice, figures + [figure])


OWN_SHARE = "(total(aggregator_ns) - aggregator_ns.lent - aggregator_ns.idle) / run_ns"


def _waiting(run):
    """Units that had nothing to run: because of the aggregator, because of room, or because there was
    nothing."""
    if not _more(run, "units_waiting", 0.2):
        return None
    figures = [("units_waiting", "percent")]
    cut = _more(run, "cut_by_room / batches", 0.2)
    if not _more(run, OWN_SHARE, 0.2):
        if cut:
            advice, figure = _room_advice(run, 2)
            return Finding(
                "Units waited {0} of their time, and room downstream cut {1} of the batches.",
                advice, figures + [("cut_by_room / batches", "percent"), figure],
            )
        return Finding(
            "Units waited {0} of their time although the aggregator had time and channels had room: there "
            "was too little to run, at the ends of levels or all along.",
            _advice_for_little_to_run(run),
            figures,
        )
    figures += [(OWN_SHARE, "percent"), ("batch_elements / batches", "count")]
    text = (
        "Units waited {0} of their time, and the aggregator was at its own work for {1} of the run, "
        "with batches of {2} elements on average."
    )
    if cut:
        advice, figure = _room_advice(run, 4)
        text += " Room downstream cut {3} of the batches."
        figures += [("cut_by_room / batches", "percent"), figure]
        if not _capacity_is_reached(run) or not _batch_can_grow(run):
            return Finding(text, advice, figures)
        return Finding(
            text, "Wider channels make larger batches, of which fewer have to be decided. " + advice[:-1]
            + " and CHANNELS_BATCH={5}.", figures + [("settings.CHANNELS_BATCH * 4", "whole")],
        )
    if _more(run, "batch_elements / batches / settings.CHANNELS_BATCH", 0.25) and _batch_can_grow(run):
        return Finding(
            text, "Try CHANNELS_BATCH={3}: fewer decisions.", figures + [("settings.CHANNELS_BATCH * 4", "whole")]
        )
    return Finding(
        text,
        "The batches are as large as what was ready: a larger problem, or coarser tasks, gives the "
        "aggregator less to do for each of them."
        + (" Or try CHANNELS_ORDER=depth-first." if run.compiled else ""),
        figures,
    )


def _batch_can_grow(run):
    """Whether CHANNELS_BATCH takes four times its value."""
    return not _more(run, "settings.CHANNELS_BATCH * 4", 1 << 20)


def _advice_for_little_to_run(run):
    advice = ["A larger problem has more to run at a time."]
    if _more(run, "compute_units", 1):
        advice.append("Fewer units (CHANNELS_CUS) wait less.")
    if _more(run, "continuations", 0) and run.setting("CHANNELS_READINESS") == "levelized":
        advice.append("CHANNELS_READINESS=counted waits for no level.")
    if run.compiled:
        advice.append("CHANNELS_ORDER=depth-first has no levels.")
    return " ".join(advice)


def _unequal(run):
    # Where the aggregator is what units wait for, smaller batches are no help.
    if run.value("compute_units") == 1 or _more(run, OWN_SHARE, 0.2):
        return None
    if not _more(run, 'most(units, "busy_ns") / run_ns', 0.1):
        return None
    # Batches that are smaller already do not get smaller.
    if not _more(run, "largest_batch / settings.CHANNELS_BATCH", 0.25) or not _more(run, "settings.CHANNELS_BATCH", 3):
        return None
    share = '1 - least(units, "busy_ns") / most(units, "busy_ns")'
    if not _more(run, share, 0.3):
        return None
    return Finding(
        "One unit worked {0} less than another.",
        "Smaller batches share better: try CHANNELS_BATCH={1}.",
        [(share, "percent"), ("settings.CHANNELS_BATCH / 4", "whole")],
    )


def _lanes(run):
    if not run.has("lanes_active") or _more(run, "lanes_active", 0.7):
        return None
    if run.on_device:
        return Finding(
            "Only {0} of the lanes had work.",
            "Tasks of one kind at a time and more of them keep lanes together; CHANNELS_CUS gives it "
            "fewer lanes to fill.",
            [("lanes_active", "percent")],
        )
    advice = ["Small batches fill a part of a wavefront."]
    if not run.compiled:
        advice.append("dispatch_when(channel, full_wavefront()) waits for more.")
    figures = [("lanes_active", "percent")]
    # A GPU's wavefronts have the width that they have.
    if run.on_host and _more(run, "settings.CHANNELS_WIDTH", 15):
        advice.append("CHANNELS_WIDTH={1} asks for less.")
        figures.append(("settings.CHANNELS_WIDTH / 2", "whole"))
    return Finding("Only {0} of the lanes of wavefronts had an element.", " ".join(advice), figures)


def _atomics(run):
    if run.setting("CHANNELS_READINESS") != "counted" or not _more(run, "join_atomics / tasks", 0.1):
        return None
    return Finding(
        "Each task made {0} atomic operations on join counts.",
        "CHANNELS_READINESS=levelized needs none.",
        [("join_atomics / tasks", "count")],
    )


def _small_tasks(run):
    # On a GPU the time of a unit is that of many lanes.
    if not run.on_host or not run.has("busy_ns / tasks") or _more(run, "busy_ns / tasks", 50):
        return None
    advice = (
        "CHANNELS_ORDER=depth-first runs such tasks faster; or let the program stop spawning a few levels earlier."
        if run.compiled else "Let an element stand for more work."
    )
    return Finding(
        "A task took {0} on average: most of that is what a task costs in a channel.", advice,
        [("busy_ns / tasks", "time")],
    )


def _yields_on_device(run):
    if not _more(run, "yields / tasks", 0.001):
        return None
    text = "{0} frames stopped at a spawn for lack of room."
    # 0 leaves the memory to the device.
    if not run.value("settings.CHANNELS_MEMORY"):
        return Finding(text, "Give frames more memory with CHANNELS_MEMORY.", [("yields", "count")])
    return Finding(text, "Try CHANNELS_MEMORY={1}.",
                   [("yields", "count"), ("settings.CHANNELS_MEMORY * 4", "setting")])


def _idle_workers(run):
    share = "host_code.idle_ns / host_code.workers / wall_ns"
    if not _more(run, share, 0.2):
        return None
    figures = [(share, "percent"), ("host_code.given", "count")]
    if run.setting("CHANNELS_GIVE") == "never":
        return Finding("Workers had nothing to run for {0} of the time, as CHANNELS_GIVE=never keeps all children.",
                       "Leave it out.", figures[:1])
    if run.value("host_code.given") == 0:
        return Finding(
            "Workers had nothing to run for {0} of the time, and no child was given to them.",
            "What spawns is either short or not reached: cilk2chan --explain says what became of each "
            "spawn.", figures[:1],
        )
    return Finding(
        "Workers had nothing to run for {0} of the time, with {1} children given.",
        "A part of the program is serial, or its children are short: CHANNELS_TRACE shows when the "
        "workers search.", figures,
    )
