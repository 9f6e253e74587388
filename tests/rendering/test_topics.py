"""Every macro of a topic has a docstring, every macro and value of a topic is used, and no two names are swapped."""

import re
from collections.abc import Iterator, Mapping

from macros.rendering.figures import FIGURES
from macros.site import ENCLOSING_MACROS, MACROS, TOPICS
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


def swapped_names(members: Mapping[str, object]) -> Iterator[str]:
    """The names under which two functions are called that each have the other's name in code."""
    names_in_code = {name: getattr(member, "__name__", "").replace("_", "-") for name, member in members.items()}
    names_by_code = {name.replace("_", "-"): name for name in members}
    for name, name_in_code in names_in_code.items():
        other_name = names_by_code.get(name_in_code, name)
        if other_name != name and names_in_code[other_name] == name.replace("_", "-"):
            yield name


def test_no_macros_and_no_figures_have_swapped_names() -> None:
    for members in (MACROS, ENCLOSING_MACROS, FIGURES, *TOPICS.values()):
        assert [] == [*swapped_names(members)]
    first, second = "relatives", "further-relatives"
    swapped_figures = FIGURES | {first: FIGURES[second], second: FIGURES[first]}
    assert [first, second] == [*swapped_names(swapped_figures)]
