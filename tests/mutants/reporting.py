"""Says how many mutants were killed: by module, survivors by line, and in all."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from .running import HUNG
from .suites import ENGINE

FLOOR = 0.96
"""The least share of mutants that must be killed."""

NONE = "none"
"""What becomes of a mutant that is the same program, or no program at all; it is not counted."""


class Outcome(NamedTuple):
    """What became of a mutant of a module; where it survived, its description."""

    path: str
    what: str
    survivor: str = ""


class Tally(NamedTuple):
    """How many mutants were tested and how many survived; how many of the others were killed because they hung."""

    number: int = 0
    survived: int = 0
    hung: int = 0

    def __str__(self) -> str:
        killed = self.number - self.survived
        return f"killed {killed} of {self.number} ({killed / self.number:.1%})"

    @property
    def met(self) -> bool:
        """Whether enough were killed; of none, none is enough."""
        return self.number - self.survived >= FLOOR * self.number > 0


def tally(outcomes: Iterable[Outcome]) -> Tally:
    """Count what became of mutants."""
    counted = [each for each in outcomes if each.what != NONE]
    return Tally(len(counted), sum(bool(each.survivor) for each in counted), sum(each.what == HUNG for each in counted))


def reported(outcomes: Iterable[Outcome]) -> Tally:
    """Print each module as soon as all its mutants are tested; the tally of all modules."""
    whole = Tally()
    for path, grouped in groupby(outcomes, key=lambda outcome: outcome.path):
        of_module = list(grouped)
        number, survived, hung = counted = tally(of_module)
        if number:
            survivors = [each.survivor for each in of_module if each.survivor]
            print("\n  ".join([f"{counted} {path.removeprefix(f'{ENGINE}/')}", *survivors]), flush=True)
        whole = Tally(whole.number + number, whole.survived + survived, whole.hung + hung)
    return whole


def verdict(whole: Tally, seconds: float) -> str:
    """The last line: the tally of all modules, the time, and whether the floor is met."""
    if not whole.number:
        return "no mutant was tested: MISSED"
    hung = f"{whole.hung} of them because they hung, " if whole.hung else ""
    return f"{whole} in all, {hung}in {seconds:.0f} seconds; at least {FLOOR:.0%}: {'met' if whole.met else 'MISSED'}"
