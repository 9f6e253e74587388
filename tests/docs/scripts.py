"""Makes the site's modules available to tests in a browser, and calls functions there."""

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import ElementHandle, Frame, Page

I_GOT = "disagreements/i-got.html"
"""The path of the page that explains how a reader may have arrived at a number."""


def open_with_modules(page: Page, address: str) -> None:
    """Open the page that explains numbers, and import its modules."""
    page.goto(f"{address}/{I_GOT}")
    import_modules(page)


def import_modules(page: Page, top: str = "") -> None:
    """Import the site's modules into the object `bertCounted` of a page.

    Args:
        page: a page that is open. Some modules of the calculator are imported only on the calculator's page.
        top: the address of the folder with the scripts; by default, the one that the page itself uses.
    """
    default_top = "new URL('..', document.querySelector('script[type=module]').src).href"
    page.evaluate(function_in("scripts.js", "importModules"), top or page.evaluate(default_top))


def function_in(file: str, name: str) -> str:
    """The JavaScript of a function, for Playwright's `evaluate`.

    Args:
        file: a script in this folder that consists of an object with functions.
        name: the name of one of these functions.
    """
    return f"(...args) => ({Path(__file__).with_name(file).read_text(encoding='utf-8')}).{name}(...args)"


def call_all(page: Page, file: str, *names: str) -> dict[str, Any]:
    """The results of functions in `file`, in the order of their names, from one round trip to the browser.

    Each function is called without arguments, after the one before it has finished. `file` is as in `function_in`.
    """
    functions = Path(__file__).with_name(file).read_text(encoding="utf-8")
    results: dict[str, Any] = page.evaluate(
        f"""async names => {{
          const [functions, results] = [{functions}, {{}}]
          for (const name of names) results[name] = await functions[name]()
          return results
        }}""",
        names,
    )
    return results


def call(target: Page | Frame | ElementHandle, function: str, *arguments: Any) -> Any:
    """Call a JavaScript function in a page and return its result.

    If `target` is an element, it is the function's first argument. The other arguments and the result are passed as
    JSON, because Playwright would convert every value in them separately, which takes far longer than most of these
    functions do.
    """
    first_argument = "element, " if isinstance(target, ElementHandle) else ""
    parameters = "(element, text)" if first_argument else "text"
    result = target.evaluate(
        f"async {parameters} => JSON.stringify(await ({function})({first_argument}...JSON.parse(text)))",
        json.dumps(arguments),
    )
    return None if result is None else json.loads(result)
