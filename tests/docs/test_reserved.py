"""Room is reserved for what scripts add to a page, so nothing moves when it appears."""

import re
import threading
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from macros.rendering.components.pages import I_GOT
from tests.docs.conftest import QuietServer, serving
from tests.docs.scripts import function_in
from tests.docs.windows import WIDTHS

pytestmark = pytest.mark.other_browser

MAX_SHIFT = 0.01
"""The limit on layout shifts, a tenth of the shift up to which web.dev calls a page good."""

LAYOUT_SHIFT = function_in("scripts.js", "layoutShift")
"""Returns the sum of the layout shifts of a page so far."""

HEADING_DRAWN = function_in("scripts.js", "waitForHeading")
"""Waits until the heading is drawn."""

ROOM_RULES = {
    "answer": r"\[data-asked\][^{}]*\{[^{}]*\}",
    "choice": r"\.bc-choice:not\([^{}]*\{[^{}]*\}",
}
"""Patterns of the rules in the style sheet that reserve room for an answer and for the choice of a model."""


def open_with_style(
    browser: Browser,
    url: str,
    width: str,
    removed_rule: str = "",
    awaited_selector: str = "#question [type=submit]",
    added_rule: str = "",
) -> Page:
    """Open a page, and return it once a certain element is there.

    Args:
        browser: the browser.
        url: the address of the page.
        width: the window, a key of `WIDTHS`.
        removed_rule: a key of `ROOM_RULES`, to take this rule out of the style sheet.
        awaited_selector: the selector of this element.
        added_rule: a rule to add to the style sheet.
    """
    page = browser.new_context(viewport=WIDTHS[width]).new_page()

    def change(route: Route) -> None:
        """Answer with the style sheet, without the one rule and with the other at its end."""
        response = route.fetch()
        body, count = re.subn(ROOM_RULES[removed_rule], "", response.text()) if removed_rule else (response.text(), 1)
        assert count
        route.fulfill(response=response, body=body + added_rule)

    if removed_rule or added_rule:
        page.route("**/*.css", change)
    page.goto(url, wait_until="commit")
    page.evaluate(HEADING_DRAWN)
    ServerInTwoParts.heading_is_drawn.set()
    page.locator(awaited_selector).wait_for(timeout=30_000)
    return page


def shift_of(page: Page) -> float:
    """Close a page, and return its layout shift."""
    shift: float = page.evaluate(LAYOUT_SHIFT)
    page.context.close()
    return shift


ANSWER = f"{I_GOT}?n=75641856", "#answer .bc-answer"
CALCULATORS = ("try/calculator.html", "try/calculator.html?model=bert-large-uncased&class=BertForMaskedLM")
FILLED_ROOMS = [ANSWER, *((url, "html[data-counting]") for url in CALCULATORS)]
"""Addresses, each with a selector that matches once scripts have filled the reserved room."""


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("url", "filled_selector"), FILLED_ROOMS)
def test_an_answer_moves_nothing_when_it_appears(
    browser: Browser, address: str, url: str, filled_selector: str, width: str
) -> None:
    """The answer is an explanation, or what the calculator shows for its address."""
    assert shift_of(open_with_style(browser, f"{address}/{url}", width, "", filled_selector)) < MAX_SHIFT


def test_room_that_is_not_reserved_is_noticed(browser: Browser, address: str) -> None:
    """Without the rule for it, the answer shifts the page by more than the limit."""
    url, filled_selector = ANSWER
    assert shift_of(open_with_style(browser, f"{address}/{url}", "phone", "answer", filled_selector)) > MAX_SHIFT


def test_the_choice_on_the_map_moves_nothing(browser: Browser, address: str) -> None:
    """On a phone the choice of a model has a line to itself, for which room is reserved."""
    url = f"{address}/map.html"
    assert shift_of(open_with_style(browser, url, "phone", awaited_selector=".bc-choice select")) < MAX_SHIFT / 2
    assert shift_of(open_with_style(browser, url, "phone", "choice", ".bc-choice select")) > MAX_SHIFT


class ServerInTwoParts(QuietServer):
    """A server that sends a page up to its heading, and the rest once the heading is drawn, as a slow network might."""

    heading_is_drawn = threading.Event()

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send a file in two parts."""
        beginning, heading, rest = source.read().partition(b"</h1>")
        outputfile.write(beginning + heading)
        if heading:
            self.heading_is_drawn.wait(timeout=30)
        outputfile.write(rest)


TOOLS = {"index.html": ".bc-first", "map.html": ".bc-levels", "try/calculator.html": ".bc-calculator"}
"""Pages with a tool right below the heading, each with the selector of the tool."""


def test_a_late_tool_does_not_move_the_heading(browser: Browser, site: Path) -> None:
    """It is drawn before the tool arrives. A rule that depends on the tool would move it, which is noticed."""
    with serving(site, ServerInTwoParts) as host:
        for name, tool in TOOLS.items():
            ServerInTwoParts.heading_is_drawn.clear()
            page = open_with_style(browser, f"{host}/{name}", "phone", awaited_selector=tool)
            assert shift_of(page) < MAX_SHIFT, name
        late_rule = "\n.md-main__inner:has(.bc-calculator) { margin-top: 5rem }"
        ServerInTwoParts.heading_is_drawn.clear()
        page = open_with_style(browser, f"{host}/{name}", "phone", awaited_selector=tool, added_rule=late_rule)
        assert shift_of(page) > MAX_SHIFT


def test_no_room_is_reserved_without_scripts(plain: Page) -> None:
    """There will be no answer, so there must be no gap for one."""
    plain.goto(f"{I_GOT}?n=199")
    box = plain.locator(".bc-place").bounding_box()
    assert box
    assert 0 == box["height"]


def test_no_room_is_reserved_without_a_number_in_the_address(desktop: Page) -> None:
    """There will be no answer before the reader asks."""
    desktop.goto(f"{I_GOT}?model=bert-base-chinese")
    assert 0 == desktop.evaluate("document.querySelector('.bc-place').offsetHeight")
