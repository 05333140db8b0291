"""Curves over numbers of units, as SVG without scripts."""

import html

WIDTH, HEIGHT = 460, 300
LEFT, RIGHT, TOP, BOTTOM = 44, 14, 12, 34


class Chart:
    """Points over units 1 to `most_units`, from 0 to `highest`."""

    def __init__(self, title, ticks, most_units, highest, form="{:g}"):
        self.title = title
        self.ticks = ticks  # numbers of units that the axis names
        self.most_units = max(most_units, 2)
        self.highest = highest
        self.form = form
        self.parts = []

    def x(self, units):
        return LEFT + (WIDTH - LEFT - RIGHT) * (units - 1) / (self.most_units - 1)

    def y(self, value):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * min(value, self.highest) / self.highest

    def line(self, points, kind):
        """A curve through points (units, value); `kind` is its class in the style."""
        path = " ".join(f"{self.x(u):.1f},{self.y(v):.1f}" for u, v in points if v <= self.highest * 1.0001)
        self.parts.append(f'<polyline class="curve {kind}" points="{path}"/>')

    def points(self, measured, kind):
        """Points (units, value, lowest, highest), with the range of their runs."""
        for units, value, low, high in measured:
            x = self.x(units)
            self.parts.append(f'<line class="range {kind}" x1="{x:.1f}" x2="{x:.1f}" y1="{self.y(low):.1f}" '
                              f'y2="{self.y(high):.1f}"/>')
            self.parts.append(f'<circle class="{kind}" cx="{x:.1f}" cy="{self.y(value):.1f}" r="4">'
                              f"<title>{units} units: {html.escape(self.form.format(value))}</title></circle>")

    def svg(self):
        axis = [f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{self.y(0):.1f}" y2="{self.y(0):.1f}"/>',
                f'<line class="axis" x1="{LEFT}" x2="{LEFT}" y1="{TOP}" y2="{self.y(0):.1f}"/>']
        for units in self.ticks:
            axis.append(f'<text x="{self.x(units):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{units}</text>')
        step = _step(self.highest)
        value = 0.0
        while value <= self.highest * 1.0001:
            y = self.y(value)
            axis.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
                        f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{self.form.format(value)}</text>')
            value += step
        axis.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 2}" text-anchor="middle">units</text>')
        return (f'<figure><figcaption>{html.escape(self.title)}</figcaption><svg viewBox="0 0 {WIDTH} {HEIGHT}" '
                f'role="img" aria-label="{html.escape(self.title)}">{"".join(axis + self.parts)}</svg></figure>')


def _step(highest):
    """A round step that gives at most six lines."""
    step = 0.01
    for factor in (2, 2.5, 2) * 12:
        if highest / step <= 6:
            break
        step *= factor
    return step


STYLE = """
.charts { display: flex; flex-wrap: wrap; gap: .8rem; }
figure { margin: 0; flex: 1 1 24rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem;
  padding: .7rem; }
figcaption { font-weight: 600; font-size: .9rem; color: var(--quiet); }
svg { width: 100%; height: auto; }
svg text { font-size: 11px; fill: var(--quiet); }
.axis { stroke: var(--quiet); } .grid { stroke: var(--line); }
.curve { fill: none; stroke-width: 2; stroke: var(--c0); }
.curve.ideal { stroke: var(--quiet); stroke-width: 1; stroke-dasharray: 5 4; }
.curve.greedy { stroke: var(--c6); stroke-width: 1.5; } .curve.limit { stroke: var(--c3); stroke-dasharray: 2 3; }
circle.measured { fill: var(--c0); } line.range { stroke: var(--c0); stroke-width: 1.5; }
.legend i.ideal { background: var(--quiet); } .legend i.greedy { background: var(--c6); }
.legend i.limit { background: var(--c3); } .legend i.measured { background: var(--c0); }
"""
