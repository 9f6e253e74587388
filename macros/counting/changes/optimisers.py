"""The bytes of the states that an optimiser keeps for every trained tensor.

Rule 1: an optimiser is a block of `data/optimisers.toml`; its keys are the fields of `Optimiser`.
Rule 2: the states follow from the shapes of the trained tensors, and these from the rows of a changed model.

>>> from macros.counting import Changed, Question, model_named
>>> base = Changed.of(Question(model_named("bert-base-uncased")), [])
>>> load_optimisers()["adamw"].bytes_for(base)
875858716
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from math import prod
from typing import NamedTuple

from ..blocks import DATA, blocks_of
from ..memory import MemoryItems
from ..polynomials import Polynomial
from .changed import Changed
from .making import value_of
from .rows import ADDED, ChangedRow


class Optimiser(NamedTuple):
    """An optimiser, and the bytes that it keeps in addition to weights and gradients.

    Attributes:
        name: its identifier.
        title: its name in print.
        library: the library that it comes from.
        each: bytes per trained number.
        tensor: bytes per trained tensor.
        factored: whether a matrix has one number per row and one per column, rather than one per element.
        block, scales: the size of a block in numbers, and the bytes that are kept for each block of a tensor.
        least, small: tensors with fewer numbers than `least` take `small` bytes per number, and no blocks.
        embeddings: whether embedding layers are treated like small tensors.
        tables: bytes that are kept once, for all tensors in blocks together.
        width: bytes per weight, and per gradient.
    """

    name: str
    title: str
    library: str
    each: int = 0
    tensor: int = 0
    factored: bool = False
    block: int = 0
    scales: int = 0
    least: int = 0
    small: int = 0
    embeddings: bool = False
    tables: int = 0
    width: int = 4

    def weights_for(self, changed: Changed) -> int:
        """The bytes of a model's weights, and of the gradients of its trained parameters."""
        return self.width * (changed.number + changed.trainable)

    def bytes_for(self, changed: Changed) -> int:
        """The bytes of all its states for a model."""
        return sum(kept.bytes for kept in self.items_for(changed))

    def items_for(self, changed: Changed) -> tuple[MemoryItems, ...]:
        """Its states for a model, by the kind of thing that they are kept for; empty if it keeps none."""
        numbers: Counter[tuple[str, int]] = Counter()
        for row in changed.rows:
            shape = [value_of(dimension, changed.sizes) for dimension in row.listed_shape]
            number, trained = prod(shape), Polynomial(row.trainable_terms).value(changed.sizes)
            tensors = trained // number
            if not tensors:
                continue
            if number < self.least or (self.embeddings and is_embedding(row)):
                numbers["number in 32 bits", self.small] += trained
                continue
            if self.factored and len(shape) > 1:
                numbers["row or column of a matrix", self.each] += tensors * sum(shape)
            else:
                numbers["number of a vector" if self.factored else "number", self.each] += trained
            numbers["tensor", self.tensor] += tensors
            if self.block:
                numbers[f"block of {self.block} numbers", self.scales] += tensors * -(-number // self.block)
            numbers["model", self.tables] = 1
        return tuple(MemoryItems(what, number, width) for (what, width), number in numbers.items() if width)


def is_embedding(row: ChangedRow) -> bool:
    """Whether a row is the table of an embedding layer."""
    if row.added == ADDED:
        return row.name.endswith("embedding.weight")
    # Of all two-dimensional tensors of a model, only tables are neither kernels nor the weights of a head's output.
    return " " in row.shape and not row.path.endswith(("/kernel", "/output_weights"))


@cache
def load_optimisers() -> Mapping[str, Optimiser]:
    """Every optimiser by name, in the order of the file."""
    return {name: Optimiser(name=name, **block) for name, block in blocks_of(DATA / "optimisers.toml").items()}
