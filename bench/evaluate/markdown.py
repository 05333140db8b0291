"""Tables and numbers of pages."""


def number(value):
    """Three digits, without an exponent."""
    if value is None:
        return ""
    if value == 0:
        return "0"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def milliseconds(seconds):
    return number(1e3 * seconds)


def percent(share):
    return f"{100 * share:.1f}" if share < 0.995 else f"{100 * share:.0f}"


def table(headings, rows):
    lines = ["| " + " | ".join(headings) + " |", "|" + " --- |" * len(headings)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n\n"
