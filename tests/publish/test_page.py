"""A page knows its title, description and address, and gets a citation, a preview and labels."""

from datetime import date

import pytest

from macros.publish.page import Page
from macros.rendering.citations import Work

HTML = (
    '<!doctype html><head><link rel="canonical" href="https://example.org/parts/a.html?x=1&amp;y=2">'
    '<meta name="description" content="It shows &amp; tells."></head><body><nav id="n"></nav>'
    '<article><h1 id="a">What is <code>x</code>\n &amp; y?<a class="headerlink" href="#a">&para;</a></h1></article>'
)


def test_a_page_has_title_description_and_address() -> None:
    page = Page("parts/a.html", HTML)
    assert "What is x & y?" == page.title
    assert "It shows & tells." == page.description
    assert "https://example.org/parts/a.html?x=1&y=2" == page.canonical
    assert "../" == page.top
    assert page.element("a") is not None
    assert page.element("b") is None


def test_missing_values_are_empty() -> None:
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
    assert address == Page("parts/a.html", HTML).target_of(link)


def test_drawings_and_formulas_are_written_as_they_were_read() -> None:
    html = '<svg viewBox="0 0 1 1"><text text-anchor="end">a &lt; b</text></svg><math><mn>1</mn></math>'
    assert html in Page("a.html", f"<p>{html}</p>").html


WORK = Work("A", "The site", "1", date(2026, 1, 1), "0123456789ab", date(2026, 2, 3), "")

PAGE_WITH_ADDRESS = (
    '<head><link rel="canonical" href="https://example.org/a.html"></head>'
    '<article><h1 id="a">What is <code>x</code> &amp; y?<a class="headerlink" href="#a">&para;</a></h1></article>'
)


def test_a_page_is_cited_with_all_known_values() -> None:
    citation = "“What is x & y?”, The site. https://example.org/a.html Built from commit 0123456789ab of 2026-02-03."
    assert citation == Page("a.html", PAGE_WITH_ADDRESS).citation(WORK)
    assert citation.replace("a.html", "a.html#b") == Page("a.html", PAGE_WITH_ADDRESS).citation(WORK, "b")
    page = PAGE_WITH_ADDRESS[PAGE_WITH_ADDRESS.index("<article>") :]
    assert "“What is x & y?”, The site." == Page("a.html", page).citation(
        WORK._replace(commit="unknown", commit_date=None)
    )


def test_a_heading_is_labelled_by_its_words() -> None:
    """A heading without a sign that links to it needs no label, because its text is its name."""
    page = Page("a.html", PAGE_WITH_ADDRESS + "<h2>Without</h2>")
    page.label_headings()
    assert ["What is x & y?", None] == [heading.attributes.get("aria-label") for heading in page.tree.css("h1, h2")]


OPEN_GRAPH = {
    "og:title": "What is x & y?",
    "og:description": "It shows & tells.",
    "og:type": "article",
    "og:url": "https://example.org/parts/a.html?x=1&y=2",
}


@pytest.mark.parametrize(
    ("name", "html", "expected"),
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
def test_the_head_describes_the_page_for_open_graph(name: str, html: str, expected: dict[str, str]) -> None:
    page = Page(name, html)
    page.add_preview()
    elements = page.tree.css("head > meta[property]")
    assert expected == {element.attributes["property"]: element.attributes["content"] for element in elements}


@pytest.mark.parametrize(("html", "tag_after_article"), [(PAGE_WITH_ADDRESS, "p"), ("<p>no text</p>", None)])
def test_the_imprint_follows_the_article(html: str, tag_after_article: str | None) -> None:
    page = Page("a.html", html)
    page.add_imprint(WORK)
    next_element = page.article.next if page.article else None
    assert tag_after_article == (next_element.tag if next_element else None)
    assert (tag_after_article is not None) == ("“What is x &amp; y?”, The site." in page.html)
