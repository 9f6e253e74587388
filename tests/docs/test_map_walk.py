"""On the map, readers zoom in and out of any model by keyboard, pointer and touch."""

import gzip
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Page, expect

from macros.counting import BERT, load_models, load_relatives
from macros.rendering.components.asking import BASE, LARGE
from macros.rendering.components.pages import relative
from macros.rendering.figures.area_map import levels_of_other_models
from macros.rendering.figures.levels import LEVELS
from tests.docs.areas import faults
from tests.docs.scripts import function_in
from tests.docs.windows import REMOVE_REPEATED, WIDTHS, faults_in_windows, violations, watch

MAP = "map.html"

QUERY_LEVEL = "base/layer/attention/query/head/columns"
"""The level of the query matrix, on which a single parameter can be chosen."""

CHINESE = "bert-base-chinese"

RECORDED_FILE: dict[str, Any] = json.loads(
    gzip.decompress((Path(__file__).parents[1] / "example" / "recorded_toy.json.gz").read_bytes())
)["files"]["base"]
"""The length of the header and the offsets of the tensors in the file of BERT base that transformers wrote."""

# Source: BertModel of bert-base-chinese in transformers. It has 21,128 tokens, and otherwise the sizes of BERT base.
SUM_OF_CHINESE = "16,622,592 + 12 × 7,087,872 + 590,592 = 102,267,648"


@pytest.fixture(scope="module")
def errors(open_tab: Callable[..., Page], address: str) -> list[str]:
    """A list that collects the errors of the map, whose tab is shared by all tests."""
    return watch(open_tab(), address)


@pytest.fixture
def tab(open_tab: Callable[..., Page], errors: list[str]) -> Iterator[Page]:
    """A tab at desktop width in which a test opens the map at a level. Any error on the page fails the test."""
    page = open_tab()
    page.set_viewport_size(WIDTHS["desktop"])
    page.emulate_media(reduced_motion="no-preference")
    yield page
    assert [] == errors


@pytest.fixture
def desktop(tab: Page) -> Page:
    """The tab with the map, opened anew."""
    open_map(tab, MAP)
    return tab


def open_map(page: Page, url: str) -> None:
    """Open the map and wait for its scripts, which load after the page."""
    page.goto(url)
    page.locator(".bc-levels[data-interactive]").wait_for()


def visible_levels(page: Page) -> list[str]:
    """The ids of the visible levels, which are also the fragments of their addresses."""
    ids: list[str] = page.eval_on_selector_all(
        ".bc-level", "levels => levels.filter(level => level.checkVisibility()).map(level => level.id)"
    )
    return ids


def level_in_address(page: Page) -> str:
    """The level in the browser's address. Playwright's own `page.url` may lag behind."""
    fragment: str = page.evaluate("decodeURIComponent(location.hash.slice(1))")
    return fragment


def focused_block(page: Page) -> str:
    """The name and number of the focused block; "" if no block is focused."""
    title: str = page.evaluate("document.activeElement.querySelector('title')?.textContent ?? ''")
    return title


def test_the_map_shows_one_level_at_a_time(desktop: Page) -> None:
    """The level is the whole of BERT base, unless the address has the present or a former name of another level."""
    assert ["base"] == visible_levels(desktop)
    for address, level in {
        "large/layer/feed-forward": "large/layer/feed-forward",
        "base/layer/attention/key": "base/layer/attention/query",
        "reading": "base",
        "base/nowhere": "base",
    }.items():
        open_map(desktop, f"{MAP}?{address}#{address}")
        assert [level] == visible_levels(desktop)


@pytest.mark.other_browser
def test_the_style_sheet_alone_already_shows_one_level(open_tab: Callable[..., Page]) -> None:
    """The level is the one that the scripts will show, so nothing moves when they run."""
    page = open_tab(locale="en")
    page.route("**/modules/**", lambda route: route.fulfill(body="", content_type="text/javascript"))
    for address, level in {
        "": "base",
        "#base/layer": "base/layer",
        "#base/layer/attention/key": "base/layer/attention/query",
    }.items():
        page.goto(f"{MAP}?{address.replace('#', '')}{address}")
        assert [level] == visible_levels(page)
    page.unroute_all()


