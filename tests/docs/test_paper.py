"""On paper, nothing is cut off, buttons are left out, and the colours are light.

This file checks a selection of pages. `test_pages.py` looks for broken numbers on every page.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.docs.scripts import function_in

A4_WIDTH = 680
"""The width of A4 without margins, in CSS pixels: 180 mm at 96 pixels per inch, a little less than that of Letter."""

LETTER_WIDTH = 702
"""The width of Letter without margins, in CSS pixels: 185.9 mm at 96 pixels per inch."""

PAGES = (
    "index.html",
    "parts/encoder-layer.html",
    "disagreements/conventions.html",
    "disagreements/published-claims.html",
    "listings/transformers.html",
    "try/calculator.html",
    "teach/two-pages.html",
    "teach/sheet.html",
    "teach/plan.html",
)
"""Pages of different kinds, some of them with wide tables and listings."""

FAULTS_ON_PAPER = function_in("pages.js", "faultsOnPaper")
"""Returns the faults of a page on paper of a given width."""

BROKEN_NUMBERS = function_in("pages.js", "brokenNumbers")
"""Returns the numbers that are broken across lines."""


@pytest.fixture(scope="module")
def paper(browser: Browser) -> Iterator[Page]:
    """A window as wide as A4 that shows pages as printed, for a reader who prefers dark colours.

    The browser ignores the content security policy, so that tests can add styles.
    """
    context = browser.new_context(viewport={"width": A4_WIDTH, "height": 960}, color_scheme="dark", bypass_csp=True)
    page = context.new_page()
    page.emulate_media(media="print", color_scheme="dark")
    yield page
    context.close()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_on_paper(paper: Page, address: str, name: str) -> None:
    """A page that fits on A4 also fits on Letter, which is wider."""
    paper.goto(f"{address}/{name}")
    assert [] == paper.evaluate(FAULTS_ON_PAPER, A4_WIDTH)


def test_a_table_that_does_not_fit_on_paper_is_noticed(paper: Page, address: str) -> None:
    paper.goto(f"{address}/totals/memory.html")
    assert [] == paper.evaluate(FAULTS_ON_PAPER, A4_WIDTH)
    paper.add_style_tag(content=".md-typeset table { min-width: 900px !important }")
    assert [fault for fault in paper.evaluate(FAULTS_ON_PAPER, A4_WIDTH) if "is cut off" in fault]


def numbers_broken_on_paper(page: Page) -> list[str]:
    """The numbers of an open page that are broken across lines on paper, each with the width of the paper."""
    page.emulate_media(media="print")
    broken_numbers = []
    for width in (LETTER_WIDTH, A4_WIDTH):
        page.set_viewport_size({"width": width, "height": 960})
        broken_numbers += [f"{number}, {width}" for number in page.evaluate(BROKEN_NUMBERS)]
    page.emulate_media(media="screen")
    return broken_numbers


def test_a_broken_number_is_noticed(paper: Page, address: str) -> None:
    """In narrow columns, one number breaks at its comma and another before its unit."""
    paper.goto(f"{address}/disagreements/why-110m.html")
    assert [] == numbers_broken_on_paper(paper)
    narrow_style = "display: inline-block; width: 2ch; white-space: normal; overflow-wrap: anywhere"
    paper.add_style_tag(content=f"@media print {{ .md-typeset td samp {{ {narrow_style} }} }}")
    assert {f"30,000, {LETTER_WIDTH}", f"110M, {A4_WIDTH}"} <= {*numbers_broken_on_paper(paper)}
    paper.emulate_media(media="print")


def test_exercises_at_the_end_of_a_page_are_printed_without_solutions(paper: Page, address: str) -> None:
    paper.goto(f"{address}/parts/encoder-layer.html")
    assert paper.locator(".bc-exercises > ol > li").count() == 3
    assert paper.locator(".bc-exercises .bc-fold:visible").count() == 0
    paper.goto(f"{address}/try/exercises.html")
    assert paper.locator(".bc-exercises .bc-solution:visible").count() > 0
