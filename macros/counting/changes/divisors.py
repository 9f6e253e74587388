"""The divisors of a width, on which the shapes of some of PEFT's methods depend.

Source: PEFT 0.21.2, tuners/oft/layer.py (`adjust_oft_parameters`) and tuners/lokr/layer.py
(`factorization`).
"""

from __future__ import annotations

from functools import lru_cache
from math import isqrt

LARGEST_WIDTH = 10**12
"""The largest width for which callers may ask for divisors, far beyond that of any real layer.

The time to find them grows with the square root of the width.
"""


@lru_cache(maxsize=1000)  # limited because readers may enter any width, although a model has only a few
def divisors_of(width: int) -> tuple[int, ...]:
    """Every divisor of a width, the smallest first.

    >>> divisors_of(12)
    (1, 2, 3, 4, 6, 12)
    """
    small_divisors = [number for number in range(1, isqrt(width) + 1) if width % number == 0]
    return tuple(sorted({*small_divisors, *(width // divisor for divisor in small_divisors)}))


def nearest_divisor(width: int, size: int) -> int:
    """The divisor of a width that is nearest to a size; of two that are equally near, the smaller one.

    >>> nearest_divisor(312, 32), nearest_divisor(768, 1000)
    (26, 768)
    """
    return min(divisors_of(width), key=lambda divisor: abs(divisor - size))


def factors_of_width(width: int, factor: int = 0) -> tuple[int, int]:
    """The two factors into which LoKr splits a width: the two that differ least, or those that `factor` determines.

    Args:
        width: the input or output width of a matrix.
        factor: PEFT's `decompose_factor`. If it divides the width, it comes first; otherwise it limits the smaller
            factor. 0 means that it is not set.

    >>> factors_of_width(768), factors_of_width(768, 48), factors_of_width(768, 5)
    ((24, 32), (48, 16), (4, 192))
    """
    if factor and width % factor == 0:
        return factor, width // factor
    smaller_factor = max(
        divisor for divisor in divisors_of(width) if divisor <= (factor or width) and divisor * divisor <= width
    )
    return smaller_factor, width // smaller_factor
