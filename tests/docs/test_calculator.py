"""Everything that the calculator shows and exports adds up to its total, and its address restores its state."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from macros.counting import Question, load_relatives, model_named, model_of_config
from macros.publish.apostrophes import typeset
from tests.docs.scripts import call, function_in, import_modules
from tests.docs.test_phone import APPLY_STYLE
from tests.docs.windows import GO_BACK_TO, REMOVE_REPEATED, WIDTHS, faults_in_windows, watch
from tests.scripts.test_changes import MAX_EXACT, holds

PAGE = "try/calculator.html"

# Source: num_parameters() in transformers 5.23 of models built from these checkpoints' configs.
BASE, LARGE, ROBERTA = 109_482_240, 335_141_888, 124_645_632


@pytest.fixture(scope="module")
def errors(desktop: Page, address: str) -> list[str]:
    """A list that collects the calculator's errors. The calculator stays open for all tests of this file."""
    errors_of_calculator = watch(desktop, address)
    import_modules(open_calculator(desktop))
    return errors_of_calculator


@pytest.fixture
def page(desktop: Page, errors: list[str]) -> Iterator[Page]:
    """The calculator in its initial state. Any error on the page fails the test.

    It is opened again only if a test has left it.
    """
    if not (desktop.locator(RESET).count() and desktop.evaluate("'bertCounted' in window")):
        import_modules(open_calculator(desktop))
        errors.clear()
    reset(desktop)
    yield desktop
    assert [] == errors


RESET = "#calculator-form [type=reset]"
"""A selector for the button "Start again"."""


def reset(page: Page) -> None:
    """Press "Start again"."""
    page.evaluate(f"document.querySelector({RESET!r}).click()")


def open_calculator(page: Page, query: str = "") -> Page:
    """Open the calculator with the state in a query string, wait until it is ready, and return the page."""
    page.goto(f"{PAGE}{query}")
    page.locator("html[data-counting]").wait_for(state="attached")
    return page


def show_state(page: Page, query: str = "") -> Page:
    """Show the state in a query string and return the page. This is faster than opening the calculator again."""
    page.evaluate(GO_BACK_TO, query)
    return page


TYPE_IN_FIELDS = function_in("calculator.js", "typeInFields")
"""Types texts into fields or sets checkboxes."""


def type_in_fields(page: Page, *changes: tuple[str, str | bool]) -> None:
    """Change fields in turn, each given by its id or letter, then make the whole page update."""
    page.evaluate(TYPE_IN_FIELDS, [[*change] for change in changes])


def number(text: str) -> int:
    """The whole number in a text; 0 if there is none."""
    return int(re.sub(r"[^0-9−-]", "", text).replace("−", "-") or 0)


def total(page: Page) -> int:
    """The total that the calculator shows."""
    return number(page.inner_text(".bc-digits"))


def update_everything(page: Page) -> None:
    """Click, so that the page updates at once what would otherwise wait for a pause in typing."""
    page.evaluate("document.body.click()")


TABLE = """name => [...document.querySelectorAll(`#${name} :is(tbody tr, tfoot tr)`)].map(row =>
  [...row.cells].map(cell => cell.firstChild?.nodeType === 3 ? cell.firstChild.data : cell.textContent))"""
"""Returns the texts of the cells of a table, or of the first node of a cell if that is a text node."""


def table(page: Page, name: str) -> list[list[str]]:
    """The cells of a table once it is up to date. The last row has the sums."""
    update_everything(page)
    rows: list[list[str]] = page.evaluate(TABLE, name)
    return rows


# --- Contents -----------------------------------------------------------------


def test_the_first_screen_answers_without_scripts(scriptless_tab: Page) -> None:
    scriptless_tab.goto(PAGE)
    assert BASE == number(scriptless_tab.inner_text(".bc-whole"))
    assert "needs JavaScript" in scriptless_tab.inner_text(".bc-without-scripts")
    assert [BASE, LARGE] == [
        number(scriptless_tab.inner_text(f"#{name} tfoot td")) for name in ("base-parts", "large-parts")
    ]
    expect(scriptless_tab.locator("#calculator-form")).to_be_hidden()
    expect(scriptless_tab.locator("#what-if")).to_be_hidden()


def largest_vocabulary() -> int:
    """The size of the largest vocabulary with which BERT base can be counted. Each token adds 768 parameters."""
    return 30_522 + (MAX_EXACT - BASE) // 768


