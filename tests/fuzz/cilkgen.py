#!/usr/bin/env python3
"""Prints a random Cilk program: determinate, without undefined behaviour, and with bounded work.

The same seed and options give the same text. Strands write only what they own until the sync, and read nothing
that a child may write; arithmetic is unsigned; each call has less fuel than its caller. The program prints a
hash of everything that it computed.
"""

import argparse
import random

import prelude
from features import Features, read_changes
from functions import Function, FunctionBody, Parameter, cost
from parallel import REDUCERS, REDUCERS_OF_TASKS
from places import BOOLEAN, FLOATING, INTEGERS, REGION_ELEMENTS, INT, ULONG, UNSIGNED, Scalar, Struct, Variable
from slices import slices
from tree import block, group, line, with_prefix

# Calls of a program and fuel of its root, at most: of ordinary programs, of wide and of deep ones, with weights.
SIZES = {(1500, 9): 10, (6000, 14): 1, (3000, 400): 1}


class Program:
    """One program, as a tree whose own names start with `@`."""

    def __init__(self, seed, language, mode, changes=()):
        self.seed, self.language, self.mode = seed, language, mode
        self.random = random.Random(f"{seed} {language} {mode}")
        self.features = Features(self.random, language, mode, changes)
        self.most_calls, self.most_fuel = self.random.choices(list(SIZES), SIZES.values())[0]
        self.table_type = UNSIGNED
        self.enum = Scalar("enum @color", enum=True)
        self.word = Scalar("@word", wide=True)
        self.inputs = ["@seed"]
        kinds = REDUCERS if mode == "host_code" else REDUCERS_OF_TASKS
        self.reducer_kinds, self.reducers = kinds, []
        self.structs = [self.struct(i) for i in range(self.random.randrange(1, 3))]
        self.globals = self.make_globals()
        if self.features["reducer"]:
            self.reducers = [kind.named(f"@joined{i}") for i, kind in enumerate(kinds)]
        self.risky = Function("@risky")
        self.risky.sites = [(self.risky, 1)]
        self.functions = []
        for number in range(self.random.randrange(2, 6)):
            self.functions.append(self.signature(number))
        self.root = self.functions[0]
        self.tree = self.build()

    def struct(self, number):
        fields = []
        for name in "abcd"[:self.random.randrange(2, 5)]:
            kind = self.random.choice(REGION_ELEMENTS + INTEGERS + FLOATING[:1] + [BOOLEAN])
            fields.append((name, kind, self.random.choice((0, 0, 0, 2, 3)) if kind in REGION_ELEMENTS else 0, False))
        if self.features.chance("bit_field"):
            fields.append(("bits", UNSIGNED, 0, True))
        return Struct(f"struct @s{number}", tuple(fields))

    def make_globals(self):
        if not self.features.chance("globals"):
            return []
        return [Variable.of("@g0", ULONG, local=False), Variable.of("@g1", INT, local=False),
                Variable.of("@g2", self.random.choice(REGION_ELEMENTS), 4, local=False),
                Variable.of("@g3", self.structs[0], local=False)]

    def signature(self, number):
        random_, features = self.random, self.features
        once = number == 0
        function = Function(f"@fn{number}", number, once=once, leaf=not once and random_.random() < 0.2)
        parameters = [Parameter("fuel", INT, "n")]
        for index in range(random_.randrange(0, 4)):
            parameters.append(self.parameter(index))
        if random_.random() < 0.3:
            random_.shuffle(parameters)
        roll = random_.random()
        if roll < 0.15 and any(p.role == "out" for p in parameters):
            function.result = None
        elif roll < 0.3 and features.chance("structs"):
            function.result = random_.choice(self.structs)
        else:
            choices = INTEGERS[:4] * 3 + INTEGERS + [self.word] * int(features["typedef"])
            function.result = random_.choice(FLOATING + [BOOLEAN, self.enum] if features.chance("floating") else choices)
        function.parameters = parameters
        function.static = "static " if random_.random() < 0.7 else ""
        if features.chance("inline"):
            function.static = "static inline "
        function.old_style = features.chance("old_style") and all(p.keeps_type() for p in parameters)
        function.call_name = function.name
        if not once:
            self.give_form(function, number)
        return function

    def give_form(self, function, number):
        """C++: what kind of function it is."""
        if self.features.chance("member"):
            function.form, function.owner, function.call_name = "member", f"@caller{number}", f"call{number}"
        elif self.features.chance("template"):
            function.form = "template"
            function.parameters.append(Parameter("value", Scalar("T"), "generic"))
            kinds = ("unsigned", "int", "short", "unsigned long")
            function.call_name = f"{function.name}<{self.random.choice(kinds)}>"
        elif self.features.chance("overload"):
            # Overloads differ in how many parameters they have, so that no call is ambiguous.
            counts = [len(f.parameters) for f in self.functions if f.name == "@fn_overloaded"]
            if len(function.parameters) not in counts:
                function.name = function.call_name = "@fn_overloaded"

    def parameter(self, index):
        random_ = self.random
        name = random_.choice("pqruvw") + str(index)
        roll = random_.random()
        if roll < 0.4:
            form = "const" if self.features.chance("const_parameter") else ""
            return Parameter("value", random_.choice(INTEGERS + FLOATING + [BOOLEAN]), name, 0, form)
        if roll < 0.5:
            return Parameter("struct", random_.choice(self.structs), name)
        role = "in" if roll < 0.7 else "out"
        if roll > 0.93:
            return Parameter("out", random_.choice(self.structs), name)
        kind = random_.choice(REGION_ELEMENTS)
        if role == "out" and self.features.chance("reference"):
            return Parameter("out", kind, name, 0, "reference")
        array = random_.choice((0, 1, 2, 3, 4))
        return Parameter(role, kind, name, array, "array" if array and random_.random() < 0.2 else "")

    def build(self):
        bodies = {}
        for function in self.functions:
            bodies[function] = FunctionBody(self, function).generate()
        nodes = [line((prelude.PROGRAM % {"seed": self.random.randrange(1 << 32),
                                         "word": self.random.choice(("long", "int", "long long"))}).rstrip())]
        if self.features["macro"]:
            nodes.append(line(prelude.KEYWORD_MACROS.rstrip()))
        for kind in self.structs:
            nodes.append(self.struct_text(kind))
        for variable in self.globals:
            extent = f"[{variable.array}]" if variable.array else ""
            nodes.append(line(f"static {variable.type.text} {variable.name}{extent};"))
        nodes += [line(f"static {r.declaration(r.name)}") for r in self.reducers]
        order = list(self.functions)
        self.random.shuffle(order)
        nodes.append(group([self.prototype(f) for f in order if self.needs_prototype(f, order)]))
        if self.features["exception"]:
            nodes.append(line(prelude.RISKY.rstrip()))
        nodes += [bodies[function] for function in order]
        extra = slices(self) if self.features.chance("slices") else None
        if extra:
            nodes.append(extra)
        nodes.append(self.run(extra is not None))
        return group(nodes)

    def needs_prototype(self, function, order):
        if not self.features.chance("sparse_prototypes") or function.form == "member" or function.old_style:
            return True
        at = order.index(function)
        return any(callee is function for caller in order[:at] for callee, _ in caller.sites)

    def prototype(self, function):
        if function.form == "member":
            return line(f"struct {function.owner} {{\n  unsigned long seed;\n  {function.signature(True)};\n}};")
        return line(f"{function.signature()};")

    def struct_text(self, kind):
        name = kind.text.split("@")[-1]
        fields = "\n".join(f"  {scalar.text} {field}{f'[{count}]' if count else ''}{' : 7' if bits else ''};"
                           for field, scalar, count, bits in kind.fields)
        sets = "\n".join(f"  made.{member} = {scalar.from_unsigned(f'(one * {number}u + other)')};"
                         for number, (member, scalar, _) in enumerate(kind.members()))
        return line(f"{kind.text} {{\n{fields}\n}};\n"
                    f"static {kind.text} @make_{name}(unsigned long one, unsigned long other) {{\n"
                    f"  {kind.text} made;\n  memset(&made, 0, sizeof made);\n{sets}\n  return made;\n}}")

    def run(self, with_slices):
        """The function that main calls: the root's result and everything that it could write, in one number."""
        fuel = 1
        known = {}
        while fuel < self.most_fuel and cost(self.root, fuel + 1, known) <= self.most_calls:
            fuel += 1
        body = [line("unsigned long hash = 1;")]
        body += [line(f"{r.name} = {r.start};") if r.start == "0" else
                 line(f"{{ {r.type_name} start = {r.start}; {r.name} = start; }}") for r in self.reducers]
        places, arguments = [], []
        for parameter in self.root.parameters:
            if parameter.role == "fuel":
                arguments.append(str(fuel))
                continue
            variable = Variable.of(parameter.name, parameter.type, parameter.array)
            places += variable.places
            extent = f"[{parameter.array}]" if parameter.array else ""
            body.append(line(f"{parameter.type.text} {parameter.name}{extent};"))
            for place in variable.places:
                body.append(line(f"{place.text} = {place.type.from_unsigned(f'{self.random.randrange(1000)}u')};"))
            by_name = parameter.role in ("value", "struct") or parameter.form == "reference" or parameter.array
            arguments.append(parameter.name if by_name else f"&{parameter.name}")
        call = f"{self.root.name}({', '.join(arguments)})"
        if self.root.result is None:
            body.append(line(f"{call};"))
        else:
            body.append(line(f"{self.root.result.text} result = {call};"))
            places += Variable.of("result", self.root.result).places
        for variable in self.globals:
            places += variable.places
        for place in places:
            small = place.type.floating or place.type.enum
            body.append(line(f"hash = @mix(hash, {'(unsigned)' if small else ''}{place.text});"))
        body += [line(f"hash = @mix(hash, {r.value()});") for r in self.reducers]
        if with_slices:
            body.append(line("hash = @mix(hash, @slices());"))
        body.append(line("return hash;"))
        return block("unsigned long @run(void) {", body, solid=True)