@pytest.mark.other_browser
def test_all_levels_are_visible_without_scripts(scriptless_tab: Page) -> None:
    scriptless_tab.goto(MAP)
    levels = scriptless_tab.locator(".bc-level")
    assert 3 * len(LEVELS) == levels.count()
    assert all(level.is_visible() for level in levels.all())
    scriptless_tab.locator("#large a", has_text="layer 0").first.click()
    expect(scriptless_tab).to_have_url(f"{MAP}#large/layer")
    box = scriptless_tab.locator('[id="large/layer"]').bounding_box()
    assert box
    assert 0 <= box["y"] < 300  # pixels: the browser has scrolled to the level


@pytest.mark.other_browser
def test_the_keyboard_zooms_in_and_out(desktop: Page) -> None:
    desktop.locator("#base svg a").first.focus()
    assert "embeddings: 23,837,184" == focused_block(desktop)
    desktop.keyboard.press("ArrowRight")
    assert "layers: 12 × 7,087,872" == focused_block(desktop)
    for level, first_block in {
        "base/layer": "attention: 2,362,368",
        "base/layer/attention": "query, key, value: 3 × 590,592",
        "base/layer/attention/query": "heads: 12 × 49,152",
        "base/layer/attention/query/head": "columns: 64 × 768",
    }.items():
        desktop.keyboard.press("Enter")
        assert (level, [level], first_block) == (
            level_in_address(desktop),
            visible_levels(desktop),
            focused_block(desktop),
        )
    for key, level, block in (
        ("Escape", "base/layer/attention/query", "heads: 12 × 49,152"),
        ("Backspace", "base/layer/attention", "query, key, value: 3 × 590,592"),
        ("Escape", "base/layer", "attention: 2,362,368"),
    ):
        desktop.keyboard.press(key)
        desktop.wait_for_function("level => decodeURIComponent(location.hash) === `#${level}`", arg=level)
        assert ([level], block) == (visible_levels(desktop), focused_block(desktop))
    desktop.keyboard.press("ArrowUp")
    assert "LayerNorms: 2 × 1,536" == focused_block(desktop)
    desktop.keyboard.press("ArrowDown")
    desktop.keyboard.press("Escape")
    assert "layers: 12 × 7,087,872" == focused_block(desktop)
    desktop.keyboard.press("Escape")  # the whole model has no level above it
    assert ["base"] == visible_levels(desktop)


@pytest.mark.other_browser
def test_back_and_forward_retrace_the_steps(desktop: Page) -> None:
    status = desktop.locator(".bc-status[role=status]")
    assert "" == status.text_content()  # nothing before the first step
    desktop.locator("#base svg a").nth(1).click()
    assert "One encoder layer BERT base: 7,087,872 parameters" == status.text_content()
    desktop.locator('[id="base/layer"] .bc-level-sum a', has_text="feed-forward").click()
    desktop.locator(".bc-choice").get_by_label("model").select_option("large")
    assert ["large/layer/feed-forward"] == visible_levels(desktop)
    desktop.go_back()
    assert ["base/layer/feed-forward"] == visible_levels(desktop)
    expect(desktop.locator(".bc-choice select")).to_have_value("base")
    desktop.go_back()
    desktop.go_back()
    assert ["base"] == visible_levels(desktop)
    desktop.go_forward()
    assert ["base/layer"] == visible_levels(desktop)
    desktop.locator('[id="base/layer"] .bc-trail a').click()
    assert ["base"] == visible_levels(desktop)