STATES: list[tuple[str, int | None]] = [
    ("", BASE),
    ("?model=bert-large-uncased", LARGE),
    ("?model=bert-base-uncased&class=BertForPreTraining", 110_106_428),
    ("?model=roberta-base", ROBERTA),
    # Source: AlbertModel in transformers 5.23 with albert-base-v2's config.
    ("?model=albert-base-v2", 11_683_584),
    ("?model=albert-base-v2&G=2&pooler=no&frozen=embeddings,1&from=bert-base-uncased", None),
    # Source: DebertaV2Model in transformers 5.23 with deberta-v3-base's config.
    ("?model=deberta-v3-base", 183_831_552),
    ("?model=bert-base-uncased&H=1024&A=16&class=BertForSequenceClassification&labels=3", None),
    ("?model=bert-base-uncased&more=V,L&biases=no&tied=no&cross=yes&class=BertForMaskedLM", None),
    ("?model=bert-base-uncased&class=BertForSequenceClassification&lora=8:query,value", 109_780_228),
    ("?model=bert-base-uncased&class=BertForSequenceClassification&dora=8:query,value", 109_798_660),
    ("?model=bert-base-uncased&class=BertForSequenceClassification&ia3=", 109_549_828),
    ("?model=bert-base-uncased&class=BertForSequenceClassification&prefix=20", 109_853_956),
    ("?model=bert-base-uncased&class=BertForSequenceClassification&p-tuning=20:128", 109_714_692),
    ("?model=bert-base-uncased&class=BertForMaskedLM&norms=", None),
    # In each of 12 layers, the pruned head has 4 × H × 64 weights and 3 × 64 biases.
    ("?model=bert-base-uncased&pruned=12&biases=no", BASE - 83_712 - 12 * 4 * 768 * 64),
    ("?model=bert-base-uncased&pruned=12&bitfit=", BASE - 12 * (4 * 768 * 64 + 3 * 64)),
    ("?model=electra-small-discriminator&L=30&labels=1&class=ElectraForTokenClassification&frozen=all-but-head", None),
    ("?model=bert-base-uncased&L=0&pooler=no", None),
    (f"?model=bert-base-uncased&V={largest_vocabulary()}", BASE + 768 * (largest_vocabulary() - 30_522)),
]
"""Query strings of states, each with its total if there is a source for it other than the engine."""

EXPORTS = function_in("calculator.js", "exports")
"""Returns the exports of the current state: CSV, JSON, Markdown and the snippet."""


@pytest.mark.parametrize(("query", "expected"), STATES)
def test_everything_adds_up(page: Page, query: str, expected: int | None) -> None:
    model_total = total(show_state(page, query))
    assert expected in (None, model_total)
    sentence = page.inner_text(".bc-trained")
    trainable = number(sentence.partition(" of them")[0]) if sentence else model_total
    check_parts(page, model_total, trainable)
    check_tensors_and_sum(page, model_total)
    *steps, last_row = table(page, "calculator-bridge")
    assert [[model_total, trainable]] * 2 == [
        [number(last_row[column]) for column in (1, 2)],
        [sum(number(row[column]) for row in steps) for column in (1, 2)],
    ]
    check_bytes(page, model_total, trainable)
    check_picture(page, model_total)
    check_exports(page, model_total, trainable)


def check_parts(page: Page, model_total: int, trainable: int) -> None:
    """Check that the columns of parts add up to the total and to the trainable parameters, and check the shares."""
    *parts, totals = table(page, "calculator-parts")
    assert [[model_total, trainable]] * 2 == [
        [number(totals[column]) for column in (1, 3)],
        [sum(number(row[column]) for row in parts) for column in (1, 3)],
    ]
    shares = [f"{100 * number(row[1]) / model_total:.1f}%" for row in parts]
    assert [row[2] for row in parts] == [
        "under 0.1%" if share == "0.0%" and number(row[1]) else share for share, row in zip(shares, parts, strict=True)
    ]


def check_tensors_and_sum(page: Page, model_total: int) -> None:
    """Check that each row of tensors multiplies out, and that the tensors and the worked sum give the total."""
    *tensors, last_row = table(page, "calculator-tensors")
    assert model_total == sum(number(row[4]) for row in tensors if row[4] != "tied") == number(last_row[4])
    for row in tensors:
        assert row[4] == "tied" or number(row[4]) == number(row[2]) * number(row[3] or "1"), row
    lines = page.locator(".bc-lines .bc-line-of-sum").all_text_contents()
    assert model_total == number(lines[-1].rpartition("=")[2])
    assert all(map(holds, lines))


