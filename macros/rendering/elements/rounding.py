"""Rounding a column so that it adds up as shown."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

MOST_DECIMALS = 4
"""More would say nothing to a reader."""


def decimals_for(parts: Sequence[int]) -> int:
    """How many decimals the shares of parts need so that none is shown as zero.

    One or two more if, with them, each can be rounded by itself and all still add up.

    >>> decimals_for([1, 2]), decimals_for([1, 1999])
    (1, 2)
    """
    whole = sum(parts)
    smallest = Fraction(100 * min(filter(None, parts)), whole)
    least = next((each for each in range(1, MOST_DECIMALS) if smallest * 10**each >= 1), MOST_DECIMALS)
    for decimals in range(least, MOST_DECIMALS + 1):
        units = 100 * 10**decimals
        if units == sum(round(Fraction(units * part, whole)) for part in parts):
            return decimals
    return least


def percentages(parts: Sequence[int], decimals: int) -> list[str]:
    """The shares of parts in their sum as per cent; at the decimals shown they add up to a hundred.

    Each is its exact share cut off or rounded up: the last digits that are
    missing go to those with the largest remainders.

    >>> percentages([1, 1, 1], 1)
    ['33.4%', '33.3%', '33.3%']
    """
    units = 100 * 10**decimals
    exact = [Fraction(units * part, sum(parts)) for part in parts]
    shown = [int(each) for each in exact]
    by_remainder = sorted(range(len(parts)), key=lambda place: shown[place] - exact[place])
    for place in by_remainder[: units - sum(shown)]:
        shown[place] += 1
    return [f"{each / 10**decimals:.{decimals}f}%" for each in shown]
