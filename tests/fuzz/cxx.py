"""What only C++ has: classes that are not trivial, exceptions, loops over ranges, bindings."""

from places import Variable, INT, ULONG
from tree import block, line


class Cxx:
    """A part of FunctionBody."""

    def counted(self, nodes):
        """A local of the class that counts its objects; children may use what it holds."""
        name = self.fresh_name("object")
        nodes.append(line(f"counted {name}({self.unsigned(1)});"))
        variable = Variable(name, ULONG, address=False)
        variable.places = Variable.of(f"{name}.value", ULONG).places
        self.env.declare(variable)

    def binding(self, nodes):
        one, other = self.fresh_name(), self.fresh_name()
        nodes.append(line(f"auto [{one}, {other}] = pair_of({self.unsigned(1)}, {self.unsigned(1)});"))
        for name in (one, other):
            self.env.declare(Variable.of(name, ULONG, address=False))

    def range_for(self, nodes):
        trip = self.random.randrange(1, 5)
        array = self.slot_array(nodes, trip)
        name, at = self.fresh_name("each"), self.fresh_name("at")
        values = ", ".join(str(self.random.randrange(100)) for _ in range(trip))
        nodes.append(line(f"int {at} = -1;"))
        self.pinned.update((name, at))
        self.env.scopes.append([])
        self.env.declare(Variable.of(name, INT, fixed=True, address=False, local=False))
        body, breaks = self.loop_body(trip, array, at, [f"++{at};"])
        self.env.scopes.pop()
        self.alive = True
        nodes.append(block(f"for (int {name} : {{{values}}}) {{", body))
        self.env.join(*breaks)

    def condition_variable(self, nodes):
        name = self.fresh_name("flag")
        condition = self.unsigned(1)
        start = dict(self.env.state)

        def declare(_):
            self.env.declare(Variable.of(name, ULONG, fixed=True, address=False, local=False))
        body = self.block(self.random.randrange(1, 3), declare)
        end = self.env.state if self.alive else None
        self.meet([end, start])
        nodes.append(block(f"if (unsigned long {name} = {condition} & 1u) {{", body))

    def try_block(self, nodes):
        """Children that may throw, one statement after the other, and a handler at their sync.

        What runs between a throwing child and the sync is the serial program's choice or not, so all that is
        seen afterwards is set by both ways out: the results if nothing was thrown, else which child threw first.
        """
        count = self.random.randrange(1, 4)
        if self.repeats * count > 16:
            return self.assign(nodes)
        outcome = self.fresh_name("outcome")
        limit = self.random.randrange(1, 6)
        results = [self.fresh_name("risk") for _ in range(count)]
        inner = []
        before = dict(self.env.state)
        pending = self.env.pending()
        for result in results:
            inner.append(line(f"unsigned long {result} = 0;"))
        was, self.in_nested = self.in_nested, True  # an argument that a throw skips serially has no effects
        for number, result in enumerate(results):
            keyword = "cilk_spawn " if number + 1 < count or self.random.random() < 0.7 else ""
            call = f"@risky({self.fuel} - 1, {self.unsigned(1)} % 7u, {limit})"
            inner.append(line(f"{result} = {keyword}{call};"))
        self.in_nested = was
        inner.append(line("cilk_sync;", keep=True))
        inner.append(line(f"{outcome} = {self.fold_names(results)};"))
        self.env.state = before
        if pending:
            # The sync in the block may deliver nothing of children from before it.
            nodes.append(line("cilk_sync;", keep=True))
            self.env.sync()
        self.function.sites.append((self.program.risky, self.repeats * count))
        caught = "const failure& thrown" if self.random.random() < 0.7 else "failure thrown"
        nodes.append(line(f"unsigned long {outcome} = 0;"))
        nodes.append(block("try {", inner, f"}} catch ({caught}) {{ {outcome} = thrown.value(); }}", solid=True))
        self.env.declare(Variable.of(outcome, ULONG))
        return None

    def fold_names(self, names):
        text = "1u"
        for name in names:
            text = f"@mix({text}, {name})"
        return text
