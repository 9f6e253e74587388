"""In the folds where readers try other sizes for a part, the formula, figure, total and link follow the sliders."""

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.docs.windows import faults_in_windows, go_to

NUMBER_FIELD = "[type=text]"
SLIDER = "[type=range]"
LETTERS_OF = "(elements) => elements.map(({ dataset }) => dataset.letter)"
"""Returns the letters of elements."""

PIECES_OF_FIGURE = """(fold) => [...fold.querySelectorAll("figure g")].map(({ dataset, firstElementChild }) => [
  firstElementChild.textContent, Number(dataset.value), dataset.part])"""
"""Returns the title, number and path of each piece of the figure in a fold."""


def open_at_sum(page: Page, address: str, name: str = "sizes") -> None:
    """Open a page at the sum of a part, which opens the folds around the sum, and open the fold with the sliders."""
    page.goto("about:blank")  # a browser does not reload a page if only the fragment of its address changes
    go_to(page, f"{address}#{name.removesuffix('sizes')}worked")
    page.locator(f"#{name} > summary").click()
    page.locator(f"#{name} {SLIDER}").first.wait_for()


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("parts/embeddings.html", "sizes"),
        ("parts/attention.html", "sizes"),
        ("parts/feed-forward.html", "sizes"),
        ("parts/encoder-layer.html", "sizes"),
        ("parts/layer-norm.html", "sizes"),
        ("parts/heads.html", "pooler-sizes"),
        ("parts/heads.html", "masked-lm-sizes"),
        ("parts/heads.html", "next-sentence-sizes"),
        ("parts/heads.html", "sequence-classifier-sizes"),
        ("totals/base.html", "sizes"),
    ],
)
def test_every_fold_starts_from_the_result_on_its_page(desktop: Page, path: str, name: str) -> None:
    open_at_sum(desktop, path, name)
    prefix = name.removesuffix("sizes")
    result = desktop.locator(f"#{prefix}worked + ol.bc-steps .bc-term").last.inner_text()
    fold = desktop.locator(f"#{name}")
    model_or_part = "BERT base" if path == "totals/base.html" else "the same part of BERT base"
    expect(fold.locator(".bc-delta")).to_have_text(f"{result} parameters, as many as in {model_or_part}.")
    assert result == fold.locator(".bc-steps .bc-term").last.inner_text()
    assert int(result.replace(",", "")) == sum(value for _, value, _ in fold.evaluate(PIECES_OF_FIGURE))
    letters = desktop.locator(f"#{prefix}formula .bc-where li").evaluate_all(LETTERS_OF)
    assert letters == fold.locator(".bc-slid").evaluate_all(LETTERS_OF)


def test_everything_follows_the_slider(desktop: Page) -> None:
    open_at_sum(desktop, "parts/attention.html")
    fold = desktop.locator("#sizes")
    fold.locator(SLIDER).fill("1024")
    # Source: one layer of BERT large in macros/counting/data/recordings/transformers.json.gz.
    expect(fold.locator(".bc-steps")).to_contain_text("4·1,024² + 4·1,024 = 4,198,400")
    assert "1,024" == fold.locator(NUMBER_FIELD).input_value()
    assert [1_049_600] * 4 == [value for _, value, _ in fold.evaluate(PIECES_OF_FIGURE)]
    expect(fold.locator("[role=status]")).to_have_text(
        "4,198,400 parameters, 1,836,032 more than in the same part of BERT base."
    )
    query = parse_qs(urlsplit(fold.locator("a").get_attribute("href") or "").query)
    assert {"model": ["bert-base-uncased"], "class": ["BertModel"], "H": ["1024"]} == query
    fold.get_by_role("button", name="Back to BERT base").click()
    assert ("768", "768") == (fold.locator(NUMBER_FIELD).input_value(), fold.locator(SLIDER).input_value())
    expect(fold.locator(".bc-steps")).to_contain_text("= 2,362,368")


def test_an_arrow_key_moves_a_slider(desktop: Page) -> None:
    open_at_sum(desktop, "parts/layer-norm.html")
    fold = desktop.locator("#sizes")
    fold.locator("[data-letter=L] [type=range]").press("ArrowRight")
    # The embeddings have 2 × 768, and each of 13 layers has twice as many.
    expect(fold.locator(".bc-steps")).to_contain_text("4·13·768 + 2·768 = 41,472")
    assert "13" == fold.locator("[data-letter=L] [type=range]").get_attribute("aria-valuetext")


REFUSALS = {
    **dict.fromkeys(("many", "0", "1.5"), "H must be a whole number above zero, such as 768."),
    "99,999,999": "With these sizes, the total is too large to be counted exactly here.",
}
"""Texts that are no size or too large, each with the reason for which it is refused."""


def test_a_size_that_cannot_be_counted_is_refused_with_a_reason(desktop: Page) -> None:
    """The last result stays until a size can be counted again."""
    open_at_sum(desktop, "parts/attention.html")
    fold = desktop.locator("#sizes")
    for text, reason in REFUSALS.items():
        fold.locator(NUMBER_FIELD).fill("768")
        fold.locator(NUMBER_FIELD).fill(text)
        expect(fold.locator("[role=alert]")).to_have_text(reason)
        expect(fold.locator(".bc-steps")).to_contain_text("= 2,362,368")
        fold.locator(NUMBER_FIELD).fill("64")
        expect(fold.locator("[role=alert]")).to_be_empty()
        expect(fold.locator(".bc-steps")).to_contain_text("= 16,640")  # 4 × (64 × 64 + 64)


LABEL_COLOURS = "(text) => [getComputedStyle(text).fill, getComputedStyle(text).stroke]"
"""Returns the fill and outline colours of a label."""


def test_the_fold_and_the_page_highlight_each_other(desktop: Page) -> None:
    open_at_sum(desktop, "parts/attention.html")
    desktop.locator(".bc-worked > .bc-more > summary").click()
    piece = desktop.locator("#sizes figure g[data-part*='/self/key']")
    piece.hover()
    # On the yellow of highlighted pieces, letters are dark and have no outline.
    assert ("rgb(28, 37, 48)", "none") == tuple(piece.locator("text").evaluate(LABEL_COLOURS))
    rows = desktop.locator("#tensors tr.bc-lit").evaluate_all("rows => rows.map(row => row.dataset.part)")
    assert ["bert/encoder/layer_*/attention/self/key/kernel", "bert/encoder/layer_*/attention/self/key/bias"] == [
        row.replace("layer_0", "layer_*") for row in rows
    ]
    desktop.locator("#tensors tbody tr").nth(3).hover()
    assert ["4·768"] == desktop.locator("#sizes .bc-steps .bc-term.bc-lit").all_inner_texts()


def test_the_fold_is_accessible(desktop: Page) -> None:
    open_at_sum(desktop, "totals/base.html")
    assert [] == faults_in_windows(desktop, "#sizes")


def test_the_engine_is_not_fetched_before_the_fold_is_opened(desktop: Page) -> None:
    urls: list[str] = []
    desktop.on("request", lambda request: urls.append(request.url))
    go_to(desktop, "parts/attention.html")
    desktop.wait_for_load_state("networkidle")
    assert [] == [url for url in urls if "trying-sizes" in url or url.endswith("data/table.js")]
    desktop.locator("#sizes > summary").click()
    desktop.locator(f"#sizes {SLIDER}").first.wait_for()
    assert [url for url in urls if "trying-sizes" in url]