def check_bytes(page: Page, model_total: int, trainable: int) -> None:
    """Check the bytes of weights, gradients, Adam's moments and their sum in float32, two 16-bit formats and int8."""
    rows = table(page, "calculator-bytes")[:4]  # rows of packed weights may follow
    for row, size in zip(rows, (4, 2, 2, 1), strict=True):
        byte_counts = [size * model_total, size * trainable, 2 * size * trainable, size * (model_total + 3 * trainable)]
        # If a script cannot represent the integer exactly, only the rounded amount is shown. Weights in int8 are not
        # trained.
        amounts = [f"{count:,}" if count < 2**53 else "" for count in byte_counts]
        assert row[1:] == (amounts if size > 1 else [amounts[0], "", "", ""])


def check_picture(page: Page, model_total: int) -> None:
    """Check that the sum below the picture gives the total, as do the areas in the description for screen readers."""
    assert model_total == number(page.inner_text("#calculator-picture .bc-level-sum strong"))
    label = str(page.get_attribute("#calculator-picture svg", "aria-label")).replace("−", "-")
    areas = [area.rpartition(": ")[2].replace(",", "").split(" × ") for area in label.split("; ")]
    assert model_total == sum(int(area[0]) * int(area[-1]) if len(area) > 1 else int(area[0]) for area in areas)


def test_every_architecture_has_its_total_and_a_field_for_each_size(page: Page) -> None:
    first_models = {model.architecture.name: model for model in reversed([*load_relatives().values()])}
    for model in first_models.values():
        assert Question(model).number == total(show_state(page, f"?model={model.name}")), model.name
        letters = page.locator("[data-size]:visible").evaluate_all("sizes => sizes.map(size => size.dataset.size)")
        # The bare model has no labels, so there is no field for C.
        assert {*model.sizes} - {"C"} <= {*letters}, model.name


def sizes_of(config: dict[str, Any]) -> dict[str, int]:
    """The sizes in a config, by letter, without the number of labels, which depends on the class."""
    sizes = model_of_config("a", config).sizes
    return {letter: size for letter, size in sizes.items() if letter != "C"}


NAMES_AND_SHAPES = """() => [...document.querySelectorAll("#calculator-tensors tbody tr")].map(({ cells }) => {
  const [name, owner] = [...cells[0].querySelectorAll("code")].map(element => element.textContent)
  return [name, cells[1].querySelector(".bc-what").textContent.replaceAll(/[, ]/g, ""), owner ?? ""]
})"""
"""Returns the name and shape of each tensor in the table, and the name of the tensor that it is tied to, or ""."""


def check_exports(page: Page, total_shown: int, trainable: int) -> None:
    """Check that the CSV, the JSON, the Markdown and the snippet are valid and agree with the calculator."""
    csv_text, json_text, markdown, snippet = call(page, EXPORTS)
    *tensors, last_row = csv.DictReader(io.StringIO(csv_text))
    exported_data = json.loads(json_text)
    for name, expected in (("parameters", total_shown), ("trainable", trainable)):
        assert expected == sum(int(row[name]) for row in tensors) == int(last_row[name])
        assert (
            expected
            == sum(tensor[name] for tensor in exported_data["tensors"])
            == sum(part[name] for part in exported_data["parts"])
        )
    assert [total_shown, trainable] == [exported_data["total"], exported_data["trainable"]]
    names_and_shapes = [[row[key] for key in ("name", "shape", "tied_to")] for row in tensors]
    assert page.evaluate(NAMES_AND_SHAPES) == names_and_shapes
    assert names_and_shapes == [
        [tensor["name"], "×".join(map(str, tensor["shape"])), tensor["tied_to"] or ""]
        for tensor in exported_data["tensors"]
    ]
    config = {letter: str(size) for letter, size in sizes_of(exported_data["config"]).items()}
    for row in (*tensors, last_row):
        assert exported_data["model_class"] == row["model_class"]
        assert dict(size.split("=") for size in row["sizes"].split()).items() >= config.items()
    # Scripts cannot represent larger integers exactly.
    weights = exported_data["bytes"]["float32"]["weights"]
    assert weights == (4 * total_shown if 4 * total_shown < 2**53 else None)
    check_markdown(markdown, total_shown, table(page, "calculator-parts")[:-1])
    compile(snippet, "snippet", "exec")
    assert f"(p.numel() for p in parameters))  # {total_shown}\n" in snippet
    assert (f"  # {trainable}\n" in snippet) or trainable == total_shown


