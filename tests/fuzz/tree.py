"""The tree of a generated program: what the generator builds, the printer prints and the reducer cuts."""

INDENT = "  "


class Node:
    """A line, or a block: `head`, the nodes of `body`, `tail`.

    `keep`: the reducer may not drop it, because what stands after it relies on it (a sync). `solid`: the
    reducer may not replace it by its body (a function). `open`: only a group, printed without indentation.
    """

    def __init__(self, head, body=None, tail="}", keep=False, solid=False):
        self.head = head
        self.body = body
        self.tail = tail
        self.keep = keep
        self.solid = solid

    def holds_keep(self):
        return self.keep or any(child.holds_keep() for child in self.body or ())

    def lines(self, depth=0):
        pad = INDENT * depth
        if self.body is None:
            for line in self.head.split("\n"):
                yield line if line.startswith("#") else pad + line
            return
        inner = depth
        if self.head:
            yield from Node(self.head).lines(depth)
            inner += 1
        for child in self.body:
            yield from child.lines(inner)
        if self.head and self.tail:
            yield pad + self.tail

    def text(self):
        return "\n".join(self.lines()) + "\n"

    def copy(self):
        body = None if self.body is None else [child.copy() for child in self.body]
        return Node(self.head, body, self.tail, self.keep, self.solid)


def line(text, keep=False):
    return Node(text, keep=keep)


def block(head, body, tail="}", **flags):
    return Node(head, body, tail, **flags)


def group(nodes, **flags):
    """Nodes that belong together and are printed as if they stood alone."""
    return Node("", nodes, "", **flags)


def with_prefix(node, prefix):
    """A copy in which every `@`, which stands before the program's own names, is `prefix`."""
    body = None if node.body is None else [with_prefix(child, prefix) for child in node.body]
    return Node(node.head.replace("@", prefix), body, node.tail.replace("@", prefix), node.keep, node.solid)
