"""An address with a fragment opens the folds around the element that the fragment identifies."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.docs.windows import go_to

TARGETS = {
    "teach/linking.html#moodle": "the fold itself",
    "parts/attention.html#tensors": "a table in a fold",
    "disagreements/mistakes.html#norm-by-position": "a row of a table in a fold",
    "listings/index.html#keras-bert-summary-large": "an element in a fold with inner folds",
    "parts/heads.html#task-heads": "one of several folds, of which one is open",
}
"""Addresses, each with a description of its target."""


@pytest.mark.parametrize("target_address", TARGETS, ids=TARGETS.values())
def test_the_target_of_an_address_is_visible(open_tab: Callable[..., Page], target_address: str) -> None:
    page = open_tab()
    go_to(page, target_address)
    target = page.locator(":target")
    expect(target).to_be_in_viewport()
    assert target.evaluate("element => element.closest('details').open")


def test_a_link_within_the_page_opens_a_fold(open_tab: Callable[..., Page]) -> None:
    """The link works even if the page was opened at a different fold, which the reader has closed."""
    page = open_tab()
    go_to(page, "teach/lesson.html#step-guess")
    summary = page.locator("#step-guess > summary")
    summary.click()
    expect(page.locator("#step-guess")).not_to_have_attribute("open", "")
    page.locator("#lesson-hour a", has_text="Embeddings").click()
    expect(page.locator("#step-embeddings")).to_have_attribute("open", "")
    expect(page.locator("#step-embeddings > summary")).to_be_in_viewport()
