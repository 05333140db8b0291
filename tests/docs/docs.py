#!/usr/bin/env python3
"""Checks README.md, CONTRIBUTING.md and docs/**/*.md: no line is over 100 columns, relative links lead to files and
headings that are there, and paths that CONTRIBUTING.md names are there.

usage: docs.py ROOT
"""

import pathlib
import re
import sys

WIDTH = 100
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
URL = re.compile(r"https?://\S+")
SPAN = re.compile(r"`([^`\s]+)`")
FOLDERS = ("bench/", "compiler/", "docs/", "examples/", "include/", "runtime/", "scripts/", "tests/", "tools/")


def pages_of(root):
    return [p for p in (root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))) if p.exists()]


def anchor_of(heading):
    """The anchor that a page's reader gets for a heading, by GitHub's rule."""
    text = re.sub(r"[^\w\- ]", "", LINK.sub("", heading).strip().lower())
    return text.replace(" ", "-")


def lines_outside_code(text):
    """Lines with their numbers, without those of indented and fenced code."""
    fenced, before_blank = False, True
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced and not (line.startswith("    ") and before_blank):
            yield number, line
        if not (line.startswith("    ") and before_blank):
            before_blank = not line.strip()


def anchors_of(page):
    return {anchor_of(line.lstrip("# ")) for _, line in lines_outside_code(page.read_text()) if line.startswith("#")}


def wide_lines(text, rows_count):
    """Lines that a URL makes wide are let through, and rows of tables unless `rows_count`."""
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) <= WIDTH or (line.startswith("|") and not rows_count) or len(URL.sub("", line)) <= WIDTH // 2:
            continue
        yield f"{number}: {len(line)} columns"


def broken_links(page, text):
    kept = dict(lines_outside_code(text))
    prose = "\n".join(kept.get(number, "") for number in range(1, len(text.splitlines()) + 1))
    for found in LINK.finditer(prose):
        link, number = found.group(1), prose.count("\n", 0, found.start()) + 1
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if not target.exists():
            yield f"{number}: there is no {link}"
        elif anchor and target.suffix == ".md" and anchor not in anchors_of(target):
            yield f"{number}: {target.name} has no heading for {link}"


def missing_paths(root, text):
    """Paths in code spans; one in capitals stands for any name."""
    for number, line in lines_outside_code(text):
        for path in SPAN.findall(line):
            if path.startswith(FOLDERS) and not re.search(r"[A-Z*]{2,}|\*", path) and not (root / path).exists():
                yield f"{number}: there is no {path}"


def problems_of(root):
    wrong = []
    for page in pages_of(root):
        text = page.read_text()
        found = [*wide_lines(text, page == root / "README.md"), *broken_links(page, text)]
        if page.name == "CONTRIBUTING.md":
            found += missing_paths(root, text)
        wrong += [f"{page.relative_to(root)}:{what}" for what in found]
    return wrong


def main():
    wrong = problems_of(pathlib.Path(sys.argv[1]))
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
