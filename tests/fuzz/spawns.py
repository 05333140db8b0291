"""The forms of spawns and of plain calls as statements."""

import re

from places import INTEGERS, READ, ULONG, WRITTEN, Scalar, Struct, Variable
from tree import block, line


class Spawns:
    """A part of FunctionBody."""

    def spawn(self, nodes):
        self.child(nodes, "cilk_spawn ")

    def plain_call(self, nodes):
        self.child(nodes, "")

    def child(self, nodes, keyword):
        callees = self.callable_functions()
        if not callees:
            return self.assign(nodes)
        callee = self.random.choice(callees)
        if callee.result is None:
            return self.finish_child(nodes, *self.call_with_lambda(callee, nodes, keyword), "", None, keyword)
        text, lent = self.call_with_lambda(callee, nodes, keyword)
        form = self.features.choose(["drop_result"]) if self.features.chance("drop_result") else None
        if form:
            return self.finish_child(nodes, text, lent, "", None, keyword)
        for attempt in (self.into_slot, self.special_form, self.into_place, self.into_new_variable):
            if attempt(nodes, callee, text, lent, keyword):
                return None
        return None

    def call_with_lambda(self, callee, nodes, keyword):
        text, lent = self.call(callee, nodes)
        if keyword and callee.form == "free" and not self.no_lambda and self.features.chance("lambda") and not self.in_nested:
            # Locals go by value, as they may change before the child runs; what it reads through pointers, and
            # globals, it has on loan.
            taken = {place for place, _ in lent}
            lent = lent + [(p, READ) for _, v in self.env.visible() if v.pointer or v.name[0] == "@"
                           if re.search(rf"(?<!\w){re.escape(v.name)}\b", text)
                           for p in v.places if p not in taken and self.env.readable(p)]
            # Of what goes by reference because a part is lent, the child reads the rest when it runs, too.
            taken = {place for place, _ in lent}
            lent = lent + [(p, READ) for _, v in self.env.visible()
                           if not v.pointer and v.name[0] != "@" and any(p in taken for p in v.places)
                           for p in v.places if p not in taken and self.env.readable(p)]
            name = self.fresh_name("work")
            nodes.append(line(f"auto {name} = [{self.captures(lent)}](int spare) {{ (void)spare; return {text}; }};"))
            text = f"{name}({self.random.randrange(9)})"
            # The object itself has to outlive the child, and is nothing that an expression could use.
            holder = self.env.declare(Variable.of(name, ULONG, fixed=True, address=False, local=False), is_set=False)
            lent = lent + [(holder.places[0], READ)]
        return text, lent

    def captures(self, lent):
        """Places that are lent are meant, everything else is copied; a copy of an array is not the array."""
        lent_places = {place for place, _ in lent}
        names = [v.name for _, v in self.env.visible()
                 if any(p in lent_places for p in v.places) and not v.pointer and v.name[0] != "@"]
        return ", ".join(["="] + [f"&{name}" for name in names])

    def finish_child(self, nodes, text, lent, before, place, keyword, after=""):
        if keyword and before.endswith(" = ") and not after and self.features.chance("macro"):
            nodes.append(line(f"@SPAWN({before[:-3]}, {text});"))
        else:
            nodes.append(line(f"{before}{keyword}{text}{after};"))
        if keyword:
            self.lend(lent)
            if place is not None:
                self.lend([(p, WRITTEN) for p in place])
        else:
            self.settle(lent)
            for p in place or ():
                self.env.set(p)
        return True

    def into_slot(self, nodes, callee, text, lent, keyword):
        """An element that belongs to this iteration of the innermost loop."""
        for slot in self.slots:
            if slot.level == self.loop_level and not slot.used and slot.type == callee.result and not slot.region:
                slot.used = True
                nodes.append(line(f"{slot.text} = {keyword}{text};"))
                if slot.array is not None:
                    lent = lent + [(place, WRITTEN) for place in slot.array.places]
                self.lend(lent) if keyword else self.settle(lent)
                return True
        return False

    def into_place(self, nodes, callee, text, lent, keyword):
        if self.random.random() < 0.45:
            return False
        taken = {p for p, _ in lent}
        if isinstance(callee.result, Struct):
            return self.into_struct(nodes, callee, text, lent, keyword, taken)
        if not isinstance(callee.result, Scalar):
            return False
        places = [p for p in self.env.writable_places() if p not in taken and self.fits(callee.result, p)]
        if not places:
            return False
        place = self.random.choice(places)
        variable = self.owner(place)
        if not place.bits and variable.address and not variable.pointer and self.random.random() < 0.15:
            pointer = self.fresh_name("where")
            nodes.append(line(f"{place.type.text}* {pointer} = &{place.text};"))
            return self.finish_child(nodes, text, lent, f"*{pointer} = ", [place], keyword)
        return self.finish_child(nodes, text, lent, f"{place.text} = ", [place], keyword)

    def into_struct(self, nodes, callee, text, lent, keyword, taken):
        whole = [v for v in self.env.own_variables()
                 if v.type == callee.result and not v.array and not v.pointer
                 and all(self.env.writable(p) and p not in taken for p in v.places)]
        if not whole:
            return False
        variable = self.random.choice(whole)
        return self.finish_child(nodes, text, lent, f"{variable.name} = ", variable.places, keyword)

    def into_new_variable(self, nodes, callee, text, lent, keyword):
        result = callee.result
        if isinstance(result, Scalar) and self.random.random() < 0.3:
            name = self.fresh_name()
            array = self.random.randrange(2, 5)
            variable = self.env.declare(Variable.of(name, result, array))
            zeros = ", ".join([result.from_unsigned("0u")] * array)
            nodes.append(line(f"{result.text} {name}[{array}] = {{{zeros}}};"))
            place = self.random.choice(variable.places)
            return self.finish_child(nodes, text, lent, f"{place.text} = ", [place], keyword)
        name = self.fresh_name()
        declared, fixed = result.text, False
        if self.converts(result):
            # The task lowering converts at the uses, if nothing else sets the variable.
            result, fixed = self.random.choice(INTEGERS), not self.host_code
            declared = result.text
        if not fixed and keyword and self.random.random() < 0.2:
            return self.two_declared(nodes, callee, text, lent, declared, result, name, keyword)
        if not fixed and self.random.random() < 0.2:
            nodes.append(line(f"{declared} {name};"))
            variable = self.env.declare(Variable.of(name, result), is_set=False)
            return self.finish_child(nodes, text, lent, f"{name} = ", variable.places, keyword)
        variable = self.env.declare(Variable.of(name, result, fixed=fixed, address=not fixed), is_set=False)
        return self.finish_child(nodes, text, lent, f"{declared} {name} = ", variable.places, keyword)

    def two_declared(self, nodes, callee, text, lent, declared, result, name, keyword):
        """`T x = cilk_spawn f(...), y = g(...);`: one declaration with several children, or with plain values."""
        other = self.fresh_name()
        self.lend(lent)
        value = f"{keyword}{text}"
        if isinstance(result, Scalar) and self.random.random() < 0.5:
            declarators = [f"{name} = {value}", f"{other} = {self.exact(result, 1)}"]
            self.random.shuffle(declarators)
            nodes.append(line(f"{declared} {', '.join(declarators)};"))
            self.env.declare(Variable.of(other, result))
        else:
            more, lent_more = self.call(callee, nodes)
            self.lend(lent_more)
            nodes.append(line(f"{declared} {name} = {value}, {other} = {keyword}{more};"))
            variable = self.env.declare(Variable.of(other, result), is_set=False)
            self.lend([(p, WRITTEN) for p in variable.places])
        variable = self.env.declare(Variable.of(name, result), is_set=False)
        self.lend([(p, WRITTEN) for p in variable.places])
        return True

    def special_form(self, nodes, callee, text, lent, keyword):
        """Forms that only host code accepts."""
        if not self.host_code or not keyword or not isinstance(callee.result, Scalar):
            return False
        if self.features.random.random() < 0.5:
            return False
        taken = {p for p, _ in lent}
        form = self.features.choose(["compound", "spawn_choice", "place_effects"])
        places = [p for p in self.env.writable_places()
                  if p not in taken and p.type == ULONG and self.env.readable(p)]
        if form is None or not places or callee.result.floating:
            return False
        place = self.random.choice(places)
        if form == "compound":
            operator = self.random.choice(("+=", "-=", "^=", "|=", "*="))
            return self.finish_child(nodes, text, lent, f"{place.text} {operator} ", [place], keyword)
        if form == "spawn_choice":
            if not all(self.env.readable(p) for p, _ in lent):
                return False  # the callee would set it, and may not be called
            other = f"({callee.result.text})({self.unsigned(1)})"
            return self.finish_child(nodes, text, lent, f"{place.text} = {self.condition()} ? ", [place], keyword,
                                     f" : {other}")
        array = [v for v in self.env.own_variables()
                 if v.array and v.type == callee.result and all(self.env.writable(p) and p not in taken
                                                                for p in v.places)]
        if not array:
            return False
        variable = array[0]
        cursor = self.fresh_name("next")
        at = self.random.randrange(variable.array)
        nodes.append(line(f"int {cursor} = {at};"))
        return self.finish_child(nodes, text, lent, f"{variable.name}[{cursor}++] = ", [variable.places[at]], keyword)

    def converts(self, result):
        plain = isinstance(result, Scalar) and not (result.floating or result.enum or result.boolean)
        return plain and self.features.chance("convert")

    def owner(self, place):
        return next(v for _, v in self.env.visible() if place in v.places)

    def return_child(self, nodes):
        """`return f(...);`, perhaps with a spawn: the result may not be used before, and nothing is."""
        same = self.callable_functions(lambda f: f.result == self.function.result and f.form == "free")
        if self.function.result is None or not same or not self.features.chance("return_call"):
            return False
        callee = self.random.choice(same)
        text, _ = self.call(callee, nodes)
        keyword = "cilk_spawn " if self.random.random() < 0.3 else ""
        nodes.append(line(f"return {keyword}{text};"))
        return True

    def scope_block(self, nodes):
        """cilk_scope: a region of its own, whose children have ended behind it."""
        # What it sets is used behind it.
        if self.random.random() < 0.5:
            self.declare(nodes)
        self.env.region += 1
        body = self.block(self.random.randrange(1, 5), before=self.spawn if self.random.random() < 0.5 else None)
        self.env.sync()
        self.env.region -= 1
        nodes.append(block("cilk_scope {", body, keep=True))
