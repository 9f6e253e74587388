"""Pages on paper: nothing is cut off, nothing is there to be clicked, and the colours are the light ones."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.docs.conftest import Pages
from tests.docs.scripts import measure

PAPER = 680
"""The width of A4 without its margins in CSS pixels, a little less than that of Letter: 180 mm at 96 to the inch."""

LETTER = 702
"""That of Letter: 185.9 mm."""

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
"""One of each kind, with the widest tables and listings."""

FAULTS = measure("pages.js", "faultsOnPaper")
BROKEN = measure("pages.js", "brokenNumbers")


@pytest.fixture(scope="module")
def paper(browser: Browser) -> Iterator[Page]:
    """A window as wide as paper, for a reader who likes the dark; tests may add styles."""
    opened = browser.new_context(viewport={"width": PAPER, "height": 960}, color_scheme="dark", bypass_csp=True)
    page = opened.new_page()
    page.emulate_media(media="print", color_scheme="dark")
    yield page
    opened.close()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_on_paper(paper: Page, address: str, name: str) -> None:
    """On A4, and so on Letter."""
    paper.goto(f"{address}/{name}")
    assert [] == paper.evaluate(FAULTS, PAPER)


def test_what_does_not_fit_is_noticed(paper: Page, address: str) -> None:
    """A table that is too wide, put into a page that has none."""
    paper.goto(f"{address}/totals/memory.html")
    assert [] == paper.evaluate(FAULTS, PAPER)
    paper.add_style_tag(content=".md-typeset table { min-width: 900px !important }")
    assert [each for each in paper.evaluate(FAULTS, PAPER) if "is cut off" in each]


def test_no_number_is_broken(paper: Page, address: str, pages: Pages) -> None:
    """On any page: each is on one line from its first digit to its last."""
    broken = []
    for name in pages:
        paper.goto(f"{address}/{name}")
        for width in (LETTER, PAPER):
            paper.set_viewport_size({"width": width, "height": 960})
            broken += [f"{name}, {width}: {number}" for number in paper.evaluate(BROKEN)]
    assert [] == broken


def test_a_broken_number_is_noticed(paper: Page, address: str) -> None:
    """One with a comma and one with a unit, in columns too narrow for them."""
    paper.goto(f"{address}/disagreements/why-110m.html")
    narrow = "display: inline-block; width: 2ch; white-space: normal; overflow-wrap: anywhere"
    paper.add_style_tag(content=f".md-typeset td samp {{ {narrow} }}")
    assert {"30,000", "110M"} <= set(paper.evaluate(BROKEN))


def test_solutions_stay_off_paper(paper: Page, address: str) -> None:
    """Exercises at the end of a page can be handed out; a page of exercises with answers has them."""
    paper.goto(f"{address}/parts/encoder-layer.html")
    assert paper.locator(".bc-exercises > ol > li").count() == 3
    assert paper.locator(".bc-exercises .bc-fold:visible").count() == 0
    paper.goto(f"{address}/try/exercises.html")
    assert paper.locator(".bc-exercises .bc-solution:visible").count() > 0
