"""Numbers as read: their signs, their rounding and their commas."""

import pytest

from macros.rendering.elements.numbers import percentage, rounded, signed, whole


@pytest.mark.parametrize(
    ("number", "with_sign", "alone"),
    [(590_592, "+590,592", "590,592"), (-590_592, "−590,592", "−590,592"), (0, "0", "0"), (999, "+999", "999")],
)
def test_signs(number: int, with_sign: str, alone: str) -> None:
    """A change has its sign, and no change has none."""
    assert (with_sign, alone) == (signed(number), whole(number))


@pytest.mark.parametrize(
    ("number", "figures", "expected"),
    [
        (109_482_240, 3, "109M"),
        (109_500_000, 3, "110M"),
        (109_499_999, 3, "109M"),
        (109_482_240, 4, "109.5M"),
        (335_141_888, 2, "340M"),
        (4_385_920, 2, "4.4M"),
    ],
)
def test_rounding(number: int, figures: int, expected: str) -> None:
    """To the nearest, and halves up; as many decimals as the figures ask for."""
    assert f">{expected}<" in rounded(number, figures)


@pytest.mark.parametrize(
    ("part", "of", "expected"), [(1, 100, "1.0%"), (1, 101, "0.99%"), (999, 1000, "99.9%"), (0, 5, "0%")]
)
def test_shares(part: int, of: int, expected: str) -> None:
    """One decimal from one per cent on, and two significant digits below."""
    assert expected == percentage(part, of)
