"""What `make bench` wants of each of its rows; README quotes those that compare like with like."""

from __future__ import annotations

from typing import NamedTuple


class Goal(NamedTuple):
    """How many times as fast as the other side the engine is to be, or how many times as long it may take.

    `quoted` where both sides start from the same, do the same work and keep the same.
    """

    times: float
    at_most: bool = False
    quoted: bool = False

    @property
    def relation(self) -> str:
        """How it is said."""
        return "at most" if self.at_most else "at least"

    def met_by(self, theirs: float, ours: float) -> bool:
        """Whether these times, in the same unit, are good enough."""
        return ours <= theirs * self.times if self.at_most else ours * self.times <= theirs


GOALS = {
    "first": Goal(1_000, quoted=True),
    "further": Goal(5_000, quoted=True),
    "again": Goal(300, quoted=True),
    "list": Goal(100, quoted=True),
    "list again": Goal(1),
    "closed form": Goal(1),
    "deep": Goal(1.5, at_most=True),
    "command": Goal(3.3, at_most=True, quoted=True),
}
"""By the name that `tests/bench/bench.py` explains each row under."""
