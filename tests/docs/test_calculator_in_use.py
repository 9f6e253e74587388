"""The calculator does what readers expect when they type, step, choose and paste."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from macros.counting import ChangedModel, Question, model_named
from macros.counting.config_keys import KEY_DATA
from macros.counting.messages import message
from macros.counting.training import fine_tuning_step
from tests.docs.plurals import plurals_after_one
from tests.docs.scripts import call, function_in, import_modules
from tests.docs.test_calculator import (
    BASE,
    LARGE,
    ROBERTA,
    largest_vocabulary,
    number,
    open_calculator,
    reset,
    show_state,
    table,
    total,
    type_in_fields,
    update_everything,
)
from tests.docs.windows import watch

BERT, ALBERT = map(model_named, ("bert-base-uncased", "albert-base-v2"))


@pytest.fixture(scope="module")
def errors(desktop: Page, address: str) -> list[str]:
    """A list that collects the calculator's errors. The calculator stays open for all tests in this file."""
    errors_of_calculator = watch(desktop, address)
    import_modules(open_calculator(desktop))
    return errors_of_calculator


@pytest.fixture
def page(desktop: Page, errors: list[str]) -> Iterator[Page]:
    """The calculator in its initial state. Any error on the page fails the test."""
    reset(desktop)
    yield desktop
    assert [] == errors


# --- Sizes --------------------------------------------------------------------

PRESS_KEY = function_in("scripts.js", "pressKey")
"""Fills in fields and presses a key in one of them; returns that field's text, and whether the page handled the key."""

STEPS = """
L up to 13 | L down to 11 | L down to 0 with L=0 | V down to 1 with V=1 | V up to 30523 with V=30,522
V up to x1 with V=x1 | V up to 9999999999999999 with V=9999999999999999 | H up to 780 | H down to 756
H down to 12 with H=12 | H up to 769 with A=x | H up to 780 with H=770
A up to 16 | A down to 8 | A up to 768 with A=768 | A down to 1 with A=1
A up to 7 with A=2; H=7 | A up to 13 with H=x | A up to 21 with A=20; H=1000000 | F up to 9 with H=7; F=8
"""
"""Steps up or down, each with its result and, after `with`, the fields that differ from those of BERT base.

The hidden size steps to the next multiple of the number of heads, or by one if the field for heads has no number. The
number of heads steps to the next divisor of the hidden size, or by one if no divisor is near.
"""


def test_sizes_step_to_sizes_that_fit(page: Page) -> None:
    for step in re.split(r" [|] |\n", STEPS.strip("\n")):
        [(letter, direction, expected, preset)] = re.findall(r"^(\w) (up|down) to (.*?)(?: with (.*))?$", step)
        fields = dict(entry.split("=") for entry in preset.split("; ")) if preset else {}
        key = {"up": "ArrowUp", "down": "ArrowDown"}[direction]
        assert [expected, True] == call(page, PRESS_KEY, fields, letter, key), step
    assert ["12", False] == call(page, PRESS_KEY, {}, "L", "Enter")
    page.get_by_role("button", name="less: layers").click()
    assert "11" == page.input_value("#calculator-l")


def test_another_model_keeps_the_task(page: Page) -> None:
    type_in_fields(page, ("calculator-class", "BertForMaskedLM"))
    page.get_by_role("button", name="Keep this one").click()
    classes = []
    for model in ("albert-base-v2", "roberta-base", "bert-base-cased"):
        type_in_fields(page, ("calculator-model", model))
        classes.append(page.input_value("#calculator-class"))
    assert ["AlbertForMaskedLM", "RobertaForMaskedLM", "BertForMaskedLM"] == classes
    # DistilBERT has no class for next-sentence prediction.
    type_in_fields(
        page, ("calculator-class", "BertForNextSentencePrediction"), ("calculator-model", "distilbert-base-cased")
    )
    assert "DistilBertModel" == page.input_value("#calculator-class")
    # The model that was kept for comparison is still there.
    assert 2 == page.locator(".bc-compared thead th").count()


HIGHLIGHTED_ROWS = function_in("calculator_in_use.js", "highlightedRows")
"""Focuses a letter's field; returns the number of highlighted rows, and whether they are the right ones."""


def test_focusing_a_size_highlights_its_rows(page: Page) -> None:
    """A size's rows are the tensors with its letter in their shape or, for the number of layers, those of a layer."""
    rows = {letter: page.evaluate(HIGHLIGHTED_ROWS, letter) for letter in "VPSHFLA"}
    # Counted by hand in the shapes of BERT base's tensors. The tensors of a layer count only once.
    assert {"V": 1, "P": 1, "S": 1, "H": 22, "F": 3, "L": 16, "A": 0} == {
        letter: highlighted_count for letter, (highlighted_count, _) in rows.items()
    }
    assert [] == [letter for letter, (_, is_correct) in rows.items() if not is_correct]
    page.locator("#calculator-h").focus()
    page.evaluate("document.activeElement.blur()")
    expect(page.locator("#calculator-tensors .bc-lit")).to_have_count(0)


BAD_SIZES = ["", "-1", "0", "3.5", "1e3", "twelve", "9" * 30, "<img src=x onerror=alert(1)>", "½"]
"""Texts that are not positive whole numbers, or are too large."""


