#!/usr/bin/env python3
"""Checks that includes run down the layers of layers.txt, that no file includes itself through others, and that no two
files define a type of one name.

usage: layers.py ROOT [LAYERS]
"""

import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.M)
FOLDERS = ("include", "runtime", "compiler")
TYPE = re.compile(r"^(?:class|struct|union|enum class|enum) "
                  r"(?:alignas\([^)]*\) )?(\w+)(?: final)?\s*(?::[^:][^;{]*)?\{",
                  re.M)
SUFFIXES = (".hpp", ".h", ".cpp", ".cu")


def read_layers(path):
    """The layers' names in order, and of each path the number of its layer."""
    names, number_of = [], {}
    for line in path.read_text().splitlines():
        words = line.split("#", 1)[0].split()
        if words:
            number_of.update((p, len(names)) for p in words[1:])
            names.append(words[0])
    return names, number_of


def layer_of(file, number_of):
    """The layer of the longest path that leads to `file`, or None."""
    for path in (file, *(p.as_posix() for p in pathlib.PurePosixPath(file).parents)):
        if path in number_of:
            return number_of[path]
    return None


def includes_of(root):
    """Of each file, the files of the project that it includes."""
    files = {p.relative_to(root).as_posix(): p for folder in FOLDERS for p in (root / folder).rglob("*")
             if p.suffix in SUFFIXES}
    found = {}
    for name, path in sorted(files.items()):
        places = ("include/", "", "compiler/cilk2chan/", pathlib.PurePosixPath(name).parent.as_posix() + "/")
        found[name] = [next(p + i for p in places if p + i in files)
                       for i in INCLUDE.findall(path.read_text()) if any(p + i in files for p in places)]
    return found


def circle_in(includes):
    """Files that include each other in a circle, or nothing."""
    state, path = {}, []

    def visit(file):
        state[file] = "open"
        path.append(file)
        for other in includes.get(file, ()):
            if state.get(other) == "open":
                return path[path.index(other):] + [other]
            if other not in state and (circle := visit(other)):
                return circle
        state[file] = "done"
        path.pop()
        return None

    return next((c for file in includes if file not in state and (c := visit(file))), None)


def types_defined_twice(root):
    """A line for each name that types of namespaces have in several files."""
    places = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SUFFIXES:
                for name in set(TYPE.findall(path.read_text())):
                    places.setdefault(name, []).append(path.relative_to(root).as_posix())
    return [f"{name}: a type of this name is in {' and in '.join(files)}"
            for name, files in sorted(places.items()) if len(files) > 1]


def problems_of(root, layers):
    names, number_of = read_layers(layers)
    includes = includes_of(root)
    wrong = [f"{path}: layers.txt names it, and it is not there" for path in number_of if not (root / path).exists()]
    for file, others in includes.items():
        layer = layer_of(file, number_of)
        if layer is None:
            wrong.append(f"{file}: it is in no layer of layers.txt")
            continue
        for other in others:
            above = layer_of(other, number_of)
            if above is not None and above > layer:
                wrong.append(f"{file} ({names[layer]}) includes {other} ({names[above]}), a later layer")
    if circle := circle_in(includes):
        wrong.append("a circle: " + " -> ".join(circle))
    return wrong + types_defined_twice(root)


def main():
    sys.setrecursionlimit(10000)
    root = pathlib.Path(sys.argv[1])
    layers = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else pathlib.Path(__file__).parent / "layers.txt"
    wrong = problems_of(root, layers)
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
