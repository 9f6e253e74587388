"""Terms of formulas and sums, pieces of figures, rows, numbers and letters for the same tensors light up together."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.docs.conftest import Pages
from tests.docs.windows import LAYOUT, STOP_ANIMATIONS, go_to

LIT_PARTS = """selector => [...document.querySelectorAll(`${selector}.bc-lit, ${selector} .bc-lit`)].map(element =>
  element.getAttribute("data-part") ?? element.textContent)"""
"""Returns the paths of the tensors of everything that is lit within an element, or its text if it has none."""


@pytest.fixture(scope="module")
def attention_page(tab: Callable[..., Page]) -> Page:
    """The page on attention, at desktop width, on a device with a touch screen."""
    page = tab(has_touch=True)
    go_to(page, "parts/attention.html")
    page.locator(".bc-term[tabindex='0']").first.wait_for()
    page.evaluate(STOP_ANIMATIONS)
    page.locator(".bc-worked > .bc-more > summary").click()
    return page


def last_names(paths: list[str]) -> set[str]:
    """The last components of paths."""
    return {path.rpartition("/")[2] for path_list in paths for path in path_list.split()}


PROJECTIONS = {"query", "key", "value", "dense"}
"""The last components of the paths of the four projections."""

MATRIX_TERM = "ol.bc-steps li:first-child .bc-line-of-sum > .bc-term:first-child"
"""The selector of the term 768 × 768 in the worked sum, the matrix of each projection."""


@pytest.mark.parametrize("action", ["hover", "focus", "tap"])
def test_a_term_lights_its_pieces_rows_and_letter(attention_page: Page, action: str) -> None:
    """It lights the four projections, their matrices, a term of the formula and the letter H, and nothing moves."""
    attention_page.mouse.move(0, 0)
    attention_page.evaluate("document.activeElement.blur()")
    assert [] == attention_page.evaluate(LIT_PARTS, "article")
    layout_before = attention_page.evaluate(LAYOUT)
    getattr(attention_page.locator(MATRIX_TERM), action)()
    assert PROJECTIONS == last_names(attention_page.evaluate(LIT_PARTS, "figure"))
    rows = attention_page.evaluate(LIT_PARTS, "table")
    assert 4 == len(rows)
    assert {"kernel"} == last_names(rows)
    assert ["4·H2"] == attention_page.locator("#formula .bc-term.bc-lit").all_text_contents()
    assert attention_page.locator(".bc-where li.bc-lit[data-letter=H]").count() == 1
    assert layout_before == attention_page.evaluate(LAYOUT)


def test_a_piece_lights_its_terms_and_rows(attention_page: Page) -> None:
    """A box of the figure lights the terms that count its projection and the rows of its tensors, not the total."""
    attention_page.locator("figure [data-part$='/self/key']").hover()
    assert {"kernel", "bias"} == last_names(attention_page.evaluate(LIT_PARTS, "table"))
    lit_terms = attention_page.locator("ol.bc-steps .bc-term.bc-lit").all_inner_texts()
    assert {"768 × 768", "589,824", "768", "590,592", "4 × 590,592"} == set(lit_terms)


def test_a_row_lights_its_term_and_piece(attention_page: Page) -> None:
    """A row of the table lights the terms that count its tensor, and the box of its projection."""
    attention_page.mouse.move(0, 0)
    attention_page.locator("#tensors tbody tr").nth(2).locator("data").first.focus()
    assert {"key"} == last_names(attention_page.evaluate(LIT_PARTS, "figure"))
    assert {"768 × 768", "589,824"} == set(attention_page.locator("ol.bc-steps .bc-term.bc-lit").all_inner_texts())


FORMULA_TERM = "#formula .bc-term"
"""The selector of the terms of the formula."""


@pytest.mark.parametrize("action", ["hover", "focus", "tap"])
def test_a_term_of_the_formula_lights_its_tensors(attention_page: Page, action: str) -> None:
    """In 4·H² + 4·H, the first term lights the four matrices wherever they are on the page, the second the biases."""
    for index, (term, tensor) in enumerate((("4·H2", "kernel"), ("4·H", "bias"))):
        attention_page.mouse.move(0, 0)
        attention_page.evaluate("document.activeElement.blur()")
        layout_before = attention_page.evaluate(LAYOUT)
        getattr(attention_page.locator(FORMULA_TERM).nth(index), action)()
        assert [term] == attention_page.locator(f"{FORMULA_TERM}.bc-lit").all_text_contents()
        assert PROJECTIONS == last_names(attention_page.evaluate(LIT_PARTS, "figure"))
        rows = attention_page.evaluate(LIT_PARTS, "table")
        assert (4, {tensor}) == (len(rows), last_names(rows))
        assert layout_before == attention_page.evaluate(LAYOUT)


def test_a_row_and_a_box_light_their_terms_of_the_formula(attention_page: Page) -> None:
    """The row of a bias lights only the term 4·H; the box of a whole projection lights both terms."""
    attention_page.mouse.move(0, 0)
    attention_page.locator("#tensors tbody tr").nth(3).locator("data").first.focus()
    assert ["4·H"] == attention_page.locator(f"{FORMULA_TERM}.bc-lit").all_text_contents()
    attention_page.evaluate("document.activeElement.blur()")
    attention_page.locator("figure [data-part$='/self/key']").hover()
    assert ["4·H2", "4·H"] == attention_page.locator(f"{FORMULA_TERM}.bc-lit").all_text_contents()


def test_the_arrow_keys_move_along_the_formula(attention_page: Page) -> None:
    """The tab key stops at its first term only; the arrow keys reach the others, and each lights itself."""
    assert ["0", "-1"] == [term.get_attribute("tabindex") for term in attention_page.locator(FORMULA_TERM).all()]
    attention_page.locator(FORMULA_TERM).first.focus()
    attention_page.keyboard.press("ArrowRight")
    assert ["4·H"] == attention_page.locator(f"{FORMULA_TERM}.bc-lit").all_text_contents()
    attention_page.keyboard.press("ArrowLeft")
    assert ["4·H2"] == attention_page.locator(f"{FORMULA_TERM}.bc-lit").all_text_contents()


LIT_NUMBERS = "article p > data.bc-lit"
"""The selector of numbers in sentences that are lit."""


@pytest.mark.parametrize("action", ["hover", "focus", "tap"])
def test_a_number_in_the_text_lights_what_it_counts(attention_page: Page, action: str) -> None:
    """The number of a matrix or of a bias lights the box of its projection and its own row, and no other.

    The sentence is about the toy model with H = 4, whose matrix has H × H = 16 parameters and whose bias has 4.
    """
    for tensor, number in (("kernel", "16"), ("bias", "4")):
        attention_page.mouse.move(0, 0)
        attention_page.evaluate("document.activeElement.blur()")
        getattr(attention_page.locator(f"article p > data[data-paths$='/query/{tensor}']"), action)()
        assert {"query"} == last_names(attention_page.evaluate(LIT_PARTS, "figure"))
        assert ["query"] == [path.split("/")[-2] for path in attention_page.evaluate(LIT_PARTS, "table")]
        assert {tensor} == last_names(attention_page.evaluate(LIT_PARTS, "table"))
        assert [number] == attention_page.locator(LIT_NUMBERS).all_inner_texts()


def test_the_result_of_a_sum_lights_the_numbers_that_count_the_same(attention_page: Page) -> None:
    """It lights those of self-attention in sentences, in one layer or in all, of either model.

    It does not light the number of the whole model or of one projection.
    """
    attention_page.mouse.move(0, 0)
    attention_page.locator("ol.bc-steps b.bc-term").last.focus()
    lit_numbers = attention_page.locator(LIT_NUMBERS).all_inner_texts()
    # Source: BERT base and BERT large in transformers, 12 and 24 layers; see tests/counting for the recordings.
    assert {"2,362,368", "4,198,400", "28,348,416", "100,761,600"} == set(lit_numbers)


def test_a_block_of_the_whole_model_lights_its_rows_and_terms(tab: Callable[..., Page]) -> None:
    """On the page of totals, the block of the embeddings lights their row, and their terms of the formula."""
    page = tab()
    page.goto("totals/base.html")
    page.locator(".bc-term[tabindex='0']").first.wait_for()
    page.locator("#base [data-part^='bert/embeddings']").first.hover()
    assert ["V·H", "P·H", "S·H", "3·H"] == page.locator(f"{FORMULA_TERM}.bc-lit").all_text_contents()
    assert ["bert/embeddings"] == page.evaluate(LIT_PARTS, "#pre-training table")


@pytest.mark.parametrize("action", ["hover", "focus", "tap"])
@pytest.mark.parametrize(("model", "other", "total"), [("base", "large", "109482240"), ("large", "base", "335141888")])
def test_a_number_leaves_the_picture_of_the_other_model_dark(
    tab: Callable[..., Page], model: str, other: str, total: str, action: str
) -> None:
    """On the first page, a total lights the picture and the sum of its own model, whichever model is chosen."""
    page = tab(has_touch=True)
    page.goto("index.html")
    page.locator(".bc-term[tabindex='0'], #total-of-base data[role]").first.wait_for()
    for chosen_model in ("base", "large"):
        page.locator(f"#figure-where-{chosen_model}").check()
        page.evaluate("document.activeElement.blur()")
        page.mouse.move(0, 0)
        getattr(page.locator(f"#total-of-{model} data[value='{total}']"), action)()
        lit, dark = (page.locator(f".bc-first .bc-of-{name} .bc-lit").count() for name in (model, other))
        assert lit > 0 == dark


LIT_LETTERS = """() => [...document.querySelectorAll("article .bc-lit")]
  .map(element => element.dataset.letter ?? element.textContent)"""
"""Returns the letters that are lit."""


def test_a_letter_lights_no_other(tab: Callable[..., Page]) -> None:
    """Each of the two sizes of a feed-forward network lights itself wherever it is on the page, and nothing else."""
    page = tab()
    page.goto("parts/feed-forward.html")
    page.locator(".bc-term[tabindex='0']").first.wait_for()
    for letter in ("F", "H"):
        page.locator(f".bc-where li[data-letter={letter}]").hover()
        lit_letters = page.evaluate(LIT_LETTERS)
        assert {letter} == set(lit_letters)
        assert len(lit_letters) > 3


PAGES_WITH_PIECES = (
    "attention",
    "attention-heads",
    "embeddings",
    "encoder-layer",
    "feed-forward",
    "heads",
    "layer-norm",
)
"""The pages of parts with figures whose pieces stand for tensors."""


@pytest.mark.parametrize("name", PAGES_WITH_PIECES)
def test_some_piece_of_a_figure_counts_rows_of_its_page(pages: Pages, name: str) -> None:
    """Otherwise nothing would light up between the figures and the table of tensors."""
    page = pages[f"parts/{name}.html"]

    def paths(selector: str) -> list[str]:
        """The paths of the parts that these elements stand for, with one path for a layer and its like."""
        part_paths = [path for tag in page.select(selector) for path in str(tag["data-part"]).split()]
        return [path.replace("layer_0", "layer_*") for path in part_paths]

    pieces = paths("figure [data-part]")
    assert pieces
    assert [piece for piece in pieces if any(f"{row}/".startswith(f"{piece}/") for row in paths("tr[data-part]"))]