def test_a_bad_size_is_refused_in_a_sentence(page: Page) -> None:
    for text in BAD_SIZES:
        type_in_fields(page, ("f", text))
        expect(page.locator("#calculator-f[aria-invalid=true]")).to_have_count(1)
        assert page.inner_text("#calculator-f-says").strip().endswith(".")
        expect(page.locator(".bc-of")).to_have_text("Showing the last valid sizes.")
        assert BASE == total(page)
        assert 0 == page.locator(".bc-calculator img").count()
        type_in_fields(page, ("f", "3,072"))
        expect(page.locator("[aria-invalid]")).to_have_count(0)
    assert "last valid" not in page.inner_text("#calculator-result")
    # If the bad size is in the address, there are no last valid sizes, so the published model is shown.
    type_in_fields(page, ("l", "24"))
    expect(show_state(page, "?model=bert-base-uncased&F=x").locator(".bc-digits")).to_have_text(f"{BASE:,}")


def test_a_total_beyond_the_limit_is_refused_in_a_sentence(page: Page) -> None:
    for change in (
        ("v", str(largest_vocabulary() + 1)),
        ("what-if-more-V", True),
        ("what-if-vocabulary", str(largest_vocabulary() + 1)),
    ):
        type_in_fields(page, ("v", str(largest_vocabulary())), change)
        expect(page.locator(".bc-delta")).to_have_text(
            "With these sizes, the total is too large to count; enter smaller ones."
        )
        assert Question(BERT.resized(V=largest_vocabulary())).number == total(page)
        assert 1 == page.locator(".bc-digits.bc-long").count()
        assert "last valid sizes" in page.inner_text("#calculator-result")
        reset(page)


# Source: BertModel in transformers 5.23 with a hidden size of 1,024, 16 heads, and BERT base's other sizes. With 12
# heads, transformers refuses to build the model.
WIDE_TOTAL = 158_809_088

NOT_DIVISIBLE = "H = 1,024 is not divisible by {} heads, so transformers cannot build this model; {}"
COUNTED_ANYWAY = "the total is shown anyway. Use + and − to find a number that fits."
"""The two parts of the note on a number of heads that does not divide the hidden size."""


def test_heads_that_transformers_refuses_are_counted_with_a_note(page: Page) -> None:
    config = {**CONFIG, "architectures": [], "vocab_size": 30522, "hidden_size": 1024}
    ways_to_enter: list[Callable[[], object]] = [
        lambda: type_in_fields(page, ("h", "1024")),
        lambda: enter_config(page, json.dumps(config)),
        lambda: show_state(page, "?model=bert-base-uncased&H=1024"),
    ]
    note = page.locator("#calculator-note")
    for enter in ways_to_enter:
        reset(page)
        enter()
        assert WIDE_TOTAL == total(page)
        assert page.inner_text(".bc-of").endswith("as BertModel, with heads that do not fit")
        assert NOT_DIVISIBLE.format(12, COUNTED_ANYWAY) == note.inner_text()
        expect(page.locator("[aria-invalid]")).to_have_count(0)
    expect(page.locator("#what-if-more-heads")).to_be_hidden()
    update_everything(page)
    assert str(page.text_content(".bc-snippet")).startswith("# H = 1,024 is not divisible by 12 heads, so transf")
    type_in_fields(page, ("a", "10"))
    assert "However many heads there are, the matrices stay H × H." == page.inner_text(".bc-change")
    expect(page.locator("#calculator-status")).to_contain_text(
        "158,809,088 parameters. H = 1,024 is not divisible by 10 heads"
    )
    page.get_by_role("button", name="more: heads per layer").click()
    expect(note).to_be_empty()
    assert "refuses" not in page.inner_text(".bc-result")
    assert WIDE_TOTAL == total(page)


def test_sizes_of_one_are_in_the_singular(page: Page) -> None:
    texts = []
    for letter in "APSFHLV":
        type_in_fields(page, (letter.lower(), "1"))
        texts.append(page.inner_text(".bc-calculator"))
    show_state(page, "?model=bert-base-uncased&H=1&A=1&F=1&L=1&V=1&P=1&S=1&lora=1:query")
    texts.append(page.inner_text("article"))
    assert [] == [plural for text in texts for plural in plurals_after_one(text)]
    assert "The only head" in texts[0]


def test_the_total_is_announced_after_a_pause_in_typing(page: Page) -> None:
    status = page.locator("#calculator-status")
    page.fill("#calculator-l", "24")
    assert "194,536,704" not in status.inner_text()
    for field in ("#calculator-l", "#what-if-rank"):
        page.press(field, "Enter")  # must not submit the form
    expect(status).to_have_text("194,536,704 parameters")
    type_in_fields(page, ("f", "x"))
    expect(status).to_have_text(
        re.compile("^The .* must be a whole number, such as .*[.] Still showing 194,536,704 parameters[.]$")
    )


TOTALS_ON_TYPING = function_in("calculator_in_use.js", "totalsOnTyping")
"""Types a number of layers; returns the totals that the first screen and the table show immediately afterwards."""


def test_the_total_updates_at_once_and_the_tables_after_a_pause(page: Page) -> None:
    update_everything(page)
    # Source: BertModel in transformers 5.23 with num_hidden_layers=13 and BERT base's other sizes.
    old_total, new_total = f"{BASE:,}", "116,570,112"
    assert [new_total, old_total] == page.evaluate(TOTALS_ON_TYPING, "13")
    expect(page.locator("#calculator-parts tfoot td").first).to_have_text(new_total)  # without any further event


# --- The effect of a change ---------------------------------------------------

BASE_QUESTION = Question(BERT)
MASKED_QUESTION = Question(BERT, "BertForMaskedLM")
PREFIX = "what-if"
"""The prefix of the ids of fields and switches for changes."""

