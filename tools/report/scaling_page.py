"""The page and the table of channels-scale."""

import html

import curves
from figures import percent, time
from style import STYLE


def table(scaling):
    """For the terminal."""
    lines = ["{:>6}  {:>10}  {:>23}  {:>8}  {:>10}  {:>8}".format(
        "units", "time", "least and most", "speedup", "efficiency", "waiting")]
    for one in scaling.measured:
        spread = f"{time(min(one.times))} to {time(max(one.times))}"
        lines.append(f"{one.units:>6}  {time(one.time):>10}  {spread:>23}  {scaling.speedup(one):>8.2f}  "
                     f"{percent(scaling.efficiency(one)):>10}  {_waiting(one):>8}")
    return "\n".join(lines + [text for _, text in work_and_span(scaling)])


def _waiting(one):
    return "–" if one.waiting is None else percent(one.waiting)


def work_and_span(scaling):
    """What is said of them: (name, text)."""
    span = scaling.span
    why = f"not measured: {span.why}"
    said = [("work", f"work {time(span.work)}" if span.work else f"work {why}")]
    if span.parallelism is None:
        return [*said, ("span", f"span {why}")] if span.work else [("work", f"work and span {why}")]
    return [*said, ("span", f"span {time(span.span)}"), ("parallelism", f"parallelism {span.parallelism:.1f}")]


def page(scaling, title, repetitions):
    """One HTML document with everything in it."""
    said = "".join(f"<li>{html.escape(s)}</li>" for s in scaling.sentences())
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{html.escape(title)}</title><style>{STYLE}{curves.STYLE}</style></head><body><main>",
        f"<h1>{html.escape(title)}</h1>",
        f'<div class="card"><ul>{said}</ul></div>' if said else "",
        f'<section><h2>Curves</h2><div class="charts">{_speedup(scaling)}{_efficiency(scaling)}</div>{_legend(scaling)}</section>',
        f"<section><h2>Times</h2>{_times(scaling)}<p class=note>Median, least and most of {repetitions} "
        f"run{'s' if repetitions > 1 else ''} of the whole program. "
        f"{'Every run printed the same.' if scaling.compared else 'What they printed was not compared.'}</p></section>",
        f"<section><h2>Work and span</h2>{_work_and_span(scaling)}</section>",
        "<footer>Made by channels-scale; docs/guide.md of channels says how to read it.</footer>",
        "</main></body></html>\n",
    ]
    return "\n".join(p for p in parts if p)


def _speedup(scaling):
    most = scaling.measured[-1].units
    ticks = [m.units for m in scaling.measured]
    highest = max([most, *(scaling.speedup(m) for m in scaling.measured)])
    chart = curves.Chart("Speedup over one unit", ticks, most, highest)
    chart.line([(1, 1), (most, most)], "ideal")
    span = scaling.span
    if span.parallelism is not None:
        steps = [1 + (most - 1) * i / 60 for i in range(61)]
        chart.line([(u, scaling.greedy(u)) for u in steps], "greedy")
        if span.parallelism < highest:
            chart.line([(1, span.parallelism), (most, span.parallelism)], "limit")
    base = scaling.measured[0].time
    chart.line([(m.units, scaling.speedup(m)) for m in scaling.measured], "measured")
    chart.points([(m.units, scaling.speedup(m), base / max(m.times), base / min(m.times)) for m in scaling.measured],
                 "measured")
    return chart.svg()


def _efficiency(scaling):
    most = scaling.measured[-1].units
    chart = curves.Chart("Efficiency: speedup for each unit", [m.units for m in scaling.measured], most,
                         max([1, *(scaling.efficiency(m) for m in scaling.measured)]), "{:.0%}")
    chart.line([(1, 1), (most, 1)], "ideal")
    base = scaling.measured[0].time
    chart.line([(m.units, scaling.efficiency(m)) for m in scaling.measured], "measured")
    chart.points([(m.units, scaling.efficiency(m), base / max(m.times) / m.units, base / min(m.times) / m.units)
                  for m in scaling.measured], "measured")
    return chart.svg()


def _legend(scaling):
    shown = [("measured", "measured"), ("ideal", "as many times as fast as there are units")]
    if scaling.span.parallelism is not None:
        shown.append(("greedy", "what work and span promise of a scheduler that leaves no unit idle"))
        if scaling.span.parallelism < scaling.measured[-1].units:
            shown.append(("limit", "parallelism: no number of units is faster"))
    return '<ul class="legend">' + "".join(f'<li><i class="{c}"></i>{t}</li>' for c, t in shown) + "</ul>"


def _times(scaling):
    rows = "".join(
        f"<tr><th scope=row>{m.units}</th><td>{time(m.time)}</td><td>{time(min(m.times))}</td>"
        f"<td>{time(max(m.times))}</td><td>{scaling.speedup(m):.2f}</td><td>{percent(scaling.efficiency(m))}</td>"
        f"<td>{_waiting(m)}</td></tr>"
        for m in scaling.measured
    )
    head = "".join(f"<th scope=col>{t}</th>" for t in ("units", "time", "least", "most", "speedup", "efficiency",
                                                         "units waiting"))
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'


def _work_and_span(scaling):
    span = scaling.span
    items = "".join(f"<li>{html.escape(text)}</li>" for _, text in work_and_span(scaling))
    text = f'<div class="card"><ul>{items}</ul>'
    if span.parallelism is not None:
        text += (
            "<p class=note>Work is the time of all that the program does; span is the time of its longest chain of "
            "things that wait for each other. They were measured in a run on one unit that looks at the clock at every "
            f"spawn and sync. Its work is {span.work / scaling.measured[0].time:.2f} times what a plain run with one "
            "unit takes: the more it is above one, the more of both is measuring.</p>"
        )
    elif span.work:
        text += "<p class=note>Work is the time in kernel nodes with one unit.</p>"
    return text + "</div>"
