"""The built site in a real browser, as readers meet it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page

from tests.docs.building import ROOT
from tests.docs.windows import WIDTHS, WINDOWS, faults_in_windows, open_page

PAGES = sorted(str(path.relative_to(ROOT / "docs").with_suffix(".html")) for path in (ROOT / "docs").rglob("*.md"))


class Opened(NamedTuple):
    """A page of the site, open for all tests that look at it, and what has gone wrong on it so far."""

    name: str
    page: Page
    errors: list[str]


@pytest.fixture(scope="module", params=PAGES)
def opened(request: pytest.FixtureRequest, browser: Browser, address: str) -> Iterator[Opened]:
    """One page after the other. Each window is the one that a quarter of them is opened in."""
    width, scheme = WINDOWS[PAGES.index(request.param) % len(WINDOWS)]
    context = browser.new_context(viewport=WIDTHS[width], color_scheme=scheme)
    page = context.new_page()
    yield Opened(request.param, page, open_page(page, f"{address}/{request.param}"))
    context.close()


def test_a_page_opens_well(opened: Opened) -> None:
    """No error, no other host, no overflow, nothing serious found by axe: in every width and theme."""
    assert [] == faults_in_windows(opened.page)
    assert [] == opened.errors


@pytest.fixture(scope="module")
def without_scripts(browser: Browser) -> Iterator[Page]:
    """A page at desktop width with JavaScript off."""
    context = browser.new_context(java_script_enabled=False, viewport=WIDTHS["desktop"])
    yield context.new_page()
    context.close()


def text(page: Page) -> str:
    """What a reader sees of a page, however it is broken into lines."""
    return " ".join(page.inner_text("article").split())


def test_a_page_reads_fully_without_scripts(opened: Opened, without_scripts: Page, address: str) -> None:
    """The same words and numbers with JavaScript off, and all of them visible; only buttons need scripts."""
    without_scripts.goto(f"{address}/{opened.name}")
    assert 0 == without_scripts.locator("article button").count()
    opened.page.set_viewport_size(WIDTHS["desktop"])
    opened.page.locator("article button").evaluate_all("buttons => buttons.forEach(each => each.remove())")
    assert text(opened.page) == text(without_scripts)
    assert len(text(without_scripts)) > 500
