"""Modules of the site, imported into a page of it."""

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import ElementHandle, Frame, Page

I_GOT = "disagreements/i-got.html"


def with_scripts(page: Page, address: str) -> None:
    """Open the page that explains numbers, and import modules."""
    page.goto(f"{address}/{I_GOT}")
    import_modules(page)


def import_modules(page: Page, top: str = "") -> None:
    """Import modules by name, and what some export, the same that the page has itself; the calculator's need its page.

    Args:
        page: the page.
        top: where the folder of the scripts is; that of the page's own.
    """
    own = "new URL('..', document.querySelector('script[type=module]').src).href"
    page.evaluate(measure("scripts.js", "imported"), top or page.evaluate(own))


def measure(file: str, name: str) -> str:
    """A function for `evaluate` from a file of scripts beside the tests, by its name there."""
    return f"(...given) => ({Path(__file__).with_name(file).read_text(encoding='utf-8')}).{name}(...given)"


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
