"""What the tests of pages share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.docs.pages import opening
from tests.docs.pages.opening import Tab
from tests.docs.windows import WIDTHS


@pytest.fixture(scope="module")
def tabs(browser: Browser, address: str) -> Iterator[list[Tab]]:
    """A tab in each window, for all pages of a file."""
    yield from opening.tabs(browser, address)


@pytest.fixture(scope="module")
def without_scripts(browser: Browser) -> Iterator[Page]:
    """A page at desktop width with JavaScript off."""
    context = browser.new_context(java_script_enabled=False, viewport=WIDTHS["desktop"])
    yield context.new_page()
    context.close()
