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


def test_training_keeps_four_numbers_a_parameter() -> None:
    """Weight, gradient and Adam's two moments. Source: Kingma and Ba, algorithm 1."""
    assert 4 == sum(TRAINING_COPIES.values())


def test_bytes_by_dtype() -> None:
    """Source: torch documentation, Tensor Attributes."""
    assert {"float32": 4, "float16": 2, "bfloat16": 2, "int8": 1} == BYTES


def test_units() -> None:
    """Powers of ten, and of two. Source: IEC 80000-13."""
    assert {"B": 1, "MB": 1_000_000, "MiB": 1_048_576, "GB": 1_000_000_000, "GiB": 1_073_741_824} == UNITS


def test_unknown_dtype() -> None:
    """An unknown data type is answered with the nearest known one."""
    with pytest.raises(UnknownDtype, match='did you mean "float32"'):
        bytes_of(1, "float23")
