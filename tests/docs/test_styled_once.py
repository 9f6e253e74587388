"""A browser works out the styles of a whole page once: doing it again for a script is what took phones longest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.docs.windows import WIDTHS

PAGES = ["parts/attention.html", "totals/checkpoints.html", "disagreements/published-claims.html"]

TIMELINE = ["devtools.timeline", "disabled-by-default-devtools.timeline"]
"""What a trace has to hold so that it says how many elements were styled at a time."""

STYLED = "UpdateLayoutTree"
"""The event of a trace that says so."""

A_RULE_FOR_ALL = """addEventListener("load", () => setTimeout(() =>
  document.body.setAttribute("data-md-color-switching", ""), 100))"""
"""A change to the body that the theme's style sheet has rules for."""


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A page on a phone in the light."""
    context = browser.new_context(viewport=WIDTHS["phone"], color_scheme="light")
    yield context.new_page()
    context.close()


def styled_again(browser: Browser, page: Page, url: str) -> int:
    """How often more than half as many elements of a page are styled once it is there as are at most."""
    session = browser.new_browser_cdp_session()
    events: list[dict[str, Any]] = []
    ended: list[object] = []
    session.on("Tracing.dataCollected", lambda found: events.extend(found["value"]))
    session.on("Tracing.tracingComplete", lambda end: ended.append(end))
    session.send("Tracing.start", {"traceConfig": {"includedCategories": TIMELINE}, "transferMode": "ReportEvents"})
    page.goto(url, wait_until="networkidle")
    page.wait_for_timeout(300)
    session.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(50)
    session.detach()
    loaded = max(each["ts"] for each in events if each["name"] == "MarkLoad")
    styled = [(each["ts"] > loaded, each["args"]["elementCount"]) for each in events if each["name"] == STYLED]
    most = max(count for _, count in styled)
    return sum(late and count > most / 2 for late, count in styled)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_styled_once(browser: Browser, phone: Page, address: str, name: str) -> None:
    """Neither the scripts that come later nor what the theme does at its start make it happen again."""
    assert 0 == styled_again(browser, phone, f"{address}/{name}")


def test_a_page_that_is_styled_again_is_noticed(browser: Browser, phone: Page, address: str) -> None:
    """An attribute that rules for all elements ask for is set once the page is there."""
    phone.add_init_script(A_RULE_FOR_ALL)
    assert 1 == styled_again(browser, phone, f"{address}/{PAGES[0]}")


def test_colours_follow_the_reader(browser: Browser, address: str) -> None:
    """The system's colours at the first visit, and those that a reader switches to; scroll bars as well."""
    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    page.goto(f"{address}/{PAGES[0]}")
    for scheme, told, button in (("slate", "dark", "light"), ("default", "light", "dark"), ("slate", "dark", "light")):
        expect(page.locator("body")).to_have_attribute("data-md-color-scheme", scheme)
        expect(page.locator("body")).not_to_have_attribute("data-md-color-switching", "")
        expect(page.locator("meta[name=color-scheme]")).to_have_attribute("content", told)
        page.locator(f"label[title='Switch to {button}']").click()
    context.close()
