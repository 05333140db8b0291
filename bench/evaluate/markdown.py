"""Tables and numbers of pages."""

import re
import textwrap

WIDTH = 100


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


def filled(item):
    """A paragraph or an item of a list in lines of WIDTH, with no break inside of code."""
    whole = re.sub(r"`[^`]*`", lambda code: code.group(0).replace(" ", "\0"), item)
    lines = textwrap.fill(whole, WIDTH, subsequent_indent="  " if item.startswith("- ") else "", break_long_words=False,
                          break_on_hyphens=False)
    return lines.replace("\0", " ")


def wrapped(text):
    """The page with no line of its paragraphs and lists longer than WIDTH; tables and pictures stay as they are."""
    parts = []
    for part in text.split("\n\n"):
        if part.startswith(("|", "#", "![", "<!--", "    ")):
            parts.append(part)
            continue
        items = []
        for line in part.split("\n"):
            if line.startswith("- ") or not items:
                items.append(line)
            else:
                items[-1] += " " + line.strip()
        parts.append("\n".join(filled(item) for item in items))
    return "\n\n".join(parts)
