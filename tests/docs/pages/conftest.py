"""What the tests of pages share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

pytest.register_assert_rewrite("tests.docs.pages.opening")  # what a test there finds wrong is to be shown

from tests.docs.pages.opening import Tab  # noqa: E402
from tests.docs.windows import WIDTHS, WINDOWS, watch  # noqa: E402


@pytest.fixture(scope="module")
def tabs(browser: Browser, address: str) -> Iterator[list[Tab]]:
    """A tab in each window, for all pages of a file."""
    contexts = [browser.new_context(viewport=WIDTHS[width], color_scheme=scheme) for width, scheme in WINDOWS]
    yield [Tab(page, watch(page, address)) for page in (context.new_page() for context in contexts)]
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def without_scripts(browser: Browser) -> Iterator[Page]:
    """A page at desktop width with JavaScript off."""
    context = browser.new_context(java_script_enabled=False, viewport=WIDTHS["desktop"])
    yield context.new_page()
    context.close()
