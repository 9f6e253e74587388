"""The guide quotes the goals of `make bench`, and no page quotes a speed."""

import re
from pathlib import Path

from tests.bench.goals import MAX_COMMAND_MS, MIN_FIRST_RATIO, MIN_FURTHER_RATIO

ROOT = Path(__file__).parents[1]

SPEED_GOAL = re.compile(r"\bat (?:least|most) [\d.,]*\d (?:times|ms)\b")
"""A speed goal, as the guide words it."""

SPEED = re.compile(r"\btimes (as fast|faster|quicker)\b|\b(micro|milli)seconds?\b|\d ms\b", re.IGNORECASE)
"""Words that state a speed."""


def test_the_guide_quotes_all_goals_in_order_and_no_others() -> None:
    guide = (ROOT / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
    goals = [
        f"at least {MIN_FIRST_RATIO:,} times",
        f"at least {MIN_FURTHER_RATIO:,} times",
        f"at most {MAX_COMMAND_MS} ms",
    ]
    assert goals == SPEED_GOAL.findall(guide)


def test_no_page_quotes_a_speed() -> None:
    """Pages quote no speed, because nothing would check it."""
    assert not [page.name for page in (ROOT / "docs").rglob("*.md") if SPEED.search(page.read_text(encoding="utf-8"))]
    assert SPEED.search("1,000 times as fast")