def check_markdown(markdown: str, total_shown: int, parts: list[list[str]]) -> None:
    """Check that the table in the Markdown has the parts that the calculator shows, except those without parameters."""
    lines = [line.split("|")[1:-1] for line in markdown.splitlines() if line.startswith("| ")]
    rows = [[typeset(cell.strip()) for cell in line] for line in lines]
    titles = {row[0] for row in rows}
    assert [] == [row for row in parts if row[0] not in titles and row[1] != "0"]
    part_rows = [row[:3] for row in parts if row[0] in titles]
    assert [["part", "parameters", "share"], *part_rows, ["**total**", f"**{total_shown:,}**", "100.0%"]] == rows


STATE_WITH_MANY_SETTINGS = (
    "?model=bert-base-uncased&L=6&class=BertForSequenceClassification&labels=3&biases=no&vocabulary=31,000&more=V,L"
    "&frozen=embeddings,2&lora=8:query,value&from=roberta-base"
    "&beside=bert-large-uncased;class=BertForMaskedLM;L=6&beside=albert-base-v2"
)
"""A query string with settings of many kinds."""

TEXT_ON_SCREEN = """element =>
  [...(element.cells ?? [element])].map(({ innerText, textContent }) => innerText || textContent).join(" ")"""
"""Returns the text of an element as readers see it or, for a table row, the texts of its cells."""

TEXTS = {
    ".bc-of": "Your sizes, starting from BERT base, uncased, as BertForSequenceClassification",
    ".bc-trained": "174,336 of them are trainable, 0.2%. PEFT prints "
    "trainable params: 174,336 || all params: 74,538,240 || trainable%: 0.2339",
    "#calculator-picture figcaption": "Areas are to scale. Within each layer: attention, feed-forward. Hatched: "
    "frozen. A triangle marks what is too thin to see clearly.",
    "#calculator-parts caption": "BertForSequenceClassification, part by part, and how it differs from RoBERTa base, "
    "in the same class; each share is rounded separately",
    "#calculator-tensors caption": "The tensors of BertForSequenceClassification, as PEFT lists them; * stands for "
    "every layer",
    "#calculator-bridge caption": "From RoBERTa base, as RobertaModel, to BertForSequenceClassification",
    ".bc-switch:has(#what-if-more-L) label": "one more layer",
    "#calculator-parts tr:has(.bc-pooler)": "pooler 589,824 0.8% 0 +589,824",
    ".bc-compared tr.bc-totalled": "parameters 74,538,240 108,442,426 11,683,584",
    ".bc-compared thead th:nth-child(3) .bc-what": "L = 6",
    ".bc-compared tbody tr:nth-child(7)": "E none none 128",
}
"""Texts from several panels, by selector."""


def test_texts_links_and_colours_fit_the_configuration(page: Page) -> None:
    import_modules(open_calculator(page, STATE_WITH_MANY_SETTINGS))
    update_everything(page)
    for selector, text in TEXTS.items():
        element = page.locator(selector).first
        assert text == " ".join(call(element.element_handle(), TEXT_ON_SCREEN).split()), selector
    assert "../totals/base.html" == page.get_attribute(".bc-of a", "href")
    assert "../parts/heads.html#pooler" == page.get_attribute("#calculator-parts tr:has(.bc-pooler) a", "href")
    assert 1 == page.locator("#calculator-parts .bc-key.bc-pooler").count()
    frozen_blocks = page.locator("#calculator-picture .bc-map > g:has(.bc-frozen)").all()
    assert ["embeddings", "layer", "pooler", "task-head"] == [
        str(block.get_attribute("class")).removeprefix("bc-").split()[0] for block in frozen_blocks
    ]
    count_colourless = "keys => keys.filter(key => getComputedStyle(key).backgroundColor === 'rgba(0, 0, 0, 0)').length"
    assert 0 == page.locator("#calculator-parts .bc-key").evaluate_all(count_colourless)
    labels = page.locator(".bc-lines li").evaluate_all("lines => lines.map(line => line.lastChild.textContent)")
    assert all(labels)
    assert {"the embeddings", "one layer", "one LayerNorm", "one adapter", "the adapters on weight matrices"} < set(
        labels
    )
    assert "the total" == labels[-1]
    assert ["P", "S"] == page.locator(".bc-compared tr.bc-same-in-all th").all_text_contents()


