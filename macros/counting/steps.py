"""Steps from one number to another, each with the amount that it adds and its working.

A sequence of steps explains the difference between two numbers, for example a wrong
total and the correct one, the totals of BERT and a relative, or those of a model before
and after changes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from .errors import CountingError
from .sum_lines import plain_line


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step on the way from one number to another.

    Attributes:
        name: the change, in words or as a key that pages translate into
            words.
        value: the number that the step adds; negative if it subtracts.
        formula: the value as a symbolic formula; may be empty.
        working: the formula with numbers substituted; may be empty.
        sums: the equations that give numbers in the working.
        before: the number that the step starts from. It depends on the steps
            before this one, so it is 0 until `chain` sets it.
    """

    name: str
    value: int
    formula: str = ""
    working: str = ""
    sums: tuple[str, ...] = ()
    before: int = 0

    @property
    def after(self) -> int:
        """The number after the step."""
        return self.before + self.value

    @property
    def equation(self) -> str:
        """The working and its result, such as `−2 × 768 = −1,536`; the result alone if there is no working."""
        text = f"{self.working} = {self.value:,}" if self.working else f"{self.value:,}"
        return text.replace("-", "−")

    @property
    def sum(self) -> str:
        """The addition or subtraction that the step makes, such as `109,482,240 − 590,592 = 108,891,648`."""
        return str(plain_line(self.before, self.value))


AnyStep = TypeVar("AnyStep", bound=Step)


def chain(
    start: int,
    steps: Iterable[AnyStep],
    end: int | None = None,
    advice: str = "name what else differs",
) -> tuple[AnyStep, ...]:
    """The steps in order, with `before` set in each of them. Steps that add nothing are left out.

    Args:
        start: the number to start from.
        steps: the steps, whose `before` is not yet set.
        end: the number that the steps must lead to; None if they may lead to any.
        advice: the remedy with which the error message ends.

    Raises:
        CountingError: the steps lead to a number other than `end`.
    """
    sequence = []
    number = start
    for step in steps:
        if step.value:
            sequence.append(replace(step, before=number))
            number = sequence[-1].after
    if end is not None and number != end:
        raise CountingError(f"the steps from {start:,} lead to {number:,}, not to {end:,}; {advice}")
    return tuple(sequence)
