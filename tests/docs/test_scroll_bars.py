"""The scroll bars of long pages: a page is as high when it opens as after all of it has been seen."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.docs.conftest import Pages
from tests.docs.scripts import measure
from tests.docs.windows import WIDTHS, go_to

LONGEST = 8
"""How many pages are looked at, those with the most text."""

MOST = 0.05
"""By what share of its height a page may grow or shrink."""

HEIGHTS = measure("pages.js", "heights")


def change(page: Page) -> float:
    """By what share the height of an open page changes at most while a reader scrolls through it."""
    heights: list[int] = page.evaluate(HEIGHTS)
    first, *later = heights
    return max(abs(each - first) for each in later) / first


@pytest.mark.parametrize("width", WIDTHS)
def test_long_pages_keep_their_height(tab: Callable[..., Page], pages: Pages, width: str) -> None:
    """The longest pages, and the tools, whose parts are drawn by scripts."""
    page = tab(viewport=WIDTHS[width], reduced_motion="reduce")
    longest = sorted(pages, key=lambda name: len(pages[name].get_text()))[-LONGEST:]
    changes = {}
    for name in {*longest, "disagreements/published-claims.html", "try/calculator.html"}:
        go_to(page, name)
        changes[name] = change(page)
    assert {} == {name: each for name, each in changes.items() if each > MOST}


def test_a_wrong_guess_is_found(desk: Page) -> None:
    """A place below the screen that is taken for ten thousand pixels high."""
    desk.goto("disagreements/published-claims.html")
    assert change(desk) <= MOST
    desk.evaluate(
        measure("phone.js", "styled"),
        "article table { display: block; content-visibility: auto; contain-intrinsic-size: auto 10000px }",
    )
    assert change(desk) > MOST
