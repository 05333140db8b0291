"""The page: one HTML document with everything in it."""

import html

import charts
from figures import GROUPS, figure, form_of_setting
from findings import at_first_sight, findings
from runs import settings_that_differ, settings_that_matter
from style import STYLE


def page(runs, title):
    for r in runs:
        r.beside_name = settings_that_matter(runs)
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{html.escape(title)}</title><style>{STYLE}</style></head><body><main>",
        f"<h1>{html.escape(title)}</h1>",
        _section("At first sight", _first_sight(runs)),
        _section("What limited it", "".join(_findings(r) for r in runs)),
        _section("Figures", _comparison(runs)),
        _section("Where time went", "".join(_times(r) for r in runs)),
    ]
    channels = [r for r in runs if r.through_channels]
    if channels:
        parts.append(_section("Kernel nodes", "".join(_nodes(r) for r in channels)))
        parts.append(_section("Channels", "".join(_channels(r) for r in channels)))
        parts.append(_section("Places", _places(channels)))
        parts.append(_section("Sizes of batches", "".join(_sizes(r) for r in channels)))
    parts.append(_section("Settings", _settings(runs)))
    parts.append(
        "<footer>Every figure is computed from the files; point at one to see how. The man page "
        "<code>channels-report</code> and <code>docs/guide.md#see-a-run</code> say how to read the page, "
        "<code>docs/reference/statistics.md</code> describes the fields.</footer>"
    )
    parts.append("</main></body></html>\n")
    return "\n".join(p for p in parts if p)


def _section(heading, content):
    return f"<section><h2>{heading}</h2>{content}</section>" if content else ""


def _name(run):
    """The run's name, and beside it its values of the settings in which the runs differ."""
    values = " ".join(
        f"{html.escape(n)}={figure(run, f'settings.{n}', form_of_setting(n))}"
        for n in run.beside_name if run.setting(n) not in (None, "")
    )
    name = f'<span class="run run{run.number % 6}">{html.escape(run.name)}</span>'
    return f'{name} <code class="differs">{values}</code>' if values else name


def _filled(text, figures):
    """`text` with its figures in place of {0}, {1} ...; a figure is (run, expression, form)."""
    return html.escape(text, quote=False).format(*(figure(*f) for f in figures))


def _first_sight(runs):
    items = "".join(
        f"<li>{_filled(s.text, s.figures)}</li>" if s.run is None else f"<li>{_label(s.run)}: {_filled(s.text, s.figures)}</li>"
        for s in at_first_sight(runs)
    )
    return f'<div class="card"><ul>{items}</ul></div>' if items else ""


def _label(run):
    return f'<span class="run run{run.number % 6}">{html.escape(run.name)}</span>'


def _heading(run):
    return f'<h3>{_name(run)} <code>{html.escape(run.command)}</code></h3>'


def _findings(run):
    items = []
    for f in findings(run):
        of_run = [(run, *one) for one in f.figures]
        advice = f' <span class="advice">{_filled(f.advice, of_run)}</span>' if f.advice else ""
        items.append(f"<li>{_filled(f.text, of_run)}{advice}</li>")
    return f'<div class="card">{_heading(run)}<ul>{"".join(items)}</ul></div>'


def _text(run, field):
    value = str(run.fields.get(field, "–"))
    return value.replace("T", " ").replace("Z", "") if field == "written" else value


def _comparison(runs):
    head = "".join(f'<th scope="col">{_name(r)}</th>' for r in runs)
    about = "".join(
        "<tr class=about><th scope=row>{}</th>{}</tr>".format(
            label, "".join(f"<td>{html.escape(_text(r, field))}</td>" for r in runs)
        )
        for label, field in (("order", "order"), ("device", "device"), ("name of the device", "device_name"), ("written", "written"))
    )
    rows = [f"<tbody><tr class=group><th colspan={len(runs) + 1}>The run</th></tr>{about}</tbody>"]
    for group, figures in GROUPS:
        lines = [_row(runs, *f) for f in figures if any(r.has(f[1]) for r in runs)]
        if lines:
            rows.append(
                f"<tbody><tr class=group><th colspan={len(runs) + 1}>{group}</th></tr>{''.join(lines)}</tbody>"
            )
    return f'<div class="scroll"><table class="compare"><thead><tr><td></td>{head}</tr></thead>{"".join(rows)}</table></div>'


def _row(runs, label, expression, form, better):
    values = [r.value(expression) for r in runs]
    known = [v for v in values if v is not None]
    best = None
    if better and len(known) > 1 and min(known) != max(known):
        best = min(known) if better == "less" else max(known)
    cells = "".join(
        f'<td{" class=best" if best is not None and v == best else ""}>{figure(r, expression, form)}</td>'
        for r, v in zip(runs, values)
    )
    return f"<tr><th scope=row>{label}</th>{cells}</tr>"


UNITS = [("in kernel nodes", "busy_ns / (compute_units * run_ns)"), ("waiting", "units_waiting")]
PHASES = [
    ("collect", "collect"),
    ("file restarts", "restart"),
    ("decide", "decide"),
    ("dispatch", "dispatch"),
    ("lent to a batch", "lent"),
    ("idle", "idle"),
]


