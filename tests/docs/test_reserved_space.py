"""Space is reserved for the elements that scripts add to a page, so nothing moves when they appear."""

import re
import threading
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from macros.rendering.components.pages import I_GOT
from tests.docs.conftest import QuietHandler, serving
from tests.docs.scripts import function_in
from tests.docs.windows import WIDTHS

pytestmark = pytest.mark.other_browser

MAX_SHIFT = 0.01
"""The limit on layout shifts, which is a tenth of the largest shift that web.dev calls good."""

LAYOUT_SHIFT = function_in("scripts.js", "layoutShift")
"""Returns the sum of the layout shifts of a page so far."""

WAIT_FOR_HEADING = function_in("scripts.js", "waitForHeading")
"""Waits until the heading is drawn."""

SPACE_RULES = {
    "answer": r"\[data-asked\][^{}]*\{[^{}]*\}",
    "choice": r"\.bc-choice:not\([^{}]*\{[^{}]*\}",
}
"""Patterns for the rules in the style sheet that reserve space for an answer and for the choice of a model."""


def open_with_style(
    browser: Browser,
    url: str,
    width: str,
    removed_rule: str = "",
    awaited_selector: str = "#question [type=submit]",
    added_rule: str = "",
) -> Page:
    """Open a page, and return it once an element on it has appeared.

    Args:
        browser: the browser in which a new tab is opened.
        url: the address of the page.
        width: the key of the window in `WIDTHS`.
        removed_rule: the key in `SPACE_RULES` of a rule to remove from the style sheet; "" to remove none.
        awaited_selector: a selector for the element to wait for.
        added_rule: a rule to append to the style sheet.
    """
    page = browser.new_context(viewport=WIDTHS[width]).new_page()

    def serve_changed_style_sheet(route: Route) -> None:
        """Serve the style sheet without the removed rule and with the added one."""
        response = route.fetch()
        body = response.text()
        if removed_rule:
            body, count = re.subn(SPACE_RULES[removed_rule], "", body)
            assert count
        route.fulfill(response=response, body=body + added_rule)

    if removed_rule or added_rule:
        page.route("**/*.css", serve_changed_style_sheet)
    page.goto(url, wait_until="commit")
    page.evaluate(WAIT_FOR_HEADING)
    ServerInTwoParts.heading_is_drawn.set()
    page.locator(awaited_selector).wait_for(timeout=30_000)
    return page


def shift_of(page: Page) -> float:
    """Close a page, and return the layout shift that it had."""
    shift: float = page.evaluate(LAYOUT_SHIFT)
    page.context.close()
    return shift


ANSWER = f"{I_GOT}?n=75641856", "#answer .bc-answer"
"""An address with a number, and a selector for the answer to it."""

CALCULATORS = ("try/calculator.html", "try/calculator.html?model=bert-large-uncased&class=BertForMaskedLM")
FILLED_SPACES = [ANSWER, *((url, "html[data-counting]") for url in CALCULATORS)]
"""Addresses, each with a selector that matches once scripts have filled the reserved space."""


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("url", "filled_selector"), FILLED_SPACES)
def test_an_answer_moves_nothing_when_it_appears(
    browser: Browser, address: str, url: str, filled_selector: str, width: str
) -> None:
    """The answer is an explanation, or the calculator's result for its address."""
    assert shift_of(open_with_style(browser, f"{address}/{url}", width, "", filled_selector)) < MAX_SHIFT


def test_missing_space_is_noticed(browser: Browser, address: str) -> None:
    url, filled_selector = ANSWER
    assert shift_of(open_with_style(browser, f"{address}/{url}", "phone", "answer", filled_selector)) > MAX_SHIFT


def test_the_choice_on_the_map_moves_nothing(browser: Browser, address: str) -> None:
    """On a phone, space is reserved for the choice of a model, which has a line to itself."""
    url = f"{address}/map.html"
    assert shift_of(open_with_style(browser, url, "phone", awaited_selector=".bc-choice select")) < MAX_SHIFT / 2
    assert shift_of(open_with_style(browser, url, "phone", "choice", ".bc-choice select")) > MAX_SHIFT


class ServerInTwoParts(QuietHandler):
    """A server that sends a page up to its heading first, and the rest once the heading is drawn.

    Over a slow network, pages may arrive in such parts.
    """

    heading_is_drawn = threading.Event()

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send a file, in two parts if it has a heading."""
        beginning, heading, rest = source.read().partition(b"</h1>")
        outputfile.write(beginning + heading)
        if heading:
            self.heading_is_drawn.wait(timeout=30)
        outputfile.write(rest)


TOOLS = {"index.html": ".bc-first", "map.html": ".bc-levels", "try/calculator.html": ".bc-calculator"}
"""Pages with a tool directly below the heading, each with a selector for the tool."""


def test_a_late_tool_does_not_move_the_heading(browser: Browser, site: Path) -> None:
    with serving(site, ServerInTwoParts) as host:
        for name, tool in TOOLS.items():
            ServerInTwoParts.heading_is_drawn.clear()
            page = open_with_style(browser, f"{host}/{name}", "phone", awaited_selector=tool)
            assert shift_of(page) < MAX_SHIFT, name
        url, tool = f"{host}/try/calculator.html", TOOLS["try/calculator.html"]
        late_rule = f"\n.md-main__inner:has({tool}) {{ margin-top: 5rem }}"
        ServerInTwoParts.heading_is_drawn.clear()
        page = open_with_style(browser, url, "phone", awaited_selector=tool, added_rule=late_rule)
        assert shift_of(page) > MAX_SHIFT


def test_no_space_is_reserved_without_scripts(scriptless_tab: Page) -> None:
    """No answer will appear, so there must be no gap."""
    scriptless_tab.goto(f"{I_GOT}?n=199")
    box = scriptless_tab.locator(".bc-place").bounding_box()
    assert box
    assert 0 == box["height"]


def test_no_space_is_reserved_without_a_number_in_the_address(desktop: Page) -> None:
    """No answer will appear before the reader enters a number."""
    desktop.goto(f"{I_GOT}?model=bert-base-chinese")
    assert 0 == desktop.evaluate("document.querySelector('.bc-place').offsetHeight")
