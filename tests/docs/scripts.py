"""Modules of the site, imported into a page of it."""

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import ElementHandle, Frame, Page

I_GOT = "disagreements/i-got.html"

IMPORTED = """async top => {
  const load = path => import(new URL(path, top))
  const named = async paths => Object.fromEntries(
    await Promise.all(Object.entries(paths).map(async ([name, path]) => [name, await load(path)])))
  const inCalculator = document.querySelector("#calculator") && {
    ...(await named({
      form: "calculator/form.js", exports: "calculator/export.js",
      tables: "calculator/tables.js" })),
  }
  window.bertCounted = {
    ...(await named({
      engine: "counting/engine.js", configuration: "counting/configuration.js",
      changes: "counting/changes.js", ways: "explaining/ways.js", known: "explaining/known-numbers.js",
      working: "answering/working.js", answer: "answering/answer.js",
      judge: "exercises/judge.js", live: "calculator/live.js" })),
    calculator: { ...(await load("calculator/state.js")), ...inCalculator },
    ...Object.assign({}, ...(await Promise.all([
      "counting/bridge.js", "explaining/read.js", "explaining/readings.js", "explaining/arithmetic.js",
      "explaining/explain.js",
      "answering/waterfall.js", "exercises/exercise.js", "calculator/export.js",
    ].map(load)))),
  }
}"""
"""Modules by name, and what some export; those of the calculator need its page."""


def with_scripts(page: Page, address: str) -> None:
    """Open the page that explains numbers, and import modules."""
    page.goto(f"{address}/{I_GOT}")
    import_modules(page)


def import_modules(page: Page, top: str = "") -> None:
    """Import modules for functions that run in the page, the same that it has itself.

    Args:
        page: the page.
        top: where the folder of the scripts is; that of the page's own.
    """
    page.evaluate(
        IMPORTED, top or page.evaluate("new URL('..', document.querySelector('script[type=module]').src).href")
    )


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
