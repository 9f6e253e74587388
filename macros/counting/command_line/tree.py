"""Draws the tree of a model's modules down to its tensors, with the number of parameters in each.

A module with a single child shares the child's line, as in `cls.predictions`. Identical
layers in succession share one line, and only the contents of the first are drawn below it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from .answers import Answer
from .columns import lines_in_columns

INDENT = "  "

MAX_LAYERS = 1_000
"""The maximum number of layers in a tree, which, unlike a listing, is held in memory as a whole."""


class _TreeNode:
    """A module or a tensor. Only modules have children, and only tensors have a shape.

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

    def row(self, label: str) -> tuple[str, str, str, str]:
        """Its row in the table, which begins with the label."""
        return (label, f"{self.count:,}", f"{self.trainable:,}", self.shape)

    @property
    def contents(self) -> tuple[Any, ...]:
        """Everything in a module except its own name, as a key that is equal for identical layers."""
        contents_of_children = tuple((name, child.contents) for name, child in self.children.items())
        return (self.count, self.trainable, self.shape, contents_of_children)


def tree(answer: Answer) -> Iterator[str]:
    """The lines of the tree. The total comes last, where scripts look for it."""
    root = _build_tree(answer.rows())
    rows: list[tuple[str, ...]]
    rows = [("module or tensor", "parameters", "trained", "shape"), *_rows(root, ""), root.row("total")]
    number_columns: tuple[int, ...] = (-3, -2)
    if not answer.fields["changes"]:
        # Everything is trained in an unchanged model, so there is no column for it.
        rows = [(label, count, shape) for label, count, _, shape in rows]
        number_columns = (-2,)
    yield from answer.heading
    yield from lines_in_columns(rows, number_columns)


def _build_tree(tensors: Iterable[dict[str, Any]]) -> _TreeNode:
    """Build the tree of a whole model from the rows of its ledger, and return its root."""
    root = _TreeNode("")
    for tensor in tensors:
        path = [root]
        for name in tensor["transformers"].split("."):
            path.append(path[-1].children.setdefault(name, _TreeNode(name)))
        tied_to = f", tied to {tensor['tied_to']}" if tensor["tied_to"] else ""
        path[-1].shape = " × ".join(map(str, tensor["shape"])) + tied_to
        for node in path:
            node.count += tensor["count"]
            node.trainable += tensor["count"] if tensor.get("trained", True) else 0
    return root


def _rows(module: _TreeNode, indent: str) -> Iterator[tuple[str, str, str, str]]:
    """The rows of everything in a module, each indented by its depth.

    A run of identical layers has one row, and so have a module and its only child.
    """
    # The name of a layer is its number. Other modules have different names, so they are never grouped.
    runs = groupby(module.children.values(), key=lambda child: child.contents if child.name.isdigit() else child.name)
    for _, run in runs:
        node, *later_layers = run
        label = f"{module.name} {node.name}" if node.name.isdigit() else node.name
        if later_layers:
            label = f"{label} … {later_layers[-1].name}, each"
        while len(node.children) == 1:
            (node,) = node.children.values()
            label = f"{label}.{node.name}"
        yield node.row(indent + label)
        yield from _rows(node, indent + INDENT)
