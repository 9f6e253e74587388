"""The macros of topics, which pages call for what is theirs alone."""

import re

from macros.site import TOPICS
from tests.docs.building import ROOT


def test_every_macro_says_what_it_returns() -> None:
    """For whoever writes a page."""
    macros = {f"{topic}.{name}": each for topic, members in TOPICS.items() for name, each in members.items()}
    assert [] == [name for name, each in macros.items() if callable(each) and not each.__doc__]


def test_pages_use_all_of_each_topic() -> None:
    """What no page calls or goes through any more is deleted."""
    text = "".join(path.read_text() for path in (ROOT / "docs").rglob("*.md"))
    named = {f"{topic}.{name}" for topic, members in TOPICS.items() for name in members}
    assert set() == named - set(re.findall(r"(?<![\w.])\w+\.\w+", text))
