"""The first page: a field for a number leads to the page that explains it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from macros.rendering.elements.pages import I_GOT
from tests.docs.windows import WIDTHS

TYPED = "109,482,241"
ASKED = f"{I_GOT}?n=109%2C482%2C241"


def test_the_field_leads_to_the_answer_without_scripts(browser: Browser, address: str) -> None:
    """It is an ordinary form; the page that it leads to says what it needs scripts for."""
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{address}/index.html")
    page.get_by_label("Got another number?").fill(TYPED)
    page.get_by_role("button", name="Explain").click()
    page.wait_for_url(f"{address}/{ASKED}")
    assert "needs JavaScript" in page.inner_text("article")
    page.context.close()


def test_the_field_works_from_a_folder(browser: Browser, site: Path) -> None:
    """The policy allows the form there too, and the page takes the number up."""
    page = browser.new_context().new_page()
    page.goto((site / "index.html").as_uri())
    page.get_by_label("Got another number?").fill(TYPED)
    page.get_by_label("Got another number?").press("Enter")
    page.wait_for_url(f"{site.as_uri()}/{ASKED}")
    expect(page.get_by_label("Your number")).to_have_value(TYPED)
    page.context.close()


@pytest.mark.parametrize("width", WIDTHS)
def test_the_field_is_on_the_first_screen(browser: Browser, address: str, width: str) -> None:
    """Field and button stand side by side, large enough for a finger, and nobody has to scroll for them."""
    page = browser.new_context(viewport=WIDTHS[width]).new_page()
    page.goto(f"{address}/index.html")
    field = page.get_by_label("Got another number?").bounding_box()
    button = page.get_by_role("button", name="Explain").bounding_box()
    assert field
    assert button
    assert min(field["height"], button["height"]) >= 24
    assert field["y"] + field["height"] == button["y"] + button["height"] < WIDTHS[width]["height"]
    page.context.close()
