"""Reads the documents that CHANNELS_STATS=json:FILE writes, and computes figures from their fields."""

import ast
import json
import operator
import os


class ReportError(Exception):
    """What is wrong with a file, for the user."""


class Run:
    """One document. `number`: its place on the page."""

    def __init__(self, path, number):
        self.path = path
        self.number = number
        try:
            with open(path, encoding="utf-8") as file:
                self.fields = json.load(file)
        except OSError as e:
            raise ReportError(f"{path}: {e.strerror}") from e
        except ValueError as e:
            raise ReportError(f"{path}: no JSON: {e}") from e
        if not isinstance(self.fields, dict) or self.fields.get("schema") != 1:
            raise ReportError(
                f"{path}: not a document of a run; make one with CHANNELS_STATS=json:FILE"
            )
        self.name = os.path.splitext(os.path.basename(path))[0]

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
    def timed(self):
        return "aggregator_ns" in self.fields

    def setting(self, name):
        return self.fields.get("settings", {}).get(name)

    def has(self, expression):
        return self.value(expression) is not None

    def value(self, expression):
        """What `expression` is of this run's fields; None if a field is missing or it divides by 0.

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