CHANGES: list[tuple[list[tuple[str, str | bool]], str, int]] = [
    ([("class", "BertForMaskedLM")], "From BertModel to BertForMaskedLM:", MASKED_QUESTION.number - BASE),
    ([("pooler", False)], "pooler:", -768 * 769),
    ([("class", "BertForMaskedLM"), ("tied", False)], "decoder tied to the word embeddings:", 30_522 * 769),
    ([("cross_attention", True)], "cross-attention:", 12 * (4 * 768 * 769 + 2 * 768)),
    ([(f"{PREFIX}-biases-off", True)], "no biases in dense layers:", -83_712),
    ([(f"{PREFIX}-rank", "4")], "Rank:", 147_456),
    ([(f"{PREFIX}-lora-key", True)], "key:", 147_456),
    ([(f"{PREFIX}-vocabulary", "30,000")], "V from 30,522 to 30,000:", -522 * 768),
    ([(f"{PREFIX}-more-P", True)], "P from 512 to 513:", 768),
    ([(f"{PREFIX}-more-P", True), (f"{PREFIX}-more-S", True), (f"{PREFIX}-more-P", False)], "P from 513 to 512:", -768),
    (
        [("model", "bert-large-uncased")],
        "From BERT base, uncased (BertModel) to BERT large, uncased (BertModel):",
        LARGE - BASE,
    ),
    (
        [("a", "16"), ("h", "1024"), ("l", "1")],
        "L from 12 to 1:",
        Question(BERT.resized(A=16, H=1024, L=1)).number - Question(BERT.resized(A=16, H=1024)).number,
    ),
    (
        [("model", "albert-base-v2"), ("e", "64")],
        "E from 128 to 64:",
        Question(ALBERT.resized(E=64)).number - 11_683_584,
    ),
]
"""Lists of changes to make in turn, each with the calculator's description of the last change and its effect."""

FREEZING: dict[str, tuple[str, str | bool]] = {
    "everything but the head: the total is unchanged; 109,482,240": (f"{PREFIX}-frozen-all-but-head", True),
    "embeddings: the total is unchanged; 23,837,184": (f"{PREFIX}-frozen-embeddings", True),
    "First layers to freeze: the total is unchanged; 21,263,616": (f"{PREFIX}-frozen-layers", "3"),
}
"""The beginnings of notes on freezing, each with the field or switch that causes the note.

The last number is three times the 7,087,872 parameters of a layer of BERT base.
"""


def test_a_note_says_what_the_last_change_did(page: Page) -> None:
    for steps, description, effect in CHANGES:
        type_in_fields(page, *steps)
        expected = f"{description} {abs(effect):,} {'more' if effect > 0 else 'fewer'} parameters."
        assert expected == page.inner_text(".bc-delta"), steps
        reset(page)
    for note, switch in FREEZING.items():
        type_in_fields(page, switch)
        assert f"{note} fewer are trained." == page.inner_text(".bc-delta")
        reset(page)
    type_in_fields(page, (f"{PREFIX}-frozen-embeddings", True), ("l", "11"), (f"{PREFIX}-frozen-embeddings", False))
    assert "embeddings: the total is unchanged; 23,837,184 more are trained." == page.inner_text(".bc-delta")
    reset(page)
    type_in_fields(page, ("a", "16"))
    assert "A from 12 to 16: the parameters stay the same." == page.inner_text(".bc-delta")
    reset(page)
    assert page.inner_text(".bc-delta").startswith("Change a size")


def difference(before: Question, after: Question) -> str:
    """The calculator's phrase for the difference in parameters."""
    change = after.number - before.number
    return f"{abs(change):,} {'more' if change > 0 else 'fewer'} parameters."


BATCHES = [
    # Source: FlopCounterMode in torch 2.13, applied to classes of transformers, by default to one text of 128 tokens.
    ("?model=bert-base-uncased&tokens=512", 96_637_943_808),
    ("?model=bert-base-uncased&class=BertForMaskedLM", 28_499_116_032),
    ("?model=bert-large-uncased", 78_922_121_216),
    ("?model=bert-large-uncased&texts=8", 8 * 78_922_121_216),
    ("?model=bert-base-uncased&pooler=no", 22_348_431_360 - 2 * 768 * 768),
]
"""Query strings with a batch, each with the number of operations to process it."""


@pytest.mark.parametrize(("query", "operations"), BATCHES)
def test_operations_of_a_batch_are_given_below_the_total(page: Page, query: str, operations: int) -> None:
    """The sentence also gives the multiply-adds, each of which is two operations."""
    sentence = show_state(page, query).inner_text(".bc-operations")
    assert [operations, operations // 2] == [
        int(digits.replace(",", "")) for digits in re.findall(r"\d[\d,]{8,}", sentence)
    ]


def test_a_text_longer_than_the_model_can_read_is_refused(page: Page) -> None:
    """RoBERTa reads up to 512 tokens. Its position table has two further rows, which no token uses."""
    show_state(page, "?model=roberta-base&texts=8&tokens=513")
    assert "Enter a whole number from 1 to 512." == page.inner_text("#calculator-t-says")
    assert "" == page.inner_text(".bc-operations")
    assert (ROBERTA, "RoBERTa base, as RobertaModel") == (total(page), page.inner_text(".bc-of"))
    type_in_fields(page, ("t", "512"))
    assert "tokens per text: the parameters stay the same." == page.inner_text(".bc-delta")
    page.get_by_label("Start from").select_option("bert-base-uncased")
    page.mouse.click(1, 1)
    expect(page.locator(".bc-operations")).to_contain_text("773,103,550,464 FLOPs to read 8 texts of 512 tokens")


