"""What is read from a parsed page."""

import pytest

from macros.publish.page import Page, ids

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


def test_ids() -> None:
    """Of elements, and not what merely reads so."""
    assert {"a", "b"} == ids('<div class="x" id="a">id="c"</div><p title="t" id=b><code data-id="d">')


def test_drawings_and_formulas_are_written_as_they_were_read() -> None:
    """Names with capitals, as SVG has them, included."""
    drawn = '<svg viewBox="0 0 1 1"><text text-anchor="end">a &lt; b</text></svg><math><mn>1</mn></math>'
    assert drawn in Page("a.html", f"<p>{drawn}</p>").html
