"""A long page keeps its height while a reader scrolls through it, so its scroll bar does not jump."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.docs.conftest import Pages
from tests.docs.scripts import function_in
from tests.docs.test_phone import APPLY_STYLE
from tests.docs.windows import WIDTHS, go_to

LONG_PAGE_COUNT = 8
"""The number of pages that are checked because they have the most text."""

MAX_CHANGE = 0.05
"""The largest relative change in a page's height that readers do not notice."""

HEIGHTS = function_in("pages.js", "heights")
"""Returns the height of a page when scrolled to the top, and after each step of scrolling through it."""


def relative_change(page: Page) -> float:
    """The largest relative change in the height of an open page while a reader scrolls through it."""
    heights: list[float] = page.evaluate(HEIGHTS)
    return max(abs(height - heights[0]) for height in heights) / heights[0]


@pytest.mark.parametrize("width", WIDTHS)
def test_long_pages_keep_their_height(open_tab: Callable[..., Page], pages: Pages, width: str) -> None:
    """The page of claims has long tables, and scripts draw the calculator, so both are checked, too."""
    page = open_tab(viewport=WIDTHS[width], reduced_motion="reduce")
    longest_pages = sorted(pages, key=lambda name: len(pages[name].get_text()))[-LONG_PAGE_COUNT:]
    changes = {}
    for name in {*longest_pages, "disagreements/published-claims.html", "try/calculator.html"}:
        go_to(page, name)
        changes[name] = relative_change(page)
    assert {} == {name: change for name, change in changes.items() if change > MAX_CHANGE}


def test_a_change_in_height_is_noticed(desktop: Page) -> None:
    """The height changes if the style sheet assumes ten thousand pixels for every table that is not yet drawn."""
    desktop.goto("changed/index.html")  # none of its tables is in a fold
    assert relative_change(desktop) <= MAX_CHANGE
    desktop.evaluate(
        APPLY_STYLE,
        "article table { display: block; content-visibility: auto; contain-intrinsic-size: auto 10000px }",
    )
    assert relative_change(desktop) > MAX_CHANGE
