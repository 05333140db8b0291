"""Loops of all kinds, with break and continue, and elements that belong to one iteration."""

from dataclasses import dataclass

from places import WRITTEN, Scalar, Variable
from tree import block, line


@dataclass
class Loop:
    level: int
    scopes: int        # how many scopes are outside of its body
    before: dict       # the environment's state where each iteration starts
    breaks: list
    only_continue: bool = False


@dataclass
class Slot:
    """`text` is a place, or with `region` an array, that only this iteration uses."""
    text: str
    type: object
    level: int
    region: int = 0
    array: object = None  # the variable, which is as a whole in use once a child has a part
    used: bool = False


class Loops:
    """A part of FunctionBody."""

    def loop(self, nodes):
        trip = self.random.randrange(1, 5)
        slot_array = self.slot_array(nodes, trip)
        bound = self.bound(nodes, trip)
        form = self.random.choice((self.for_up, self.for_up, self.for_down, self.for_two, self.for_steps,
                                   self.while_before, self.while_step, self.do_while, self.forever))
        counter = self.fresh_name(self.random.choice("ij"))
        self.pinned.add(counter)
        before, head, first, index, tail = form(counter, bound)
        for text in before:
            nodes.append(line(text))
        self.env.scopes.append([])
        self.env.declare(Variable.of(counter, Scalar("int"), fixed=True, address=False, local=False))
        body, breaks = self.loop_body(trip, slot_array, index, first)
        self.env.scopes.pop()
        self.alive = True
        nodes.append(block(head, body, tail))
        self.env.join(*breaks)

    def loop_body(self, trip, slot_array, index, first):
        """The body's nodes, and the states in which the loop may end."""
        kept = self.repeats, self.slots
        self.repeats *= trip
        self.loop_level += 1
        if slot_array:
            array, region = slot_array
            name, kind = array.name, array.type
            place = f"{name}[{index}]"
            if region:
                place = self.random.choice((f"{name} + ({index}) * {region}", f"&{name}[({index}) * {region}]"))
            self.slots = self.slots + [Slot(place, kind, self.loop_level, region, array)]
        start = dict(self.env.state)
        info = Loop(self.loop_level, len(self.env.scopes), start, [])
        self.loops.append(info)
        body = self.block(self.random.randrange(1, 5), lambda nodes: nodes.extend(map(line, first)))
        if self.alive and not self.env.no_busier_than(start):
            self.sync(body)
        self.loops.pop()
        end = self.env.state if self.alive else None
        self.loop_level -= 1
        self.repeats, self.slots = kept
        return body, [start, end, *info.breaks]

    def slot_array(self, nodes, trip):
        """Declares an array with an element (or `region` elements) for each iteration."""
        if not self.features.chance("indexed_spawn"):
            return None
        outs = [p for f in self.program.functions if not f.once for p in f.parameters
                if p.role == "out" and p.form != "reference" and isinstance(p.type, Scalar)]
        results = [f.result for f in self.program.functions if f.result is not None and not f.once
                   and not self.is_class(f.result)]
        if outs and (not results or self.random.random() < 0.4):
            parameter = self.random.choice(outs)
            kind, region = parameter.type, parameter.array or 1
        elif results:
            kind, region = self.random.choice(results), 0
        else:
            return None
        name = self.fresh_name()
        size = trip * max(region, 1)
        if isinstance(kind, Scalar):
            zeros = ", ".join([kind.from_unsigned("0u")] * size)
            nodes.append(line(f"{kind.text} {name}[{size}] = {{{zeros}}};"))
        else:
            values = ", ".join(self.struct_value(kind) for _ in range(size))
            nodes.append(line(f"{kind.text} {name}[{size}] = {{{values}}};"))
        variable = self.env.declare(Variable.of(name, kind, size))
        self.pinned.add(name)
        for place in variable.places:
            self.env.lend(place, WRITTEN)
        return variable, region

    def bound(self, nodes, trip):
        if not self.features.chance("dynamic_bound"):
            return str(trip)
        roll = self.random.random()
        if roll < 0.4:
            return f"({self.fuel} % {trip} + 1)"
        name = self.fresh_name("end")
        nodes.append(line(f"const int {name} = (int)({self.unsigned(1)} % {trip}u) + {self.random.randrange(2)};"
                          if trip > 1 else f"const int {name} = 1;"))
        self.env.declare(Variable.of(name, Scalar("int"), fixed=True, address=False))
        return name if trip == 1 else f"({name} < {trip} ? {name} : {trip})"

    # Each form: lines before, the head, first lines of the body, the iteration's index, the tail.

    def for_up(self, i, bound):
        return [], f"for (int {i} = 0; {i} < {bound}; {self.random.choice((f'{i}++', f'++{i}'))}) {{", [], i, "}"

    def for_down(self, i, bound):
        return [], f"for (int {i} = {bound} - 1; {i} >= 0; {i}--) {{", [], i, "}"

    def for_two(self, i, bound):
        j = self.fresh_name("j")
        return [], f"for (int {i} = 0, {j} = {bound}; {j} > 0; ++{i}, --{j}) {{", [], \
            self.random.choice((i, f"{j} - 1")), "}"

    def for_steps(self, i, bound):
        return [], f"for (int {i} = 0; {i} < 2 * {bound}; {i} += 2) {{", [], f"{i} / 2", "}"

    def while_before(self, i, bound):
        return [f"int {i} = 0;"], f"while ({i} < {bound}) {{", [f"{i}++;"], f"{i} - 1", "}"

    def while_step(self, i, bound):
        return [f"int {i} = 0;"], f"while ({i}++ < {bound}) {{", [], f"{i} - 1", "}"

    def do_while(self, i, bound):
        guarded = [f"int {i} = 0;"]
        return guarded, "do {", [f"if ({i} >= {bound}) break;"], i, f"}} while (++{i} < {bound});"

    def forever(self, i, bound):
        return [f"int {i} = 0;"], self.random.choice(("for (;;) {", "while (1) {")), \
            [f"if ({i} >= {bound}) break;", f"{i}++;"], f"{i} - 1", "}"

    def jump(self, nodes):
        """`break` or `continue` under a condition, after a sync if a child still uses the body's variables."""
        info = self.loops[-1]
        word = "continue" if info.only_continue else self.random.choice(("break", "continue"))
        condition = self.condition()
        state = dict(self.env.state)
        inner = []
        if self.random.random() < 0.4:
            self.into_hash(inner, self.unsigned(1))
        local = [v for scope in self.env.scopes[info.scopes:] for v in scope]
        def early():
            return self.env.busy(local) or word == "continue" and not self.env.no_busier_than(info.before)
        if early():
            self.sync(inner)
        if early():  # in a cilk_scope, whose sync does not wait for what was spawned before it
            self.env.state = state
            return
        if word == "break":
            info.breaks.append(dict(self.env.state))
        inner.append(line(f"{word};"))
        self.env.state = state
        nodes.append(block(f"if ({condition}) {{", inner))

    def fill(self, nodes):
        """A loop without children that writes an array."""
        arrays = [v for v in self.env.own_variables()
                  if v.array and isinstance(v.type, Scalar) and all(self.env.writable(p) for p in v.places)]
        if not arrays:
            return self.assign(nodes)
        array = self.random.choice(arrays)
        counter = self.fresh_name("i")
        self.env.scopes.append([])
        self.env.declare(Variable.of(counter, Scalar("int"), fixed=True, address=False, local=False))
        kept, self.repeats = self.repeats, self.repeats * array.array
        value = self.value(array.type)
        self.repeats = kept
        self.env.scopes.pop()
        nodes.append(block(f"for (int {counter} = 0; {counter} < {array.array}; {counter}++)",
                           [line(f"{array.name}[{counter}] = {value};")], ""))
        for place in array.places:
            self.env.set(place)
