"""The steps from one number to another: what each of them adds, and how it is worked out.

Everything that explains a difference is a walk of such steps: a bridge from a
wrong total to the right one, the way from BERT to a relative, the changes of a
model, the gaps of a profiler, the making of a number in print.
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
        name: what changes: in words, or a name of the data, for which pages
            have words.
        value: what the step adds; negative if it takes away.
        formula: the value in letters; may be empty.
        working: the formula in numbers; may be empty.
        before: the number that the step starts from; `walk` fills it in.
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
        """The working and its result, such as `−2 × 768 = −1,536`."""
        return f"{self.working} = {self.value:,}".replace("-", "−")

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
    """The steps in order, each with the number that it starts from. Steps that add nothing are left out.

    Args:
        start: the number to start from.
        steps: what is added to it, in this order.
        end: the number at which the steps must arrive, if it is known.
        advice: the end of the message if they do not.

    Raises:
        CountingError: the steps arrive at another number.
    """
    path, here = [], start
    for step in steps:
        if step.value:
            path.append(replace(step, before=here))
            here = path[-1].after
    if end not in (None, here):
        raise CountingError(f"the steps from {start:,} lead to {here:,}, not to {end:,}; {advice}")
    return tuple(path)
