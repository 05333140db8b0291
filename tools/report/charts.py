"""Bars, of HTML alone: they bend with the page and print."""

import html

from figures import figure


def _width(share):
    return f"{max(0.0, min(1.0, share)) * 100:.3f}%"


def shares(run, label, parts, colours):
    """A bar of the parts of a whole. `parts`: the name of each, and an expression of its share."""
    known = [(name, e, c) for (name, e), c in zip(parts, colours) if run.has(e)]
    bar = "".join(
        f'<span class="{c}" style="width:{_width(run.value(e))}" title="{html.escape(name)}"></span>'
        for name, e, c in known
    )
    legend = "".join(
        f'<li><i class="{c}"></i>{html.escape(name)} {figure(run, e, "percent")}</li>' for name, e, c in known
    )
    return f'<div class="shares"><h4>{html.escape(label)}</h4><div class="stack">{bar}</div><ul class="legend">{legend}</ul></div>'


def bar(run, expression):
    """A share of one as a bar with its number."""
    value = run.value(expression)
    if value is None:
        return figure(run, expression, "percent")
    return (
        f'<div class="bar"><span style="width:{_width(value)}"></span></div>'
        f'{figure(run, expression, "percent")}'
    )


def units(run, expressions):
    """A row for each compute unit: batches, time and its share of the run."""
    if len(expressions) < 2:
        return ""
    rows = "".join(
        f'<tr><th scope=row>unit <span class="label">{i}</span></th><td>{figure(run, f"{u}.batches", "count")} batches</td>'
        f'<td>{figure(run, f"{u}.busy_ns", "time")}</td><td>{bar(run, f"{u}.busy_ns / run_ns")}</td></tr>'
        for i, u in enumerate(expressions)
    )
    return f'<div class="scroll"><table class="units"><tbody>{rows}</tbody></table></div>'


def histogram(run):
    """The number of batches of each size."""
    sizes = run.fields["batch_sizes"]
    most = max(s["batches"] for s in sizes)
    columns = "".join(
        f'<div class="column"><b>{figure(run, f"batch_sizes[{i}].batches", "count")}</b>'
        f'<span style="--share:{s["batches"] / most:.4f}"></span>'
        f'<small>{figure(run, f"batch_sizes[{i}].up_to", "whole")}</small></div>'
        for i, s in enumerate(sizes)
    )
    return f'<div class="scroll"><div class="histogram">{columns}</div></div><p class="note">batches, by the most elements that they had</p>'
