"""An address opens the folds around what it names."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.docs.windows import go_to

TARGETS = {
    "teach/linking.html#moodle": "the fold itself",
    "parts/attention.html#tensors": "a table in a fold",
    "disagreements/mistakes.html#norm-by-position": "a row of a table in a fold",
    "listings/index.html#keras-bert-summary-large": "something in a fold with folds of its own",
    "parts/heads.html#task-heads": "one of several folds of which one is open",
}


@pytest.mark.parametrize("place", TARGETS, ids=TARGETS.values())
def test_what_an_address_names_is_shown(tab: Callable[..., Page], place: str) -> None:
    """The element that an address names is in the window, and if it is a fold, it is open."""
    page = tab()
    go_to(page, place)
    target = page.locator(":target")
    expect(target).to_be_in_viewport()
    assert target.evaluate("each => each.closest('details').open")


def test_a_link_opens_a_fold_again(tab: Callable[..., Page]) -> None:
    """A link on the page opens a fold that the reader has closed."""
    page = tab()
    go_to(page, "teach/lesson.html#step-guess")
    summary = page.locator("#step-guess > summary")
    summary.click()
    expect(page.locator("#step-guess")).not_to_have_attribute("open", "")
    page.locator("#lesson-hour a", has_text="Embeddings").click()
    expect(page.locator("#step-embeddings")).to_have_attribute("open", "")
    expect(page.locator("#step-embeddings > summary")).to_be_in_viewport()
