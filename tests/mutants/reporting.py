"""Says how many mutants were killed: by module, survivors by line, and in each field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import NamedTuple

from .running import HUNG
from .suites import CODE, Field, field_of

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

    def plus(self, other: Tally) -> Tally:
        """Both together."""
        return Tally(*(one + another for one, another in zip(self, other, strict=True)))

    def meets(self, floor: float) -> bool:
        """Whether enough were killed; of none, none is enough."""
        return self.number - self.survived >= floor * self.number > 0


def tally(outcomes: Iterable[Outcome]) -> Tally:
    """Count what became of mutants."""
    counted = [each for each in outcomes if each.what != NONE]
    return Tally(len(counted), sum(bool(each.survivor) for each in counted), sum(each.what == HUNG for each in counted))


def reported(outcomes: Iterable[Outcome]) -> dict[Field, Tally]:
    """Print each module as soon as all its mutants are tested; the tally of each field that has any."""
    fields: dict[Field, Tally] = {}
    for path, grouped in groupby(outcomes, key=lambda outcome: outcome.path):
        of_module = list(grouped)
        counted = tally(of_module)
        if counted.number:
            survivors = [each.survivor for each in of_module if each.survivor]
            print("\n  ".join([f"{counted} {path.removeprefix(f'{CODE}/')}", *survivors]), flush=True)
            fields[field_of(path)] = fields.get(field_of(path), Tally()).plus(counted)
    return fields


def verdict(field: Field, whole: Tally) -> str:
    """The last line on a field: its tally, and whether its floor is met."""
    hung = f", {whole.hung} of them because they hung" if whole.hung else ""
    met = "met" if whole.meets(field.floor) else "MISSED"
    return f"{whole} in {field.title}{hung}; at least {field.floor:.0%}: {met}"


def all_met(tallies: Mapping[Field, Tally]) -> bool:
    """Whether something was broken, and every floor is met."""
    return bool(tallies) and all(tally.meets(field.floor) for field, tally in tallies.items())
