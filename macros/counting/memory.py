"""The bytes of parameters and of buffers: data types, units, and the numbers kept for every parameter in training.

Activations, which depend on the batch, are counted in `training/`.

Sources: torch documentation, "Tensor Attributes" (bytes per data type);
Kingma and Ba, "Adam" (two moments per parameter); IEC 80000-13 (MiB, GiB).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .architecture import Buffer
from .errors import UnknownDtype, entry_of
from .models import Model

BYTES = {"float32": 4, "float16": 2, "bfloat16": 2, "int8": 1}
"""Bytes per number, by data type."""

UNITS = {"B": 1, "MB": 10**6, "MiB": 2**20, "GB": 10**9, "GiB": 2**30}
"""Bytes in each unit: MB and GB are powers of ten, MiB and GiB powers of two."""

NUMBERS_PER_PARAMETER = {
    "weights": 1,
    "gradients": 1,
    "Adam: first moment": 1,
    "Adam: second moment": 1,
}
"""Numbers kept for every parameter while Adam trains it. Activations are not included."""


def bytes_of(parameters: int, dtype: str) -> int:
    """The bytes that a number of parameters takes in one data type.

    Raises:
        UnknownDtype: there is no data type of that name.

    >>> bytes_of(109482240, "float32")
    437928960
    """
    return parameters * entry_of(BYTES, "data type", dtype, UnknownDtype)


class MemoryItems(NamedTuple):
    """Items of one kind in memory.

    Attributes:
        kind: one item, in words that can follow "4 bytes for each".
        number: the number of items.
        bytes_per_item: the bytes of one item.
    """

    kind: str
    number: int
    bytes_per_item: int

    @property
    def bytes(self) -> int:
        """The bytes of all items."""
        return self.number * self.bytes_per_item


def buffers_of(model: Model, release: int = 5) -> Sequence[Buffer]:
    """The buffers of a model: the constants that it keeps in addition to the parameters.

    Args:
        model: a model in any architecture; its sizes determine those of its buffers.
        release: the major release of transformers. Some models have different buffers in 4 and in 5.

    >>> from .models import model_named
    >>> sum(buffer.bytes for buffer in buffers_of(model_named("bert-base-uncased")))
    8192
    """
    return model.architecture.buffers(model.sizes, release)
