"""The steps from one number to another: what each of them adds, and how it is worked out.

Every explanation of a difference is a sequence of such steps: a bridge from a
wrong total to the right one, the differences between BERT and a relative, the
changes of a model, what a profiler leaves out, and how a number in print arose.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from .errors import CountingError
from .sum_lines import in_numbers


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step on the way from one number to another.

    Attributes:
        name: what changes: in words, or as a key in the data files for which
            pages have words.
        value: what the step adds; negative if it takes away.
        formula: the value as a symbolic formula; may be empty.
        working: the formula with numbers substituted; may be empty.
        before: the number that the step starts from; 0 until `walk` sets it.
    """

    name: str
    value: int
    formula: str = ""
    working: str = ""
    before: int = 0

    @property
    def after(self) -> int:
        """The number that the step arrives at."""
        return self.before + self.value

    @property
    def equation(self) -> str:
        """The working and its result, such as `−2 × 768 = −1,536`; the result alone if there is no working."""
        text = f"{self.working} = {self.value:,}" if self.working else f"{self.value:,}"
        return text.replace("-", "−")

    @property
    def sum(self) -> str:
        """The step as a sum, such as `109,482,240 − 590,592 = 108,891,648`."""
        return str(in_numbers(self.before, self.value))


AnyStep = TypeVar("AnyStep", bound=Step)


def walk(
    start: int,
    steps: Iterable[AnyStep],
    end: int | None = None,
    advice: str = "name what else differs",
) -> tuple[AnyStep, ...]:
    """The steps in order, with `before` set in each of them. Steps that add nothing are left out.

    Args:
        start: the number to start from.
        steps: what is added to it, in this order.
        end: the number at which the steps must arrive; None for any.
        advice: the end of the message if they do not.

    Raises:
        CountingError: the steps arrive at another number.
    """
    sequence, number = [], start
    for step in steps:
        if step.value:
            sequence.append(replace(step, before=number))
            number = sequence[-1].after
    if end not in (None, number):
        raise CountingError(f"the steps from {start:,} lead to {number:,}, not to {end:,}; {advice}")
    return tuple(sequence)
