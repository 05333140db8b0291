"""What only host code accepts in C: cilk_for, reducers, alloca, arrays of variable length, and others."""

from loops import Loop, Slot
from places import REGION_ELEMENTS, Scalar, Struct, Variable, ULONG
from tree import block, group, line


class Parallel:
    """A part of FunctionBody."""

    def cilk_for(self, nodes):
        trip = self.random.randrange(1, 7)
        results = self.fresh_name("results")
        nodes.append(line(f"unsigned long {results}[{trip}] = {{0}};"))
        reducer = self.local_reducer(nodes) if self.features.chance("reducer") else None
        head, index, kind = self.parallel_head(trip, results)
        kept = (self.repeats, self.slots, self.loops, self.hash, self.in_parallel, self.env.frozen)
        start = dict(self.env.state)
        inner = self.begin_parallel(trip, results, index, kind)
        tail_nodes = []
        body = self.block(self.random.randrange(1, 5), inner)
        if self.alive:
            if self.slots[0].used:
                tail_nodes.append(line("cilk_sync;", keep=True))
            if reducer:
                tail_nodes.append(line(reducer.update(self.hash)))
            tail_nodes.append(line(f"{results}[{index}] ^= {self.hash};"))
        self.env.sync()
        self.env.region -= 1
        self.loop_level -= 1
        self.env.scopes.pop()
        self.repeats, self.slots, self.loops, self.hash, self.in_parallel, self.env.frozen = kept
        self.env.state = start
        self.alive = True
        nodes.append(block(head, body + tail_nodes))
        self.pinned.add(results)
        variable = self.env.declare(Variable.of(results, ULONG, trip))
        if reducer:
            # Its value is complete when no child is outstanding.
            self.sync(nodes)
            nodes[-1].keep = True
            self.into_hash(nodes, reducer.value())
        return variable

    def parallel_head(self, trip, results):
        i = self.fresh_name("i")
        self.pinned.add(i)
        step = self.random.choice((f"{i}++", f"++{i}", f"{i} += 1"))
        down = self.random.choice((f"{i}--", f"--{i}", f"{i} -= 1"))
        kind = self.random.choice(("int", "unsigned", "unsigned long", "long", "short"))
        form = self.random.choice((
            (f"{kind} {i} = 0; {i} < {trip}; {step}", i, kind),
            (f"{kind} {i} = 0; {i} != {trip}; {step}", i, kind),
            (f"{kind} {i} = 0; {i} <= {trip - 1}; {step}", i, kind),
            (f"{kind} {i} = 3; {i} < {3 * trip + 1}; {i} += 3", f"({i} / 3 - 1)", kind),
            (f"int {i} = {trip}; {i} > 0; {down}", f"({i} - 1)", "int"),
            (f"int {i} = {trip - 1}; {i} >= 0; {down}", i, "int"),
            (f"long {i} = {2 * trip - 1}; {i} >= 0; {i} -= 2", f"({i} / 2)", "long"),
            (f"unsigned long* {i} = {results}; {i} < {results} + {trip}; {step}", f"({i} - {results})", None)))
        pragma = ""
        if self.features.chance("grain"):
            pragma = f"#pragma cilk grainsize {self.random.choice((1, 2, 3, 100))}\n"
        return f"{pragma}cilk_for ({form[0]}) {{", form[1], (i, form[2])

    def begin_parallel(self, trip, results, index, counter):
        self.repeats *= trip
        self.loop_level += 1
        self.env.scopes.append([])
        self.env.region += 1
        self.env.frozen = len(self.env.scopes)
        if counter[1]:
            self.env.declare(Variable.of(counter[0], Scalar(counter[1]), fixed=True, address=False, local=False))
        self.slots = [Slot(f"{results}[{index}]", ULONG, self.loop_level)]
        self.in_parallel = True
        self.loops = [Loop(self.loop_level, len(self.env.scopes), dict(self.env.state), [], only_continue=True)]
        self.hash = self.fresh_name("mine")

        def first(nodes):
            nodes.append(line(f"unsigned long {self.hash} = {self.literal()};"))
            self.env.declare(Variable.of(self.hash, ULONG, fixed=True, address=False, local=False))
        return first

    def local_reducer(self, nodes):
        maker = self.random.choice(self.program.reducer_kinds)
        name = self.fresh_name("reduced")
        nodes.append(line(maker.declaration(name)))
        return maker.named(name)

    def reducer(self, nodes):
        """An update of one of the program's reducers, or a local one for the function's children."""
        if not self.program.reducers:
            return self.assign(nodes)
        reducer = self.random.choice(self.program.reducers)
        nodes.append(line(reducer.update(self.unsigned(1))))
        return None

    def vla(self, nodes):
        kind, array = self.random.choice(REGION_ELEMENTS), self.random.randrange(1, 5)
        name = self.fresh_name()
        self.no_lambda = True  # which cannot take such an array with it
        nodes.append(line(f"{kind.text} {name}[{array} + ({self.fuel} & {self.random.choice((1, 3))})];"))
        self.set_elements(nodes, name, kind, array)

    def alloca(self, nodes):
        if self.in_parallel:
            return self.vla(nodes)
        kind, array = self.random.choice(REGION_ELEMENTS), self.random.randrange(1, 5)
        name = self.fresh_name()
        size = self.random.choice((f"{array} * sizeof({kind.text})",
                                   f"sizeof({kind.text}) * ({array} + ({self.fuel} & 3))"))
        nodes.append(line(f"{kind.text}* {name} = ({kind.text}*)"
                          f"{self.random.choice(('alloca', '__builtin_alloca'))}({size});"))
        self.set_elements(nodes, name, kind, array, pointer=True)
        return None

    def set_elements(self, nodes, name, kind, array, **flags):
        variable = Variable.of(name, kind, array, **flags)
        for place in variable.places:
            nodes.append(line(f"{place.text} = {self.value(kind, 1)};"))
        self.env.declare(variable)

    def static_local(self, nodes):
        name = self.fresh_name("fixed")
        kind, array = self.random.choice(REGION_ELEMENTS), self.random.randrange(1, 5)
        values = ", ".join(str(self.random.randrange(1000)) for _ in range(array))
        nodes.append(line(f"static const {kind.text} {name}[{array}] = {{{values}}};"))
        self.env.declare(Variable.of(name, kind, array, fixed=True, address=False, local=False))

    def local_type(self, nodes):
        kind_name, name = self.fresh_name("pair"), self.fresh_name()
        one, other = self.scalar(), self.random.choice(REGION_ELEMENTS)
        nodes.append(group([line(f"struct {kind_name} {{ {one.text} one; {other.text} other; }};"),
                            line(f"struct {kind_name} {name};")]))
        kind = Struct(f"struct {kind_name}", (("one", one, 0, False), ("other", other, 0, False)))
        variable = Variable.of(name, kind)
        for place in variable.places:
            nodes.append(line(f"{place.text} = {self.value(place.type)};"))
        self.env.declare(variable)

    def spawn_switch(self, nodes):
        value = self.unsigned()
        start = dict(self.env.state)
        kept, self.loops = self.loops, []
        cases, ends = [], []
        for case in range(self.random.randrange(1, 4)):
            self.env.state, self.alive = dict(start), True
            body = self.block(self.random.randrange(1, 3))
            ends.append(self.env.state)
            cases.append(block(f"case {case}: {{", body, "} break;"))
        if self.random.random() < 0.6:
            self.env.state = dict(start)
            cases.append(block("default: {", self.block(1)))
            ends.append(self.env.state)
        else:
            ends.append(start)
        self.loops = kept
        self.meet(ends)
        nodes.append(block(f"switch ({value} % 4u) {{", cases))


