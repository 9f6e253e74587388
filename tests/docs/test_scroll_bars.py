"""A long page keeps its height while a reader scrolls through it, so its scroll bar does not jump."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.docs.conftest import Pages
from tests.docs.scripts import measure
from tests.docs.windows import WIDTHS, go_to

LONGEST = 8
"""The count of pages checked, which are those with the most text."""

MOST = 0.05
"""The share of its height by which a page may grow or shrink."""

HEIGHTS = measure("pages.js", "heights")


def change(page: Page) -> float:
    """The largest relative change in an open page's height while a reader scrolls through it."""
    heights: list[float] = page.evaluate(HEIGHTS)
    return max(abs(height - heights[0]) for height in heights) / heights[0]


@pytest.mark.parametrize("width", WIDTHS)
def test_long_pages_keep_their_height(tab: Callable[..., Page], pages: Pages, width: str) -> None:
    """The longest pages keep their height, and so do the tools, which scripts draw."""
    page = tab(viewport=WIDTHS[width], reduced_motion="reduce")
    longest = sorted(pages, key=lambda name: len(pages[name].get_text()))[-LONGEST:]
    changes = {}
    for name in {*longest, "disagreements/published-claims.html", "try/calculator.html"}:
        go_to(page, name)
        changes[name] = change(page)
    assert {} == {name: share for name, share in changes.items() if share > MOST}


def test_a_wrong_guess_is_found(desktop: Page) -> None:
    """If the style sheet guesses ten thousand pixels for a table below the screen, the change is noticed."""
    desktop.goto("changed/index.html")  # none of its tables is in a fold
    assert change(desktop) <= MOST
    desktop.evaluate(
        measure("phone.js", "styled"),
        "article table { display: block; content-visibility: auto; contain-intrinsic-size: auto 10000px }",
    )
    assert change(desktop) > MOST