# --- The picture --------------------------------------------------------------

LABELS_OF = function_in("calculator.js", "labelsOf")
"""Types sizes; returns each visible label, whether its block is wide enough, and how far it extends above or below."""

SIZES_FOR_LABELS = [
    {"V": "45000", "L": "25"},
    {"V": "30522", "A": "16", "H": "1024", "L": "12"},
    {"A": "12", "H": "768", "L": "20", "V": "3000", "F": "300"},
    {"A": "1", "H": "7680", "L": "4", "V": "90000000", "F": "3072"},
    {"H": "1", "V": "3", "P": "1", "L": "2"},
]
"""Sizes that make blocks just wide enough for a label, too narrow, or too short."""


def test_labels_stay_within_their_blocks_on_a_phone(open_tab: Callable[..., Page]) -> None:
    """Descenders, which are at most 1.5 pixels long, may extend below a block."""
    page = open_calculator(
        open_tab(viewport=WIDTHS["phone"]), "?model=bert-base-uncased&class=BertForPreTraining&tied=no"
    )
    labels = [label for sizes in SIZES_FOR_LABELS for label in page.evaluate(LABELS_OF, sizes)]
    assert len(labels) > 15
    assert [] == [label for label, is_wide_enough, overhang in labels if not is_wide_enough or overhang > 1.5]


WITH_LORA = "?model=bert-base-uncased&class=BertForSequenceClassification&lora=8:query,value"
"""A state with long tensor names, and with terms in the sum that are not links."""

SEPARATED_SIGNS = """() => [...document.querySelectorAll("#calculator-picture .bc-level-sum > span:not(:first-child)")]
  .filter((term) => {
    const [sign, number] = [term.firstChild, term.lastElementChild.lastChild].map((node) => {
      const range = document.createRange()
      range.selectNode(node)
      return range.getBoundingClientRect()
    })
    return number.top > sign.bottom
  }).map((term) => term.textContent)"""
"""Returns the terms of the sum whose sign and number are on different lines."""


def test_no_line_breaks_between_a_sign_and_its_number(open_tab: Callable[..., Page]) -> None:
    page = open_calculator(open_tab(viewport=WIDTHS["phone"]), WITH_LORA)
    assert [] == page.evaluate(SEPARATED_SIGNS)
    # With a style that lets the lines break, the breaks are noticed, both inside and outside links.
    page.evaluate(APPLY_STYLE, ".bc-level-sum span > span { display: inline !important }")
    assert ["+ LoRA's adapters 294,912", "+ copy of the head 1,538"] == page.evaluate(SEPARATED_SIGNS)


def test_no_table_is_wider_than_the_window(page: Page) -> None:
    open_calculator(page, WITH_LORA)
    wide_tables = function_in("phone.js", "wideTables")
    assert [] == page.evaluate(wide_tables)
    # If long tensor names could not wrap, their table would be too wide.
    page.evaluate(APPLY_STYLE, ".md-typeset table.bc wbr { display: none !important }")
    assert ["calculator-tensors"] == page.evaluate(wide_tables)
    page.evaluate(APPLY_STYLE, "")


SHARES_OF_AREAS = function_in("calculator.js", "sharesOfAreas")
"""Returns, for each block, its share of the picture's area, followed by those of the blocks within it."""


@pytest.mark.parametrize("layers", [7, 30])
def test_the_picture_is_to_scale(page: Page, layers: int) -> None:
    """If there are many layers, they are drawn as one rectangle with lines between them, and without sublayers."""
    type_in_fields(page, ("l", str(layers)))
    model = model_named("bert-base-uncased").resized(L=layers)
    parts = ("bert/embeddings", "bert/encoder", "bert/pooler")
    embeddings, encoder, pooler = (Question(model, part=part).number / Question(model).number for part in parts)
    shares = page.evaluate(SHARES_OF_AREAS)
    assert [pytest.approx(share, abs=1e-4) for share in (embeddings, encoder, pooler)] == [
        first for first, *_ in shares
    ]
    shares_in_layer = [2_362_368 / 7_087_872, 4_722_432 / 7_087_872] if layers == 7 else [0, 0]
    assert [pytest.approx(encoder * share, abs=1e-4) for share in shares_in_layer] == shares[1][1:]
    lines = page.locator("#calculator-picture .bc-between").all()
    path = "".join(f"M{layer} 0v1" for layer in range(1, 30))
    assert ([] if layers == 7 else [path]) == [line.get_attribute("d") for line in lines]


