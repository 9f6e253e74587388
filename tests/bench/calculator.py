"""Measures how long the calculator takes in Chromium from a keystroke until the page is laid out again.

`make bench` runs this. It builds the site, opens the calculator with BERT large, and types hundreds of sizes. The total
and the picture are updated at every keystroke, and everything else once typing pauses. The command exits with 1 if the
99th percentile misses its goal.
"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from macros.publish.paper.browser import advice, executable, flags
from tests.docs.building import build
from tests.docs.conftest import serving
from tests.docs.scripts import function_in

GOAL = 16
"""The goal in milliseconds: one frame at sixty frames per second."""

EDITS = 600
"""The number of sizes that are typed, large enough for several to take longer than the 99th percentile."""

QUERY = "?model=bert-large-uncased&class=BertForPreTraining"
"""The calculator's query string for BERT large, as the class with the most parts."""

READY_SELECTOR = "html[data-counting]"
"""A selector that matches once the calculator is ready."""

REACTION_TIMES = function_in("scripts.js", "reactionTimes")
"""The code of a function that types sizes and returns the milliseconds that each edit takes, in ascending order."""


def measure_edits(page: Page, edits: int = EDITS) -> list[float]:
    """Type sizes into an open calculator; return the milliseconds that each edit takes, in ascending order."""
    page.locator(READY_SELECTOR).wait_for(state="attached")
    times: list[float] = page.evaluate(REACTION_TIMES, edits)
    return times


def percentile(times: list[float], share: float) -> float:
    """The time that a share of the edits, such as 0.99, does not exceed. The times must be in ascending order."""
    return times[min(len(times) - 1, int(len(times) * share))]


def main() -> int:
    """Measure, print the times, and return 1 if the goal is missed."""
    path = executable()
    if path is None:
        sys.exit(advice())
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        process = build(site)
        if process.returncode:
            sys.exit(process.stderr)
        with serving(site) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=flags())
            times = type_sizes(browser, address)
            browser.close()
    slow_edit_time = percentile(times, 0.99)
    print(f"calculator, BERT large, {len(times)} edits: {summary(times)}; goal of p99 {GOAL} ms")
    return 0 if slow_edit_time <= GOAL else 1


def type_sizes(browser: Browser, address: str) -> list[float]:
    """Open the calculator in a desktop window and type sizes; return the milliseconds that each edit takes."""
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
