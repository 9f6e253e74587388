"""What pages say of embedding: snippets that course systems keep, with the site's address, and examples that work."""

import re
from html import unescape
from urllib.parse import parse_qsl

import pytest

from macros.counting import CountingError, model_named
from macros.counting.models import odd_heads
from macros.rendering.components.pages import embed
from macros.teaching.embedding import NOWHERE, PLACES, snippet
from tests.rendering.tables.test_contents import written_table
from tests.teaching.test_addresses import recorded

TOOLS = ("map.html", "try/calculator.html", "try/exercises.html")


@pytest.fixture(autouse=True)
def without_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the site is built at home."""
    monkeypatch.delenv("SITE_URL", raising=False)


CANVAS = {"iframe": {"src", "width", "height", "style", "title"}, "p": set[str](), "a": {"href"}}
"""Of what Canvas keeps in a page's text, what is needed; see the list in its canvas_sanitize.rb."""


def test_course_systems_keep_what_is_pasted() -> None:
    """Nothing that Canvas removes; and where Moodle removes the frame, the link says the same."""
    for place in ("moodle", "canvas"):
        text = snippet(place)
        for tag, attributes in re.findall(r"<(\w+)([^>]*)>", text):
            assert set(re.findall(r"\s([\w-]+)=", attributes)) <= CANVAS[tag]
        without = re.sub(r"<iframe.*?</iframe>", "", text, flags=re.DOTALL)
        assert re.search(r'<a href="https://SITE/[^"]+">[^<]{20,}</a>', without)


@pytest.mark.parametrize("place", PLACES)
def test_a_snippet_shows_a_thing_and_links_to_it(place: str) -> None:
    """In light colours; the link leads to the place on the page that the thing is from."""
    named = re.findall(rf"""{NOWHERE}([^"')]+)""", snippet(place))
    shown, link, *_ = (each.replace("&amp;", "&") for each in named)
    path, _, query = shown.partition("?")
    assert path in {*recorded(), *map(embed, TOOLS)}
    exercise = {"set": "layer", "seed": "7"} if place == "moodle" else {}
    assert {**exercise, "theme": "light"} == dict(parse_qsl(query, strict_parsing=True))
    assert link in ("totals/base.html#figure-base", "try/exercises.html?set=layer&seed=7")
    assert ("109,482,240 parameters" in snippet(place)) == (place != "moodle")


def test_the_address_of_the_site_is_in_the_snippets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is known; where it is not, the page says what to write. Python can read what it is given."""
    assert NOWHERE in snippet("address")
    for given in ("https://example.org/bert", "https://example.org/bert/"):
        monkeypatch.setenv("SITE_URL", given)
        assert NOWHERE not in "".join(map(snippet, ("address", *PLACES)))
        assert "`https://example.org/bert/`" in snippet("address")
        assert 'iframe[src^="https://example.org/bert/embed/"]' in snippet("plain")
    compile(snippet("jupyter").removeprefix("```python\n").removesuffix("\n```"), "snippet", "exec")
    with pytest.raises(CountingError, match=r'no place to embed in "blackboard".*moodle'):
        snippet("blackboard")


def test_every_kind_has_an_example_that_is_there() -> None:
    """Whatever it asks."""
    links = written_table("kinds-of-embeds").select("tbody a")
    paths = [str(each["href"]).removeprefix("site-root:").partition("?")[0] for each in links]
    assert len(paths) == 7
    assert set() == set(paths) - {*recorded(), *map(embed, TOOLS)}


def test_the_configuration_of_the_example_can_be_built() -> None:
    """Its heads fit its hidden size, so that the calculator has nothing to note."""
    query, *_ = re.findall(r"calculator\.html\?([^\"]+)\"", str(written_table("kinds-of-embeds")))
    asked = dict(parse_qsl(unescape(query)))
    model = model_named(asked.pop("model")).resized(**{letter: int(size) for letter, size in asked.items()})
    assert "" == odd_heads(model.architecture, model.sizes)
