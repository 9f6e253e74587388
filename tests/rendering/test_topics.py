"""Every macro of a topic has a docstring, and every macro and value of a topic is used."""

import re

from macros.site import TOPICS
from tests.docs.building import ROOT


def test_every_macro_has_a_docstring() -> None:
    """Authors of pages read the docstrings."""
    macros = {f"{topic}.{name}": member for topic, members in TOPICS.items() for name, member in members.items()}
    assert [] == [name for name, macro in macros.items() if callable(macro) and not macro.__doc__]


def test_every_member_of_every_topic_is_used_on_a_page_or_in_a_template() -> None:
    sources = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "docs").rglob("*.jinja")]
    text = "".join(path.read_text() for path in sources)
    members_of_topics = {f"{topic}.{name}" for topic, members in TOPICS.items() for name in members}
    assert set() == members_of_topics - set(re.findall(r"(?<![\w.])\w+\.\w+", text))
