"""Checks of the layout in pages.js notice text at the edge of its box, and text that is not larger than lesser text.

`test_pages.py` makes these checks on every page.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.docs.scripts import function_in
from tests.docs.windows import go_to

ADD_STYLES = """(css) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    document.adoptedStyleSheets = [sheet]
}"""
"""Adds styles to a page, in place of those that it added before."""


@pytest.fixture(scope="module")
def listings(open_tab: Callable[..., Page]) -> Page:
    """The page with print-outs in folds."""
    page = open_tab()
    go_to(page, "listings/index.html")
    return page


@pytest.mark.parametrize(
    ("check", "css"),
    [
        ("textsAtBorders", ".md-typeset .bc-listing details > summary { padding-left: 0 !important }"),
        ("textsAtBorders", ".md-typeset .bc-more { height: 4rem; overflow: hidden }"),
        ("sizesOutOfOrder", ".md-typeset h1 + p { font-size: .65rem !important }"),
        ("sizesOutOfOrder", ".md-typeset h2 { font-size: 2rem !important }"),
    ],
)
def test_a_fault_of_the_layout_is_noticed(listings: Page, check: str, css: str) -> None:
    listings.evaluate(ADD_STYLES, "")
    assert [] == listings.evaluate(function_in("pages.js", check))
    listings.evaluate(ADD_STYLES, css)
    assert listings.evaluate(function_in("pages.js", check))
