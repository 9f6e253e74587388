"""Tests that the guide quotes the goals of `make bench`, and that no page quotes a speed."""

import re
from pathlib import Path

from tests.bench.goals import COMMAND, FIRST, FURTHER

ROOT = Path(__file__).parents[1]

FIGURE = re.compile(r"\bat (?:least|most) [\d.,]*\d (?:times|ms)\b")
SPEED = re.compile(r"\btimes (as fast|faster|quicker)\b|\b(micro|milli)seconds?\b|\d ms\b", re.IGNORECASE)


def test_the_guide_quotes_the_goals() -> None:
    """The guide quotes the goals of `make bench` in order, and no other speed."""
    guide = (ROOT / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
    goals = [f"at least {FIRST:,} times", f"at least {FURTHER:,} times", f"at most {COMMAND} ms"]
    assert goals == FIGURE.findall(guide)


def test_no_page_quotes_a_speed() -> None:
    """No page quotes a speed, because nothing would check it there."""
    assert not [page.name for page in (ROOT / "docs").rglob("*.md") if SPEED.search(page.read_text(encoding="utf-8"))]
    assert SPEED.search("1,000 times as fast")
