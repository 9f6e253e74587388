"""The steps from one number to another: what each of them adds, and how that is worked out.

A bridge from a wrong total to the right one, the way from BERT to a relative,
what changes of a model add, what a profiler leaves out, how a printed number
comes about: all are such steps. What a step is about is its name. Where that
is not in words, whoever shows the step has words for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from .errors import CountingError
from .sum_lines import in_numbers


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step on the way from a number to another.

    Attributes:
        name: what changes, in words or as it is called in the data.
        value: what the step adds; negative where it takes away.
        formula: the value in letters; empty if none is given.
        working: the formula in numbers.
        before: the number that the step starts from.
    """

    name: str
    value: int
    formula: str = ""
    working: str = ""
    before: int = 0

    @property
    def after(self) -> int:
        """The number that the step leads to."""
        return self.before + self.value

    @property
    def equation(self) -> str:
        """The working with its result, such as `−2 × 768 = −1,536`."""
        return f"{self.working} = {self.value:,}".replace("-", "−")

    @property
    def sum(self) -> str:
        """The numbers before and after, and what lies between, such as `109,482,240 − 590,592 = 108,891,648`."""
        return str(in_numbers(self.before, self.value))


AnyStep = TypeVar("AnyStep", bound=Step)


def walk(
    start: int,
    steps: Iterable[AnyStep],
    end: int | None = None,
    advice: str = "name what else differs",
) -> tuple[AnyStep, ...]:
    """The steps from `start` on, each with the number before it; those that change nothing are left out.

    Args:
        start: the number to start from.
        steps: what is added to it, in this order.
        end: the number to which the steps must lead, if it is known.
        advice: what to do if they do not.

    Raises:
        CountingError: the steps lead to another number.
    """
    kept, here = [], start
    for step in steps:
        if step.value:
            kept.append(replace(step, before=here))
            here = kept[-1].after
    if end not in (None, here):
        raise CountingError(f"the steps from {start:,} lead to {here:,}, not to {end:,}; {advice}")
    return tuple(kept)