@pytest.mark.other_browser
def test_a_tap_zooms_in(open_tab: Callable[..., Page]) -> None:
    """A thin block can be tapped as a term of the sum, which is at least 24 by 24 pixels, as WCAG 2.2 requires."""
    page = open_tab(viewport=WIDTHS["phone"], has_touch=True, is_mobile=True)
    open_map(page, MAP)
    page.locator("#base rect").nth(5).tap()
    assert ["base"] != visible_levels(page)
    term = page.locator(".bc-shown .bc-level-sum a").last
    box = term.bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 24
    term.tap()
    assert "/" in visible_levels(page)[0]


def parameter_words(page: Page) -> str:
    """The sentence about the chosen parameter."""
    return page.inner_text(".bc-shown .bc-cell-words")


def test_the_keyboard_reaches_a_single_parameter(tab: Page) -> None:
    open_map(tab, f"{MAP}?down#base/layer/attention/query/head")
    tab.locator(".bc-shown svg a").first.focus()
    tab.keyboard.press("Enter")
    assert QUERY_LEVEL == level_in_address(tab)
    for key in ["ArrowDown"] * 2 + ["ArrowRight"] * 65 + ["ArrowUp"]:
        tab.keyboard.press(key)
    assert f"{QUERY_LEVEL}/1/65" == level_in_address(tab)
    # Column 65 belongs to feature 1 of head 1, because each head has 64 features.
    assert "query weight from feature 1 to feature 1 of head 1" == tab.evaluate("document.activeElement.ariaLabel")
    row, column, _ = tab.locator(".bc-shown input").all()
    row.fill("900")
    column.fill("131")
    tab.keyboard.press("Tab")
    tab.reload()
    tab.locator(".bc-levels[data-interactive]").wait_for()
    expect(row).to_have_value("767")
    # Row 900 is limited to the last row, 767. Column 131 belongs to feature 3 of head 2, whose first column is 128.
    sentence = (
        "Query weight from feature 767 to feature 3 of head 2: this is one parameter; there are 768 × 768 = 589,824"
    )
    assert sentence in parameter_words(tab)
    tab.locator(".bc-grid td[data-cell]").first.click()
    assert f"{QUERY_LEVEL}/759/128" == level_in_address(tab)
    tab.locator(".bc-choice select").select_option("large")
    assert f"large{QUERY_LEVEL.removeprefix('base')}/759/128" == level_in_address(tab)
    tab.locator(".bc-shown .bc-trail a").last.click()
    assert ["large/layer/attention/query/head"] == visible_levels(tab)
    tab.go_back()
    assert [f"large{QUERY_LEVEL.removeprefix('base')}"] == visible_levels(tab)


def test_the_toy_model_shows_its_values(tab: Page) -> None:
    open_map(tab, f"{MAP}?values#toy/layer/attention/query/head/columns/2/2")
    values = tab.locator(".bc-shown .bc-grid td[data-cell]").all_inner_texts()
    # Source: the query matrix in macros/example/toy.toml, row by row.
    assert ["1", "1", "0", "−1", "0", "0", "0", "0", "1", "0", "0", "0", "0", "0", "−1", "0"] == values
    assert parameter_words(tab).startswith(
        "Query weight from feature 2 to feature 0 of head 1 is 0: this is one parameter"
    )
    # The toy model has only one layer, so there is no field for the layer.
    assert 0 == tab.get_by_label("Layer", exact=True).count()
    tab.locator(".bc-shown select").select_option("value")
    assert "toy/layer/attention/query/head/columns/2/2/0/2" == level_in_address(tab)
    assert parameter_words(tab).startswith("Value weight from feature 2 to feature 0 of head 1 is 0.5: ")
    # In the file, the matrix is (out, in), so 2 rows of 4 numbers and 2 more numbers precede it, which is 10 × 4 bytes.
    assert file_location(tab)[:2] == ["encoder.layer.0.attention.self.value.weight[2, 2]", "40 bytes"]


