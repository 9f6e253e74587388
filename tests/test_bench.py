"""What README and the pages say of the engine's speed, held against what `make bench` wants."""

import re
from pathlib import Path

import pytest

from tests.bench.goals import GOALS, Goal

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")

FIGURE = re.compile(r"\b(at least|at most) ([\d.,]*\d) times\b")
SPEED = re.compile(r"\btimes (as fast|faster|quicker)\b|\b(micro|milli)seconds?\b", re.IGNORECASE)


def quoted(text: str) -> list[tuple[str, float]]:
    """The figures of a text, in its order."""
    return [(relation, float(number.replace(",", ""))) for relation, number in FIGURE.findall(text)]


def test_readme_quotes_the_goals() -> None:
    """Those of the rows that compare like with like, each once and in their order."""
    assert quoted(README) == [(each.relation, each.times) for each in GOALS.values() if each.quoted]


@pytest.mark.parametrize(
    ("before", "after"),
    [("at least 1,000 times", "at least 2,000 times"), ("at most 3.3 times", "at least 3.3 times")],
)
def test_another_figure_is_noticed(before: str, after: str) -> None:
    """A number, or the direction of one."""
    assert before in README
    assert quoted(README) != quoted(README.replace(before, after))


def test_no_page_quotes_a_speed() -> None:
    """Nothing would measure it there."""
    assert not [page.name for page in (ROOT / "docs").rglob("*.md") if SPEED.search(page.read_text(encoding="utf-8"))]
    assert SPEED.search("1,000 times as fast")


@pytest.mark.parametrize(
    ("goal", "theirs", "ours", "met"),
    [
        (Goal(100), 200.0, 2.0, True),
        (Goal(100), 200.0, 2.1, False),
        (Goal(3.3, at_most=True), 10.0, 33.0, True),
        (Goal(3.3, at_most=True), 10.0, 33.1, False),
    ],
)
def test_a_missed_goal_is_missed(goal: Goal, theirs: float, ours: float, met: bool) -> None:
    """On both sides of it, with the engine as the faster side and as the slower one."""
    assert met is goal.met_by(theirs, ours)
