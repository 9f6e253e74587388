"""Percentages of a column add up to a hundred as shown."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from macros.rendering.elements.rounding import MOST_DECIMALS, decimals_for, percentages

# Source: worked out on paper. The last digit that is missing goes to the largest remainder.
SHOWN = [
    ([1, 1, 1], 1, ["33.4%", "33.3%", "33.3%"]),
    ([2, 1], 0, ["67%", "33%"]),
    ([1, 1, 1, 1, 1, 1], 0, ["17%", "17%", "17%", "17%", "16%", "16%"]),
    ([5], 0, ["100%"]),
    ([0, 3], 1, ["0.0%", "100.0%"]),
]


@pytest.mark.parametrize(("parts", "decimals", "shown"), SHOWN)
def test_percentages(parts: list[int], decimals: int, shown: list[str]) -> None:
    """Each is cut off or rounded up."""
    assert shown == percentages(parts, decimals)


@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=12).filter(any), st.integers(0, 4))
def test_they_add_up_and_are_near(parts: list[int], decimals: int) -> None:
    """Whatever the parts: to a hundred, and none is a whole unit of its last digit away."""
    shown = [Decimal(each.removesuffix("%")) for each in percentages(parts, decimals)]
    assert 100 == sum(shown)
    for part, each in zip(parts, shown, strict=True):
        assert abs(each - 100 * Decimal(part) / sum(parts)) < Decimal(1).scaleb(-decimals)


@pytest.mark.parametrize(
    ("parts", "decimals"),
    [
        ([1, 1], 1),
        ([999, 1], 1),  # exactly 0.1
        ([1052, 1], 2),  # 0.095, which one decimal would show as 0.1
        ([1999, 1], 2),
        ([1, 1, 1], 1),
        ([10**9, 1], 4),
        ([0, 1], 1),
    ],
)
def test_decimals(parts: list[int], decimals: int) -> None:
    """As many as the smallest part needs, and no more than can be read."""
    assert decimals == decimals_for(parts)
    assert decimals <= MOST_DECIMALS


@pytest.mark.parametrize(
    ("parts", "decimals"),
    [
        ([1, 1, 2], 1),  # 25.0, 25.0 and 50.0
        ([1, 1, 5], 1),  # 14.3, 14.3 and 71.4
        ([1, 1, 12], 3),  # 7.1, 7.1 and 85.7 are 99.9, and 99.99 at two decimals
        ([1, 3, 3], 3),  # 14.3, 42.9 and 42.9 are 100.1, and so on
        ([1, 1, 1, 40], 1),  # five decimals would do, and nobody reads them
    ],
)
def test_more_decimals_only_where_they_help(parts: list[int], decimals: int) -> None:
    """Rounded each by itself the shares add up to a hundred; where no four decimals do that, the fewest are taken."""
    assert decimals == decimals_for(parts)


def test_one_more_decimal_where_rounding_alone_adds_up() -> None:
    """The blocks of BERT base: at two decimals 99.99, at three a hundred."""
    blocks = [23_837_184, 28_348_416, 56_669_184, 36_864, 590_592]
    assert 3 == decimals_for(blocks)
    assert ["21.773%", "25.893%", "51.761%", "0.034%", "0.539%"] == percentages(blocks, 3)
