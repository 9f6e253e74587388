"""Every macro of a topic has a docstring, whatever a page can show is on a page, and no two names are swapped."""

import re
from collections.abc import Iterable, Iterator, Mapping

from macros.counting.published.claims import load_claims
from macros.rendering.citations import KINDS
from macros.rendering.figures import FIGURES
from macros.rendering.snippets import OTHER_SNIPPETS, SNIPPETS
from macros.site import ENCLOSING_MACROS, MACROS, TOPICS
from macros.teaching.embedding import SYSTEMS
from macros.teaching.sets import load_sets
from tests.docs.building import ROOT

PAGES = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md"))
"""The sources of all pages."""

NAMES_TO_CALL: Mapping[str, Iterable[str]] = {
    "figure": FIGURES,
    "snippet": (
        *SNIPPETS,
        *OTHER_SNIPPETS,
        *(f"embed-{system}" for system in SYSTEMS),
        *(f"cite-{kind}" for kind in KINDS),
    ),
    "exercises.fold": load_sets().pages,
    "numbers_of": load_claims(),
}
"""The names with which each macro can be called to show something. All of them are on pages."""


def test_every_macro_has_a_docstring() -> None:
    """Authors of pages read the docstrings."""
    macros = {f"{topic}.{name}": member for topic, members in TOPICS.items() for name, member in members.items()}
    assert [] == [name for name, macro in macros.items() if callable(macro) and not macro.__doc__]


def test_every_member_of_every_topic_is_used_on_a_page_or_in_a_template() -> None:
    sources = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "docs").rglob("*.jinja")]
    text = "".join(path.read_text() for path in sources)
    members_of_topics = {f"{topic}.{name}" for topic, members in TOPICS.items() for name in members}
    assert set() == members_of_topics - set(re.findall(r"(?<![\w.])\w+\.\w+", text))


def unused_names(pages: str) -> Iterator[str]:
    """Calls that show something which is on none of the pages, perhaps because one has another name in its place."""
    for macro, names in NAMES_TO_CALL.items():
        names_on_pages = {*re.findall(rf"(?<![\w.]){re.escape(macro)}\(\s*\"([\w-]+)\"", pages)}
        yield from (f"{macro}({name})" for name in names if name not in names_on_pages)


def test_everything_that_a_name_can_show_is_on_a_page() -> None:
    assert [] == [*unused_names(PAGES)]
    for call, wrong_call in (
        ('snippet("storage")', 'snippet("lora")'),
        ('snippet("embed-moodle")', 'snippet("embed-canvas")'),
        ('snippet("cite-ris")', 'snippet("cite-text")'),
        ('exercises.fold("layer-norm")', 'exercises.fold("attention")'),
        ('figure("stored")', 'figure("lora")'),
    ):
        assert [call.replace('"', "")] == [*unused_names(PAGES.replace(call, wrong_call))]


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
