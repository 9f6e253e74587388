"""Integers rounded up: quotients, and multiples of a step."""

from __future__ import annotations


def quotient_rounded_up(number: int, divisor: int) -> int:
    """The quotient of two integers, rounded up to an integer.

    >>> quotient_rounded_up(7, 2), quotient_rounded_up(6, 2)
    (4, 3)
    """
    # Floor division rounds down, so the negated quotient of the negated number is rounded up.
    return -(-number // divisor)


def rounded_up(number: int, step: int) -> int:
    """A number, rounded up to a multiple of a step; the number itself if it is a multiple.

    >>> rounded_up(30522, 8), rounded_up(128, 64)
    (30528, 128)
    """
    return quotient_rounded_up(number, step) * step
