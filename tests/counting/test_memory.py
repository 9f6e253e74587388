"""Parameters and buffers take the bytes of their data types, and the units of memory are as published."""

import pytest

from macros.counting import BERT, Model, UnknownDtype, count
from macros.counting.architecture import Buffer
from macros.counting.memory import BYTES, NUMBERS_PER_PARAMETER, UNITS, buffers_of, bytes_of


def test_parameters_take_the_megabytes_that_users_quote(base: Model, large: Model) -> None:
    """In float32, BERT base and BERT large take 4 bytes per parameter. Source for MB and MiB: IEC 80000-13."""
    sizes = [bytes_of(count(model), "float32") / UNITS[unit] for model in (base, large) for unit in ("MB", "MiB")]
    assert ["437.9", "417.6", "1340.6", "1278.5"] == [f"{size:.1f}" for size in sizes]
    with pytest.raises(UnknownDtype, match='did you mean "float32"'):
        bytes_of(1, "float23")


def test_data_types_and_units_are_as_published() -> None:
    """Sources: torch documentation, Tensor Attributes; IEC 80000-13; Kingma and Ba, algorithm 1."""
    assert {"float32": 4, "float16": 2, "bfloat16": 2, "int8": 1} == BYTES
    assert {"B": 1, "MB": 1_000_000, "MiB": 1_048_576, "GB": 1_000_000_000, "GiB": 1_073_741_824} == UNITS
    assert 4 == sum(NUMBERS_PER_PARAMETER.values())  # weight, gradient and Adam's two moments


def test_buffers_follow_from_the_architecture_the_sizes_and_the_release(base: Model) -> None:
    """BERT has two buffers, each with one 64-bit integer per position."""
    architecture = BERT.with_fields(buffers=lambda sizes, release: [Buffer((sizes["H"], release), 2)])
    model = base._replace(architecture=architecture)
    assert [768 * 5 * 2, 768 * 4 * 2] == [buffer.bytes for release in (5, 4) for buffer in buffers_of(model, release)]
    assert [512 * 8, 512 * 8] == [buffer.bytes for buffer in buffers_of(base)]
