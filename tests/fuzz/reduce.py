#!/usr/bin/env python3
"""Reduces a program that fuzz.py found: drops statements and functions while it still differs in the same way.

A candidate counts only if its elision compiles, passes the sanitizers (so that nothing is read before it is set)
and ends soon. A sync on which later statements rely is only dropped together with the block around it.
"""

import argparse
import re
import tempfile
from pathlib import Path

from cilkgen import file_tree, language_of
from features import read_changes
from running import Ended, Toolchain, compare_run, compile_difference, random_settings, suffix_of, written_for

ELISION_SECONDS = 5


class Reducer:
    def __init__(self, tools, mode, language, settings, option, repeats, folder, output):
        self.tools, self.mode, self.settings, self.option = tools, mode, settings, option
        self.repeats, self.output = repeats, output
        self.source = folder / f"candidate{suffix_of(language)}"
        self.tried = 0

    def difference(self, tree):
        """How this program differs, or None: it does not, or it is no proper program."""
        self.tried += 1
        self.source.write_text(tree.text())
        program = self.source.with_suffix(".out")
        plain = self.source.with_suffix(".plain")
        if self.tools.elision([self.source], plain, ("-O1", "-Werror=uninitialized")).status != 0:
            return None
        wanted = Ended.of([plain], ELISION_SECONDS)
        if wanted.status != 0:
            return None
        compiled = self.tools.lowered(self.mode, [self.source], program, self.option.split())
        if compiled.status != 0:
            return compile_difference(compiled)
        for settings in self.settings * self.repeats:
            found, _ = compare_run(program, wanted, settings)
            if found:
                proper = self.tools.checked([self.source], self.source.with_suffix(".checked")).status == 0
                return found[0] if proper else None
        return None

    def reduce(self, tree):
        first = self.difference(tree)
        if first is None:
            raise SystemExit("this program does not differ")
        print(f"{first.kind}: {first.what.splitlines()[0][:200]}", flush=True)
        size = -1
        while size != len(tree.text()):
            size = len(tree.text())
            tree = self.drop(tree, first)
            tree = self.unwrap(tree, first)
            tree = self.simplify(tree, first)
            print(f"{len(tree.text().splitlines())} lines after {self.tried} programs", flush=True)
        return tree, first

    def keeps(self, tree, first):
        found = first.same_kind(self.difference(tree))
        if found and self.output:
            self.output.write_text(f"// {first.kind}: {first.what.splitlines()[0][:160]}\n"
                                   f"// {first.settings}\n{tree.text()}")
        return found

    def drop(self, tree, first):
        """Drops runs of neighbours, long ones first, outer ones first."""
        for parent in list(blocks(tree)):
            length = max(len(parent.body), 1)
            while length:
                at = 0
                while at < len(parent.body):
                    part = parent.body[at:at + length]
                    if any(node.keep for node in part) and len(part) < len(parent.body):
                        at += 1
                        continue
                    parent.body[at:at + length] = []
                    if not self.keeps(tree, first):
                        parent.body[at:at] = part
                        at += length
                length //= 2
        return tree

    def unwrap(self, tree, first):
        """Replaces blocks by what is in them."""
        for parent in list(blocks(tree)):
            for at, node in enumerate(list(parent.body)):
                if node.body is None or node.solid or not node.head or node not in parent.body:
                    continue
                at = parent.body.index(node)
                parent.body[at:at + 1] = node.body
                if not self.keeps(tree, first):
                    parent.body[at:at + len(node.body)] = [node]
        return tree

    def simplify(self, tree, first):
        """Replaces parts in parentheses, and lines of several, by something shorter."""
        for node in [n for b in blocks(tree) for n in [b, *b.body]]:
            if node.body is None and "\n" in node.head:
                # Without a line, what all programs share may no longer do what they rely on.
                if not node.keep:
                    self.split_lines(tree, node, first)
                continue
            at = 0
            while at < len(node.head):
                found = re.compile(r"(?:\w*mix|\([\w ]*\)|(?<!\w))\((?:[^()]|\([^()]*\))*\)").search(node.head, at)
                if not found:
                    break
                was = node.head
                node.head = was[:found.start()] + "1u" + was[found.end():]
                if not self.keeps(tree, first):
                    node.head = was
                    at = found.start() + 1
        return tree

    def split_lines(self, tree, node, first):
        lines = node.head.split("\n")
        at = 0
        while at < len(lines) and len(lines) > 1:
            kept = lines[:at] + lines[at + 1:]
            node.head = "\n".join(kept)
            if self.keeps(tree, first):
                lines = kept
            else:
                at += 1
        node.head = "\n".join(lines)


def blocks(tree):
    if tree.body is not None:
        yield tree
        for child in list(tree.body):
            yield from blocks(child)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--mode", choices=("tasks", "host_code", "emulated"), default="tasks")
    parser.add_argument("--language", choices=("c", "c++"), help="default: by the seed")
    parser.add_argument("--features", default="")
    parser.add_argument("--settings", help="as fuzz.py printed them; default: four at random")
    parser.add_argument("--option", default="-O0", help="for the compiler (-O0)")
    parser.add_argument("--repeats", type=int, default=1, help="runs with each settings, for what fails at times (1)")
    parser.add_argument("--compiler")
    parser.add_argument("-o", dest="output", help="file for the program (standard output)")
    given = parser.parse_args()
    language = given.language or language_of(given.seed)
    settings = [random_settings(f"{given.seed} {n}", given.mode) for n in range(4)]
    if given.settings:
        settings = [dict(pair.split("=", 1) for pair in given.settings.split())]
    tree = file_tree([given.seed], language, written_for(given.mode), read_changes(given.features)).copy()
    with tempfile.TemporaryDirectory(prefix="cilk-reduce-") as name:
        reducer = Reducer(Toolchain.find(given.compiler), given.mode, language, settings, given.option,
                          given.repeats, Path(name), Path(given.output) if given.output else None)
        tree, _ = reducer.reduce(tree)
    if not given.output:
        print(tree.text())


if __name__ == "__main__":
    main()
