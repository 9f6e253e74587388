"""The pages of one group; see `FILES`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.docs.pages.opening import Opened, OpensWell, opened_page, pages_of


@pytest.fixture(scope="module", params=pages_of("parts"))
def opened(request: pytest.FixtureRequest, browser: Browser, address: str) -> Iterator[Opened]:
    """One page after the other."""
    found = opened_page(browser, address, request.param)
    yield found
    found.page.context.close()


class TestParts(OpensWell):
    """Each of them opens well."""
