"""Terms, pieces of figures, rows, numbers and letters for the same tensors are highlighted together.

Pointing at one of them, focusing it or tapping it highlights the others.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.docs.conftest import Pages
from tests.docs.windows import LAYOUT, STOP_ANIMATIONS, go_to

HIGHLIGHTED_PARTS = """selector =>
  [...document.querySelectorAll(`${selector}.bc-lit, ${selector} .bc-lit`)].map(element =>
    element.getAttribute("data-part") ?? element.textContent)"""
"""Returns the paths of the tensors of each highlighted element that a selector matches or that is inside a match.

An element without tensors is represented by its text.
"""


@pytest.fixture(scope="module")
def attention_page(open_tab: Callable[..., Page]) -> Page:
    """The page about attention, at desktop width, on a device with a touch screen."""
    page = open_tab(has_touch=True)
    go_to(page, "parts/attention.html")
    page.locator(".bc-term[tabindex='0']").first.wait_for()
    page.evaluate(STOP_ANIMATIONS)
    page.locator(".bc-worked > .bc-more > summary").click()
    return page


def last_names(paths: list[str]) -> set[str]:
    """The last components of paths. A string may contain several paths, separated by spaces."""
    return {path.rpartition("/")[2] for path_list in paths for path in path_list.split()}


PROJECTIONS = {"query", "key", "value", "dense"}
"""The last components of the paths of the four projections."""

MATRIX_TERM = "ol.bc-steps li:first-child .bc-line-of-sum > .bc-term:first-child"
"""A selector for the term 768 × 768 in the worked sum, which is the matrix of each projection."""


@pytest.mark.parametrize("action", ["hover", "focus", "tap"])
def test_a_term_highlights_its_pieces_rows_and_letter(attention_page: Page, action: str) -> None:
    attention_page.mouse.move(0, 0)
    attention_page.evaluate("document.activeElement.blur()")
    assert [] == attention_page.evaluate(HIGHLIGHTED_PARTS, "article")
    layout_before = attention_page.evaluate(LAYOUT)
    getattr(attention_page.locator(MATRIX_TERM), action)()
    assert PROJECTIONS == last_names(attention_page.evaluate(HIGHLIGHTED_PARTS, "figure"))
    rows = attention_page.evaluate(HIGHLIGHTED_PARTS, "table")
    assert 4 == len(rows)
    assert {"kernel"} == last_names(rows)
    assert ["4·H2"] == attention_page.locator("#formula .bc-term.bc-lit").all_text_contents()
    assert attention_page.locator(".bc-where li.bc-lit[data-letter=H]").count() == 1
    assert layout_before == attention_page.evaluate(LAYOUT)


def test_a_piece_highlights_its_terms_and_rows(attention_page: Page) -> None:
    attention_page.locator("figure [data-part$='/self/key']").hover()
    assert {"kernel", "bias"} == last_names(attention_page.evaluate(HIGHLIGHTED_PARTS, "table"))
    highlighted_terms = attention_page.locator("ol.bc-steps .bc-term.bc-lit").all_inner_texts()
    assert {"768 × 768", "589,824", "768", "590,592", "4 × 590,592"} == set(highlighted_terms)


def test_a_row_highlights_its_term_and_piece(attention_page: Page) -> None:
    attention_page.mouse.move(0, 0)
    attention_page.locator("#tensors tbody tr").nth(2).locator("data").first.focus()
    assert {"key"} == last_names(attention_page.evaluate(HIGHLIGHTED_PARTS, "figure"))
    assert {"768 × 768", "589,824"} == set(attention_page.locator("ol.bc-steps .bc-term.bc-lit").all_inner_texts())


FORMULA_TERM = "#formula .bc-term"
"""A selector for the terms of the formula."""


@pytest.mark.parametrize("action", ["hover", "focus", "tap"])
def test_a_term_of_the_formula_highlights_its_tensors(attention_page: Page, action: str) -> None:
    for index, (term, tensor) in enumerate((("4·H2", "kernel"), ("4·H", "bias"))):
        attention_page.mouse.move(0, 0)
        attention_page.evaluate("document.activeElement.blur()")
        layout_before = attention_page.evaluate(LAYOUT)
        getattr(attention_page.locator(FORMULA_TERM).nth(index), action)()
        assert [term] == attention_page.locator(f"{FORMULA_TERM}.bc-lit").all_text_contents()
        assert PROJECTIONS == last_names(attention_page.evaluate(HIGHLIGHTED_PARTS, "figure"))
        rows = attention_page.evaluate(HIGHLIGHTED_PARTS, "table")
        assert (4, {tensor}) == (len(rows), last_names(rows))
        assert layout_before == attention_page.evaluate(LAYOUT)


def test_a_row_and_a_box_highlight_their_terms_of_the_formula(attention_page: Page) -> None:
    attention_page.mouse.move(0, 0)
    attention_page.locator("#tensors tbody tr").nth(3).locator("data").first.focus()
    assert ["4·H"] == attention_page.locator(f"{FORMULA_TERM}.bc-lit").all_text_contents()
    attention_page.evaluate("document.activeElement.blur()")
    attention_page.locator("figure [data-part$='/self/key']").hover()
    assert ["4·H2", "4·H"] == attention_page.locator(f"{FORMULA_TERM}.bc-lit").all_text_contents()


def test_the_arrow_keys_move_along_the_formula(attention_page: Page) -> None:
    """The Tab key stops only at the first term, so the arrow keys must reach the others."""
    assert ["0", "-1"] == [term.get_attribute("tabindex") for term in attention_page.locator(FORMULA_TERM).all()]
    attention_page.locator(FORMULA_TERM).first.focus()
    attention_page.keyboard.press("ArrowRight")
    assert ["4·H"] == attention_page.locator(f"{FORMULA_TERM}.bc-lit").all_text_contents()
    attention_page.keyboard.press("ArrowLeft")
    assert ["4·H2"] == attention_page.locator(f"{FORMULA_TERM}.bc-lit").all_text_contents()


HIGHLIGHTED_NUMBERS = "article p > data.bc-lit"
"""A selector for highlighted numbers in sentences."""


@pytest.mark.parametrize("action", ["hover", "focus", "tap"])
def test_a_number_in_the_text_highlights_what_it_counts(attention_page: Page, action: str) -> None:
    """The sentence is about the toy model with H = 4, whose matrix has H × H = 16 parameters and whose bias has 4."""
    for tensor, number in (("kernel", "16"), ("bias", "4")):
        attention_page.mouse.move(0, 0)
        attention_page.evaluate("document.activeElement.blur()")
        getattr(attention_page.locator(f"article p > data[data-paths$='/query/{tensor}']"), action)()
        assert {"query"} == last_names(attention_page.evaluate(HIGHLIGHTED_PARTS, "figure"))
        assert ["query"] == [path.split("/")[-2] for path in attention_page.evaluate(HIGHLIGHTED_PARTS, "table")]
        assert {tensor} == last_names(attention_page.evaluate(HIGHLIGHTED_PARTS, "table"))
        assert [number] == attention_page.locator(HIGHLIGHTED_NUMBERS).all_inner_texts()


def test_the_result_of_a_sum_highlights_the_numbers_that_count_the_same(attention_page: Page) -> None:
    """Sentences give four numbers for self-attention: in one layer and in all layers, of each model."""
    attention_page.mouse.move(0, 0)
    attention_page.locator("ol.bc-steps b.bc-term").last.focus()
    highlighted_numbers = attention_page.locator(HIGHLIGHTED_NUMBERS).all_inner_texts()
    # Source: BERT base and BERT large, with 12 and 24 layers, in macros/counting/data/recordings/transformers.json.gz.
    assert {"2,362,368", "4,198,400", "28,348,416", "100,761,600"} == set(highlighted_numbers)


def test_a_block_of_the_whole_model_highlights_its_rows_and_terms(open_tab: Callable[..., Page]) -> None:
    page = open_tab()
    page.goto("totals/base.html")
    page.locator(".bc-term[tabindex='0']").first.wait_for()
    page.locator("#base [data-part^='bert/embeddings']").first.hover()
    assert ["V·H", "P·H", "S·H", "3·H"] == page.locator(f"{FORMULA_TERM}.bc-lit").all_text_contents()
    assert ["bert/embeddings"] == page.evaluate(HIGHLIGHTED_PARTS, "#pre-training table")


@pytest.mark.parametrize("action", ["hover", "focus", "tap"])
@pytest.mark.parametrize(("model", "other", "total"), [("base", "large", "109482240"), ("large", "base", "335141888")])
def test_a_total_highlights_only_its_own_model(
    open_tab: Callable[..., Page], model: str, other: str, total: str, action: str
) -> None:
    page = open_tab(has_touch=True)
    page.goto("index.html")
    page.locator(".bc-term[tabindex='0'], #total-of-base data[role]").first.wait_for()
    for chosen_model in ("base", "large"):
        page.locator(f"#figure-where-{chosen_model}").check()
        page.evaluate("document.activeElement.blur()")
        page.mouse.move(0, 0)
        getattr(page.locator(f"#total-of-{model} data[value='{total}']"), action)()
        own_count, other_count = (page.locator(f".bc-first .bc-of-{name} .bc-lit").count() for name in (model, other))
        assert own_count > 0 == other_count


HIGHLIGHTED_LETTERS = """() => [...document.querySelectorAll("article .bc-lit")]
  .map(element => element.dataset.letter ?? element.textContent)"""
"""Returns the highlighted letters."""


def test_a_letter_highlights_no_other_letter(open_tab: Callable[..., Page]) -> None:
    page = open_tab()
    page.goto("parts/feed-forward.html")
    page.locator(".bc-term[tabindex='0']").first.wait_for()
    for letter in ("F", "H"):
        page.locator(f".bc-where li[data-letter={letter}]").hover()
        highlighted_letters = page.evaluate(HIGHLIGHTED_LETTERS)
        assert {letter} == set(highlighted_letters)
        assert len(highlighted_letters) > 3


PAGES_WITH_PIECES = (
    "attention",
    "attention-heads",
    "embeddings",
    "encoder-layer",
    "feed-forward",
    "heads",
    "layer-norm",
)
"""The pages about parts with figures whose pieces represent tensors."""


@pytest.mark.parametrize("name", PAGES_WITH_PIECES)
def test_some_piece_of_a_figure_represents_tensors_of_its_page(pages: Pages, name: str) -> None:
    """If no piece represented tensors that rows list, the figures and the table could not highlight each other."""
    page = pages[f"parts/{name}.html"]

    def paths(selector: str) -> list[str]:
        """The paths of the parts that the elements represent, with the same path for every layer."""
        part_paths = [path for tag in page.select(selector) for path in str(tag["data-part"]).split()]
        return [path.replace("layer_0", "layer_*") for path in part_paths]

    pieces = paths("figure [data-part]")
    assert pieces
    assert [piece for piece in pieces if any(f"{row}/".startswith(f"{piece}/") for row in paths("tr[data-part]"))]
