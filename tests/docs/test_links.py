"""Terms of formulas and sums, pieces of figures, rows, numbers and letters that belong together light up together."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.docs.conftest import Pages
from tests.docs.windows import LAYOUT, STILL, go_to

LIT = """(place) => [...document.querySelectorAll(`${place}.bc-lit, ${place} .bc-lit`)].map((each) =>
  each.getAttribute("data-part") ?? each.textContent)"""


@pytest.fixture(scope="module")
def desktop(tab: Callable[..., Page]) -> Page:
    """The page on attention, at desktop width and with touch."""
    page = tab(has_touch=True)
    go_to(page, "parts/attention.html")
    page.locator(".bc-term[tabindex='0']").first.wait_for()
    page.evaluate(STILL)
    page.locator(".bc-worked > .bc-more > summary").click()
    return page


def last_names(paths: list[str]) -> set[str]:
    """The last components of paths."""
    return {path.rpartition("/")[2] for path_list in paths for path in path_list.split()}


ALL_FOUR = {"query", "key", "value", "dense"}
PRODUCT = "ol.bc-steps li:first-child .bc-line-of-sum > .bc-term:first-child"
"""The term 768 × 768, the matrix of each of the four."""


@pytest.mark.parametrize("way", ["hover", "focus", "tap"])
def test_a_term_lights_its_pieces_rows_and_letter(desktop: Page, way: str) -> None:
    """By pointer, keyboard or tap a term lights what belongs to it, and nothing moves."""
    desktop.mouse.move(0, 0)
    desktop.evaluate("document.activeElement.blur()")
    assert [] == desktop.evaluate(LIT, "article")
    layout_before = desktop.evaluate(LAYOUT)
    getattr(desktop.locator(PRODUCT), way)()
    assert ALL_FOUR == last_names(desktop.evaluate(LIT, "figure"))
    rows = desktop.evaluate(LIT, "table")
    assert 4 == len(rows)
    assert {"kernel"} == last_names(rows)
    assert ["4·H2"] == desktop.locator("#formula .bc-term.bc-lit").all_text_contents()
    assert desktop.locator(".bc-where li.bc-lit[data-letter=H]").count() == 1
    assert layout_before == desktop.evaluate(LAYOUT)


def test_a_piece_lights_its_terms_and_rows(desktop: Page) -> None:
    """A box of the figure lights the terms that count it, not the whole, and the rows of matrix and bias."""
    desktop.locator("figure [data-part$='/self/key']").hover()
    assert {"kernel", "bias"} == last_names(desktop.evaluate(LIT, "table"))
    lit_terms = desktop.locator("ol.bc-steps .bc-term.bc-lit").all_inner_texts()
    assert {"768 × 768", "589,824", "768", "590,592", "4 × 590,592"} == set(lit_terms)


def test_a_row_lights_its_term_and_piece(desktop: Page) -> None:
    """A row lights the terms that count it and its box of the figure."""
    desktop.mouse.move(0, 0)
    desktop.locator("#tensors tbody tr").nth(2).locator("data").first.focus()
    assert {"key"} == last_names(desktop.evaluate(LIT, "figure"))
    assert {"768 × 768", "589,824"} == set(desktop.locator("ol.bc-steps .bc-term.bc-lit").all_inner_texts())


FORMULA = "#formula .bc-term"


@pytest.mark.parametrize("way", ["hover", "focus", "tap"])
def test_a_term_of_the_formula_lights_its_tensors(desktop: Page, way: str) -> None:
    """In 4·H² + 4·H, the first term lights the four matrices wherever they stand, the second the four biases."""
    for index, (term, leaf) in enumerate((("4·H2", "kernel"), ("4·H", "bias"))):
        desktop.mouse.move(0, 0)
        desktop.evaluate("document.activeElement.blur()")
        layout_before = desktop.evaluate(LAYOUT)
        getattr(desktop.locator(FORMULA).nth(index), way)()
        assert [term] == desktop.locator(f"{FORMULA}.bc-lit").all_text_contents()
        assert ALL_FOUR == last_names(desktop.evaluate(LIT, "figure"))
        rows = desktop.evaluate(LIT, "table")
        assert (4, {leaf}) == (len(rows), last_names(rows))
        assert layout_before == desktop.evaluate(LAYOUT)


def test_tensors_light_their_term_of_the_formula(desktop: Page) -> None:
    """The row of a bias lights the term 4·H alone; the box of a whole layer lights both terms."""
    desktop.mouse.move(0, 0)
    desktop.locator("#tensors tbody tr").nth(3).locator("data").first.focus()
    assert ["4·H"] == desktop.locator(f"{FORMULA}.bc-lit").all_text_contents()
    desktop.evaluate("document.activeElement.blur()")
    desktop.locator("figure [data-part$='/self/key']").hover()
    assert ["4·H2", "4·H"] == desktop.locator(f"{FORMULA}.bc-lit").all_text_contents()


def test_the_arrow_keys_move_along_the_formula(desktop: Page) -> None:
    """Tab stops once at a formula; the arrow keys reach its other terms, and each lights its own."""
    assert ["0", "-1"] == [term.get_attribute("tabindex") for term in desktop.locator(FORMULA).all()]
    desktop.locator(FORMULA).first.focus()
    desktop.keyboard.press("ArrowRight")
    assert ["4·H"] == desktop.locator(f"{FORMULA}.bc-lit").all_text_contents()
    desktop.keyboard.press("ArrowLeft")
    assert ["4·H2"] == desktop.locator(f"{FORMULA}.bc-lit").all_text_contents()


NUMBERS = "article p > data.bc-lit"


@pytest.mark.parametrize("way", ["hover", "focus", "tap"])
def test_a_number_in_the_text_lights_what_it_counts(desktop: Page, way: str) -> None:
    """The number of one matrix lights its projection's box and its row, and no other; so does that of its bias.

    A sentence about the toy model names both: of H × H and H parameters, with H = 4.
    """
    for leaf, number in (("kernel", "16"), ("bias", "4")):
        desktop.mouse.move(0, 0)
        desktop.evaluate("document.activeElement.blur()")
        getattr(desktop.locator(f"article p > data[data-paths$='/query/{leaf}']"), way)()
        assert {"query"} == last_names(desktop.evaluate(LIT, "figure"))
        assert ["query"] == [path.split("/")[-2] for path in desktop.evaluate(LIT, "table")]
        assert {leaf} == last_names(desktop.evaluate(LIT, "table"))
        assert [number] == desktop.locator(NUMBERS).all_inner_texts()


def test_a_total_lights_the_numbers_that_count_the_same(desktop: Page) -> None:
    """The result of the sum lights the numbers of self-attention in the text, in one layer or in all, in both models.

    The number of the whole model, and that of one projection, stay dark.
    """
    desktop.mouse.move(0, 0)
    desktop.locator("ol.bc-steps b.bc-term").last.focus()
    lit_numbers = desktop.locator(NUMBERS).all_inner_texts()
    # Source: BERT base and BERT large in transformers, 12 and 24 layers; see tests/counting for the recordings.
    assert {"2,362,368", "4,198,400", "28,348,416", "100,761,600"} == set(lit_numbers)


def test_a_block_of_the_whole_model_lights_its_rows_and_terms(tab: Callable[..., Page]) -> None:
    """On the page of totals, the embeddings light their row, and the terms V·H, P·H, S·H and 3·H."""
    page = tab()
    page.goto("totals/base.html")
    page.locator(".bc-term[tabindex='0']").first.wait_for()
    page.locator("#base [data-part^='bert/embeddings']").first.hover()
    assert ["V·H", "P·H", "S·H", "3·H"] == page.locator(f"{FORMULA}.bc-lit").all_text_contents()
    assert ["bert/embeddings"] == page.evaluate(LIT, "#pre-training table")


@pytest.mark.parametrize("way", ["hover", "focus", "tap"])
@pytest.mark.parametrize(("model", "other", "total"), [("base", "large", "109482240"), ("large", "base", "335141888")])
def test_a_number_leaves_the_picture_of_the_other_model_dark(
    tab: Callable[..., Page], model: str, other: str, total: str, way: str
) -> None:
    """On the first page, the total of a model lights its own picture and sum, whichever of the two is shown."""
    page = tab(has_touch=True)
    page.goto("index.html")
    page.locator(".bc-term[tabindex='0'], #total-of-base data[role]").first.wait_for()
    for shown_model in ("base", "large"):
        page.locator(f"#figure-where-{shown_model}").check()
        page.evaluate("document.activeElement.blur()")
        page.mouse.move(0, 0)
        getattr(page.locator(f"#total-of-{model} data[value='{total}']"), way)()
        lit, dark = (page.locator(f".bc-first .bc-of-{name} .bc-lit").count() for name in (model, other))
        assert lit > 0 == dark


LETTERS = """() => [...document.querySelectorAll("article .bc-lit")]
  .map((each) => each.dataset.letter ?? each.textContent)"""


def test_a_letter_lights_no_other(tab: Callable[..., Page]) -> None:
    """Each of the network's two sizes lights itself alone, wherever it stands."""
    page = tab()
    page.goto("parts/feed-forward.html")
    page.locator(".bc-term[tabindex='0']").first.wait_for()
    for letter in ("F", "H"):
        page.locator(f".bc-where li[data-letter={letter}]").hover()
        lit_letters = page.evaluate(LETTERS)
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


@pytest.mark.parametrize("name", PAGES_WITH_PIECES)
def test_every_figure_of_a_part_belongs_to_its_rows(pages: Pages, name: str) -> None:
    """Some piece of each figure counts rows of the page's tensors; otherwise nothing would light up."""
    page = pages[f"parts/{name}.html"]

    def paths(selector: str) -> list[str]:
        part_paths = [path for tag in page.select(selector) for path in str(tag["data-part"]).split()]
        return [path.replace("layer_0", "layer_*") for path in part_paths]

    pieces = paths("figure [data-part]")
    assert pieces
    assert [piece for piece in pieces if any(f"{row}/".startswith(f"{piece}/") for row in paths("tr[data-part]"))]
