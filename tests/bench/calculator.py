"""Measures how long the calculator takes in Chromium from a keystroke until the page is laid out again.

`make bench` runs this. It builds the site, opens the calculator with BERT large, and types
hundreds of sizes. The total and the picture follow every keystroke, and everything else
follows once typing pauses. It exits with 1 if the 99th percentile misses its goal.
"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from macros.publish.paper.browser import advice, executable, flags
from tests.docs.building import build
from tests.docs.conftest import serving
from tests.docs.scripts import measure

GOAL = 16
"""Milliseconds: one frame of a screen that shows sixty frames per second."""

EDITS = 600
"""The number of sizes that are typed, so that six of them are above the 99th percentile."""

QUERY = "?model=bert-large-uncased&class=BertForPreTraining"
"""The query string of the calculator for the largest model, in the class with most parts."""

READY = "html[data-counting]"
"""The selector of a calculator that is ready."""

TIMES_TO_TYPE = measure("scripts.js", "timesToType")
"""Types sizes; returns the milliseconds that each edit takes, the shortest first."""


def measure_edits(page: Page, edits: int = EDITS) -> list[float]:
    """The milliseconds that each edit takes, the shortest first."""
    page.locator(READY).wait_for(state="attached")
    times: list[float] = page.evaluate(TIMES_TO_TYPE, edits)
    return times


def percentile(times: list[float], share: float) -> float:
    """The time that a share of the edits, such as 0.99, does not exceed. The times must be sorted."""
    return times[min(len(times) - 1, int(len(times) * share))]


def main() -> int:
    """Measure, print the times, and return 1 if the goal is missed."""
    path = executable()
    if path is None:
        sys.exit(advice())
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        result = build(site)
        if result.returncode:
            sys.exit(result.stderr)
        with serving(site) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=flags())
            times = type_sizes(browser, address)
            browser.close()
    slow_edit = percentile(times, 0.99)
    print(f"calculator, BERT large, {len(times)} edits: {summary(times)}; goal of p99 {GOAL} ms")
    return 0 if slow_edit <= GOAL else 1


def type_sizes(browser: Browser, address: str) -> list[float]:
    """Type into the calculator in a desktop window; return the milliseconds that each edit takes."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{address}/try/calculator.html{QUERY}")
    times = measure_edits(page)
    page.close()
    return times


def summary(times: list[float]) -> str:
    """The median and the 99th percentile, as text."""
    return f"p50 {percentile(times, 0.5):.1f} ms, p99 {percentile(times, 0.99):.1f} ms"


if __name__ == "__main__":
    sys.exit(main())
