"""Expressions of unsigned type without undefined behaviour, over what may be read at this point."""

from places import Scalar


class Expressions:
    """A part of FunctionBody. `unsigned` returns text whose type is `unsigned` or `unsigned long`; of two
    operands one always is, so that whatever else is mixed in, the arithmetic wraps."""

    def literal(self):
        value = self.random.choice((0, 1, 2, 3, 5, 7, 13, 31, 100, 255, 256, 4095, 65537, 2654435761))
        return f"{value}u{'l' if self.random.random() < 0.3 else ''}"

    def read(self, place):
        """The place as an operand beside one of unsigned type."""
        if place.type.floating or place.type.enum or place.bits:
            return f"(unsigned){place.text}"
        if "long" in place.type.text and not place.type.wide:
            return f"(unsigned long){place.text}"  # it would make a sum with an `unsigned` signed
        return place.text

    def operand(self):
        """A value of any integer type; it needs an unsigned partner."""
        random = self.random
        places = self.env.readable_places()
        roll = random.random()
        if places and roll < 0.72:
            return self.read(random.choice(places))
        if roll < 0.8:
            return self.fuel
        if roll < 0.86:
            return self.dynamic_element() or self.fuel
        if roll < 0.9:
            return f"({self.unsigned(1)} {random.choice(('<', '>', '==', '!='))} {self.unsigned(0)})"
        return str(random.randrange(0, 50))

    def leaf(self):
        random = self.random
        wide = [p for p in self.env.readable_places() if p.type.wide]
        roll = random.random()
        if wide and roll < 0.55:
            return self.read(random.choice(wide))
        if roll < 0.7:
            return self.literal()
        if roll < 0.78:
            return f"@table[{self.index(8)}]"
        if roll < 0.84:
            return f"{random.choice(('(unsigned)', '(unsigned long)'))}{self.operand()}"
        if roll < 0.9 and self.program.inputs:
            return random.choice(self.program.inputs)
        return f"({self.operand()} + {self.literal()})"

    def index(self, size):
        """An index below `size` that depends on values."""
        if self.random.random() < 0.5:
            return str(self.random.randrange(size))
        return f"({self.leaf()}) % {size}u"

    def dynamic_element(self):
        """An element whose index is computed, of an array that may be read as a whole."""
        arrays = [v for _, v in self.env.visible()
                  if v.array and isinstance(v.type, Scalar) and not (v.type.floating or v.type.enum)
                  and self.env.all_readable(v)]
        if not arrays:
            return None
        array = self.random.choice(arrays)
        return f"{array.name}[{self.literal()} % {array.array}u]"

    def unsigned(self, depth=2):
        random = self.random
        if depth <= 0:
            return self.leaf()
        roll = random.random()
        if roll < 0.25:
            return self.leaf()
        one = self.unsigned(depth - 1)
        if roll < 0.6:
            other = self.operand() if random.random() < 0.5 else self.unsigned(depth - 1)
            pair = [one, other]
            random.shuffle(pair)
            return f"({pair[0]} {random.choice('+-*^&|+^')} {pair[1]})"
        if roll < 0.68:
            return f"({one} {random.choice(('<<', '>>'))} {random.randrange(1, 20)})"
        if roll < 0.74:
            return f"({one} {random.choice('/%')} ({self.unsigned(0)} | 1u))"
        if roll < 0.82:
            return f"@mix({one}, {self.operand()})"
        if roll < 0.88:
            return f"({self.condition(1)} ? {one} : {self.unsigned(depth - 1)})"
        if roll < 0.92:
            return f"({random.choice('~-')}{one})"
        if roll < 0.95 and self.features.chance("macro"):
            return f"@MIX({one}, {self.operand()})"
        nested = self.nested_call()
        return nested or f"({one} + {self.literal()})"

    def condition(self, depth=1):
        random = self.random
        roll = random.random()
        if roll < 0.35:
            return f"({self.unsigned(depth)} & {random.choice((1, 1, 2, 3))}u)"
        if roll < 0.7:
            return f"{self.unsigned(depth)} {random.choice(('<', '>', '==', '!=', '<=', '>='))} {self.unsigned(0)}"
        if roll < 0.85:
            return f"{self.fuel} {random.choice(('>', '<', '==', '!='))} {random.randrange(1, 5)}"
        operator = random.choice(("&&", "||"))
        return f"({self.unsigned(depth)} % 3u) {operator} ({self.unsigned(0)} & 1u)"

    def value(self, kind, depth=2):
        """An expression for an assignment to a place of type `kind`."""
        value = self.unsigned(depth)
        plain = not (kind.floating or kind.enum or kind.boolean)
        # Without a cast the assignment itself converts.
        return value if plain and self.random.random() < 0.6 else kind.from_unsigned(value)

    def exact(self, kind, depth=2):
        """An expression that may stand in braces, where C++ takes no narrowing."""
        return kind.from_unsigned(self.unsigned(depth))

    def fold(self, places):
        """An expression that depends on all of `places`."""
        text = self.literal()
        for place in places:
            text = f"@mix({text}, {self.read(place)})"
        return text
