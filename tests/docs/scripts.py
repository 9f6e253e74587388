"""The page on which the scripts that count and explain are loaded."""

from __future__ import annotations

from playwright.sync_api import Page

I_GOT = "disagreements/i-got.html"


def with_scripts(page: Page, address: str) -> None:
    """Open the page and wait for its scripts, which come once the page is there."""
    page.goto(f"{address}/{I_GOT}")
    page.get_by_role("button", name="Explain").wait_for()  # the last of them puts it there
