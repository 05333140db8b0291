"""Calls of the program's functions: arguments that the callee may own, and the forms of spawns."""

from places import READ, WRITTEN, Scalar, Struct, Variable, INT, ULONG
from tree import line

MOST_SITES, MOST_REPEATS = 7, 16


class Calls:
    """A part of FunctionBody."""

    def callable_functions(self, accept=lambda f: True):
        if len(self.function.sites) >= MOST_SITES or self.repeats > MOST_REPEATS:
            return []
        own = self.function
        # A function without fuel calls only such functions that come after it.
        return [f for f in self.program.functions if not f.once and accept(f)
                and (f.leaf and f.number > own.number and self.features.chance("leaf_spawn") if own.leaf else
                     self.may_recurse and (not f.leaf or self.features.chance("leaf_spawn")))]

    def count_call(self, callee):
        self.function.sites.append((callee, self.repeats))

    def call(self, callee, nodes, owned=True):
        """The text of a call, and what it lends: [(place, READ or WRITTEN)]. Declarations that it needs are
        appended to `nodes`; without `owned` nothing that the callee writes may be lent."""
        lent = []
        arguments = []
        for parameter in callee.parameters:
            if parameter.role == "fuel":
                arguments.append(self.less_fuel(callee))
            elif parameter.role == "value":
                arguments.append(self.value_argument(parameter))
            elif parameter.role == "struct":
                arguments.append(self.struct_argument(parameter, nodes))
            else:
                arguments.append(self.region_argument(parameter, nodes, lent))
        self.count_call(callee)
        return self.call_text(callee, arguments, nodes, lent), lent

    def call_text(self, callee, arguments, nodes, lent):
        text = f"{callee.call_name}({', '.join(arguments)})"
        if callee.form == "member":
            name = self.fresh_name("object")
            nodes.append(line(f"{callee.owner} {name}{{{self.exact(ULONG)}}};"))
            holder = self.env.declare(Variable.of(name, ULONG, address=False))
            holder.places[0].text = f"{name}.seed"
            lent.append((holder.places[0], READ))
            return f"{name}.{text}"
        return text

    def less_fuel(self, callee):
        random = self.random
        if callee.leaf:
            return f"(int)({self.unsigned(1)} % 100u)"
        return random.choice((f"{self.fuel} - 1",) * 5 + (f"{self.fuel} - 2", f"{self.fuel} / 2",
                             f"{self.fuel} - 1 - (int)({self.leaf()} & 1u)"))

    def value_argument(self, parameter):
        return self.value(INT if parameter.type.text == "T" else parameter.type)

    def struct_argument(self, parameter, nodes):
        whole = [v for _, v in self.env.visible()
                 if v.type == parameter.type and not v.array and not v.pointer and self.env.all_readable(v)]
        if whole and self.random.random() < 0.7:
            return self.random.choice(whole).name
        return self.struct_value(parameter.type)

    def struct_value(self, kind):
        return f"@make_{kind.text.split('@')[-1]}({self.unsigned(1)}, {self.unsigned(1)})"

    def region_argument(self, parameter, nodes, lent):
        """An array or the address of a scalar, of which the callee uses `parameter.array` elements."""
        size = parameter.array or 1
        how = READ if parameter.role == "in" else WRITTEN
        taken = {place for place, _ in lent}
        options = []
        for depth, variable in self.env.visible():
            if variable.type != parameter.type or not variable.address:
                continue
            if how == WRITTEN and (variable.fixed or depth < self.env.frozen):
                continue
            usable = (lambda p: self.env.readable(p)) if how == READ else (lambda p: self.env.writable(p))
            # A struct has several places for each element; what is passed are whole elements.
            step = len(variable.places) // max(variable.array, 1)
            for start in range(0, max(variable.array, 1) - size + 1):
                part = variable.places[start * step:(start + size) * step]
                if all(usable(p) and p not in taken for p in part):
                    options.append((variable, start, part))
        if how == WRITTEN and parameter.form != "reference":
            for slot in self.slots:
                if slot.level == self.loop_level and slot.region >= size and not slot.used \
                        and slot.type == parameter.type:
                    slot.used = True
                    lent.extend((place, WRITTEN) for place in slot.array.places)
                    return slot.text
        if parameter.role == "in" and parameter.type == self.program.table_type and self.random.random() < 0.2:
            return f"@table + {self.random.randrange(8 - size + 1)}"
        if options and self.random.random() < 0.8:
            variable, start, part = self.random.choice(options)
        else:
            variable = self.fresh_array(parameter.type, size, nodes, how)
            start, part = 0, variable.places
        lent.extend((place, how) for place in part)
        if parameter.form == "reference":
            return variable.name if not variable.array else f"{variable.name}[{start}]"
        if not variable.array:
            return f"&{variable.name}"
        return self.random.choice((f"{variable.name} + {start}", f"&{variable.name}[{start}]"))

    def fresh_array(self, kind, size, nodes, how):
        """Declares an array (or for one element perhaps a scalar) for a call that nothing else fits."""
        name = self.fresh_name()
        array = size if size > 1 or isinstance(kind, Scalar) and self.random.random() < 0.3 else 0
        extent = f"[{array}]" if array else ""
        variable = Variable.of(name, kind, array)
        if how == WRITTEN and self.features.chance("uninitialised"):
            nodes.append(line(f"{kind.text} {name}{extent};"))
            return self.env.declare(variable, is_set=False)
        if isinstance(kind, Struct):
            nodes.append(line(f"{kind.text} {name} = {self.struct_value(kind)};"))
        else:
            values = ", ".join(self.exact(kind, 1) for _ in range(max(array, 1)))
            nodes.append(line(f"{kind.text} {name}{extent} = {{{values}}};" if array
                              else f"{kind.text} {name} = {values};"))
        return self.env.declare(variable)

    def lend(self, lent):
        for place, how in lent:
            self.env.lend(place, how)
            for slot in self.slots:
                # A child that has some part of the array may have what was this iteration's own.
                slot.used = slot.used or slot.array is not None and place in slot.array.places

    def settle(self, lent):
        """After a plain call: what it wrote is set, and nobody uses it."""
        for place, how in lent:
            if how == WRITTEN:
                self.env.set(place)

    def fits(self, result, place):
        """May a call's result go to `place`? The task lowering asks for the same type."""
        if place.bits:
            return self.host_code and result == place.type or self.features.chance("convert")
        if result == place.type:
            return True
        exact = result.floating or result.enum or result.boolean
        target = place.type.floating or place.type.enum or place.type.boolean
        return self.host_code and not exact and not target and self.features.chance("convert")

    def is_class(self, kind):
        return kind is not None and not isinstance(kind, (Scalar, Struct))

    def nested_call(self):
        """A plain call inside an expression; it lends nothing that anybody writes."""
        if not self.host_code or not self.features.chance("nested_call") or self.in_nested:
            return None
        callees = self.callable_functions(
            lambda f: isinstance(f.result, Scalar) and f.form in ("free", "template")
            and all(p.role in ("fuel", "value") for p in f.parameters))
        if not callees:
            return None
        callee = self.random.choice(callees)
        self.in_nested = True
        text, _ = self.call(callee, [])
        self.in_nested = False
        return f"(unsigned long){text}"
