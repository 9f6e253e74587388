"""Imports the modules of the site into a page, and calls their functions."""

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import ElementHandle, Frame, Page

I_GOT = "disagreements/i-got.html"


def with_scripts(page: Page, address: str) -> None:
    """Open the page that explains numbers, and import the modules."""
    page.goto(f"{address}/{I_GOT}")
    import_modules(page)


def import_modules(page: Page, top: str = "") -> None:
    """Import the modules under the names that the page itself uses; those of the calculator need its page.

    Args:
        page: the page.
        top: the address of the folder of scripts; by default, the folder that the page itself uses.
    """
    default_top = "new URL('..', document.querySelector('script[type=module]').src).href"
    page.evaluate(measure("scripts.js", "importModules"), top or page.evaluate(default_top))


def measure(file: str, name: str) -> str:
    """The source of a function with this name in a script of this folder, for Playwright's `evaluate`."""
    return f"(...args) => ({Path(__file__).with_name(file).read_text(encoding='utf-8')}).{name}(...args)"


def call(target: Page | Frame | ElementHandle, function: str, *arguments: Any) -> Any:
    """Call a function in a page and return its result. In an element, the element is its first argument.

    Arguments and result travel as one JSON text, because Playwright would pack every value by itself,
    which takes many times as long as most functions run.
    """
    first_argument = "element, " if isinstance(target, ElementHandle) else ""
    parameters = "(element, text)" if first_argument else "text"
    result = target.evaluate(
        f"async {parameters} => JSON.stringify(await ({function})({first_argument}...JSON.parse(text)))",
        json.dumps(arguments),
    )
    return None if result is None else json.loads(result)