def test_zooming_in_to_values_causes_no_error(tab: Page, errors: list[str]) -> None:
    """The last level of the toy model is a table, so the previous picture has no picture to grow into."""
    open_map(tab, f"{MAP}?move#toy/layer/attention/query/head")
    tab.locator(".bc-shown svg a").first.click()
    assert 16 == tab.locator(".bc-shown .bc-grid td[data-cell]").count()
    tab.keyboard.press("Escape")
    assert ["toy/layer/attention/query/head"] == visible_levels(tab)
    assert [] == errors


def file_location(page: Page) -> list[str]:
    """The name of the chosen parameter, and its offsets in its tensor and in the file, as the page shows them."""
    return page.locator(".bc-shown .bc-in-file dd").all_inner_texts()


def test_a_parameter_has_its_position_in_the_file(tab: Page) -> None:
    open_map(tab, f"{MAP}?file#{QUERY_LEVEL}/1/65")
    name, offset_in_tensor, offset_in_file = file_location(tab)
    # 65 rows of 768 numbers and one more number precede it, and each has 4 bytes.
    assert ("encoder.layer.0.attention.self.query.weight[65, 1]", "199,684 bytes") == (name, offset_in_tensor)
    tab.get_by_label("Layer", exact=True).fill("11")
    tab.locator(".bc-shown select").select_option("key")
    assert f"{QUERY_LEVEL}/1/65/11/1" == level_in_address(tab)
    tab.reload()
    tab.locator(".bc-levels[data-interactive]").wait_for()
    name, offset_in_tensor, last_layer_offset = file_location(tab)
    assert ("encoder.layer.11.attention.self.key.weight[65, 1]", "199,684 bytes") == (name, offset_in_tensor)
    offsets = RECORDED_FILE["tensors"]
    tensor_offset = offsets["encoder.layer.11.attention.self.key.weight"][0]
    assert f"{RECORDED_FILE['header'] + tensor_offset + 199_684:,} bytes" == last_layer_offset
    tensor_offset = offsets["encoder.layer.0.attention.self.query.weight"][0]
    assert f"{RECORDED_FILE['header'] + tensor_offset + 199_684:,} bytes" == offset_in_file
    tab.get_by_role("link", name="The same in the toy model, with values").click()
    assert ["toy/layer/attention/query/head/columns"] == visible_levels(tab)


def left_edges(page: Page, selector: str) -> set[float]:
    """The left edges of the visible elements that a selector selects."""
    boxes = [element.bounding_box() for element in page.locator(f".bc-shown {selector}").all()]
    return {box["x"] for box in boxes if box}


def test_names_and_values_in_the_list_of_positions_begin_at_one_edge(tab: Page) -> None:
    open_map(tab, f"{MAP}?list#{QUERY_LEVEL}/1/65")
    assert 3 == len(file_location(tab))
    assert 1 == len(left_edges(tab, ".bc-in-file :is(dt, dd)"))
    tab.locator(".bc-shown .bc-in-file dd").first.evaluate("value => { value.style.marginLeft = '1em' }")
    assert 2 == len(left_edges(tab, ".bc-in-file :is(dt, dd)"))


SIDES = "drawing => ['width', 'height'].map(name => Number(drawing.getAttribute(name)))"
"""Returns the width and the height in the attributes of a drawing or of an element in it."""


