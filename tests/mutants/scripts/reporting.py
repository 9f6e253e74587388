"""Says how many mutants were killed: by folder, survivors by line, and in all."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from tests.mutants.reporting import Tally
from tests.mutants.running import HUNG

from .finding import SCRIPTS

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


def reported(outcomes: Iterable[Outcome], verbose: bool = False) -> Tally:
    """Print each survivor as soon as it is known, and each folder at its end; the tally of all folders."""
    whole = Tally()
    for folder, grouped in groupby(outcomes, key=lambda outcome: outcome.folder):
        part = Tally()
        for each in grouped:
            part = part.plus(Tally(1, int(bool(each.survivor)), int(each.what == HUNG)))
            if each.survivor:
                print(f"  {each.survivor}", flush=True)
            elif verbose:
                print(f"  {each.path} killed by {each.by}", flush=True)
        print(f"{part} {folder}", flush=True)
        whole = whole.plus(part)
    return whole


def verdict(whole: Tally, possible: int, seconds: float) -> str:
    """The last line: the tally, of how many mutants there are, the time, and whether the floor is met."""
    if not whole.number:
        return "no mutant was tested: MISSED"
    hung = f", {whole.hung} of them because they hung" if whole.hung else ""
    of_all = f" out of {possible}" if possible > whole.number else ""
    met = "met" if whole.meets(FLOOR) else "MISSED"
    return f"{whole} in all{of_all}{hung}, in {seconds:.0f} seconds; at least {FLOOR:.0%}: {met}"
