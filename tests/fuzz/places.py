"""Types, variables and their places, and who may touch which place at a point of the program."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Scalar:
    text: str
    wide: bool = False      # arithmetic in it wraps: unsigned and at least as wide as int
    floating: bool = False
    enum: bool = False
    boolean: bool = False

    def from_unsigned(self, value):
        """An unsigned expression as a value of this type; the small range keeps floating sums exact."""
        if self.floating:
            return f"({self.text})({value} % 1009u)"
        if self.enum:
            return f"({self.text})({value} % 3u)"
        if self.boolean:
            return f"(({value} & 2u) != 0u)"
        return f"({self.text})({value})"


UNSIGNED, ULONG = Scalar("unsigned", wide=True), Scalar("unsigned long", wide=True)
INT, LONG = Scalar("int"), Scalar("long")
INTEGERS = [UNSIGNED, ULONG, INT, LONG, Scalar("unsigned char"), Scalar("short"), Scalar("signed char"),
            Scalar("unsigned short"), Scalar("char"), Scalar("long long")]
FLOATING = [Scalar("double", floating=True), Scalar("float", floating=True)]
BOOLEAN = Scalar("bool", boolean=True)
REGION_ELEMENTS = [UNSIGNED, ULONG, INT, Scalar("short")]  # of arrays that are passed by pointer


@dataclass(frozen=True)
class Struct:
    text: str
    fields: tuple  # of (name, Scalar, count or 0, is a bit-field)

    def members(self):
        for name, scalar, count, bits in self.fields:
            if count:
                for index in range(count):
                    yield f"{name}[{index}]", scalar, False
            else:
                yield name, scalar, bits


@dataclass(eq=False)
class Place:
    """A scalar that is owned by one strand at a time."""
    text: str
    type: Scalar
    bits: bool = False


@dataclass(eq=False)
class Variable:
    name: str
    type: object              # Scalar or Struct: of the elements, if it is an array
    places: list = field(default_factory=list)
    array: int = 0            # elements that are certainly there
    fixed: bool = False       # never written after its declaration
    address: bool = True      # `&` may be applied
    pointer: bool = False     # what it points to is used, by this strand only
    local: bool = True        # declared in the function's body

    @staticmethod
    def of(name, kind, array=0, **flags):
        bases = [f"{name}[{i}]" for i in range(array)] if array else [name]
        return Variable(name, kind, [p for base in bases for p in places_of(base, kind)], array, **flags)


def places_of(base, kind):
    if isinstance(kind, Scalar):
        return [Place(base, kind)]
    return [Place(f"{base}.{name}", scalar, bits) for name, scalar, bits in kind.members()]


READ, WRITTEN = 1, 2  # by a child that may still run


class Environment:
    """Scopes of variables, and for each place: is it set, does a child use it, and since which region.

    A region is what a sync waits for: the function, a cilk_scope, an iteration of cilk_for.
    """

    def __init__(self):
        self.scopes = []
        self.state = {}
        self.region = 0
        self.frozen = 0  # variables of scopes before this one are only read (the body of a cilk_for)

    def declare(self, variable, is_set=True):
        self.scopes[-1].append(variable)
        for place in variable.places:
            self.state[place] = (is_set, 0, 0)
        return variable

    def visible(self):
        """Variables by their scope's index, without those that are hidden by another of the same name."""
        seen = set()
        for depth in reversed(range(len(self.scopes))):
            for variable in reversed(self.scopes[depth]):
                if variable.name not in seen:
                    seen.add(variable.name)
                    yield depth, variable

    def readable(self, place):
        is_set, busy, _ = self.state[place]
        return is_set and busy != WRITTEN

    def all_readable(self, variable):
        return all(self.readable(place) for place in variable.places)

    def writable(self, place):
        return self.state[place][1] == 0

    def readable_places(self):
        return [p for _, v in self.visible() for p in v.places if self.readable(p)]

    def own_variables(self):
        return [v for depth, v in self.visible() if depth >= self.frozen and not v.fixed]

    def writable_places(self):
        return [p for v in self.own_variables() for p in v.places if self.writable(p)]

    def set(self, place):
        _, busy, region = self.state[place]
        self.state[place] = (True, busy, region)

    def lend(self, place, how):
        is_set, busy, region = self.state[place]
        # A place that is read since an outer region stays so when this region syncs.
        self.state[place] = (is_set or how == WRITTEN, max(busy, how), region if busy else self.region)

    def sync(self, region=None):
        region = self.region if region is None else region
        for place, (is_set, busy, since) in self.state.items():
            if busy and since == region:
                self.state[place] = (is_set, 0, 0)

    def pending(self):
        return any(busy and since == self.region for _, busy, since in self.state.values())

    def busy(self, variables):
        return any(self.state[place][1] for variable in variables for place in variable.places)

    def join(self, *others):
        """The state where several ways meet; a way that does not arrive is None."""
        ways = [way for way in others if way is not None]
        self.state = {} if not ways else dict(ways[0])
        for way in ways[1:]:
            for place in list(self.state):
                if place not in way:
                    del self.state[place]
                    continue
                (a, b, c), (d, e, f) = self.state[place], way[place]
                since = min(c, f) if b and e else (c if b else f)
                self.state[place] = (a and d, max(b, e), since)

    def no_busier_than(self, before):
        return all(self.state[p][1] <= busy for p, (_, busy, _) in before.items() if p in self.state)
