"""From parameters to bytes: data types, units, and what else training keeps in memory.

Sources: torch documentation, "Tensor Attributes" (bytes per data type);
Kingma and Ba, "Adam" (two moments per parameter); IEC 80000-13 (MiB, GiB).
"""

from __future__ import annotations

from .errors import UnknownDtype, entry_of

BYTES = {"float32": 4, "float16": 2, "bfloat16": 2, "int8": 1}
"""Bytes one number takes, by data type."""

UNITS = {"B": 1, "MB": 10**6, "MiB": 2**20, "GB": 10**9, "GiB": 2**30}
"""Bytes in a unit: MB and GB are powers of ten, MiB and GiB powers of two."""

TRAINING_COPIES = {
    "weights": 1,
    "gradients": 1,
    "Adam: first moment": 1,
    "Adam: second moment": 1,
}
"""Numbers kept for every parameter while training with Adam, not counting activations."""


def bytes_of(parameters: int, dtype: str) -> int:
    """The bytes that this many numbers take in one data type.

    Raises:
        UnknownDtype: no data type of that name.

    >>> bytes_of(109482240, "float32")
    437928960
    """
    return parameters * entry_of(BYTES, "data type", dtype, UnknownDtype)
