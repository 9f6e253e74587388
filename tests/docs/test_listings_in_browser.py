"""Readers can copy, filter, fold and print listings in a browser, and the checks on pages notice faults."""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page

from macros.rendering.listings import lines_of
from tests.docs.conftest import serving
from tests.docs.windows import WIDTHS, go_to, open_page, overflow, violations

OpenTab = Callable[..., Page]

LISTINGS = [
    ("transformers", "#bert-model-large", "transformers", "bert-large-uncased"),
    ("index", "#keras-bert-summary-notebook", "keras-bert", "keras-bert-notebook"),
    ("index", "#bert4keras-layers-chinese-large", "bert4keras", "bert-large-chinese"),
    ("transformers", "#ledger-base", "ledger", "bert-base-uncased"),
]
"""Listings, each with its page, its selector, the library that prints it, and the model."""


def test_a_listing_is_copied_in_full(desktop: Page) -> None:
    for name, listing, framework, model in LISTINGS:
        desktop.goto(f"listings/{name}.html{listing}")
        desktop.locator(f"{listing} .bc-listing-foot button", has_text="Copy as text").click()
        desktop.locator(f"{listing} [role=status]", has_text="Copied").wait_for()
        text = desktop.evaluate("navigator.clipboard.readText()")
        assert "".join(f"{line.text}\n" for line in lines_of(framework, model)) == text, name
    desktop.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')) }")
    _, last_listing, _, _ = LISTINGS[-1]
    desktop.locator(f"{last_listing} .bc-listing-foot button", has_text="Copy as text").click()
    desktop.locator(f"{last_listing} [role=status]", has_text="Your browser does not allow copying").wait_for()


# Texts to type, each with the only row that then remains. Source: names and shapes as transformers 5.23, TensorFlow and
# the Keras libraries print them.
ROWS_BY_TEXT = {
    "bert.encoder.layer.3.attention.self.query.weight": "bert/encoder/layer_*/attention/self/query/kernel",
    "bert/embeddings/LayerNorm/gamma:0": "bert/embeddings/LayerNorm/gamma",
    "Encoder-3-FeedForward/Encoder-3-FeedForward_W1": "bert/encoder/layer_*/intermediate/dense/kernel",
    "Transformer-0-MultiHeadSelfAttention/dense_2/kernel:0": "bert/encoder/layer_*/attention/self/value/kernel",
    "torch.Size([512, 1024])": "bert/embeddings/position_embeddings",
    "30,522 × 768": "bert/embeddings/word_embeddings",
    "relationship bias": "cls/seq_relationship/output_bias",
}


def test_names_can_be_filtered_by_texts_from_print_outs(desktop: Page) -> None:
    desktop.goto("listings/index.html")
    for text, row in ROWS_BY_TEXT.items():
        desktop.fill("#names-text", text)
        assert [row] == desktop.locator("#names tbody th:visible").all_inner_texts(), text
        assert "1 of 30 rows" == desktop.locator("#names-filter output").inner_text()
    desktop.keyboard.press("Tab")
    desktop.reload()  # the last text stays in the field
    assert ["cls/seq_relationship/output_bias"] == desktop.locator("#names tbody th:visible").all_inner_texts()
    desktop.fill("#names-text", "(7, 7)")
    assert "No tensor matches “(7, 7)”." == desktop.locator("#names-filter output").inner_text()


def test_a_fold_of_the_ledger_has_the_headings_of_its_columns(desktop: Page) -> None:
    """In a fold further down, headings at the top of the ledger would be out of sight."""
    desktop.goto("listings/transformers.html")
    headings = desktop.locator("#ledger-base .bc-heads").first.inner_text()
    assert ["tensor", "shape", "formula", "elements", "sum so far"] == re.split(" {2,}|(?<=formula) ", headings)


def test_without_a_clipboard_nothing_offers_to_copy(open_tab: OpenTab) -> None:
    """A page from an insecure origin has no clipboard."""
    page = open_tab(locale="en")
    page.add_init_script("delete Navigator.prototype.clipboard")
    page.goto("listings/transformers.html")
    foot = page.locator("#bert-model-base .bc-listing-foot")
    foot.locator("button", has_text="Expand all").wait_for()
    assert ["Expand all"] == foot.locator("button:visible").all_inner_texts()


def test_a_listing_unfolds_and_folds(desktop: Page) -> None:
    desktop.goto("listings/transformers.html")
    base_listing, large_listing = desktop.locator("#bert-model-base"), desktop.locator("#bert-model-large")
    folds, open_folds = base_listing.locator("details"), base_listing.locator("details[open]")
    assert (4, 0) == (folds.count(), open_folds.count())  # embeddings, the first layer, all other layers, pooler
    base_listing.locator("button", has_text="Expand all").click()
    assert 4 == open_folds.count()
    assert 0 == large_listing.locator("details[open]").count()
    base_listing.locator("button", has_text="Fold all").click()
    assert 0 == open_folds.count()
    folds.evaluate_all("folds => folds.forEach(fold => fold.querySelector('summary').click())")
    base_listing.locator("button", has_text="Fold all").wait_for()  # the label depends on whether the folds are open
    # A browser opens folds for a text in the fragment of an address as it does in a search.
    parameter = "encoder.layer.23.output.LayerNorm.bias"
    desktop.goto("about:blank")
    desktop.goto(f"listings/transformers.html#:~:text={parameter}")
    large_listing.locator("details[open]", has_text=parameter).wait_for()


def test_printing_unfolds_everything_even_without_scripts(desktop: Page, scriptless_tab: Page) -> None:
    for page in (desktop, scriptless_tab):
        page.goto("listings/transformers.html", wait_until="networkidle")
        last_block = page.locator("#bert-model-large pre").last
        assert not last_block.is_visible()
        page.emulate_media(media="print")
        last_block.wait_for(state="visible")
        page.emulate_media(media="screen")


SMALLER_SIDES = """elements => elements.map(element => {
  const { width, height } = element.getBoundingClientRect()
  return Math.min(width, height)
})"""
"""Returns the width or height of each element, whichever is smaller."""


def test_links_and_buttons_are_large_enough_to_touch(open_tab: OpenTab) -> None:
    """WCAG 2.2 requires at least 24 by 24 pixels."""
    page = open_tab(viewport=WIDTHS["phone"])
    for name in ("listings/transformers.html", "teach/downloads.html"):
        go_to(page, name)
        targets = page.locator(":is(.bc-listing-foot :is(a, button), .bc-files a)")
        sides = targets.evaluate_all(SMALLER_SIDES)
        assert sides
        assert not [side for side in sides if side < 24]


BAD_PAGES = {
    "<script>console.error('oh')</script>": "oh",
    "<script>throw new Error('oh')</script>": "oh",
    "<img src='https://example.org/a.png' alt=''>": "example.org",
    "<img src='missing.png' alt=''>": "404",
    "<div style='width: 3000px'>wide</div>": "wider than the window",
    "<html lang=en><title>a</title><main><h1>a</h1><p style='color:#ccc; background: #fff'>pale</p>": "color-contrast",
}
"""Pages with a fault, each with a part of the message about it."""


def test_faults_of_pages_are_noticed(desktop: Page, tmp_path: Path) -> None:
    with serving(tmp_path) as address:
        for index, (html, words) in enumerate(BAD_PAGES.items()):
            path = tmp_path / f"{index}.html"  # a different name each time, so that the browser does not use its cache
            path.write_text(f"<!doctype html>{html}")
            faults = open_page(desktop, f"{address}/{path.name}") + overflow(desktop) + violations(desktop)
            assert any(words in fault for fault in faults), html
