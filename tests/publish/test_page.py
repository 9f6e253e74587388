"""What is read from a parsed page."""

from datetime import date

import pytest

from macros.publish.page import Page
from macros.rendering.citations import Cited

HTML = (
    '<!doctype html><head><link rel="canonical" href="https://example.org/parts/a.html?x=1&amp;y=2">'
    '<meta name="description" content="It shows &amp; tells."></head><body><nav id="n"></nav>'
    '<article><h1 id="a">What is <code>x</code>\n &amp; y?<a class="headerlink" href="#a">&para;</a></h1></article>'
)


def test_a_page_says_what_it_is() -> None:
    """As text: title, description, address; the sign beside a heading is none of it."""
    page = Page("parts/a.html", HTML)
    assert "What is x & y?" == page.title
    assert "It shows & tells." == page.description
    assert "https://example.org/parts/a.html?x=1&y=2" == page.canonical
    assert "../" == page.top
    assert page.element("a") is not None
    assert page.element("b") is None


def test_a_page_without_any_of_it_says_nothing() -> None:
    """As one that only leads on to another."""
    page = Page("a.html", "<p>text</p>")
    assert ("", "", "", "", None) == (page.title, page.description, page.canonical, page.top, page.article)


@pytest.mark.parametrize(
    ("link", "address"),
    [
        ("b.html#c", "parts/b.html#c"),
        ("../totals/base.html?a=1#b", "totals/base.html?a=1#b"),
        ("#c", "parts/a.html#c"),
        ("?a=1", "parts/a.html?a=1"),
    ],
)
def test_a_link_is_resolved_from_its_page(link: str, address: str) -> None:
    """To the address from the top of the site."""
    assert address == Page("parts/a.html", HTML).resolved(link)


def test_drawings_and_formulas_are_written_as_they_were_read() -> None:
    """Names with capitals, as SVG has them, included."""
    drawn = '<svg viewBox="0 0 1 1"><text text-anchor="end">a &lt; b</text></svg><math><mn>1</mn></math>'
    assert drawn in Page("a.html", f"<p>{drawn}</p>").html


CITED = Cited("A", "The site", "1", date(2026, 1, 1), "0123456789ab", date(2026, 2, 3), "")

PRINTED = (
    '<head><link rel="canonical" href="https://example.org/a.html"></head>'
    '<article><h1 id="a">What is <code>x</code> &amp; y?<a class="headerlink" href="#a">&para;</a></h1></article>'
)


def test_it_says_where_the_page_is_from() -> None:
    """Its question, the site, the address, the commit and its day; what is unknown is left out."""
    said = "“What is x & y?”, The site. https://example.org/a.html Built from commit 0123456789ab of 2026-02-03."
    assert said == Page("a.html", PRINTED).source(CITED)
    assert said.replace("a.html", "a.html#b") == Page("a.html", PRINTED).source(CITED, "b")
    page = PRINTED[PRINTED.index("<article>") :]
    assert "“What is x & y?”, The site." == Page("a.html", page).source(CITED._replace(commit="unknown", built=None))


def test_a_heading_is_named_by_its_words() -> None:
    """Without the sign that links to it; one that has none needs no other name than its text."""
    page = Page("a.html", PRINTED + "<h2>Without</h2>")
    page.name_headings()
    assert ["What is x & y?", None] == [each.attributes.get("aria-label") for each in page.tree.css("h1, h2")]


OPEN_GRAPH = {
    "og:title": "What is x & y?",
    "og:description": "It shows & tells.",
    "og:type": "article",
    "og:url": "https://example.org/parts/a.html?x=1&y=2",
}


@pytest.mark.parametrize(
    ("name", "html", "wanted"),
    [
        ("parts/a.html", HTML, OPEN_GRAPH),
        ("index.html", HTML, OPEN_GRAPH | {"og:type": "website"}),
        (
            "parts/a.html",
            HTML.replace('rel="canonical"', ""),
            {name: content for name, content in OPEN_GRAPH.items() if name != "og:url"},
        ),
    ],
)
def test_a_link_to_a_page_shows_what_it_is(name: str, html: str, wanted: dict[str, str]) -> None:
    """In the head, in the words of Open Graph; the address is left out where the site has none."""
    page = Page(name, html)
    page.add_preview()
    told = page.tree.css("head > meta[property]")
    assert wanted == {each.attributes["property"]: each.attributes["content"] for each in told}


@pytest.mark.parametrize(("html", "after"), [(PRINTED, "p"), ("<p>no text</p>", None)])
def test_it_follows_the_text(html: str, after: str | None) -> None:
    """Of a page that has one."""
    page = Page("a.html", html)
    page.add_imprint(CITED)
    following = page.article.next if page.article else None
    assert after == (following.tag if following else None)
    assert (after is not None) == ("“What is x &amp; y?”, The site." in page.html)