def test_tensors_and_their_magnified_part_are_to_scale(tab: Page) -> None:
    """Rows and columns have the same scale, and the frame marks exactly the part that is magnified."""
    # Source: the shapes that transformers prints for BERT base, with kernels as (in, out), as in Google's model.
    for path, rows, columns in (
        ("embeddings/word-embeddings", 30_522, 768),
        ("layer/feed-forward/intermediate/weights", 768, 3_072),
        ("layer/feed-forward/output/weights", 3_072, 768),
        ("layer/layer-norm/gamma", 1, 768),
    ):
        open_map(tab, f"{MAP}?{path}#base/{path}")
        figure = tab.locator(".bc-shown .bc-cells")
        times = int(figure.inner_text().split("magnified ")[-1].split()[0].replace(",", ""))
        drawing_sides = figure.locator("> svg").evaluate(SIDES)
        frame_sides = figure.locator(".bc-frame").evaluate(SIDES)
        first, last = (figure.locator("td[data-cell]").nth(index).bounding_box() for index in (0, -1))
        assert first
        assert last
        cell_side = first["width"]
        assert pytest.approx([columns * cell_side / times, rows * cell_side / times]) == drawing_sides
        magnified_sides = [last["x"] + cell_side - first["x"], last["y"] + cell_side - first["y"]]
        assert pytest.approx(magnified_sides) == [side * times for side in frame_sides]
        if rows in (30_522, 1):  # one matrix and one vector are enough for axe
            tab.evaluate(REMOVE_REPEATED, ".bc-shown")
            assert [] == faults_in_windows(tab, ".bc-shown")
            tab.set_viewport_size(WIDTHS["desktop"])


def test_only_navigation_is_announced(tab: Page) -> None:
    open_map(tab, f"{MAP}?skip#base/layer")
    tab.locator(".md-skip").focus()
    tab.keyboard.press("Enter")
    tab.wait_for_function("!location.hash.includes('layer')")
    status = tab.locator(".bc-status[role=status]")
    assert (["base/layer"], "") == (visible_levels(tab), status.text_content())
    open_map(tab, f"{MAP}?leaving#base/pooler/bias/3")
    tab.evaluate("addEventListener('click', event => event.preventDefault(), { once: true })")
    tab.locator(".bc-shown a", has_text="What this vector is for").click()
    assert "Leaving the map." == status.text_content()


RECORD_ANIMATIONS = function_in("scripts.js", "recordAnimations")
"""Records the arguments of every animation, because animations end too soon to be observed."""


@pytest.mark.other_browser
def test_nothing_moves_for_readers_who_prefer_reduced_motion(desktop: Page) -> None:
    """For other readers, the picture of a level grows out of its block."""
    desktop.evaluate(RECORD_ANIMATIONS)
    desktop.locator("#base svg a").nth(1).click()
    assert desktop.evaluate("animations[0][0][0].transform").startswith("translate")
    desktop.keyboard.press("Escape")
    assert desktop.evaluate("animations[1][0][0].transform").startswith("scale")
    desktop.emulate_media(reduced_motion="reduce")
    desktop.locator("#base svg a").nth(1).click()
    desktop.locator('[id="base/layer"] svg a').first.click()
    desktop.keyboard.press("Escape")
    assert ["base/layer"] == visible_levels(desktop)
    assert 2 == desktop.evaluate("animations.length")


def test_arrow_keys_lead_to_the_next_and_the_previous_block(desktop: Page) -> None:
    blocks = ["embeddings: 23,837,184", "layers: 12 × 7,087,872", "pooler: 590,592"]
    desktop.locator("#base svg a").first.focus()
    for step in ["Right 1", "Down 2", "Right 0", "Left 2", "Up 1", "Left 0", "Up 2", "Down 0"]:
        key, index = step.split()
        desktop.keyboard.press(f"Arrow{key}")
        assert (step, blocks[int(index)]) == (step, focused_block(desktop))


@pytest.mark.other_browser
def test_keys_with_a_modifier_are_left_to_the_browser(desktop: Page) -> None:
    for modifier in ("ControlOrMeta", "Shift"):
        with desktop.context.expect_page() as new_tab:
            desktop.locator("#base svg a").first.click(modifiers=[modifier])
        new_tab.value.wait_for_load_state()  # closing a tab that is still opening may hang
        new_tab.value.close()
    desktop.locator("#base svg a").first.focus()
    desktop.keyboard.press("Control+ArrowRight")
    assert (["base"], "embeddings: 23,837,184") == (visible_levels(desktop), focused_block(desktop))
    desktop.keyboard.press("Enter")
    # Escape belongs to the list of models while that is focused.
    desktop.locator(".bc-choice select").press("Escape")
    assert ["base/embeddings"] == visible_levels(desktop)