def test_a_comparison_names_both_of_its_models(page: Page) -> None:
    distilbert, deep_bert = Question(model_named("distilbert-base-uncased")), Question(BERT.resized(L=24))
    type_in_fields(page, ("l", "24"), ("model", "distilbert-base-uncased"))
    effect = difference(deep_bert, distilbert)
    sentence = f"From your sizes (BertModel) to DistilBERT base, uncased (DistilBertModel): {effect}"
    # The sentence stays when the focus leaves the field.
    page.locator("#calculator-model").focus()
    page.locator("#calculator-class").focus()
    assert sentence == page.inner_text(".bc-delta")
    reset(page)
    type_in_fields(page, ("config", json.dumps({**CONFIG, "num_hidden_layers": 3, "architectures": ["BertModel"]})))
    small_bert = Question(model_named("bert-base-cased").resized(L=3))
    sentence = f"From BERT base, uncased (BertModel) to your sizes (BertModel): {difference(BASE_QUESTION, small_bert)}"
    assert sentence == page.inner_text(".bc-delta")


LINES_OF_CHANGE = (
    "[...document.querySelectorAll('#calculator-change > ul li, #calculator-change > p')].map(line => line.textContent)"
)
"""Evaluates to the lines below the note on a change: the parts that changed, if any, and the reason."""


def test_an_edit_says_which_parts_changed_and_why(page: Page) -> None:
    page.locator("#calculator-h").focus()
    for hidden_size in (756, 780):
        type_in_fields(page, ("h", str(hidden_size)))
        expect(page.locator("#calculator-tensors tr.bc-lit")).to_have_count(22)
        *labels, rest, reason = page.evaluate(LINES_OF_CHANGE)
        numbers = [number(line.rpartition(" ")[2]) for line in (*labels, rest)]
        assert numbers[:3] == sorted(numbers[:3], key=abs, reverse=True)
        assert Question(BERT.resized(H=hidden_size)).number - BASE == sum(numbers)
    assert rest.startswith("and 2 other parts +")
    assert "H is in the shape of 22 of the 23 rows; those that have it twice grow with its square." == reason
    reasons = {}
    for field, size in {"f": "3071", "v": "30521", "l": "11", "a": "1"}.items():
        reset(page)
        type_in_fields(page, (field, size))
        reasons[field] = page.evaluate(LINES_OF_CHANGE)[-1]
    sentence = "The only head takes all H = 768 columns of query, key and value."
    assert {
        "f": "F is in the shape of 3 of the 23 rows; each grows in proportion.",
        "v": "V is in the shape of 1 of the 23 rows; it grows in proportion.",
        "l": "Every layer has the same 16 tensors, so L multiplies what one layer holds and affects nothing else.",
        "a": f"{sentence} However many heads there are, the matrices stay H × H.",
    } == reasons
    type_in_fields(page, ("a", "16"))
    sentence = "The 16 heads share the H = 768 columns of query, key and value: each takes H / A = 48 of them."
    assert [f"{sentence} However many heads there are, the matrices stay H × H."] == page.evaluate(LINES_OF_CHANGE)
    reset(page)
    type_in_fields(page, ("c", "3"))
    assert ["No shape in this class contains the letter C."] == page.evaluate(LINES_OF_CHANGE)


# --- Switches -----------------------------------------------------------------

SWITCHES: list[tuple[list[tuple[str, str | bool]], str]] = [
    ([("rank", "4")], "lora = 4:query,value"),
    ([("rank", "4"), ("lora-key", True), ("rank", "5")], "lora = 5:query,key,value"),
    ([("rank", "4"), ("rank", " ")], ""),
    ([("lora-key", True)], "lora = 8:key"),
    ([("lora-key", True), ("lora-all-linear", True)], "lora = 8:all-linear"),
    ([("lora-all-linear", True), ("lora-key", True)], "lora = 8:key"),
    ([("biases-off", True), ("more-V", True), ("more-P", True)], "more = V,P, biases = no"),
    ([("frozen-embeddings", True), ("frozen-layers", "2")], "frozen = embeddings,2"),
]
"""Switches and fields to set in turn, and the description of the resulting configuration."""


def test_switches_and_fields_make_a_configuration(page: Page) -> None:
    """A rank alone implies LoRA's usual modules, and a module alone the usual rank.

    The switch for all linear layers and those for single modules replace each other.
    """
    for steps, expected in SWITCHES:
        type_in_fields(page, *((f"{PREFIX}-{name}", value) for name, value in steps))
        page.select_option("#compare-with", "roberta-base")
        update_everything(page)
        assert expected == page.locator(".bc-compared th .bc-what").first.text_content()
        reset(page)


# One more row of a table has H = 768 parameters, and one more layer of BERT base has 7,087,872. One more intermediate
# feature adds 2 × 768 + 1 in each of 12 layers. The dense layers of the encoder and the pooler have 83,712 biases.
EFFECTS = {"more-V": 768, "more-P": 768, "more-S": 768, "more-L": 7_087_872, "more-F": 18_444, "biases-off": -83_712}


def test_a_switch_shows_its_effect_and_adds_a_step_to_the_bridge(page: Page) -> None:
    assert "changes nothing" == page.inner_text(".bc-switch:has(#what-if-other-heads) .bc-effect")
    for name, effect in EFFECTS.items():
        assert effect == number(page.locator(f".bc-switch:has(#what-if-{name}) .bc-effect").inner_text())
        type_in_fields(page, (f"{PREFIX}-{name}", True))
        assert BASE + effect == total(page)
        assert [BASE, effect] == [number(row[1]) for row in table(page, "calculator-bridge")[:-1]]
        type_in_fields(page, (f"{PREFIX}-{name}", False))
        assert BASE == total(page)


