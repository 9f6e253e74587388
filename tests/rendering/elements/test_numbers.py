"""Numbers as read: their signs, their rounding and their commas."""

from collections.abc import Callable

import pytest

from macros.counting import Question
from macros.rendering.elements.asking import ask
from macros.rendering.elements.numbers import (
    bytes_text,
    counted,
    percentage,
    rounded,
    share,
    signed,
    tensor_count,
    whole,
)


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


EXPLAINED: dict[str, Callable[[Question], str]] = {
    "a count": counted,
    "a count in brief": lambda asked: counted(asked, brief=True),
    "a share": lambda asked: share(asked, ask()),
    "the number of tensors": tensor_count,
    "bytes": lambda asked: bytes_text(asked, "float32", "MB"),
}


@pytest.mark.parametrize("make", EXPLAINED.values(), ids=EXPLAINED)
def test_an_explanation_says_what_was_chosen(make: Callable[[Question], str]) -> None:
    """A total without the pooler, or with the decoder counted twice, is not passed off as the usual one."""
    assert "without pooler" in make(ask(pooler=False))
    assert "decoder untied" in make(ask(model_class="BertForMaskedLM", tied=False))
    assert "pooler" not in make(ask(pooler=None)).partition("data-how")[2].replace("H² + H", "")
