"""Draws the tree of a model's modules down to its tensors, with the number of parameters in each.

A module with a single child shares the child's line, as in `cls.predictions`. Identical
layers in succession share one line, and only the contents of the first are drawn below it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from .answers import Answer
from .columns import columns

INDENT = "  "

MAX_LAYERS = 1_000
"""The maximum number of layers in a tree, which, unlike a listing, is held in memory as a whole."""


class _TreeNode:
    """A module with its children, or a tensor, which has a shape.

    Attributes:
        name: its name within the module above.
        count: the number of its parameters.
        trainable: the number of these that are trained.
        shape: the shape of a tensor, as text, with the name of the tensor that it is tied to.
        children: the modules and tensors in it, by name.
    """

    __slots__ = ("children", "count", "name", "shape", "trainable")

    def __init__(self, name: str) -> None:
        self.name = name
        self.count = 0
        self.trainable = 0
        self.shape = ""
        self.children: dict[str, _TreeNode] = {}

    def row(self, name: str) -> tuple[str, str, str, str]:
        """Its row in the table, under a name."""
        return (name, f"{self.count:,}", f"{self.trainable:,}", self.shape)

    @property
    def contents(self) -> tuple[Any, ...]:
        """Everything about a module except its own name: a key that is equal for identical layers."""
        contents_of_children = tuple((name, child.contents) for name, child in self.children.items())
        return (self.count, self.trainable, self.shape, contents_of_children)


def tree(answer: Answer) -> Iterator[str]:
    """The lines of the tree. The total comes last, where scripts look for it."""
    root = _build_tree(answer.rows())
    rows: list[tuple[str, ...]]
    rows = [("module or tensor", "parameters", "trained", "shape"), *_rows(root, ""), root.row("total")]
    if not answer.fields["changes"]:
        # Everything is trained in an unchanged model, so there is no column for it.
        rows = [(name, count, shape) for name, count, _, shape in rows]
    yield from answer.heading
    yield from columns(rows, number_columns=range(1 - len(rows[0]), -1))


def _build_tree(tensors: Iterable[dict[str, Any]]) -> _TreeNode:
    """Build the tree of a whole model from the rows of its ledger, and return its root."""
    root = _TreeNode("")
    for tensor in tensors:
        node = root
        path = [root]
        for name in tensor["transformers"].split("."):
            node = node.children.setdefault(name, _TreeNode(name))
            path.append(node)
        node.shape = " × ".join(map(str, tensor["shape"]))
        if tensor["tied_to"]:
            node.shape += f", tied to {tensor['tied_to']}"
        for node in path:
            node.count += tensor["count"]
            node.trainable += tensor["count"] if tensor.get("trained", True) else 0
    return root


def _rows(module: _TreeNode, indent: str) -> Iterator[tuple[str, str, str, str]]:
    """A row for each module and tensor in a module, indented by its depth; one row for a run of identical layers."""
    # The name of a layer is its number. Other modules have different names, so they are never grouped.
    runs = groupby(module.children.values(), key=lambda node: node.contents if node.name.isdigit() else node.name)
    for _, run in runs:
        node, *later_layers = run
        name = f"{module.name} {node.name}" if node.name.isdigit() else node.name
        if later_layers:
            name = f"{name} … {later_layers[-1].name}, each"
        while len(node.children) == 1 and not node.shape:
            (node,) = node.children.values()
            name = f"{name}.{node.name}"
        yield node.row(indent + name)
        yield from _rows(node, indent + INDENT)