def language_of(seed):
    """Ten programs in a row are of one language, and can be compiled together."""
    return "c++" if seed // 10 % 2 else "c"


def file_trees(seeds, language, mode, changes=(), files=1):
    """Files that make one program: in the last one a main that runs the programs of all seeds, from argv[1] to argv[2]."""
    prefixes = {seed: f"p{seed}_" if len(seeds) > 1 else "" for seed in seeds}
    runs = [f"{prefix}run" for prefix in prefixes.values()]
    cxx = language == "c++"
    space = cxx and seeds[0] // 20 % 2 == 1
    trees = []
    spawns = False
    for number in range(files):
        here = seeds[len(seeds) * number // files:len(seeds) * (number + 1) // files]
        nodes = [line(prelude.COMMON.rstrip(), keep=True)]
        if mode != "tasks":
            nodes.append(line(prelude.REDUCTIONS.rstrip(), keep=True))
            if cxx:
                nodes.append(line(prelude.CLASSES.rstrip(), keep=True))
        programs = [Program(seed, language, mode, changes) for seed in here]
        texts = [with_prefix(p.tree, prefixes[p.seed]) for p in programs]
        if number == files - 1:
            texts = [line(f"unsigned long {prefixes[s]}run(void);") for s in seeds if s not in here] + texts
        nodes.append(block("namespace fuzz {", texts, solid=True) if space else group(texts))
        spawns = spawns or any(p.features.chance("main_spawn") for p in programs)
        trees.append(nodes)
    facts = {"runs": ", ".join(runs), "count": len(runs), "last": len(runs) - 1,
             "check": prelude.CHECK_OBJECTS if cxx and mode == "host_code" else "",
             "cases": "\n".join(f"      case {k}: results[{k}] = cilk_spawn {run}(); break;"
                                for k, run in enumerate(runs))}
    if space:
        trees[-1].append(line("using namespace fuzz;"))
    trees[-1].append(line((prelude.WAYS % facts).rstrip()))
    trees[-1].append(line((prelude.EARLY_CXX if cxx else prelude.EARLY_C).rstrip()))
    trees[-1].append(line((prelude.MAIN_SPAWNS if spawns else prelude.MAIN) % facts))
    return [group(nodes) for nodes in trees]


def file_tree(seeds, language, mode, changes=()):
    """The same in one file."""
    return file_trees(seeds, language, mode, changes)[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, default=1, help="programs in the file, from the seed on (1)")
    parser.add_argument("--language", choices=("c", "c++"), help="default: by the seed")
    parser.add_argument("--only", choices=("tasks", "host_code", "emulated"), default="host_code",
                        help="what this lowering accepts (host_code: everything)")
    parser.add_argument("--features", default="", help="weights to change: alloca=5,loop=0")
    given = parser.parse_args()
    try:
        changes = read_changes(given.features)
    except ValueError as wrong:
        parser.error(str(wrong))
    seeds = range(given.seed, given.seed + given.count)
    print(file_tree(seeds, given.language or language_of(given.seed), given.only, changes).text(), end="")


if __name__ == "__main__":
    main()