@pytest.mark.other_browser
def test_the_focus_follows_the_keyboard_but_not_the_pointer(desktop: Page) -> None:
    desktop.locator("#base svg a").nth(1).click()
    assert "BODY" == desktop.evaluate("document.activeElement.tagName")
    desktop.locator('[id="base/layer"] .bc-trail a').focus()
    desktop.keyboard.press("Enter")
    assert (["base"], "layers: 12 × 7,087,872") == (visible_levels(desktop), focused_block(desktop))
    desktop.locator("#base .bc-level-sum a").first.focus()
    desktop.keyboard.press("Enter")
    assert (["base/embeddings"], "word embeddings: 23,440,896") == (visible_levels(desktop), focused_block(desktop))


def test_every_published_bert_can_be_chosen(desktop: Page) -> None:
    options = desktop.locator(".bc-choice label[data-needs-scripts] select option").evaluate_all(
        "options => options.map(option => [option.value, option.textContent])"
    )
    models = {**load_models(), **load_relatives()}
    further_models = [
        name for name, model in models.items() if model.architecture is BERT and name not in (BASE, LARGE)
    ]
    assert ["base", "large", "toy", *further_models] == [value for value, _ in options]
    assert [["base", "BERT base"], ["large", "BERT large"], ["toy", "Toy model"]] == options[:3]
    assert "BERT base, Chinese" == dict(options)[CHINESE]
    hint = desktop.locator(".bc-levels + p.bc-hint[data-needs-scripts]").inner_text()
    assert (
        "Keyboard: arrow keys move between blocks or parameters, Enter zooms in, and Escape or Backspace zooms out."
        == hint
    )


def test_choosing_another_model_keeps_the_level(desktop: Page) -> None:
    desktop.locator("#base svg a").nth(1).click()
    desktop.locator(".bc-choice select").select_option(CHINESE)
    assert f"{CHINESE}/layer" == level_in_address(desktop)
    desktop.locator(f'[id="{CHINESE}/layer"] .bc-trail a').click()
    assert [CHINESE] == visible_levels(desktop)
    assert SUM_OF_CHINESE == " ".join(re.sub(r"[a-z]+", "", desktop.inner_text(".bc-shown .bc-level-sum")).split())
    open_map(desktop, f"{MAP}?again#{CHINESE}/embeddings")
    assert [f"{CHINESE}/embeddings"] == visible_levels(desktop)
    assert [] == violations(desktop, ".bc-levels")


def test_levels_are_accessible(tab: Page) -> None:
    tab.emulate_media(reduced_motion="reduce")  # axe must not check colours while they fade in
    for address in ("base/layer/attention/query", "large/layer/attention/query/head"):
        open_map(tab, f"{MAP}?{address}#{address}")
        tab.evaluate(REMOVE_REPEATED, ".bc-shown")
        assert [] == faults_in_windows(tab, ".bc-shown")


def test_levels_of_other_models_are_fetched_when_one_is_chosen(desktop: Page) -> None:
    """The levels are identical to those that the build draws, with links relative to the map's page."""
    levels_by_path = levels_of_other_models()
    assert {*levels_by_path} == {level.path for level in LEVELS}
    with desktop.expect_response("**/data/levels.js"):
        desktop.locator(".bc-choice select").select_option(CHINESE)
    for path, levels in levels_by_path.items():
        assert 20 < len(levels) == desktop.locator(".bc-choice option").count() - 3
        pictures = [BeautifulSoup(html, "html.parser").select("svg.bc-map")[0] for html in levels.values()]
        assert [] == [fault for picture in pictures for fault in faults(picture)]
        if path:  # the section of the visible level also contains its tensors, so its HTML differs
            section = desktop.locator(f'[id="{CHINESE}/{path}"]')
            section_html = BeautifulSoup(section.evaluate("section => section.outerHTML"), "html.parser")
            assert BeautifulSoup(relative(levels[CHINESE], MAP), "html.parser") == section_html
