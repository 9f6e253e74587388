"""Says how many mutants were killed: by folder, survivors by line, and in all."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from .finding import SCRIPTS
from .working import HUNG

FLOOR = 0.90
"""The least share of mutants that must be killed."""


class Outcome(NamedTuple):
    """What became of a mutant of a script; its description where it survived, and what killed it where it did not."""

    path: str
    what: str
    survivor: str = ""
    by: str = ""

    @property
    def folder(self) -> str:
        """The folder of scripts that it is in."""
        return self.path.removeprefix(f"{SCRIPTS}/").partition("/")[0]


class Tally(NamedTuple):
    """How many mutants were tested and how many survived; how many of the others were killed because they hung."""

    number: int = 0
    survived: int = 0
    hung: int = 0

    def __str__(self) -> str:
        killed = self.number - self.survived
        return f"killed {killed} of {self.number} ({killed / self.number:.1%})"

    def with_one(self, outcome: Outcome) -> Tally:
        """One mutant more."""
        return Tally(self.number + 1, self.survived + bool(outcome.survivor), self.hung + (outcome.what == HUNG))

    @property
    def met(self) -> bool:
        """Whether enough were killed; of none, none is enough."""
        return self.number - self.survived >= FLOOR * self.number > 0


def reported(outcomes: Iterable[Outcome], verbose: bool = False) -> Tally:
    """Print each survivor as soon as it is known, and each folder at its end; the tally of all folders."""
    whole = Tally()
    for folder, grouped in groupby(outcomes, key=lambda outcome: outcome.folder):
        part = Tally()
        for each in grouped:
            part, whole = part.with_one(each), whole.with_one(each)
            if each.survivor:
                print(f"  {each.survivor}", flush=True)
            elif verbose:
                print(f"  {each.path} killed by {each.by}", flush=True)
        print(f"{part} {folder}", flush=True)
    return whole


def verdict(whole: Tally, possible: int, seconds: float) -> str:
    """The last line: the tally, of how many mutants there are, the time, and whether the floor is met."""
    if not whole.number:
        return "no mutant was tested: MISSED"
    hung = f", {whole.hung} of them because they hung" if whole.hung else ""
    of_all = f" out of {possible}" if possible > whole.number else ""
    met = "met" if whole.met else "MISSED"
    return f"{whole} in all{of_all}{hung}, in {seconds:.0f} seconds; at least {FLOOR:.0%}: {met}"
