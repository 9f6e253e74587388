"""If the address contains a number, room is reserved for the answer, so nothing moves when it appears."""

import re
import threading
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from macros.rendering.components.pages import I_GOT
from tests.docs.conftest import QuietServer, serving
from tests.docs.scripts import measure
from tests.docs.windows import WIDTHS

pytestmark = pytest.mark.other_browser

MOST = 0.01
"""The largest layout shift allowed, a tenth of the shift that web.dev calls good."""

SHIFT = measure("scripts.js", "layoutShift")
HEADING_DRAWN = measure("scripts.js", "headingDrawn")

RULES = {
    "answer": r"\[data-asked\][^{}]*\{[^{}]*\}",
    "choice": r"\.bc-choice:not\([^{}]*\{[^{}]*\}",
}
"""The rules of the style sheet that reserve room."""


def open_with_style(
    browser: Browser,
    url: str,
    width: str,
    removed_rule: str = "",
    awaited: str = "#question [type=submit]",
    added_rule: str = "",
) -> Page:
    """The page once something awaited is there, with a rule of its style sheet removed or added if given."""
    page = browser.new_context(viewport=WIDTHS[width]).new_page()

    def strip(route: Route) -> None:
        response = route.fetch()
        body, count = re.subn(RULES[removed_rule], "", response.text()) if removed_rule else (response.text(), 1)
        assert count
        route.fulfill(response=response, body=body + added_rule)

    if removed_rule or added_rule:
        page.route("**/*.css", strip)
    page.goto(url, wait_until="commit")
    page.evaluate(HEADING_DRAWN)
    InTwo.heading_is_drawn.set()
    page.locator(awaited).wait_for(timeout=30_000)
    return page


def shift_of(page: Page) -> float:
    """The layout shift of a page, which is then closed."""
    shift: float = page.evaluate(SHIFT)
    page.context.close()
    return shift


ANSWERED = f"{I_GOT}?n=75641856", "#answer .bc-answer"
CALCULATORS = ("try/calculator.html", "try/calculator.html?model=bert-large-uncased&class=BertForMaskedLM")
FILLED = [ANSWERED, *((url, "html[data-counting]") for url in CALCULATORS)]
"""Addresses, each with a selector that matches once a script has filled the room reserved."""


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("url", "filled"), FILLED)
def test_an_answer_moves_nothing_when_it_appears(
    browser: Browser, address: str, url: str, filled: str, width: str
) -> None:
    """Room is reserved for an answer and for the button; the text after an answer begins below the first screen."""
    assert shift_of(open_with_style(browser, f"{address}/{url}", width, "", filled)) < MOST


def test_a_place_that_is_not_reserved_is_noticed(browser: Browser, address: str) -> None:
    """Without its rule, the answer moves the page by more than is allowed."""
    url, filled = ANSWERED
    assert shift_of(open_with_style(browser, f"{address}/{url}", "phone", "answer", filled)) > MOST


def test_the_choice_on_the_map_moves_nothing(browser: Browser, address: str) -> None:
    """On a phone the choice of model has its own line above the map."""
    url = f"{address}/map.html"
    assert shift_of(open_with_style(browser, url, "phone", awaited=".bc-choice select")) < MOST / 2
    assert shift_of(open_with_style(browser, url, "phone", "choice", ".bc-choice select")) > MOST


class InTwo(QuietServer):
    """A server that sends a page up to its heading, and the rest once the test says that the heading is drawn."""

    heading_is_drawn = threading.Event()

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send a file in two parts."""
        first, heading, rest = source.read().partition(b"</h1>")
        outputfile.write(first + heading)
        if heading:
            self.heading_is_drawn.wait(timeout=30)
        outputfile.write(rest)


TOOLS = {"index.html": ".bc-first", "map.html": ".bc-levels", "try/calculator.html": ".bc-calculator"}
"""Pages whose heading is close to the top, and their tools."""


def test_a_late_tool_does_not_move_the_heading(browser: Browser, site: Path) -> None:
    """The heading is drawn before the tool arrives and must stay; a rule that waits for the tool would move it."""
    with serving(site, InTwo) as host:
        for name, tool in TOOLS.items():
            InTwo.heading_is_drawn.clear()
            assert shift_of(open_with_style(browser, f"{host}/{name}", "phone", awaited=tool)) < MOST, name
        late = "\n.md-main__inner:has(.bc-calculator) { margin-top: 5rem }"
        InTwo.heading_is_drawn.clear()
        page = open_with_style(browser, f"{host}/{name}", "phone", awaited=tool, added_rule=late)
        assert shift_of(page) > MOST


def test_no_room_is_reserved_without_scripts(plain: Page) -> None:
    """Without scripts no answer will come, so there is no gap."""
    plain.goto(f"{I_GOT}?n=199")
    box = plain.locator(".bc-place").bounding_box()
    assert box
    assert 0 == box["height"]


def test_no_room_is_reserved_without_a_number_in_the_address(desktop: Page) -> None:
    """There would be a gap in which nothing ever appears."""
    desktop.goto(f"{I_GOT}?model=bert-base-chinese")
    assert 0 == desktop.evaluate("document.querySelector('.bc-place').offsetHeight")
