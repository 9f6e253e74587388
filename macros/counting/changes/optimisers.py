"""What optimisers keep of each tensor that is trained, exactly.

Rule 1: an optimiser is a block of `data/optimisers.toml`; its keys are the fields of `Optimiser`.
Rule 2: what it keeps follows from the shapes of what is trained, so of a changed model from its rows.

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
from ..memory import Kept
from ..polynomials import Polynomial
from .changed import Changed
from .making import value_of
from .rows import ADDED, ChangedRow


class Optimiser(NamedTuple):
    """What an optimiser keeps.

    Attributes:
        name: as tables ask for it.
        title: as in print.
        library: whose it is.
        each: bytes for each number that is trained.
        tensor: bytes for each tensor.
        factored: whether a matrix has one number for each row and one for each column instead.
        block, scales: for each so many numbers of a tensor, so many bytes besides.
        least, small: of a tensor with fewer numbers, so many bytes for each, and no blocks.
        embeddings: whether embedding layers are kept like small tensors.
        tables: bytes that are kept once, for all tensors in blocks.
        width: bytes of a weight, and of a gradient.
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
        """The bytes of a model's weights, and of the gradients of what is trained."""
        return self.width * (changed.number + changed.trainable)

    def bytes_for(self, changed: Changed) -> int:
        """The bytes that it keeps of a model."""
        return sum(each.bytes for each in self.kept_for(changed))

    def kept_for(self, changed: Changed) -> tuple[Kept, ...]:
        """What it keeps of a model, and of what: nothing where it keeps no states."""
        found: Counter[tuple[str, int]] = Counter()
        for row in changed.rows:
            shape = [value_of(each, changed.sizes) for each in row.listed_shape]
            number, many = prod(shape), Polynomial(row.learnt).value(changed.sizes)
            tensors = many // number
            if not tensors:
                continue
            if number < self.least or (self.embeddings and is_embedding(row)):
                found["number in 32 bits", self.small] += many
                continue
            if self.factored and len(shape) > 1:
                found["row or column of a matrix", self.each] += tensors * sum(shape)
            else:
                found["number of a vector" if self.factored else "number", self.each] += many
            found["tensor", self.tensor] += tensors
            if self.block:
                found[f"block of {self.block} numbers", self.scales] += tensors * -(-number // self.block)
            found["model", self.tables] = 1
        return tuple(Kept(what, many, each) for (what, each), many in found.items() if each)


def is_embedding(row: ChangedRow) -> bool:
    """Whether it is the table of an embedding layer."""
    if row.added == ADDED:
        return row.name.endswith("embedding.weight")
    return " " in row.shape and not row.path.endswith(("/kernel", "/output_weights"))


@cache
def load_optimisers() -> Mapping[str, Optimiser]:
    """Every optimiser by name, in the order of the file."""
    return {name: Optimiser(name=name, **block) for name, block in blocks_of(DATA / "optimisers.toml").items()}
