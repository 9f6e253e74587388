"""The tree of a model's modules down to its tensors, with the sum of each.

A module with a single child shares its line, as `cls.predictions` does. Layers
that are alike have one line, below which one of them stands for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from .answers import Answer
from .columns import columns

INDENT = "  "

MOST_LAYERS = 1_000
"""The most layers of a model that is shown. Unlike a listing, a tree is held in memory before it is printed."""


class _TreeNode:
    """A module with its children by name, or a tensor, which has a shape.

    Attributes:
        name: its name within the module above.
        count: its parameters.
        trained: how many of them are trained.
        shape: the shape of a tensor, and the one that it is tied to.
        children: the modules and tensors in it.
    """

    __slots__ = ("children", "count", "name", "shape", "trained")

    def __init__(self, name: str) -> None:
        self.name = name
        self.count = self.trained = 0
        self.shape = ""
        self.children: dict[str, _TreeNode] = {}

    def row(self, name: str) -> tuple[str, str, str, str]:
        """Its row in the table, under a name."""
        return (name, f"{self.count:,}", f"{self.trained:,}", self.shape)

    @property
    def form(self) -> tuple[Any, ...]:
        """A key that is equal for layers that are alike: everything below them but their own names."""
        inner = tuple((name, child.form) for name, child in self.children.items())
        return (self.count, self.trained, self.shape, inner)


def tree(answer: Answer) -> Iterator[str]:
    """The lines of the tree. The total comes last, where scripts look for it."""
    root = _root(answer.rows())
    rows: list[tuple[str, ...]]
    rows = [("module or tensor", "parameters", "trained", "shape"), *_rows(root, ""), root.row("total")]
    if not answer.fields["changes"]:
        # Everything is trained.
        rows = [(name, count, shape) for name, count, _, shape in rows]
    yield from answer.head
    yield from columns(rows, numbers=range(1 - len(rows[0]), -1))


def _root(tensors: Iterable[dict[str, Any]]) -> _TreeNode:
    """The whole model, from the rows of its ledger."""
    root = _TreeNode("")
    for tensor in tensors:
        node, path = root, [root]
        for name in tensor["transformers"].split("."):
            node = node.children.setdefault(name, _TreeNode(name))
            path.append(node)
        node.shape = " × ".join(map(str, tensor["shape"]))
        if tensor["tied_to"]:
            node.shape += f", tied to {tensor['tied_to']}"
        for node in path:
            node.count += tensor["count"]
            node.trained += tensor["count"] if tensor.get("trained", True) else 0
    return root


def _rows(module: _TreeNode, indent: str) -> Iterator[tuple[str, str, str, str]]:
    """A row for everything in a module."""
    # Layers have numbers for names. Only neighbours share a line.
    runs = groupby(module.children.values(), key=lambda node: node.form if node.name.isdigit() else node.name)
    for _, run in runs:
        node, *others = run
        name = f"{module.name} {node.name}" if node.name.isdigit() else node.name
        if others:
            name = f"{name} … {others[-1].name}, each"
        while len(node.children) == 1 and not node.shape:
            (node,) = node.children.values()
            name = f"{name}.{node.name}"
        yield node.row(indent + name)
        yield from _rows(node, indent + INDENT)
