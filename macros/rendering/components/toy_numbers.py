"""The text of the toy model's numbers: fractions as exact decimals, and floats rounded to two decimal places."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from macros.example.forward import Number

from .numbers import MINUS

MASKED_SENTENCE = "the [MASK] sat"
"""The sentence whose masked word the masked-LM head predicts."""

DECIMALS = 2
"""Decimal places in rounded numbers."""

SLACK = 0.01
POWER_SLACK = 0.03
DECODER_SLACK = 0.02
"""The largest error of one step that starts from the printed, rounded numbers of the previous step.

`POWER_SLACK` applies to powers of e, `DECODER_SLACK` to the decoder, and `SLACK` to all other steps.
"""


def as_text(number: Number) -> str:
    """The text of a number.

    >>> as_text(Fraction(-1, 2)), as_text(2.0), as_text(-0.001)
    ('−0.5', '2.00', '0.00')
    """
    text = f"{float(number):g}" if isinstance(number, Fraction) else f"{number:.{DECIMALS}f}"
    return text.replace("-", MINUS) if float(text) else text.removeprefix("-")


def series(numbers: Sequence[Number]) -> str:
    """Numbers separated by commas."""
    return ", ".join(map(as_text, numbers))


def product(inputs: Sequence[Number], column: Sequence[Number], bias: Number | None = None) -> str:
    """The product of a vector and a column as a sum, such as `1 × 1 + 0 × (−2) − 1` if the bias is −1."""
    text = " + ".join(f"{operand(value)} × {operand(weight)}" for value, weight in zip(inputs, column, strict=True))
    return text if bias is None else f"{text} {addend(bias)}"


def product_equation(
    inputs: Sequence[Number], column: Sequence[Number], result: Number, bias: Number | None = None
) -> str:
    """A product as an equation that holds for the printed numbers.

    If rounding makes the sum of the printed numbers miss the result by more than half a unit in the last decimal place,
    the result is stated after that sum. A smaller difference turns the equals sign into ≈.

    >>> product_equation([Fraction(1), Fraction(2)], [Fraction(3), Fraction(1)], Fraction(4), Fraction(-1))
    '1 × 3 + 2 × 1 − 1 = 4'
    >>> product_equation([0.005, 0.018], [Fraction(2), Fraction(1)], 0.028)
    '0.01 × 2 + 0.02 × 1 = 0.04, or 0.03 from unrounded numbers'
    >>> product_equation([0.125], [Fraction(1, 2)], 0.0625)
    '0.12 × 0.5 = 0.06'
    """
    result_from_text = sum(
        (as_printed(value) * as_printed(weight) for value, weight in zip(inputs, column, strict=True)),
        as_printed(bias) if bias is not None else Fraction(0),
    )
    terms = product(inputs, column, bias)
    difference = abs(result_from_text - as_printed(result))
    if difference > Fraction(1, 2 * 10**DECIMALS):
        return f"{terms} = {as_text(result_from_text)}, or {as_text(result)} from unrounded numbers"
    return f"{terms} {'≈' if difference else '='} {as_text(result)}"


def as_printed(number: Number) -> Fraction:
    """A number as rounded on a page."""
    return Fraction(as_text(number).replace(MINUS, "-"))


def operand(number: Number) -> str:
    """A number as a factor, in brackets if it is negative.

    >>> operand(Fraction(2)), operand(Fraction(-1))
    ('2', '(−1)')
    """
    text = as_text(number)
    return f"({text})" if text.startswith(MINUS) else text


def addend(number: Number) -> str:
    """An addend after the first one, with its sign.

    >>> addend(Fraction(2)), addend(Fraction(-1))
    ('+ 2', '− 1')
    """
    text = as_text(number)
    return f"{MINUS} {text.removeprefix(MINUS)}" if text.startswith(MINUS) else f"+ {text}"
