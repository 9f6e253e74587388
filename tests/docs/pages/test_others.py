"""The pages of one group; see `FILES`."""

from __future__ import annotations

import pytest

from tests.docs.pages.opening import FILES, PAGES, Opened, OpensWell, Tab, opened_page, pages_of


@pytest.fixture(scope="module", params=pages_of("others"))
def opened(request: pytest.FixtureRequest, tabs: list[Tab], address: str) -> Opened:
    """One page after the other."""
    return opened_page(tabs, address, request.param)


class TestOthers(OpensWell):
    """Each of them opens well."""


def test_every_page_is_opened_by_one_file() -> None:
    """A folder that is added to docs/ needs its place among the files."""
    opened_by = [page for name in FILES for page in pages_of(name)]
    assert PAGES == sorted(opened_by)