def test_the_switches_for_freezing_are_disabled_while_lora_is_on(page: Page) -> None:
    """PEFT freezes the whole model anyway."""
    show_state(page, "?model=bert-base-uncased&frozen=embeddings,99&lora=8:query,value")
    # Source: get_nb_trainable_parameters() of PEFT 0.21.2 on BertModel, whether or not all of it was frozen before.
    peft_line = "trainable params: 294,912 || all params: 109,777,152 || trainable%: 0.2686"
    assert f"294,912 of them are trainable, 0.3%. PEFT prints {peft_line}" == page.inner_text(".bc-trained")
    freezing = page.get_by_role("group", name="Frozen, so not trained")
    expect(freezing.get_by_text("freezes everything it does not train")).to_be_visible()
    expect(freezing.get_by_label("embeddings")).to_be_disabled()
    expect(page.locator("#what-if-frozen-layers")).to_be_disabled()
    page.locator("#what-if-rank").fill("")
    expect(freezing.get_by_label("embeddings")).to_be_enabled()
    expect(freezing.get_by_label("embeddings")).to_be_checked()
    expect(freezing.get_by_text("freezes everything it does not train")).to_be_hidden()
    page.locator("#what-if-frozen-layers").fill("12")
    assert 590_592 == number(page.inner_text(".bc-trained").partition(" of them")[0])


def test_resizing_an_untied_head_in_place_gets_a_note(page: Page) -> None:
    """If transformers resizes the vocabulary in place, the head differs from one that is built with the new size."""
    note = page.locator("#what-if-place .bc-hint").first
    masked_query = "?model=bert-base-uncased&class=BertForMaskedLM&vocabulary=31000"
    assert "resize_token_embeddings" not in str(show_state(page, masked_query).text_content("#what-if-place"))
    show_state(page, f"{masked_query}&tied=no")
    expect(note).to_contain_text("leaves 31,000 fewer parameters, ")


# --- Bridge and comparison ----------------------------------------------------


def test_a_bridge_can_start_from_any_published_model(page: Page) -> None:
    page.locator("#bridge-from").select_option("roberta-base")
    steps = [number(row[1]) for row in table(page, "calculator-bridge")[:-1]]
    assert ROBERTA == steps[0]
    assert BASE == sum(steps)
    page.wait_for_url("**&from=roberta-base")


STEP_LABELS = function_in("calculator_in_use.js", "stepLabels")
"""Returns, for each query string, the labels of the steps from the published model to the configuration."""

BRIDGES = {
    "?cross=yes&pooler=no": ["pooler: no", "cross-attention: yes"],
    "?biases=no&vocabulary=31000&more=V,heads": [
        "vocabulary resized: V = 31,000, not 30,522",
        "one more token: V = 31,001",
        "one more head, as wide as the others, so H grows: H = 832",
        "no biases in dense layers",
    ],
    "?L=6&frozen=embeddings": ["layers: L = 6, not 12", "frozen, so not trained"],
    "?lora=8:query": ["LoRA's adapters, everything else frozen"],
}
"""Query strings, each with the labels of the steps of its bridge."""


def test_every_kind_of_step_in_a_bridge_has_a_label(page: Page) -> None:
    assert [*BRIDGES.values()] == call(page, STEP_LABELS, [*BRIDGES])


def test_two_configurations_can_be_compared_with_the_current_one_and_removed(page: Page) -> None:
    page.get_by_role("button", name="Keep this one").click()
    page.locator("#compare-with").select_option("bert-large-uncased")
    type_in_fields(page, ("l", "6"))
    totals = page.locator(".bc-compared tbody tr").first.locator("td").all_text_contents()
    # The current model is BERT base without six of its layers.
    assert [BASE - 6 * 7_087_872, BASE, LARGE] == [*map(number, totals)]
    expect(page.get_by_role("button", name="Keep this one")).to_be_disabled()
    page.wait_for_url("**beside=bert-base-uncased&beside=bert-large-uncased")
    import_modules(open_calculator(page, f"?{page.url.partition('?')[2]}"))
    assert 3 == page.locator(".bc-compared tbody tr").first.locator("td").count()
    page.get_by_role("button", name="Remove").first.click()
    assert 2 == page.locator(".bc-compared tbody tr").first.locator("td").count()


CHOICES = "id => [...document.querySelectorAll(`#${id} :is(optgroup, option)`)].map(option => option.label)"
"""Returns the labels of the groups and options in a list."""


def test_all_lists_of_models_are_equal_and_two_models_can_be_added(page: Page) -> None:
    models = page.evaluate(CHOICES, "calculator-model")
    assert len(models) > 50
    assert models == page.evaluate(CHOICES, "bridge-from")
    assert ["a published model …", *models] == page.evaluate(CHOICES, "compare-with")
    for model in ("roberta-base", "albert-base-v2"):
        expect(page.locator("#compare-with")).to_be_enabled()
        page.select_option("#compare-with", model)
    expect(page.locator("#compare-with")).to_be_disabled()
    page.get_by_role("button", name="Remove").last.click()
    assert ["Your model: BERT base, uncased", "RoBERTa base"] == page.locator(".bc-title").all_inner_texts()
    assert page.evaluate("document.activeElement.textContent").startswith("Keep this one")


BARS = function_in("calculator_in_use.js", "barMeasures")
"""Returns, for each bar, whether its pieces follow one another, and its length as a percentage of the full width."""


def test_the_bars_of_compared_models_are_to_scale(page: Page) -> None:
    page.select_option("#compare-with", "bert-large-uncased")
    update_everything(page)
    (base_has_no_gaps, base_length), (large_has_no_gaps, large_length) = page.evaluate(BARS)
    assert base_has_no_gaps
    assert large_has_no_gaps
    assert pytest.approx(100, abs=0.001) == large_length
    assert pytest.approx(100 * BASE / LARGE, abs=0.001) == base_length


# --- Words, units and colours -------------------------------------------------


