"""Makes the modules of the site available to tests in a browser, and calls functions there."""

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import ElementHandle, Frame, Page

I_GOT = "disagreements/i-got.html"
"""The page that explains a number that a reader got."""


def with_scripts(page: Page, address: str) -> None:
    """Open the page that explains numbers, and make its modules available."""
    page.goto(f"{address}/{I_GOT}")
    import_modules(page)


def import_modules(page: Page, top: str = "") -> None:
    """Import the modules into the object `bertCounted` of a page; those of the calculator need its page.

    Args:
        page: the page, which must be open.
        top: the address of the folder of scripts; by default, the one that the page uses.
    """
    default_top = "new URL('..', document.querySelector('script[type=module]').src).href"
    page.evaluate(measure("scripts.js", "importModules"), top or page.evaluate(default_top))


def measure(file: str, name: str) -> str:
    """The JavaScript of a function, for Playwright's `evaluate`.

    Args:
        file: a script in this folder that consists of an object with functions.
        name: the name of one of them.
    """
    return f"(...args) => ({Path(__file__).with_name(file).read_text(encoding='utf-8')}).{name}(...args)"


def call(target: Page | Frame | ElementHandle, function: str, *arguments: Any) -> Any:
    """Call a function in a page and return its result. In an element, the element is its first argument.

    Arguments and result are passed as one JSON text. Playwright would convert every value in them separately,
    which takes far longer than most of these functions do.
    """
    first_argument = "element, " if isinstance(target, ElementHandle) else ""
    parameters = "(element, text)" if first_argument else "text"
    result = target.evaluate(
        f"async {parameters} => JSON.stringify(await ({function})({first_argument}...JSON.parse(text)))",
        json.dumps(arguments),
    )
    return None if result is None else json.loads(result)
