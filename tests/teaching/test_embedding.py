"""Embed snippets suit course systems and have the site's address, and the examples of embeds exist."""

import re
from html import unescape
from urllib.parse import parse_qsl

import pytest

from macros.counting import CountingError, model_named
from macros.counting.models import misfit_of_heads
from macros.rendering.components.pages import UNKNOWN_SITE, embed
from macros.teaching.embedding import SYSTEMS, snippet
from tests.rendering.tables.test_contents import written_table
from tests.teaching.test_addresses import published_addresses

TOOLS = ("map.html", "try/calculator.html", "try/exercises.html")
"""The pages that can be embedded as a whole."""


@pytest.fixture(autouse=True)
def unset_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unset the address of the site, as on a developer's machine."""
    monkeypatch.delenv("SITE_URL", raising=False)


CANVAS = {"iframe": {"src", "width", "height", "style", "title"}, "p": set[str](), "a": {"href"}}
"""The tags and attributes that snippets use and that Canvas keeps. Source: the list in Canvas's canvas_sanitize.rb."""


def test_course_systems_keep_the_snippets() -> None:
    """Snippets use only tags and attributes that Canvas keeps, and a link remains if Moodle removes the frame."""
    for system in ("moodle", "canvas"):
        text = snippet(system)
        for tag, attributes in re.findall(r"<(\w+)([^>]*)>", text):
            assert set(re.findall(r"\s([\w-]+)=", attributes)) <= CANVAS[tag]
        text_without_frame = re.sub(r"<iframe.*?</iframe>", "", text, flags=re.DOTALL)
        assert re.search(r'<a href="https://SITE/[^"]+">[^<]{20,}</a>', text_without_frame)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_snippet_embeds_an_element_and_links_to_it(system: str) -> None:
    addresses = re.findall(rf"""{UNKNOWN_SITE}([^"')]+)""", snippet(system))
    source, link, *_ = (address.replace("&amp;", "&") for address in addresses)
    path, _, query = source.partition("?")
    assert path in {*published_addresses(), *map(embed, TOOLS)}
    exercise = {"set": "layer", "seed": "7"} if system == "moodle" else {}
    assert {**exercise, "theme": "light"} == dict(parse_qsl(query, strict_parsing=True))
    assert link in ("totals/base.html#figure-base", "try/exercises.html?set=layer&seed=7")
    assert ("109,482,240 parameters" in snippet(system)) == (system != "moodle")


def test_the_address_of_the_site_is_in_the_snippets(monkeypatch: pytest.MonkeyPatch) -> None:
    assert UNKNOWN_SITE in snippet("address")
    for address in ("https://example.org/bert", "https://example.org/bert/"):
        monkeypatch.setenv("SITE_URL", address)
        assert UNKNOWN_SITE not in "".join(map(snippet, ("address", *SYSTEMS)))
        assert snippet("address") == ""
        assert 'iframe[src^="https://example.org/bert/embed/"]' in snippet("plain")


def test_the_snippet_for_jupyter_is_python() -> None:
    compile(snippet("jupyter").removeprefix("```python\n").removesuffix("\n```"), "snippet", "exec")


def test_an_unknown_system_is_refused() -> None:
    with pytest.raises(CountingError, match=r'no system to embed in called "blackboard".*moodle'):
        snippet("blackboard")


def test_every_kind_of_embed_has_a_published_example() -> None:
    links = written_table("kinds-of-embeds").select("tbody a")
    paths = [str(link["href"]).removeprefix("site-root:").partition("?")[0] for link in links]
    assert len(paths) == 7
    assert set() == set(paths) - {*published_addresses(), *map(embed, TOOLS)}


def test_the_configuration_of_the_example_can_be_built() -> None:
    """The example's hidden size is divisible by its number of heads, so the calculator shows no remark."""
    query, *_ = re.findall(r"calculator\.html\?([^\"]+)\"", str(written_table("kinds-of-embeds")))
    parameters = dict(parse_qsl(unescape(query)))
    model = model_named(parameters.pop("model"))
    model = model.resized(**{letter: int(size) for letter, size in parameters.items()})
    assert "" == misfit_of_heads(model.architecture, model.sizes)
