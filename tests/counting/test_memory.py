"""Bytes from parameters."""

import pytest

from macros.counting import Model, UnknownDtype, count
from macros.counting.memory import BYTES, TRAINING_COPIES, UNITS, bytes_of


def test_weights_in_float32(base: Model, large: Model) -> None:
    """The sizes people quote, in powers of ten and of two."""
    # Source: 4 bytes a parameter, IEC 80000-13 for the units.
    assert "437.9" == f"{bytes_of(count(base), 'float32') / UNITS['MB']:.1f}"
    assert "417.6" == f"{bytes_of(count(base), 'float32') / UNITS['MiB']:.1f}"
    assert "1340.6" == f"{bytes_of(count(large), 'float32') / UNITS['MB']:.1f}"
    assert "1278.5" == f"{bytes_of(count(large), 'float32') / UNITS['MiB']:.1f}"


def test_bytes_and_units() -> None:
    """Sources: torch documentation, Tensor Attributes; IEC 80000-13; Kingma and Ba, algorithm 1."""
    assert {"float32": 4, "float16": 2, "bfloat16": 2, "int8": 1} == BYTES
    assert {"B": 1, "MB": 1_000_000, "MiB": 1_048_576, "GB": 1_000_000_000, "GiB": 1_073_741_824} == UNITS
    assert 4 == sum(TRAINING_COPIES.values())  # weight, gradient and Adam's two moments


def test_unknown_dtype() -> None:
    """An unknown data type is answered with the nearest known one."""
    with pytest.raises(UnknownDtype, match='did you mean "float32"'):
        bytes_of(1, "float23")
