"""Signatures and bodies of the program's functions."""

from dataclasses import dataclass, field

from calls import Calls
from cxx import Cxx
from expressions import Expressions
from loops import Loops
from parallel import Parallel
from places import Environment, Scalar, Struct, Variable, places_of, INT, LONG, ULONG, UNSIGNED
from spawns import Spawns
from statements import Statements
from tree import block, line


@dataclass(eq=False)
class Parameter:
    """`role`: fuel (how deep calls may still go), value, struct, in (a const pointer), out (a pointer to
    what the callee owns while it runs; it sets all of it). `array`: elements, 0 for one."""
    role: str
    type: object
    name: str
    array: int = 0
    form: str = ""

    def text(self):
        if self.role in ("fuel", "value", "struct"):
            return f"{'const ' if self.form == 'const' else ''}{self.type.text} {self.name}"
        if self.form == "reference":
            return f"{self.type.text}& {self.name}"
        if self.form == "array":
            return f"{'const ' if self.role == 'in' else ''}{self.type.text} {self.name}[]"
        return f"{'const ' if self.role == 'in' else ''}{self.type.text}* {self.name}"

    def keeps_type(self):
        """Whether an argument without a prototype would arrive as it is."""
        return self.role not in ("value",) or self.type in (INT, LONG, UNSIGNED, ULONG)

    def variable(self):
        if self.role in ("value", "struct"):
            const = self.form == "const"
            return Variable.of(self.name, self.type, local=False, fixed=const, address=not const)
        fixed = self.role == "in"
        if self.array:
            return Variable.of(self.name, self.type, self.array, fixed=fixed, pointer=True, local=False)
        is_pointer = self.form != "reference"
        variable = Variable(self.name, self.type, [], fixed=fixed, pointer=is_pointer, local=False,
                            address=not is_pointer)
        base = self.name if self.form == "reference" else f"(*{self.name})"
        variable.places = places_of(base, self.type)
        return variable


@dataclass(eq=False)
class Function:
    name: str
    number: int = 0
    result: object = None      # a Scalar, a Struct, or nothing
    parameters: list = field(default_factory=list)
    leaf: bool = False
    once: bool = False
    static: str = "static "
    form: str = "free"         # free, template, member
    owner: str = ""
    call_name: str = ""
    old_style: bool = False    # defined as before C had prototypes
    sites: list = field(default_factory=list)  # of (callee, how often it is called at most)

    def signature(self, declared_in_class=False, definition=False):
        result = self.result.text if self.result else "void"
        parameters = ", ".join(p.text() for p in self.parameters)
        if self.form == "member":
            owner = "" if declared_in_class else f"{self.owner}::"
            return f"{result} {owner}{self.call_name}({parameters})"
        if self.old_style and definition:
            names = ", ".join(p.name for p in self.parameters)
            return f"{self.static}{result} {self.name}({names})\n" + " ".join(f"{p.text()};" for p in self.parameters)
        template = "template <typename T>\n" if self.form == "template" else ""
        return f"{template}{self.static}{result} {self.name}({parameters or 'void'})"


class FunctionBody(Expressions, Calls, Spawns, Statements, Loops, Parallel, Cxx):
    """Generates one body, statement by statement, with the state of every place at hand."""

    def __init__(self, program, function):
        self.program, self.function = program, function
        self.random, self.features = program.random, program.features
        self.host_code = program.mode == "host_code"
        self.env = Environment()
        self.names, self.pinned = {}, set()
        self.hash = "h"
        self.depth = self.loop_level = 0
        self.loops, self.slots = [], []
        self.repeats, self.alive = 1, True
        self.in_parallel = self.in_nested = self.no_lambda = False
        self.may_recurse = False
        self.fuel = next(p.name for p in function.parameters if p.role == "fuel")

    def generate(self):
        """The function's definition."""
        self.env.scopes.append([])
        nodes = []
        for parameter in self.function.parameters:
            if parameter.role != "fuel":
                variable = self.env.declare(parameter.variable(), is_set=parameter.role != "out")
                self.pinned.add(variable.name)
        if self.function.form == "member":
            self.env.declare(Variable.of("seed", ULONG, fixed=True, address=False, local=False))
        for variable in self.program.globals if self.function.once else ():
            self.env.declare(variable)
        for parameter in self.function.parameters:
            if parameter.role == "out":
                self.set_out(nodes, parameter)
        if not self.function.leaf:
            inner = []
            self.leave(inner, self.unsigned(1))
            guard = self.random.choice(("{0} <= 0", "{0} < 1", "!({0} > 0)")).format(self.fuel)
            nodes.append(line(f"if ({guard}) {inner[0].head}") if len(inner) == 1
                         else block(f"if ({guard}) {{", inner))
            self.may_recurse = True
        count = self.random.randrange(1, 4) if self.function.leaf else self.random.randrange(4, 13)
        nodes += self.body(count)
        return block(f"{self.function.signature(definition=True)} {{", nodes, solid=True)

    def body(self, count):
        self.env.scopes.append([])
        self.depth = 1
        nodes = [line(f"unsigned long h = {self.literal()};")]
        self.env.declare(Variable.of("h", ULONG, fixed=True, address=False, local=False))
        for _ in range(count):
            self.statement(nodes)
        if self.random.random() < 0.85:
            self.sync(nodes)
        places = [p for _, v in self.env.visible() for p in v.places if self.env.readable(p)]
        self.into_hash(nodes, self.fold(places[:12]))
        self.leave(nodes, self.hash)
        return nodes

    def set_out(self, nodes, parameter):
        variable = next(v for v in self.env.scopes[0] if v.name == parameter.name)
        for place in variable.places:
            nodes.append(line(f"{place.text} = {self.value(place.type, 1)};"))
            self.env.set(place)

    def leave(self, nodes, value):
        """A return whose result depends on `value`."""
        result = self.function.result
        if result is None:
            places = [p for p in self.env.writable_places() if self.env.readable(p) and p.type.wide]
            if places:
                place = self.random.choice(places)
                nodes.append(line(f"{place.text} = @mix({place.text}, {value});"))
            nodes.append(line("return;"))
        elif isinstance(result, Struct):
            nodes.append(line(f"return @make_{result.text.split('@')[-1]}({value}, {self.unsigned(0)});"))
        elif isinstance(result, Scalar):
            nodes.append(line(f"return {self.return_value(result, value)};"))

    def return_value(self, result, value):
        plain = not (result.floating or result.enum or result.boolean)
        return value if plain and self.random.random() < 0.6 else result.from_unsigned(value)


def cost(function, fuel, known):
    """At most how many calls `function` makes with `fuel`, itself included."""
    if fuel <= 0 and not function.leaf:
        return 1
    key = (function, fuel)
    if key not in known:
        known[key] = 1 + sum(times * cost(callee, fuel - 1, known) for callee, times in function.sites)
    return known[key]
