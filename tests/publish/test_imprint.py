"""The last line of a page on paper."""

from datetime import date

import pytest

from macros.publish.imprint import add_imprint, line
from macros.publish.page import Page
from macros.rendering.citations import Cited

CITED = Cited("A", "The site", "1", date(2026, 1, 1), "0123456789ab", date(2026, 2, 3), "")

PAGE = (
    '<head><link rel="canonical" href="https://example.org/a.html"></head>'
    '<article><h1 id="a">What is <code>x</code> &amp; y?<a class="headerlink" href="#a">&para;</a></h1></article>'
)


def test_it_says_where_the_page_is_from() -> None:
    """Its question, the site, the address, the commit and its day."""
    said = "“What is x & y?”, The site. https://example.org/a.html Built from commit 0123456789ab of 2026-02-03."
    assert said == line(Page("a.html", PAGE), CITED)
    assert said.replace("a.html", "a.html#b") == line(Page("a.html", PAGE), CITED, "b")


def test_what_is_unknown_is_left_out() -> None:
    """A build for oneself has no address, and outside of a repository no commit."""
    page = PAGE[PAGE.index("<article>") :]
    assert line(Page("a.html", page), CITED._replace(commit="unknown", built=None)) == "“What is x & y?”, The site."


@pytest.mark.parametrize(("html", "after"), [(PAGE, "p"), ("<p>no text</p>", None)])
def test_it_follows_the_text(html: str, after: str | None) -> None:
    """Of a page that has one."""
    page = Page("a.html", html)
    add_imprint(page, CITED)
    following = page.article.next if page.article else None
    assert after == (following.tag if following else None)
    assert (after is not None) == ("“What is x &amp; y?”, The site." in page.html)
