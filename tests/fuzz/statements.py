"""Statements: declarations, assignments, branches, blocks, and what ends them."""

import re

from places import BOOLEAN, FLOATING, INTEGERS, REGION_ELEMENTS, Scalar, Variable, ULONG
from tree import block, line

NAMES = ["x", "y", "z", "left", "right", "sum", "count", "part", "total", "a", "b", "c", "value", "rest", "f", "lane",
         "args", "point", "frame", "name", "result", "k", "state", "first", "last", "best", "more", "temp"]


class Statements:
    """A part of FunctionBody."""

    def hiding_name(self):
        """Now and then a name that hides an outer variable, from here on: also in its own initialiser."""
        hidden = [v.name for scope in self.env.scopes[1:-1] for v in scope if v.local]
        if hidden and self.features.chance("shadow"):
            name = self.random.choice(hidden)
            if all(v.name != name for v in self.env.scopes[-1]) and name not in self.pinned:
                self.env.scopes[-1].append(Variable(name, None))
                return name
        return self.fresh_name()

    def fresh_name(self, base=None):
        """A name that is new in this function."""
        base = base or self.random.choice(NAMES)
        count = self.names.get(base, 0)
        self.names[base] = count + 1
        return f"{base}{count or ''}" if base not in ("next", "work", "object") else f"{base}{count}"

    def statement(self, nodes):
        kinds = ["declare", "assign", "spawn", "call", "sync", "fill", "helper"]
        if self.depth < 3:
            kinds += ["branch", "loop", "switch", "bare_block", "heap"]
            kinds += ["scope", "cilk_for", "spawn_switch", "exception"]
        if not self.in_parallel:
            kinds += ["leave"]
        if self.loops:
            kinds += ["jump"]
        kinds += ["reducer", "vla", "alloca", "static_local", "local_type", "counted", "binding"]
        kind = self.features.choose(kinds)
        getattr(self, {"call": "plain_call", "leave": "early_return", "switch": "plain_switch",
                       "scope": "scope_block", "exception": "try_block"}.get(kind, kind))(nodes)

    def block(self, count, before=None):
        """The nodes of a new scope; `before(nodes)` starts it. At its end nobody uses its variables."""
        self.env.scopes.append([])
        self.depth += 1
        nodes = []
        if before:
            before(nodes)
        for _ in range(count):
            if not self.alive:
                break
            self.statement(nodes)
        if self.alive:
            self.end_scope(nodes)
        self.depth -= 1
        for variable in self.env.scopes.pop():
            for place in variable.places:
                self.env.state.pop(place, None)
        return nodes

    def end_scope(self, nodes):
        scope = self.env.scopes[-1]
        if self.env.busy(scope):
            self.sync(nodes)
        places = [p for v in scope if v.local for p in v.places if self.env.readable(p)]
        if places:
            self.into_hash(nodes, self.fold(places[:10]))

    def into_hash(self, nodes, value):
        nodes.append(line(f"{self.hash} = @mix({self.hash}, {value});"))

    def sync(self, nodes):
        word = "@SYNC" if self.features.chance("macro") else "cilk_sync"
        nodes.append(line(f"{word};", keep=self.env.pending()))
        self.env.sync()

    def declare(self, nodes):
        random = self.random
        roll = random.random()
        name = self.hiding_name()
        if roll < 0.2 and self.program.structs and self.features.chance("structs"):
            kind = random.choice(self.program.structs)
            nodes.append(line(f"{kind.text} {name} = {self.struct_value(kind)};"))
            self.env.declare(Variable.of(name, kind))
        elif roll < 0.5:
            kind = random.choice(REGION_ELEMENTS)
            if self.features.chance("two_dimensions"):
                return self.declare_rows(nodes, kind, name)
            array = random.randrange(1, 7)
            values = ", ".join(self.exact(kind, 1) for _ in range(random.randrange(1, array + 1)))
            nodes.append(line(f"{kind.text} {name}[{array}] = {{{values}}};"))
            self.env.declare(Variable.of(name, kind, array))
        else:
            kind = self.scalar()
            if random.random() < 0.15:
                nodes.append(line(f"const {kind.text} {name} = {self.value(kind)};"))
                self.env.declare(Variable.of(name, kind, fixed=True, address=False))
            else:
                nodes.append(line(f"{kind.text} {name} = {self.value(kind)};"))
                self.env.declare(Variable.of(name, kind))

    def declare_rows(self, nodes, kind, name):
        rows, columns = self.random.randrange(1, 4), self.random.randrange(1, 4)
        values = ", ".join("{%s}" % ", ".join(self.exact(kind, 1) for _ in range(columns)) for _ in range(rows))
        nodes.append(line(f"{kind.text} {name}[{rows}][{columns}] = {{{values}}};"))
        variable = Variable(name, kind, [], address=False)
        variable.places = [place for row in range(rows) for place in Variable.of(f"{name}[{row}]", kind, columns).places]
        self.env.declare(variable)

    def scalar(self):
        if self.features.chance("typedef"):
            return self.program.word
        if self.features.chance("floating"):
            return self.random.choice(FLOATING + [BOOLEAN, self.program.enum])
        return self.random.choice(INTEGERS[:4] * 2 + INTEGERS)

    def assign(self, nodes):
        places = self.env.writable_places()
        if not places:
            return self.into_hash(nodes, self.unsigned())
        place = self.random.choice(places)
        plain = not (place.type.floating or place.type.enum or place.type.boolean)
        if plain and self.env.readable(place) and self.random.random() < 0.4:
            operator = self.random.choice(("+=", "-=", "^=", "|=", "*=", "&="))
            nodes.append(line(f"{place.text} {operator} (unsigned long){self.unsigned()};"))
        elif place.type.wide and self.env.readable(place) and self.random.random() < 0.15:
            nodes.append(line(f"{place.text}{self.random.choice(('++', '--'))};"))
        else:
            nodes.append(line(f"{place.text} = {self.value(place.type)};"))
        self.env.set(place)

    def helper(self, nodes):
        """A call of an ordinary function that writes an array."""
        arrays = [v for v in self.env.own_variables()
                  if v.array and v.type == ULONG and all(self.env.writable(p) for p in v.places)
                  and self.env.all_readable(v)]
        if not arrays:
            return self.assign(nodes)
        array = self.random.choice(arrays)
        nodes.append(line(f"@stir({array.name}, {array.array}, {self.unsigned(1)});"))

    def branch(self, nodes):
        heads = [f"if ({self.condition()})"]
        start = dict(self.env.state)
        bodies, ends = [], []
        ways = self.random.choice((1, 1, 1, 2, 2, 3))
        for way in range(ways):
            self.env.state = dict(start)
            self.alive = True
            bodies.append(self.block(self.random.choice((1, 1, 2, 3))))
            ends.append(self.env.state if self.alive else None)
            self.env.state = dict(start)
            heads.append("else" if way + 2 == ways else f"else if ({self.plain_condition()})")
        if ways == 1:
            ends.append(start)
        self.meet(ends)
        braces = self.random.random() < 0.3 or not all(map(self.single, bodies))
        chain = []
        for way, body in enumerate(bodies):
            head = ("} " if braces and way > 0 else "") + heads[way] + (" {" if braces else "")
            chain.append(block(head, body, "}" if braces and way + 1 == ways else ""))
        nodes.append(chain[0] if ways == 1 else block("", chain, "", solid=True))

    @staticmethod
    def single(body):
        """A single statement may stand without braces."""
        if len(body) != 1 or body[0].body is not None:
            return False
        starts = r"(cilk_spawn |cilk_sync|return |[@a-z]\w*(\[[^=]*\])? [-+*^|&]?= )"
        return body[0].head.count(";") == 1 and re.match(starts, body[0].head) is not None

    def plain_condition(self):
        was, self.in_nested = self.in_nested, True
        text = self.condition()
        self.in_nested = was
        return text

    def meet(self, ends):
        self.alive = any(end is not None for end in ends)
        self.env.join(*ends)

    def bare_block(self, nodes):
        nodes.append(block("{", self.block(self.random.randrange(1, 4))))

    def heap(self, nodes):
        """An array from malloc, freed when no child uses it; nothing leaves the block in between."""
        def start(body):
            name = self.fresh_name("heap")
            kind = self.random.choice(REGION_ELEMENTS)
            array = self.random.randrange(1, 6)
            body.append(line(f"{kind.text}* {name} = ({kind.text}*)malloc({array} * sizeof({kind.text}));"))
            variable = Variable.of(name, kind, array, pointer=True)
            for place in variable.places:
                body.append(line(f"{place.text} = {self.value(kind, 1)};"))
            self.env.declare(variable)
            names.append(name)

        names = []
        was = self.loops, self.in_parallel
        self.loops, self.in_parallel = [], True
        body = self.block(self.random.randrange(1, 4), start)
        self.loops, self.in_parallel = was
        body.append(line(f"free({names[0]});"))
        nodes.append(block("{", body))

    def early_return(self, nodes):
        condition = self.condition()
        before = dict(self.env.state)
        inner = []
        self.env.scopes.append([])
        if not self.return_child(inner) and not self.return_constant(inner):
            self.leave(inner, self.unsigned(1))
        self.env.scopes.pop()
        self.env.state = before
        nodes.append(block(f"if ({condition}) {{", inner))

    def return_constant(self, nodes):
        """A return of a constant of its own block."""
        result = self.function.result
        plain = isinstance(result, Scalar) and not (result.floating or result.enum or result.boolean)
        if not plain or self.random.random() < 0.8:
            return False
        name = self.hiding_name()
        nodes.append(line(f"const {result.text} {name} = {self.exact(result, 1)};"))
        nodes.append(line(f"return {name};"))
        return True

    def plain_switch(self, nodes):
        """A switch around which nothing spawns."""
        places = [p for p in self.env.writable_places() if p.type.wide]
        if not places:
            return self.assign(nodes)
        place = self.random.choice(places)
        body = []
        was, self.in_nested = self.in_nested, True
        for case in range(self.random.randrange(1, 4)):
            body.append(line(f"case {case}: {place.text} = {self.value(place.type)};"
                             f"{' break;' if self.random.random() < 0.7 else ' /* falls through */'}"))
        body.append(line(f"default: {place.text} = {self.value(place.type)};"))
        nodes.append(block(f"switch ({self.unsigned()} % 4u) {{", body))
        self.in_nested = was
        self.env.set(place)
