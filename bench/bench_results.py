"""The file that scripts/bench writes."""

import json


def text(result):
    """JSON with one line for each benchmark, so that differences between two files can be read."""
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(kept)}" for name, kept in result["benchmarks"].items())
    head = json.dumps({key: value for key, value in result.items() if key != "benchmarks"}, indent=1)
    return head[:-2] + ',\n "benchmarks": {\n' + lines + "\n }\n}\n"