# --- The address --------------------------------------------------------------


def test_the_address_contains_only_what_differs_and_restores_the_state(page: Page) -> None:
    type_in_fields(page, ("l", "6"), ("class", "BertForMaskedLM"), ("what-if-frozen-embeddings", True))
    type_in_fields(page, ("what-if-frozen-layers", "2"), ("what-if-more-V", True))
    page.wait_for_url("**/calculator.html?model=bert-base-uncased&L=6&class=BertForMaskedLM&more=V&frozen=embeddings,2")
    total_before = total(page)
    import_modules(open_calculator(page, f"?{page.url.partition('?')[2]}"))
    assert total_before == total(page)
    assert "2" == page.input_value("#what-if-frozen-layers")


HOSTILE_ADDRESSES = [
    "?model=<script>alert(1)</script>&unknown=1&__proto__=1&constructor=2&toString=x&pooler=perhaps&lora=8:everything",
    "?model=bert-base-uncased&H=<img src=x onerror=alert(1)>&beside=nobody&beside=;;;=&beside=a&beside=b",
    "?model=__proto__&more=constructor&frozen=%00,%F0%9F%92%A9",
    "?model=bert-base-uncased&class=GPT2Model&E=128&V=" + "9" * 5000,
]
"""Query strings with markup, names of JavaScript's built-in properties, and values that cannot be read."""


def test_an_unreadable_address_gets_a_complaint(page: Page) -> None:
    for query in HOSTILE_ADDRESSES:
        assert total(open_calculator(page, query)) > 0
        complaint = page.locator("#calculator-form .bc-fault:not(:empty)")
        expect(complaint.first).to_be_visible()
        assert 0 == page.locator("article img, article script:not([type])").count()
    page.get_by_role("button", name="Start again").click()
    expect(complaint).to_have_count(0)
    # Complaints appear next to their fields and above the form.
    open_calculator(page, "?model=bert-base-uncased&A=x&vocabulary=x&frozen=99&lora=0:&beside=nobody;L=x;E=1")
    beginnings = [
        "The number of attention heads per layer must be a whole number, such as 12.",
        "The number of tokens in the vocabulary must be a whole number, such as 30,522.",
        "The rank of LoRA must be at least 1.",
        "Choose at least one module for LoRA",
        "Not everything in the address could be read: model=nobody; E=1; beside=nobody;L=x;E=1.",
    ]
    complaints = page.locator(".bc-fault:not(:empty)").all_text_contents()
    assert [] == [
        beginning for beginning in beginnings if not any(text.startswith(beginning) for text in complaints)
    ], complaints
    assert {"calculator-a", "what-if-vocabulary", "what-if-rank"} == {
        str(element.get_attribute("id")) for element in page.locator("[aria-invalid=true]").all()
    }
    import_modules(page)


# --- Copies and downloads ------------------------------------------------------

SNIPPET = Path(__file__).with_name("snippet.txt").read_text(encoding="utf-8")
"""A snippet that was run with transformers 5.23 and torch 2.13, and printed the numbers in its comments."""

SNIPPET_LINES = {
    "H=1025": [
        "# H = 1,025 is not divisible by 12 heads, so transformers cannot build this model; the total is shown anyway"
    ],
    "tied=no&cross=yes&frozen=embeddings,2,all-but-head&class=BertForMaskedLM": [
        "    tie_word_embeddings=False,\n    is_decoder=True,\n    add_cross_attention=True,\n)",
        "model.base_model.requires_grad_(False)\nmodel.base_model.embeddings.requires_grad_(False)\n",
    ],
    "pooler=no&L=0&frozen=embeddings": ["    model = BertModel(config, add_pooling_layer=False)"],
    "model=albert-base-v2&G=2&biases=no&class=AlbertForMaskedLM&frozen=1": [
        " for layer in group.albert_layers][:1]:",
        '[p for name, p in model.named_parameters() if not name.endswith("bias") or "norm" in name.lower()]',
    ],
    "class=BertForQuestionAnswering&lora=4:output": ['task_type="QUESTION_ANS"', "get_peft_model(model, method)\n"],
    "prefix=20": ["method = PrefixTuningConfig(\n    num_virtual_tokens=20,\n", 'task_type="FEATURE_EXTRACTION"'],
}
"""Query strings, each with texts that the snippet must contain. `make verify` runs such snippets, in every class."""


