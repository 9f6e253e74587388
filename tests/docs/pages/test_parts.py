"""The pages of one group; see `FILES`."""

from __future__ import annotations

import pytest

from tests.docs.pages.opening import Opened, OpensWell, Tab, opened_page, pages_of


@pytest.fixture(scope="module", params=pages_of("parts"))
def opened(request: pytest.FixtureRequest, tabs: list[Tab], address: str) -> Opened:
    """One page after the other."""
    return opened_page(tabs, address, request.param)


class TestParts(OpensWell):
    """Each of them opens well."""