def test_bytes_are_rounded_in_the_largest_unit_that_fits(page: Page) -> None:
    """From one kilobyte on, amounts have one decimal, in the largest unit in which the rounded amount is at least 1."""
    units = {"1": "1 byte", "999": "999 bytes", "1049": "1.0 kB", "999949": "999.9 kB", "999950": "1.0 MB"}
    units |= {"1500000000": "1.5 GB", "9007199254740991": "9,007.2 TB"}
    texts = page.evaluate(
        "amounts => amounts.map(bytes => bertCounted.calculator.tables.inUnits(Number(bytes)))", [*units]
    )
    assert [*units.values()] == texts


# --- A config that is pasted or dropped ---------------------------------------

CONFIG: dict[str, Any] = json.loads("""{
  "architectures": ["BertForMaskedLM"], "attention_probs_dropout_prob": 0.1, "hidden_act": "gelu", "hidden_size": 768,
  "intermediate_size": 3072, "max_position_embeddings": 512, "model_type": "bert", "num_attention_heads": 12,
  "num_hidden_layers": 12, "type_vocab_size": 2, "vocab_size": 28996
}""")
"""The entries of bert-base-cased's config.json that matter here."""

# Source: BertForMaskedLM in transformers 5.23 with that config.
CASED_MLM = 108_340_804

ENTER_CONFIG = function_in("calculator_in_use.js", "enterConfig")
"""Enters a text in the field for a config; returns the page's report on it."""

SIZES_OF_CONFIG = {key: CONFIG[key] for key in CONFIG if key.endswith(("size", "layers", "heads", "embeddings"))}
"""The entries of `CONFIG` that are sizes."""

CONFIGURATIONS = {
    "": (BERT.name, "BertModel", {}, []),
    "?model=roberta-base&class=RobertaForMaskedLM": ("roberta-base", "RobertaForMaskedLM", {}, []),
    "?model=bert-base-uncased&lora=4:query,value": (BERT.name, "BertModel", {}, ["lora:4:query,value"]),
    "?model=bert-base-uncased&frozen=embeddings,5": (BERT.name, "BertModel", {}, ["embeddings", "frozen:5"]),
    "?model=bert-base-uncased&L=13&H=771&A=3": (BERT.name, "BertModel", {"L": 13, "H": 771, "A": 3}, []),
    "?model=albert-base-v2&class=AlbertForTokenClassification": (
        "albert-base-v2",
        "AlbertForTokenClassification",
        {},
        [],
    ),
}
"""Query strings, each with the published model, the class, the sizes that differ from the model's, and the changes."""


USABLE_MEMORY = 16 * 2**30 * 90 // 100
"""The usable bytes with the initial settings of the form: 16 GiB minus a reserve of a tenth."""


@pytest.mark.parametrize("query", CONFIGURATIONS)
def test_the_largest_batch_is_the_one_that_the_engine_computes(page: Page, query: str) -> None:
    show_state(page, query)
    name, model_class, sizes, changes = CONFIGURATIONS[query]
    page.locator("#fits").evaluate("fold => fold.open = true")
    step = fine_tuning_step(
        ChangedModel.build(Question(model_named(name).resized(**sizes), model_class), changes), 1, 128
    )
    expect(page.locator("#batch-form [data-output=batch]")).to_have_text(f"{step.largest_batch(USABLE_MEMORY):,}")
    expect(page.locator("#fits-otherwise")).to_be_hidden()
    expect(page.get_by_label("Model, as a classifier")).to_have_count(0)


def test_the_largest_batch_follows_the_fields(page: Page) -> None:
    show_state(page, "?model=bert-base-uncased&class=BertForMaskedLM")
    page.locator("#fits").evaluate("fold => fold.open = true")
    page.locator("#calculator-h").fill("1536")
    model = model_named("bert-base-uncased").resized(H=1536)
    step = fine_tuning_step(ChangedModel.build(Question(model, "BertForMaskedLM"), []), 1, 128)
    answer = page.locator("#batch-form [data-output=batch]")
    expect(answer).to_have_text(f"{step.largest_batch(USABLE_MEMORY):,}")
    page.locator("#fits-texts").fill("4")
    expect(page.locator("#batch-form [data-output=peak]")).to_have_text(
        f"{step.with_examples(4).peak_bytes / 1e9:.1f} GB"
    )
    page.locator("#fits-tokens").fill("100")
    refusal = f"{message('training-mask', tokens=100, step=16, length=112)}."
    expect(page.locator("[data-refusal=tokens]")).to_have_text(refusal)
    # "Start again" does not reset this form, so the test itself must restore it.
    page.locator("#fits-tokens").fill("128")
    page.locator("#fits-texts").fill("")


@pytest.mark.parametrize("query", ["?model=modernbert-base", "?model=bert-base-uncased&lora=4:key"])
def test_a_command_replaces_the_form_if_the_page_cannot_count_the_step(page: Page, query: str) -> None:
    """The page counts the memory of only a few architectures, and that of LoRA only on its usual modules."""
    page.locator("#fits").evaluate("fold => fold.open = true")
    expect(page.locator("#batch-form")).to_be_visible()
    show_state(page, query)
    expect(page.locator("#batch-form")).to_be_hidden()
    code = page.locator("#fits-otherwise code")
    expect(code).to_contain_text("bert-counted config.json --class ")
    expect(code).to_contain_text(
        " --change lora:r=4:modules=key --train batch=" if "lora" in query else " --train batch="
    )


def test_no_training_step_is_offered_for_heads_that_transformers_refuses(page: Page) -> None:
    show_state(page, "?model=bert-base-uncased&A=7")
    page.locator("#fits").evaluate("fold => fold.open = true")
    # The fold first fetches two scripts and their data, which may exceed the default of five seconds on a busy machine.
    expect(page.locator("#fits-refused")).to_be_visible(timeout=20_000)
    for alternative in ("#batch-form", "#fits-otherwise"):
        expect(page.locator(alternative)).to_be_hidden()


