#!/usr/bin/env python3
"""layers.py finds an include that runs against the layers, a circle, a file that is in no layer, and a type's name that
two files define."""

import pathlib
import tempfile

import layers

LAYERS = "low include/low\nhigh include/high\n"


def problems(files):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in {"layers.txt": LAYERS, "include/low/a.hpp": "", "include/high/b.hpp": "", **files}.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return layers.problems_of(root, root / "layers.txt")


def main():
    assert problems({"include/high/b.hpp": '#include "low/a.hpp"  // a\n'}) == []
    against = problems({"include/low/a.hpp": '#include "high/b.hpp"\n'})
    assert len(against) == 1 and "a later layer" in against[0], against
    circle = problems({"include/low/a.hpp": '#include "low/c.hpp"\n', "include/low/c.hpp": '#include "low/a.hpp"\n'})
    assert len(circle) == 1 and circle[0].startswith("a circle: "), circle
    homeless = problems({"include/else/d.hpp": ""})
    assert homeless == ["include/else/d.hpp: it is in no layer of layers.txt"], homeless
    missing = problems({"layers.txt": LAYERS + "more include/more\n"})
    assert missing == ["include/more: layers.txt names it, and it is not there"], missing
    once = {"include/low/a.hpp": "struct part;\nstruct whole::part {\n};\n",
            "include/high/b.hpp": "class part final {\n};\n"}
    assert problems(once) == [], problems(once)
    twice = problems({**once, "include/low/a.hpp": "enum class part : int {\n};\n"})
    assert twice == ["part: a type of this name is in include/high/b.hpp and in include/low/a.hpp"], twice


if __name__ == "__main__":
    main()
