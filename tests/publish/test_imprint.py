"""The last line of a page on paper."""

from datetime import date

import pytest

from macros.publish.imprint import line, with_imprint
from macros.rendering.citations import Cited

CITED = Cited("A", "The site", "1", date(2026, 1, 1), "0123456789ab", date(2026, 2, 3), "")

PAGE = (
    '<head><link rel="canonical" href="https://example.org/a.html"></head>'
    '<article><h1 id="a">What is <code>x</code> &amp; y?<a class="headerlink" href="#a">&para;</a></h1></article>'
)


def test_it_says_where_the_page_is_from() -> None:
    """Its question, the site, the address, the commit and its day."""
    said = "“What is x & y?”, The site. https://example.org/a.html Built from commit 0123456789ab of 2026-02-03."
    assert said == line(PAGE, CITED)
    assert said.replace("a.html", "a.html#b") == line(PAGE, CITED, "b")


def test_what_is_unknown_is_left_out() -> None:
    """A build for oneself has no address, and outside of a repository no commit."""
    page = PAGE[PAGE.index("<article>") :]
    assert line(page, CITED._replace(commit="unknown", built=None)) == "“What is x & y?”, The site."


def test_it_follows_the_text_once() -> None:
    """A page that has it stays as it is, whatever is known by then."""
    done = with_imprint(PAGE, CITED)
    assert done.count('</article><p class="bc-imprint">“What is x &amp; y?”, The site.') == 1
    assert with_imprint(done, CITED._replace(commit="another")) == done


@pytest.mark.parametrize(
    "html",
    [
        "<p>no text</p>",
        "<article></article><article></article>",
        '<meta http-equiv="refresh" content="0"><article></article>',
    ],
)
def test_other_pages_have_none(html: str) -> None:
    """Those that only lead on, and what is no single text."""
    assert with_imprint(html, CITED) == html
