"""What a generated program may contain, and how often."""

# name: (weight, what accepts it: "tasks" also, or only "host_code", perhaps with "emulated", and the language if there
# is but one)
TABLE = {
    # Statements.
    "declare": (6, "tasks"), "assign": (8, "tasks"), "spawn": (14, "tasks"), "call": (4, "tasks"),
    "sync": (4, "tasks"), "branch": (6, "tasks"), "loop": (6, "tasks"), "leave": (2, "tasks"),
    "jump": (4, "tasks"), "fill": (2, "tasks"), "helper": (2, "tasks"), "switch": (2, "tasks"),
    "bare_block": (1, "tasks"), "heap": (2, "tasks"),
    # How often a choice is made where there is one; 10 is always.
    "shadow": (1, "tasks"), "floating": (3, "tasks"), "structs": (4, "tasks"), "indexed_spawn": (7, "tasks"),
    "drop_result": (2, "tasks"), "globals": (4, "tasks"), "uninitialised": (5, "tasks"),
    "leaf_spawn": (3, "tasks"), "slices": (3, "tasks"), "overload": (3, "tasks cxx"),
    "sparse_prototypes": (3, "tasks"), "return_call": (2, "tasks"), "dynamic_bound": (4, "tasks"),
    "two_dimensions": (2, "tasks"), "typedef": (2, "tasks"), "inline": (1, "tasks"), "const_parameter": (1, "tasks"),
    "convert": (3, "tasks"),
    # What only host code accepts, but for some.
    "compound": (2, "host_code"), "nested_call": (3, "host_code"),
    "condition_call": (1, "host_code"), "spawn_switch": (2, "host_code"), "spawn_choice": (1, "host_code"),
    "vla": (2, "tasks"), "alloca": (2, "tasks"), "scope": (2, "host_code"), "cilk_for": (4, "tasks"),
    "grain": (3, "tasks"), "reducer": (4, "host_code emulated"), "macro": (3, "host_code"), "static_local": (1, "host_code"),
    "local_type": (1, "host_code"), "place_effects": (2, "host_code"), "bit_field": (2, "host_code"),
    "main_spawn": (5, "host_code"), "old_style": (1, "host_code c"),
    "template": (3, "host_code cxx"), "lambda": (2, "host_code cxx"), "member": (3, "host_code cxx"),
    "reference": (3, "host_code cxx"), "counted": (3, "host_code cxx"), "exception": (2, "host_code cxx"),
    "range_for": (1, "host_code cxx"), "condition_variable": (1, "host_code cxx"), "binding": (1, "host_code cxx"),
}


class Features:
    """The weights for one program. Each program stresses some features and lacks others (swarm testing)."""

    def __init__(self, random, language, mode, changes=()):
        self.random = random
        self.weights = {}
        for name, (weight, where) in TABLE.items():
            accepted = "tasks" in where or mode == "host_code" or mode in where.split()
            factor = random.choice((0, 0.5, 1, 1, 2)) if name not in ("spawn", "declare", "assign") else 1
            self.weights[name] = weight * factor if accepted else 0
            other = "cxx" if language == "c" else "c"
            if other in where.split():
                self.weights[name] = 0
        for name, weight in changes:
            self.weights[name] = weight

    def __getitem__(self, name):
        return self.weights[name]

    def chance(self, name):
        return self.random.random() * 10 < self.weights[name]

    def choose(self, names):
        weights = [self.weights[name] for name in names]
        return self.random.choices(names, weights)[0] if sum(weights) else None


def read_changes(text):
    """`alloca=5,loop=0` as pairs; raises ValueError with a message for people."""
    changes = []
    for item in filter(None, text.split(",")):
        name, _, weight = item.partition("=")
        if name not in TABLE:
            raise ValueError(f"no feature '{name}'; there are {', '.join(TABLE)}")
        changes.append((name, float(weight or 10)))
    return changes
