"""The page on which the scripts that count and explain are loaded."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import ElementHandle, Frame, Page

I_GOT = "disagreements/i-got.html"


def with_scripts(page: Page, address: str) -> None:
    """Open the page and wait for its scripts, which come once the page is there."""
    page.goto(f"{address}/{I_GOT}")
    page.get_by_role("button", name="Explain").wait_for()  # the last of them puts it there


def called(place: Page | Frame | ElementHandle, function: str, *given: Any) -> Any:
    """What a function in a page says; within an element, the element is the first that it is given.

    All goes there and back as one text. Playwright packs every value by
    itself, which takes many times as long as what most functions do.
    """
    before = "element, " if isinstance(place, ElementHandle) else ""
    taken = "(element, text)" if before else "text"
    packed = place.evaluate(
        f"async {taken} => JSON.stringify(await ({function})({before}...JSON.parse(text)))", json.dumps(given)
    )
    return None if packed is None else json.loads(packed)
