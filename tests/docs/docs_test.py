#!/usr/bin/env python3
"""docs.py finds a wide line, a link that leads nowhere, a heading that is not there, and a path that is gone."""

import pathlib
import tempfile

import docs

GOOD = "# Title\n\n[page](docs/page.md#two-words) and [itself](#title), [elsewhere](https://example.org/x)\n"


def problems(readme=GOOD, contributing="", page="# Page\n\n## Two words\n"):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "docs").mkdir()
        (root / "runtime").mkdir()
        (root / "README.md").write_text(readme)
        (root / "CONTRIBUTING.md").write_text(contributing)
        (root / "docs" / "page.md").write_text(page)
        return docs.problems_of(root)


def main():
    wide = "x" * 101
    assert problems() == [], problems()
    assert problems(page=f"# Page\n\n## Two words\n\n| {wide} |\n\n<https://example.org/{wide}>\n") == []
    assert problems(readme=GOOD + wide) == ["README.md:4: 101 columns"]
    assert problems(readme=f"{GOOD}| {wide} |") == ["README.md:4: 105 columns"]
    assert problems(readme="[gone](docs/gone.md)") == ["README.md:1: there is no docs/gone.md"]
    assert problems(readme="[page](docs/page.md#one-word)") == ["README.md:1: page.md has no heading for docs/page.md#one-word"]
    assert problems(readme="A [link in\ntwo lines](docs/gone.md)") == ["README.md:1: there is no docs/gone.md"]
    assert problems(readme="Code:\n\n    [no](link)\n") == []
    assert problems(contributing="`runtime`, `runtime/gone.cpp` and `bench/NAME`") == \
        ["CONTRIBUTING.md:1: there is no runtime/gone.cpp"]


if __name__ == "__main__":
    main()
