"""A browser works out the styles of a whole page once: doing it again for a script is what took phones longest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.docs.windows import WIDTHS, go_to

pytestmark = pytest.mark.other_browser

PAGES = ["parts/attention.html", "totals/checkpoints.html", "disagreements/published-claims.html"]

TIMELINE = ["devtools.timeline", "disabled-by-default-devtools.timeline"]
"""What a trace has to hold so that it says how many elements were styled at a time."""

STYLED = "UpdateLayoutTree"
"""The event of a trace that says so."""

LOADED = "MarkLoad"
"""That a frame has loaded."""

STYLE_ALL = """new Promise(done => requestAnimationFrame(() => {
  document.body.toggleAttribute("data-md-color-switching")
  requestAnimationFrame(done)
}))"""
"""Have all that is shown of a page styled, by a change to the body that the theme's style sheet has rules for."""


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A page on a phone in the light."""
    context = browser.new_context(viewport=WIDTHS["phone"], color_scheme="light")
    yield context.new_page()
    context.close()


def styled_again(browser: Browser, page: Page, url: str) -> int:
    """How often more than half of what is shown of a page is styled once the page is there.

    How much that is shows at the end, when all is styled on purpose: while a page comes, it is styled in pieces.
    """
    session = browser.new_browser_cdp_session()
    events: list[dict[str, Any]] = []
    ended: list[object] = []
    session.on("Tracing.dataCollected", lambda found: events.extend(found["value"]))
    session.on("Tracing.tracingComplete", lambda end: ended.append(end))
    session.send("Tracing.start", {"traceConfig": {"includedCategories": TIMELINE}, "transferMode": "ReportEvents"})
    go_to(page, url)
    page.evaluate(STYLE_ALL)
    session.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(50)
    session.detach()
    return parts_styled(events, frame_of(page)) - 1


def frame_of(page: Page) -> str:
    """The id of a page's own frame."""
    session = page.context.new_cdp_session(page)
    found: str = session.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
    session.detach()
    return found


def parts_styled(events: list[dict[str, Any]], frame: str) -> int:
    """How often more than half as many elements of a frame are styled after it has loaded as are at most.

    A trace holds the browser's own windows too, and events of which only the beginning has been traced.
    """
    loaded = max(each["ts"] for each in events if each["name"] == LOADED and each["args"]["data"]["frame"] == frame)
    late = [each["args"] for each in events if each["name"] == STYLED and each["ts"] > loaded]
    counts = [each["elementCount"] for each in late if each["beginData"]["frame"] == frame and "elementCount" in each]
    return sum(count > max(counts) / 2 for count in counts)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_styled_once(browser: Browser, phone: Page, address: str, name: str) -> None:
    """Neither the scripts that come later nor what the theme does at its start make it happen again."""
    assert 0 == styled_again(browser, phone, f"{address}/{name}")


def test_a_page_that_is_styled_again_is_noticed(browser: Browser, phone: Page, address: str) -> None:
    """An attribute that rules for all elements ask for is set once the page is there; the theme may take it away."""
    phone.add_init_script(f"addEventListener('load', () => {STYLE_ALL})")
    assert styled_again(browser, phone, f"{address}/{PAGES[0]}") > 0


def test_only_whole_events_of_the_page_are_counted() -> None:
    """The browser's own windows load and are styled too, and a trace may end in the midst of an event."""

    def styled(at: int, frame: str, **count: int) -> dict[str, Any]:
        return {"name": STYLED, "ts": at, "args": {"beginData": {"frame": frame}, **count}}

    def loaded(at: int, frame: str) -> dict[str, Any]:
        return {"name": LOADED, "ts": at, "args": {"data": {"frame": frame}}}

    early = [styled(1, "page", elementCount=90), loaded(2, "page"), styled(3, "page", elementCount=49)]
    late = [styled(4, "page", elementCount=80), styled(5, "page", elementCount=100)]
    others = [styled(4, "other", elementCount=300), styled(5, "other", elementCount=90), loaded(6, "other")]
    assert 1 == parts_styled([*early, late[1], *others, styled(6, "page")], "page")
    assert 2 == parts_styled([*early, *late, *others], "page")


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
