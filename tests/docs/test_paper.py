"""Printed pages: nothing is cut off, buttons are left out, and the colours are light.

`test_pages.py` looks for broken numbers on every page while it is open.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.docs.scripts import measure

PAPER = 680
"""The width of A4 without margins in CSS pixels: 180 mm at 96 to the inch, a little less than Letter's."""

LETTER = 702
"""The width of Letter without margins in CSS pixels: 185.9 mm at 96 to the inch."""

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
"""One page of each kind, with the widest tables and listings."""

FAULTS = measure("pages.js", "faultsOnPaper")
BROKEN = measure("pages.js", "brokenNumbers")


@pytest.fixture(scope="module")
def paper(browser: Browser) -> Iterator[Page]:
    """A window as wide as paper, for a reader who prefers dark; tests may add styles."""
    context = browser.new_context(viewport={"width": PAPER, "height": 960}, color_scheme="dark", bypass_csp=True)
    page = context.new_page()
    page.emulate_media(media="print", color_scheme="dark")
    yield page
    context.close()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_on_paper(paper: Page, address: str, name: str) -> None:
    """A page fits on A4, and therefore on Letter, which is wider."""
    paper.goto(f"{address}/{name}")
    assert [] == paper.evaluate(FAULTS, PAPER)


def test_what_does_not_fit_is_noticed(paper: Page, address: str) -> None:
    """A table that is too wide is noticed."""
    paper.goto(f"{address}/totals/memory.html")
    assert [] == paper.evaluate(FAULTS, PAPER)
    paper.add_style_tag(content=".md-typeset table { min-width: 900px !important }")
    assert [fault for fault in paper.evaluate(FAULTS, PAPER) if "is cut off" in fault]


def numbers_broken_on_paper(page: Page) -> list[str]:
    """The numbers of an open page that do not stay on one line on paper, with the width of the paper."""
    page.emulate_media(media="print")
    broken = []
    for width in (LETTER, PAPER):
        page.set_viewport_size({"width": width, "height": 960})
        broken += [f"{number}, {width}" for number in page.evaluate(BROKEN)]
    page.emulate_media(media="screen")
    return broken


def test_a_broken_number_is_noticed(paper: Page, address: str) -> None:
    """Numbers with a comma and with a unit, broken in narrow columns, are noticed."""
    paper.goto(f"{address}/disagreements/why-110m.html")
    assert [] == numbers_broken_on_paper(paper)
    narrow = "display: inline-block; width: 2ch; white-space: normal; overflow-wrap: anywhere"
    paper.add_style_tag(content=f"@media print {{ .md-typeset td samp {{ {narrow} }} }}")
    assert {f"30,000, {LETTER}", f"110M, {PAPER}"} <= {*numbers_broken_on_paper(paper)}
    paper.emulate_media(media="print")


def test_solutions_stay_off_paper(paper: Page, address: str) -> None:
    """Exercises at the end of a page are printed without solutions; those on the page of exercises with them."""
    paper.goto(f"{address}/parts/encoder-layer.html")
    assert paper.locator(".bc-exercises > ol > li").count() == 3
    assert paper.locator(".bc-exercises .bc-fold:visible").count() == 0
    paper.goto(f"{address}/try/exercises.html")
    assert paper.locator(".bc-exercises .bc-solution:visible").count() > 0