def test_the_snippet_is_the_code_that_builds_the_configuration(page: Page) -> None:
    query = "?model=bert-base-uncased&L=6&class=BertForSequenceClassification&labels=3&frozen=embeddings,2"
    assert SNIPPET == show_state(page, query).locator(".bc-snippet").text_content()
    for state, lines in SNIPPET_LINES.items():
        snippet = str(show_state(page, f"?{state}").locator(".bc-snippet").text_content())
        assert [] == [line for line in lines if line not in snippet], state


def test_the_page_confirms_downloads_and_copies(page: Page) -> None:
    status = page.locator("#export-place [role=status]")
    for kind in ("CSV", "JSON"):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Download {kind}").click()
        assert f"bert-counted.{kind.lower()}" == download.value.suggested_filename
        assert f"bert-counted.{kind.lower()} is ready" == status.inner_text()
    for button, beginning in {
        "Copy the snippet": "import torch\n",
        "Copy the address": "http://127.0.0.1",
        "Copy as Markdown": "**BertModel**",
    }.items():
        page.get_by_role("button", name=button).click()
        expect(status).to_have_text("Copied")
        assert page.evaluate("navigator.clipboard.readText()").startswith(beginning)
        page.evaluate("document.querySelector('#export-place [role=status]').textContent = ''")
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error()) }")
    page.get_by_role("button", name="Copy the address").click()
    expect(status).to_have_text("Your browser does not allow copying")


# --- Appearance ---------------------------------------------------------------


def test_states_are_accessible_in_all_windows(page: Page) -> None:
    """Each state is checked where it differs from the earlier ones and from the initial state in `test_pages.py`."""
    page.locator(".bc-paste summary").click()
    type_in_fields(page, ("h", "1025"))
    expect(page.locator(".bc-note")).to_have_count(1)
    assert [] == faults_in_windows(page, ".bc-paste, .bc-note, #calculator-result")
    type_in_fields(page, ("f", "x"))
    expect(page.locator("[aria-invalid]")).to_have_count(1)
    assert [] == faults_in_windows(page, "[data-size=F], #calculator-result")
    show_state(
        page,
        "?model=bert-base-uncased&class=BertForSequenceClassification&labels=3&lora=8:query&more=V,L&vocabulary=31000"
        "&beside=bert-large-uncased;class=BertForMaskedLM&beside=roberta-base",
    )
    # The other panels look the same in every state.
    panels = ".bc-result, #calculator-picture, #calculator-parts, #calculator-bridge, .bc-compared, .bc-what-if"
    page.evaluate(REMOVE_REPEATED, panels)
    assert [] == faults_in_windows(page, panels)
    page.set_viewport_size(WIDTHS["desktop"])


def test_controls_are_large_enough_to_touch(open_tab: Callable[..., Page]) -> None:
    """WCAG 2.2 requires a height of at least 24 pixels."""
    page = open_calculator(open_tab(viewport=WIDTHS["phone"]))
    small_controls = page.evaluate(
        "[...document.querySelectorAll('article :is(button, select, input[type=text], .bc-switch label)')]"
        ".filter(control => control.checkVisibility() && control.getBoundingClientRect().height < 24)"
        ".map(control => control.outerHTML)"
    )
    assert [] == small_controls


def test_fields_open_a_keyboard_with_digits(open_tab: Callable[..., Page]) -> None:
    page = open_calculator(open_tab(viewport=WIDTHS["phone"]))
    fields = page.locator("article input[type=text]")
    assert {"numeric"} == set(fields.evaluate_all("fields => fields.map(field => field.inputMode)"))


def test_the_total_stays_visible_while_a_reader_types_further_down(open_tab: Callable[..., Page]) -> None:
    page = open_calculator(open_tab(viewport=WIDTHS["phone"]))
    page.locator("#calculator-l").scroll_into_view_if_needed()
    page.evaluate("scrollBy(0, 300)")
    expect(page.locator(".bc-digits")).to_be_in_viewport()
