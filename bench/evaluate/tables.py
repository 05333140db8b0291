"""What was measured, as CSV: one file a section, one row a configuration."""

import csv


def flat(prefix, value):
    """[(path, number)] of nested dictionaries."""
    if isinstance(value, dict):
        return [row for key, inner in value.items() for row in flat([*prefix, key], inner)]
    return [(prefix, value)]


def write(section, data, path):
    """Rows of path and value; where all values have the same last steps, these are columns."""
    rows, columns = {}, []
    for keys, value in flat([], data):
        *row, column = keys
        if column not in columns:
            columns.append(column)
        rows.setdefault(tuple(row), {})[column] = value
    depth = max(len(row) for row in rows)
    with path.open("w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([section, *[""] * (depth - 1), *columns])
        for row, values in rows.items():
            writer.writerow([*row, *[""] * (depth - len(row)),
                             *(f"{values[c]:.6g}" if isinstance(values.get(c), float) else values.get(c, "") for c in columns)])
