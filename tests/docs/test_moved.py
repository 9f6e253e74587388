"""In a browser, the address of a page that has moved leads to the new page."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from macros.publish.moved import forward
from macros.publish.page import Page
from macros.publish.policy import add_policy
from tests.docs.conftest import serving

NEW_HTML = '<meta charset="utf-8"><article><h2 id="there">a</h2><p id="there-here">b</p></article>'
"""The new page. The old page has become its section `there`."""


@pytest.mark.parametrize("has_scripts", [True, False])
@pytest.mark.parametrize(
    ("suffix", "new_suffix", "new_suffix_without_scripts"),
    [
        ("", "#there", "#there"),
        ("#here", "#there-here", "#there"),
        ("?a=1#title", "?a=1#there", "#there"),
        ("#x", "#x", "#there"),
    ],
)
def test_scripts_keep_query_and_fragment(
    browser: Browser, tmp_path: Path, has_scripts: bool, suffix: str, new_suffix: str, new_suffix_without_scripts: str
) -> None:
    """The fragment becomes that of the element on the new page. Without scripts, it is that of the whole section."""
    pages = {"parts/new.html": Page("parts/new.html", NEW_HTML)}
    files = forward(pages, {"old.html": "parts/new.html#there", "old.html#title": "parts/new.html#there"})
    redirect = Page("old.html", files["old.html"])
    add_policy(redirect)
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/new.html").write_text(NEW_HTML)
    (tmp_path / "old.html").write_text(redirect.html)
    page = browser.new_page(java_script_enabled=has_scripts)
    with serving(tmp_path) as address:
        page.goto(f"{address}/old.html{suffix}")
        page.wait_for_url(f"{address}/parts/new.html{new_suffix if has_scripts else new_suffix_without_scripts}")
    page.close()
