"""The bytes of the states that an optimiser keeps for the trained tensors.

Rule 1: an optimiser is a block of `data/optimisers.toml`; its keys are the fields of `Optimiser`.
Rule 2: the states follow from the shapes of the trained tensors, which follow from the rows of a changed model.

>>> from macros.counting import ChangedModel, Question, model_named
>>> base = ChangedModel.build(Question(model_named("bert-base-uncased")), [])
>>> load_optimisers()["adamw"].bytes_for(base)
875858716
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from math import prod
from typing import NamedTuple

from ..blocks import DATA, blocks_of
from ..memory import MemoryItems
from ..polynomials import Polynomial
from ..rounding import quotient_rounded_up
from .applying import value_of
from .changed_model import ChangedModel
from .rows import ADDED, ChangedRow


class Optimiser(NamedTuple):
    """An optimiser, and the bytes that its states take in addition to weights and gradients.

    Attributes:
        name: its identifier.
        title: its name in print.
        library: the library that it belongs to.
        bytes_per_number: bytes per trainable parameter or, if `is_factored`, per row and per column of a matrix and
            per element of a vector.
        bytes_per_tensor: bytes per trained tensor.
        is_factored: whether it keeps one number per row and per column of a matrix, rather than one per element.
        block_size: how many numbers one block holds, if it keeps its states in blocks; otherwise 0.
        bytes_per_block: bytes of the scales of one block.
        small_below: the number of elements below which a tensor is small, so that its states are not kept in blocks.
        bytes_per_small_number: bytes per element of a small tensor.
        small_embeddings: whether the tables of embedding layers are treated like small tensors.
        shared_bytes: bytes that are kept only once, for all tensors that are not small.
        weight_bytes: bytes per weight, and per gradient.
        working_bytes: bytes per trainable parameter that are needed only while the weights are changed.
    """

    name: str
    title: str
    library: str
    bytes_per_number: int = 0
    bytes_per_tensor: int = 0
    is_factored: bool = False
    block_size: int = 0
    bytes_per_block: int = 0
    small_below: int = 0
    bytes_per_small_number: int = 0
    small_embeddings: bool = False
    shared_bytes: int = 0
    weight_bytes: int = 4
    working_bytes: int = 0

    def weight_and_gradient_bytes_for(self, model: ChangedModel) -> int:
        """The bytes of a model's weights, and of the gradients of its trainable parameters."""
        return self.weight_bytes * (model.number + model.trainable)

    def bytes_for(self, model: ChangedModel) -> int:
        """The bytes of all its states for a model."""
        return sum(items.bytes for items in self.items_for(model))

    def items_for(self, model: ChangedModel, rows: Iterable[ChangedRow] | None = None) -> tuple[MemoryItems, ...]:
        """Its states, grouped by the kind of thing that each belongs to, such as an element or a block.

        Args:
            model: the model that is trained.
            rows: the rows whose states are counted; all rows of the model if not given.
        """
        numbers: Counter[tuple[str, int]] = Counter()
        counted_rows = model.rows if rows is None else rows
        for row in counted_rows:
            shape = [value_of(dimension, model.sizes) for dimension in row.listed_shape]
            elements = prod(shape)
            trainable = Polynomial(row.trainable_terms).value(model.sizes)
            tensor_count = trainable // elements
            if not tensor_count:
                continue
            if elements < self.small_below or (self.small_embeddings and is_embedding(row)):
                numbers["trained parameter with states in 32 bits", self.bytes_per_small_number] += trainable
                continue
            if self.is_factored and len(shape) > 1:
                numbers["row or column of a matrix", self.bytes_per_number] += tensor_count * sum(shape)
            else:
                kind = "element of a vector" if self.is_factored else "trained parameter"
                numbers[kind, self.bytes_per_number] += trainable
            numbers["tensor", self.bytes_per_tensor] += tensor_count
            if self.block_size:
                block_count = quotient_rounded_up(elements, self.block_size)
                numbers[f"block of {self.block_size} numbers", self.bytes_per_block] += tensor_count * block_count
            numbers["set of tables that translate bytes into numbers", self.shared_bytes] = 1
        return tuple(
            MemoryItems(kind, number, item_bytes) for (kind, item_bytes), number in numbers.items() if item_bytes
        )


def is_embedding(row: ChangedRow) -> bool:
    """Whether a row is the table of an embedding layer."""
    if row.addition == ADDED:
        return row.name.endswith("embedding.weight")
    # Every matrix of a model is a table, a dense layer's kernel, or the weights of a head's output layer.
    return " " in row.shape and not row.path.endswith(("/kernel", "/output_weights"))


@cache
def load_optimisers() -> Mapping[str, Optimiser]:
    """Every optimiser by name, in the order of the file."""
    return {name: Optimiser(name=name, **block) for name, block in blocks_of(DATA / "optimisers.toml").items()}