class Reducer:
    """A kind of reducer: the names of its type, identity and reduction, and how it is used."""

    def __init__(self, type_name, identity, reduce, start, update, value, name=""):
        self.type_name, self.identity, self.reduce, self.start = type_name, identity, reduce, start
        self.update_text, self.value_text, self.name = update, value, name

    def named(self, name):
        return Reducer(self.type_name, self.identity, self.reduce, self.start, self.update_text, self.value_text, name)

    def declaration(self, name):
        return f"{self.type_name} cilk_reducer({self.identity}, {self.reduce}) {name} = {self.start};"

    def update(self, value):
        text = self.update_text.format(name=self.name, value=value)
        if text.count(value) < 2 or "@" not in value:
            return text
        # Whether it is evaluated twice depends on the strand's view, and a call may have effects.
        return (f"{{ const {self.type_name} own_part = {value}; "
                f"{self.update_text.format(name=self.name, value='own_part')} }}")

    def value(self):
        return self.value_text.format(name=self.name)


# Those that tasks have where they spawn, too.
REDUCERS_OF_TASKS = [
    Reducer("unsigned long", "zero", "add", "0", "{name} += {value};", "{name}"),
    Reducer("unsigned long", "zero", "exclusive_or", "0", "{name} ^= {value};", "{name}"),
    Reducer("unsigned long", "zero", "larger", "0", "if ({name} < {value}) {name} = {value};", "{name}"),
]
REDUCERS = REDUCERS_OF_TASKS + [
    Reducer("struct sequence", "sequence_empty", "sequence_join", "{0, 1}",
            "sequence_append(&{name}, {value});", "{name}.hash"),
    Reducer("struct list", "list_empty", "list_join", "{0, 0}", "list_append(&{name}, {value});",
            "list_take(&{name})"),
]