def _times(run):
    bars = []
    if run.timed:
        bars.append(charts.shares(run, "compute units", UNITS, ["c0", "c5"]))
        phases = [(label, f"aggregator_ns.{name} / total(aggregator_ns)") for label, name in PHASES]
        bars.append(charts.shares(run, "the aggregator's thread", phases, ["c1", "c2", "c3", "c4", "c0", "c5"]))
        units = [f"units[{i}]" for i in range(len(run.fields["units"]))]
        bars.append(charts.units(run, units))
    if "host_code" in run.fields and run.has("host_code.idle_ns / host_code.workers / wall_ns"):
        idle = "host_code.idle_ns / (host_code.workers * wall_ns)"
        bars.append(charts.shares(run, "workers of host code", [("at work or outside of it", f"1 - {idle}"), ("idle", idle)], ["c0", "c5"]))
    return f'<div class="card">{_heading(run)}{"".join(bars)}</div>' if bars else ""


def _nodes(run):
    if not run.fields.get("nodes"):
        return ""
    columns = [
        ("batches", "batches", "count"),
        ("elements", "elements", "count"),
        ("in a batch", "elements / {0}.batches", "count"),
        ("time", "busy_ns", "time"),
        ("for each", "busy_ns / {0}.elements", "time"),
        ("lanes active", "lanes_active", "percent"),
        ("retries", "retries", "count"),
        ("yields", "yields", "count"),
        ("restarts", "restarts", "count"),
    ]
    # The aggregator on the device neither times nodes nor counts their lanes.
    timed = any(node.get("busy_ns") for node in run.fields["nodes"])
    if not timed:
        columns = [c for c in columns if "busy_ns" not in c[1] and c[1] != "lanes_active"]
    return _listed(run, "nodes", columns, ("share of work", "busy_ns / busy_ns") if timed else None)


def _channels(run):
    columns = [
        ("levels", "levels", "count"),
        ("capacity of one", "largest_capacity", "whole"),
        ("most in one", "most_live", "whole"),
        ("places reserved", "elements", "count"),
    ]
    return _listed(run, "channels", columns, ("fullest", "most_live / {0}.largest_capacity"))


def _places(runs):
    """Who sent how much to whom: a row for each place that counts, a column for each other. Ranks of a job are runs."""
    runs = [r for r in runs if r.fields.get("links")]
    if not runs:
        return ""
    others = sorted({p for r in runs for link in r.fields["links"] for p in (link["here"], link["place"])})
    head = "".join(f'<th scope=col>to <span class="label">{p}</span></th>' for p in others)
    rows = []
    for r in runs:
        number = {(link["here"], link["place"]): i for i, link in enumerate(r.fields["links"])}
        for here in sorted({pair[0] for pair in number}):
            cells = "".join(
                f'<td>{figure(r, f"links[{number[here, p]}].elements_sent", "count")}</td>' if (here, p) in number else "<td></td>"
                for p in others
            )
            rows.append(f'<tr><th scope=row>{_label(r)} place <span class="label">{here}</span></th>{cells}</tr>')
    return (
        f'<div class="card"><h3>Elements from place to place</h3><div class="scroll"><table><thead><tr><td></td>{head}'
        f'</tr></thead><tbody>{"".join(rows)}</tbody></table></div></div>{"".join(_links(r) for r in runs)}'
    )


def _links(run):
    columns = [
        ("elements sent", "elements_sent", "count"),
        ("parcels sent", "parcels_sent", "count"),
        ("size of one", "bytes_sent / {0}.parcels_sent", "size"),
        ("elements arrived", "elements_arrived", "count"),
        ("waits for credit", "credit_waits", "count"),
    ]
    names = [f'<span class="label">{link["here"]} to {link["place"]}</span>' for link in run.fields["links"]]
    return _listed(run, "links", columns, ("share of elements", 'elements_sent / total(links, "elements_sent")'), names)


def _listed(run, field, columns, share, names=None):
    """A table of the run's nodes, channels or links. `share` has a bar; None for no bar. `names`: of the rows, as HTML."""
    head = "".join(f"<th scope=col>{c[0]}</th>" for c in [*columns, *([share] if share else [])])
    rows = []
    for i, entry in enumerate(run.fields[field]):
        one = f"{field}[{i}]"
        cells = "".join(f"<td>{figure(run, f'{one}.' + e.format(one), form)}</td>" for _, e, form in columns)
        bar = f'<td>{charts.bar(run, f"{one}." + share[1].format(one))}</td>' if share else ""
        name = names[i] if names else html.escape(entry["name"])
        rows.append(f"<tr><th scope=row>{name}</th>{cells}{bar}</tr>")
    return (
        f'<div class="card">{_heading(run)}<div class="scroll"><table><thead><tr><td></td>{head}'
        f"</tr></thead><tbody>{''.join(rows)}</tbody></table></div></div>"
    )


def _sizes(run):
    if not run.fields.get("batch_sizes"):
        return ""
    return f'<div class="card">{_heading(run)}{charts.histogram(run)}</div>'


def _settings(runs):
    names = list(dict.fromkeys(name for r in runs for name in r.fields.get("settings", {})))
    differ = settings_that_differ(runs)
    same = [n for n in names if n not in differ]
    head = "".join(f'<th scope="col">{_name(r)}</th>' for r in runs)

    def table(rows):
        lines = "".join(
            f"<tr><th scope=row><code>{html.escape(n)}</code></th>"
            + "".join(f"<td>{figure(r, f'settings.{n}', form_of_setting(n))}</td>" for r in runs)
            + "</tr>"
            for n in rows
        )
        return f'<div class="scroll"><table><thead><tr><td></td>{head}</tr></thead><tbody>{lines}</tbody></table></div>'

    shown = f"<h3>Different</h3>{table(differ)}" if differ else ""
    heading = "The same in all" if len(runs) > 1 else "All"
    return shown + (f"<details><summary>{heading}</summary>{table(same)}</details>" if same else "")
