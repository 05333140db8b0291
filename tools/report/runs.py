"""Reads documents of CHANNELS_STATS=json:FILE and computes figures from their fields."""

import ast
import json
import operator
import os


class ReportError(Exception):
    """A message for the user: a file cannot be used, and why."""


# Settings that change what is seen of a run, and not the run.
_WATCHING = {"CHANNELS_TRACE", "CHANNELS_TRACE_EVENTS", "CHANNELS_GRAPH", "CHANNELS_PROGRESS"}


def read_runs(paths):
    """The runs of these files. A file has one, or one for each of its `runtimes`."""
    runs = []
    for path in paths:
        fields = _document(path)
        name = os.path.splitext(os.path.basename(path))[0]
        parts = fields.pop("runtimes", [])
        for i, part in enumerate(parts, 1):
            runs.append(Run(f"{name}, runtime {i}", {**fields, **part}, len(runs)))
        if not parts:
            runs.append(Run(name, fields, len(runs)))
    return runs


def _document(path):
    try:
        with open(path, encoding="utf-8") as file:
            fields = json.load(file)
    except OSError as e:
        raise ReportError(f"{path}: {e.strerror}") from e
    except ValueError as e:
        raise ReportError(f"{path}: no JSON: {e}") from e
    if not isinstance(fields, dict) or fields.get("schema") != 1:
        raise ReportError(f"{path}: not a document of a run; make one with CHANNELS_STATS=json:FILE")
    return fields


def settings_that_differ(runs):
    """The names of settings in which not all runs agree."""
    names = dict.fromkeys(name for r in runs for name in r.fields.get("settings", {}))
    return [n for n in names if len({str(r.setting(n)) for r in runs}) > 1]


def settings_that_matter(runs):
    """Those of them that can change a run."""
    return [n for n in settings_that_differ(runs) if n not in _WATCHING]


class Run:
    """The fields of one run. `number`: its place on the page."""

    def __init__(self, name, fields, number):
        self.name = name
        self.fields = fields
        self.number = number

    @property
    def command(self):
        return " ".join([self.fields.get("program", "?"), *self.fields.get("arguments", [])])

    @property
    def through_channels(self):
        return "runs" in self.fields

    @property
    def on_device(self):
        return "calls" in self.fields

    @property
    def compiled(self):
        """Whether cilk2chan compiled the program."""
        return self.fields.get("form", "compiled") == "compiled"

    @property
    def on_host(self):
        return self.fields.get("device", "host") == "host"

    @property
    def timed(self):
        return "aggregator_ns" in self.fields

    def setting(self, name):
        return self.fields.get("settings", {}).get(name)

    def has(self, expression):
        return self.value(expression) is not None

    def value(self, expression):
        """The value of `expression` for this run; None if a field is missing or it divides by 0.

        An expression has fields (`tasks`, `aggregator_ns.collect`, `nodes[0].busy_ns`), numbers,
        + - * / and parentheses, and `total(...)`, `most(...)` and `least(...)` of an object or of a
        list: `total(aggregator_ns)`, `most(units, "busy_ns")`.
        """
        try:
            return _value(ast.parse(expression, mode="eval").body, self.fields)
        except (KeyError, IndexError, TypeError, ZeroDivisionError):
            return None


_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_OVER_ALL = {"total": sum, "most": max, "least": min}


def _value(node, fields):
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return fields[node.id]
    if isinstance(node, ast.Attribute):
        return _value(node.value, fields)[node.attr]
    if isinstance(node, ast.Subscript):
        return _value(node.value, fields)[_value(node.slice, fields)]
    if isinstance(node, ast.BinOp):
        return _OPERATORS[type(node.op)](_value(node.left, fields), _value(node.right, fields))
    if isinstance(node, ast.Call):
        values, *field = (_value(a, fields) for a in node.args)
        values = values.values() if isinstance(values, dict) else [v[field[0]] for v in values]
        return _OVER_ALL[node.func.id](values) if values else None
    raise ReportError(f"no expression of a figure: {ast.dump(node)}")