def test_an_error_is_explained_at_its_field_only(page: Page) -> None:
    type_in_fields(page, ("h", "abc"))
    expect(page.locator(".bc-delta")).to_have_text("Correct the field “hidden size” to count again.")
    type_in_fields(page, ("h", "768"))
    expect(page.locator(".bc-delta")).to_have_text("Change a size to see which parts grow, and why.")
    type_in_fields(page, ("t", "600"))
    expect(page.locator(".bc-delta")).to_have_text("Correct the field “tokens per text” to count again.")
    type_in_fields(page, ("what-if-pruned", "500"))
    complaint = "The model has 144 heads and must keep one per layer, so prune at most 132."
    expect(page.locator("#what-if-pruned-says")).to_have_text(complaint)


def enter_config(page: Page, text: str) -> str:
    """Enter `text` in the field for a config, and return the page's report on it."""
    report: str = page.evaluate(ENTER_CONFIG, text)
    return report


def test_a_pasted_config_fills_the_fields(page: Page) -> None:
    report = enter_config(page, json.dumps(CONFIG))
    assert CASED_MLM == total(page)
    assert "BertForMaskedLM" == page.input_value("#calculator-class")
    assert "attention_probs_dropout_prob" in report
    assert "28996" == page.input_value("#calculator-v")
    assert "bert-base-cased" == page.input_value("#calculator-model")


def test_the_config_of_a_relative_brings_the_fields_for_its_sizes(page: Page) -> None:
    albert_sizes = {"embedding_size": 128, "num_hidden_groups": 1, "inner_group_num": 1}
    enter_config(page, json.dumps({**SIZES_OF_CONFIG, **albert_sizes, "model_type": "albert", "vocab_size": 30000}))
    # Source: AlbertModel in transformers 5.23.
    assert 11_683_584 == total(page)
    for letter in "EGI":
        expect(page.locator(f"#calculator-{letter.lower()}")).to_be_visible()


# A config as transformers prints it. Source of its total, 11,683,584: AlbertModel in transformers 5.23.
PRINTED_CONFIG = "AlbertConfig " + json.dumps(
    {
        "vocab_size": 30000,
        "embedding_size": 128,
        "hidden_size": 768,
        "num_hidden_layers": 12,
        "num_attention_heads": 12,
        "intermediate_size": 3072,
        "max_position_embeddings": 512,
        "type_vocab_size": 2,
    },
    indent=2,
)


WRONG_CONFIGS = [
    ("{", "JSON"),
    (json.dumps({**CONFIG, "hidden_size": "<b>wide</b>"}), "<b>wide</b>"),
    (json.dumps({**CONFIG, "hidden_size": 770, "embedding_size": 7}), "770"),
    ('{"__proto__": {"polluted": 1}, "model_type": "bert"}', "vocab_size"),
    # Apart from its model_type, this is a config of Oscar.
    (
        json.dumps({**SIZES_OF_CONFIG, "model_type": "bert", "img_feature_dim": 2054}),
        "Oscar has a projection of image regions",
    ),
    ("x" * 5_000_000, "is larger than 4194304 bytes"),
    (json.dumps({**CONFIG, "vocab_size": 2**53 - 1}), "fills the fields"),
]
"""Configs without a new total, each with a part of the page's report. The last is valid, but its total is too large."""


def test_a_wrong_config_is_refused_in_words(page: Page) -> None:
    for text, words in WRONG_CONFIGS:
        assert words in enter_config(page, text)
        assert BASE == total(page)
        assert words == "fills the fields" or "true" == page.get_attribute("#calculator-config", "aria-invalid")
        assert 0 == page.locator("#calculator-config-says :is(b, img)").count()
    assert page.evaluate("({}).polluted === undefined")
    expect(page.locator(".bc-delta")).to_contain_text("the total is too large to count")


def test_python_code_and_print_outs_are_read_like_a_config(page: Page) -> None:
    """Missing arguments take transformers' defaults."""
    page.locator(".bc-paste").evaluate("element => (element.open = true)")
    texts = {
        # Ten of the twelve layers of BERT base are left out.
        "BertConfig(num_hidden_layers=2)": BASE - 10 * 7_087_872,
        PRINTED_CONFIG: 11_683_584,
        repr(CONFIG): CASED_MLM,
    }
    for text, total_of_text in texts.items():
        page.locator("#calculator-config").fill(text)
        expect(page.locator(".bc-digits")).to_have_text(f"{total_of_text:,}")
        expect(page.locator("#calculator-config-says")).to_contain_text("fills the fields")
    page.locator("#calculator-config").fill("GPT2Config(n_embd=768)")
    expect(page.locator("#calculator-config-says")).to_contain_text(
        'model_type is "GPT2Config", which is not counted here'
    )


def test_the_name_of_a_model_is_read_like_its_config(page: Page) -> None:
    page.locator(".bc-paste").evaluate("element => (element.open = true)")
    field, report = page.locator("#calculator-config"), page.locator("#calculator-config-says")
    # Source: the recorded total of MPNetModel in transformers 5.23 with the config of all-mpnet-base-v2.
    field.fill("sentence-transformers/all-mpnet-base-v2")
    expect(page.locator(".bc-digits")).to_have_text("109,486,464")
    expect(report).to_contain_text("all-mpnet-base-v2, which has the sizes of MPNet base")
    assert "mpnet-base" == page.input_value("#calculator-model")
    for text in ('"sentence-transformers/all-mpnet-base-v2"', 'AutoModel.from_pretrained("microsoft/mpnet-base")'):
        field.fill("")
        field.fill(text)
        expect(report).to_contain_text("has 109,486,464 parameters as MPNetModel")
    for name, words in (
        ("google-bert/bert-base-uncasd", "We do not know a model called google-bert/bert-base-uncasd."),
        ("nomic-ai/nomic-embed-text-v2-moe", "its experts"),
    ):
        field.fill(name)
        expect(report).to_contain_text(words)
        assert "true" == field.get_attribute("aria-invalid")
        assert 109_486_464 == total(page)


def test_a_chosen_or_dropped_file_is_read_like_a_pasted_text(page: Page, tmp_path: Path) -> None:
    good_file, bad_file = tmp_path / "config.json", tmp_path / "<i>bad.json"
    good_file.write_text(json.dumps(CONFIG))
    bad_file.write_bytes(b"\xff\xfe\x00{")
    page.locator(".bc-paste summary").click()
    page.set_input_files("#calculator-file", bad_file)
    expect(page.locator("#calculator-config-says")).to_contain_text("<i>bad.json")
    page.set_input_files("#calculator-file", good_file)
    expect(page.locator("#calculator-config-says")).to_contain_text("config.json")
    expect(page.locator(".bc-digits")).to_have_text(f"{CASED_MLM:,}")
    transfer = page.evaluate_handle(
        "text => { const data = new DataTransfer(); data.items.add(new File([text], 'large.json')); return data }",
        json.dumps({**CONFIG, "num_hidden_layers": 1}),
    )
    page.dispatch_event("#calculator", "drop", {"dataTransfer": transfer})
    expect(page.locator("#calculator-l")).to_have_value("1")


SUCCESS = "This text fills the fields"
"""The beginning of the report on a config that can be counted."""


def test_config_keys_without_effect_are_named(page: Page) -> None:
    inert_keys = KEY_DATA["nothing"][-14:]  # too many for the page to list all of them
    reports = [
        enter_config(
            page,
            json.dumps({**SIZES_OF_CONFIG, **further_keys, **dict.fromkeys(inert_keys[:number_of_keys], 1)}),
        )
        for further_keys, number_of_keys in (({}, 1), ({"architectures": ["BertForMaskedLM"]}, 2), ({}, 14))
    ]
    with_class = "with the class that it names, BertForMaskedLM"
    assert [
        f"{SUCCESS}.One key has no effect on any size: {inert_keys[0]}.",
        f"{SUCCESS}, {with_class}.2 keys have no effect on any size: {inert_keys[0]} and {inert_keys[1]}.",
        f"{SUCCESS}.14 keys have no effect on any size: {', '.join(inert_keys[:6])} and 8 more.",
    ] == reports


def test_an_unknown_key_of_a_config_is_named(page: Page) -> None:
    report = enter_config(page, json.dumps({**SIZES_OF_CONFIG, "my_note": 1}))
    assert f"{SUCCESS}.We do not know my_note. If it sets the size of a tensor, the total is wrong." == report


@pytest.mark.parametrize("name", ["RobertaModel", "BertFor<b>"])
def test_a_class_that_is_not_counted_is_named(page: Page, name: str) -> None:
    """The page must not silently ignore a class of another model or a class that does not exist."""
    report = enter_config(page, json.dumps({**SIZES_OF_CONFIG, "model_type": "bert", "architectures": [name]}))
    reason = "which is not one of the classes that are counted here for this model, so the class is BertModel."
    assert f'{SUCCESS}.It names "{name}", {reason}' == report
    assert "bert-base-cased" == page.input_value("#calculator-model")


def test_starting_again_removes_a_config_and_the_complaint_about_it(page: Page) -> None:
    enter_config(page, json.dumps({**SIZES_OF_CONFIG, "type_vocab_size": 0}))
    assert (
        '<p class="bc-fault">This text cannot be counted:</p><ul class="bc-fault">'
        "<li>type_vocab_size is 0; it must be an integer from 1 to 9,007,199,254,740,991.</li></ul>"
    ) == page.inner_html("#calculator-config-says")
    reset(page)
    assert ("", "") == (page.input_value("#calculator-config"), page.inner_text("#calculator-config-says"))
    assert page.get_attribute("#calculator-config", "aria-invalid") is None


# --- Undoing ------------------------------------------------------------------

REPLACEMENTS: dict[str, Callable[[Page], Any]] = {
    "a model": lambda page: page.locator("#calculator-model").select_option("roberta-base"),
    "a config": lambda page: enter_config(page, json.dumps(CONFIG)),
    "Start again": lambda page: page.get_by_role("button", name="Start again").click(),
}
"""Actions that replace everything that was typed."""


@pytest.mark.parametrize("name", REPLACEMENTS)
def test_back_undoes_an_action_that_replaces_everything(page: Page, name: str) -> None:
    update_everything(page)  # makes the fixture's "Start again" a separate entry in the history
    page.fill("#calculator-l", "7")
    page.fill("#calculator-v", "30,000")
    REPLACEMENTS[name](page)
    update_everything(page)
    after = total(page)
    page.go_back()
    expect(page.locator("#calculator-l")).to_have_value("7")
    expect(page.locator("#calculator-v")).to_have_value("30000")
    page.go_forward()
    expect(page.locator(".bc-digits")).to_have_text(f"{after:,}")
    # Going back after following a link within the page leaves the fields as they are.
    page.fill("#calculator-l", "5")
    page.evaluate("document.body.append(Object.assign(document.createElement('a'), { href: '#memory', id: 'link' }))")
    page.evaluate("document.querySelector('#link').click()")
    page.go_back()
    expect(page.locator("#calculator-l")).to_have_value("5")
