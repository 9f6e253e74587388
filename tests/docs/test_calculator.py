"""The calculator, as readers meet it: what it shows adds up, holds, and comes back from its address."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from macros.counting import ARCHITECTURE_OF_CLASS
from macros.rendering.figures.levels import LEVELS
from tests.docs.calculating import from_transformers, in_full
from tests.docs.conftest import Pages
from tests.docs.plurals import ones_in_the_plural
from tests.docs.scripts import called, import_modules
from tests.docs.test_reserved import MOST, shift
from tests.docs.windows import WIDTHS, faults_in_windows, watch

PAGE = "try/calculator.html"
READY = "html[data-counting]"
"""Where the panels are there."""

# Source: num_parameters() of transformers 5.23, built from these checkpoints' configs.
BASE, LARGE = 109_482_240, 335_141_888
PRE_TRAINING = 110_106_428
ROBERTA = 124_645_632


@pytest.fixture(scope="module")
def context(browser: Browser, address: str) -> Iterator[BrowserContext]:
    """A window of a desktop, in which the clipboard may be written to."""
    opened = browser.new_context(
        viewport=WIDTHS["desktop"],
        base_url=f"{address}/",
        permissions=["clipboard-read", "clipboard-write"],
        accept_downloads=True,
    )
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def open_page(context: BrowserContext, address: str) -> tuple[Page, list[str]]:
    """The calculator, which stays open from test to test, and what goes wrong on it."""
    page = context.new_page()
    faults = watch(page, address)
    at(page)
    return page, faults


@pytest.fixture
def page(open_page: tuple[Page, list[str]]) -> Iterator[Page]:
    """The calculator as it is opened; an error on it fails the test."""
    page, faults = open_page
    if "?" in page.url:
        at(page)
    else:
        page.get_by_role("button", name="Start again").click()
    yield page
    assert [] == faults


def at(page: Page, query: str = "") -> Page:
    """Open the calculator in a state, and wait until it is there."""
    page.goto(f"{PAGE}{query}")
    page.locator(READY).wait_for(state="attached")
    return page


def number(text: str) -> int:
    """A number as it is read."""
    return int(re.sub(r"[^0-9−-]", "", text).replace("−", "-") or 0)


def total(page: Page) -> int:
    """The total on the first screen."""
    return number(page.inner_text(".bc-digits"))


def field(page: Page, letter: str) -> Locator:
    """The field of a size."""
    return page.locator(f"#calculator-{letter.lower()}")


def caught_up(page: Page) -> None:
    """Let what is out of sight follow now, as it does before anything is pressed."""
    page.evaluate("document.body.click()")


def numbers_of(page: Page, table: str) -> list[list[str]]:
    """The cells of a table's body."""
    caught_up(page)
    found: list[list[str]] = called(
        page,
        "name => [...document.querySelectorAll(`#${name} tbody tr`)].map(row => "
        "[...row.cells].map(cell => cell.firstChild?.nodeType === 3 ? cell.firstChild.data : cell.textContent))",
        table,
    )
    return found


def foot(page: Page, table: str) -> list[str]:
    """The cells of the row that adds a table up."""
    caught_up(page)
    return page.locator(f"#{table} tfoot :is(th, td)").all_text_contents()


# --- What it shows ------------------------------------------------------------


def test_the_first_screen_answers_without_scripts(browser: Browser, address: str) -> None:
    """Total, picture and both models part by part; that the fields need scripts is said, and they are not shown."""
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{address}/{PAGE}")
    assert BASE == number(page.inner_text(".bc-whole"))
    assert "needs JavaScript" in page.inner_text(".bc-without-scripts")
    assert [BASE, LARGE] == [number(page.inner_text(f"#{name} tfoot td")) for name in ("base-parts", "large-parts")]
    expect(page.locator("#calculator-form")).to_be_hidden()
    expect(page.locator("#what-if")).to_be_hidden()
    page.context.close()


def test_scripts_hide_what_stands_in_for_them(page: Page) -> None:
    """With scripts there is a form, and no word about scripts."""
    expect(page.locator("#calculator-form")).to_be_visible()
    expect(page.locator(".bc-without-scripts")).to_be_hidden()


STATES = [
    ("", BASE),
    ("?model=bert-large-uncased", LARGE),
    ("?model=bert-base-uncased&class=BertForPreTraining", PRE_TRAINING),
    ("?model=roberta-base", ROBERTA),
    # Source: AlbertModel of transformers 5.23 with albert-base-v2's config.
    ("?model=albert-base-v2", 11_683_584),
    # Source: BertForSequenceClassification with num_labels=3, H=1024, A=16 and base's other sizes in transformers 5.23.
    ("?model=bert-base-uncased&H=1024&A=16&class=BertForSequenceClassification&labels=3", None),
    ("?model=bert-base-uncased&more=V,L&biases=no", None),
    ("?model=bert-base-uncased&class=BertForSequenceClassification&lora=8:query,value", None),
    ("?model=bert-base-uncased&L=0&pooler=no", None),
    ("?model=bert-base-uncased&V=9000000000000000000&H=9000000000000000000&A=1&L=1000000000000", None),
]


@pytest.mark.parametrize(("query", "known"), STATES)
def test_everything_adds_up(page: Page, query: str, known: int | None) -> None:
    """Parts, tensors, the worked sum, the bridge and the bytes all end in the total, and every step holds."""
    at(page, query)
    shown = total(page)
    assert known in (None, shown)
    parts = numbers_of(page, "calculator-parts")
    assert shown == sum(number(row[1]) for row in parts) == number(foot(page, "calculator-parts")[1])
    tensors = numbers_of(page, "calculator-tensors")
    assert shown == sum(number(row[4]) for row in tensors if row[4] != "tied")
    assert shown == number(foot(page, "calculator-tensors")[4])
    for row in tensors:
        if row[4] != "tied":
            assert number(row[4]) == number(row[2]) * number(row[3] or "1"), row
    lines = page.locator(".bc-lines .bc-line-of-sum").all_text_contents()
    assert shown == number(lines[-1].rpartition("=")[2])
    assert [] == [line for line in lines if not holds(line)]
    steps = numbers_of(page, "calculator-bridge")
    assert shown == sum(number(row[1]) for row in steps) == number(foot(page, "calculator-bridge")[1])
    bytes_each = {"float32": 4, "float16": 2, "bfloat16": 2, "int8": 1}
    weights = {row[0]: number(row[1]) for row in numbers_of(page, "calculator-bytes")}
    assert [shown * each for each in bytes_each.values()] == [*weights.values()]
    snippet = page.locator(".bc-snippet").text_content() or ""
    compile(snippet, "snippet", "exec")
    assert f"  # {shown}\n" in snippet


def holds(line: str) -> bool:
    """Whether what is left of an equals sign comes to what is right of it."""
    left, equals, right = line.rpartition("=")
    typed = left.replace(",", "").replace("×", "*").replace("−", "-").replace("²", "**2").strip()
    assert equals, line
    assert re.fullmatch(r"[0-9 +*()/-]+", typed.replace("**2", "")), line
    value: int = eval(typed)  # noqa: S307  nothing but digits and signs, as was just seen
    return value == number(right)


def test_a_step_that_does_not_hold_is_noticed() -> None:
    """One digit off."""
    assert holds("768 × 768 + 768 = 590,592")
    assert not holds("768 × 768 + 768 = 590,593")


# --- Typing -------------------------------------------------------------------


def test_the_hidden_size_moves_everything_and_says_why(page: Page) -> None:
    """The parts that grew, by how much; the rows that hold the letter are lit while its field has the cursor."""
    field(page, "H").fill("960")
    # Source: BertModel of transformers 5.23 with hidden_size=960 and base's other sizes.
    assert 145_875_264 == total(page)
    assert "H from 768 to 960: 36,393,024 more parameters." == page.inner_text(".bc-delta")
    grown = [number(text) for text in page.locator(".bc-change li b").all_inner_texts()]
    assert 36_393_024 == sum(grown)
    assert "grow with its square" in page.inner_text(".bc-change")
    caught_up(page)
    lit = page.locator("#calculator-tensors tr.bc-lit").count()
    rows = page.locator("#calculator-tensors tbody tr").count()
    assert 0 < lit < rows
    assert f"{lit} of the {rows} rows" in page.inner_text(".bc-change")
    field(page, "V").focus()
    expect(page.locator("#calculator-tensors tr.bc-lit")).to_have_count(1)


def test_the_heads_change_nothing_and_the_page_says_why(page: Page) -> None:
    """Another number of heads that divides H leaves the total; the width of a head is told."""
    field(page, "A").fill("16")
    assert BASE == total(page)
    assert "A from 12 to 16: nothing changes." == page.inner_text(".bc-delta")
    assert "H / A = 48" in page.inner_text(".bc-change")


def test_another_model_has_no_single_reason(page: Page) -> None:
    """Several sizes differ; one that was typed has its reason, also where only one row holds it."""
    page.locator("#calculator-model").select_option("albert-base-v2")
    assert "From BERT base, uncased to ALBERT base, version 2:" in page.inner_text(".bc-delta")
    assert "is in the shape of" not in page.inner_text(".bc-change")
    field(page, "V").fill("30,001")
    assert "V is in the shape of 1 of the 25 rows; it grows in proportion." in page.inner_text(".bc-change")


def test_one_of_everything_is_in_the_singular(page: Page) -> None:
    """The smallest model that there can be, and what each of its sizes does."""
    said = []
    for letter in "APSFHLV":
        field(page, letter).fill("1")
        said.append(page.inner_text(".bc-calculator"))
    at(page, "?model=bert-base-uncased&H=1&A=1&F=1&L=1&V=1&P=1&S=1&lora=1:query")
    said.append(page.inner_text("article"))
    assert [] == [found for text in said for found in ones_in_the_plural(text)]
    assert "The only head" in said[0]


def test_a_field_that_is_wrong_keeps_the_last_good_numbers(page: Page) -> None:
    """The field is marked and says why, the numbers are marked as those before, and a press puts it right."""
    field(page, "A").fill("x")
    wrong = page.locator("#calculator-form [aria-invalid=true]")
    expect(wrong).to_have_count(1)
    says = page.locator(f"#{wrong.get_attribute('aria-describedby')}")
    expect(says).to_contain_text("“x” is not a whole number")
    assert "These are the numbers of your last valid sizes." in page.inner_text("#calculator-result")
    assert BASE == total(page)
    says.get_by_role("button", name="Take 12 heads").click()
    expect(page.locator("[aria-invalid]")).to_have_count(0)
    assert "last valid" not in page.inner_text("#calculator-result")


# Source: BertModel of transformers 5.23 with hidden_size=1024, 16 heads and base's other sizes; 12 heads it refuses.
WIDE = 158_809_088


REFUSED = "H is 1,024, which {} heads do not divide equally, so transformers refuses this model; {}"
STANDS = "the number stands, since heads are in no shape. Take 16 heads, 64 wide each"


def test_heads_that_transformers_refuses_are_counted_with_a_note(page: Page) -> None:
    """Typed, pasted or in the address; the note is no error, and one press takes the heads that it suggests."""
    config = {**BASE_CONFIG, "architectures": [], "vocab_size": 30522, "hidden_size": 1024}
    ways: list[Callable[[], object]] = [
        lambda: field(page, "H").fill("1024"),
        lambda: paste(page, json.dumps(config)),
        lambda: at(page, "?model=bert-base-uncased&H=1024"),
    ]
    says = page.locator("#calculator-a-says.bc-note")
    for come in ways:
        page.get_by_role("button", name="Start again").click()
        come()
        assert WIDE == total(page)
        assert page.inner_text(".bc-of").endswith("as BertModel, with heads that transformers refuses")
        assert REFUSED.format(12, STANDS) == says.inner_text()
        expect(page.locator("[aria-invalid]")).to_have_count(0)
    expect(page.locator("#row-more-heads")).to_have_count(0)
    caught_up(page)
    assert str(page.text_content(".bc-snippet")).startswith(
        "# H is 1,024, which 12 heads do not divide equally, so transf"
    )
    field(page, "A").fill("10")
    assert "However many heads there are, the matrices stay H × H." == page.inner_text(".bc-change")
    expect(page.locator("#calculator-status")).to_contain_text("158,809,088 parameters. H is 1,024, which 10 heads")
    says.get_by_role("button", name="Take 16 heads, 64 wide each").click()
    expect(says).to_have_count(0)
    assert "refuses" not in page.inner_text(".bc-result")
    assert WIDE == total(page)


BAD = ["", "-1", "0", "3.5", "1e3", "twelve", "9" * 30, "<img src=x onerror=alert(1)>", "½"]


@pytest.mark.parametrize("typed", BAD)
def test_what_is_no_size_is_refused_in_words(page: Page, typed: str) -> None:
    """Nothing that is typed becomes an element, or ends anything."""
    field(page, "F").fill(typed)
    expect(page.locator("#calculator-f[aria-invalid=true]")).to_have_count(1)
    assert page.inner_text("#calculator-f-says").strip().endswith(".")
    assert BASE == total(page)
    assert 0 == page.locator(".bc-calculator img").count()
    field(page, "F").fill("3,072")
    expect(page.locator("[aria-invalid]")).to_have_count(0)


def test_arrow_keys_and_buttons_step(page: Page) -> None:
    """A layer more by key and by button; the hidden size and the heads go to sizes that fit each other."""
    field(page, "L").press("ArrowUp")
    assert "13" == field(page, "L").input_value()
    page.get_by_role("button", name="less: layers").click()
    assert "12" == field(page, "L").input_value()
    field(page, "A").press("ArrowUp")
    assert "16" == field(page, "A").input_value()
    field(page, "H").press("ArrowDown")
    assert "752" == field(page, "H").input_value()
    expect(page.locator("[aria-invalid]")).to_have_count(0)


def test_the_total_is_announced_once_typing_rests(page: Page) -> None:
    """Not at every key; with what is wrong, where a field is."""
    status = page.locator("#calculator-status")
    field(page, "L").fill("24")
    assert "" == status.inner_text()
    expect(status).to_have_text("194,536,704 parameters")
    field(page, "F").fill("x")
    expect(status).to_have_text(
        re.compile("^“x” is not a whole number; .*[.] Still showing 194,536,704 parameters[.]$")
    )


AT_ONCE = """text => {
  const field = document.querySelector("#calculator-l")
  field.value = text
  field.dispatchEvent(new Event("input", { bubbles: true }))
  const shown = [".bc-digits", "#calculator-parts tfoot td", "#calculator-bridge tfoot td"]
  return shown.map(each => document.querySelector(each).textContent)
}"""


AWAY = """() => {
  scrollTo(0, 0)
  return !document.querySelector("#calculator-bridge").checkVisibility({ contentVisibilityAuto: true })
}"""
"""Whether the browser leaves the bridge out."""


def test_what_is_in_sight_follows_at_once_and_the_rest_once_typing_rests(page: Page) -> None:
    """The total and the parts before anything else happens, the bridge soon after, without another event."""
    page.wait_for_function(AWAY)
    caught_up(page)
    # Source: BertModel of transformers 5.23 with num_hidden_layers=13 and base's other sizes.
    before, now = f"{BASE:,}", "116,570,112"
    assert [now, now, before] == page.evaluate(AT_ONCE, "13")
    expect(page.locator("#calculator-bridge tfoot td").first).to_have_text(now)


# --- The picture on a phone ---------------------------------------------------

LABELS_OF = """sizes => {
  for (const [letter, size] of Object.entries(sizes)) {
    const field = document.querySelector(`#calculator-${letter.toLowerCase()}`)
    field.value = size
    field.dispatchEvent(new Event("input", { bubbles: true }))
  }
  const shown = [...document.querySelectorAll("#calculator-picture text")].filter(each => each.getClientRects().length)
  return shown.map(text => {
    const { left, right, top, bottom } = text.getBoundingClientRect()
    const [x, y] = [(left + right) / 2, (top + bottom) / 2]
    const around = [...text.closest(".bc-map > g").querySelectorAll("rect")].map(each => each.getBoundingClientRect())
      .filter(each => each.left <= x && x <= each.right && each.top <= y && y <= each.bottom)
    const most = Math.max(0, ...around.map(each => each.width))
    const block = around.find(each => each.width === most)
    const fits = block && left >= block.left && right <= block.right
    return [text.textContent, fits, block && Math.max(block.top - top, bottom - block.bottom)]
  })
}"""
"""Every label in sight once these sizes are typed, whether its block is as wide, and how many pixels it is too high."""

SIZES = [
    {"V": "45000", "L": "25"},
    {"V": "30522", "A": "16", "H": "1024", "L": "12"},
    {"A": "12", "H": "768", "L": "20", "V": "3000", "F": "300"},
    {"V": "45000", "F": "3072", "L": "23"},
    {"V": "9000", "L": "13"},
    {"A": "1", "H": "7680", "L": "4", "V": "90000000"},
    {"H": "100", "F": "100", "P": "1000000", "L": "7"},
    {"H": "1", "V": "3", "P": "1", "L": "2"},
]
"""So that blocks are just wide enough for a label, or too narrow, or too low for one."""

ALL_LABELS = """names => {
  const svg = document.querySelector("#calculator-picture svg")
  const width = svg.getBoundingClientRect().width
  return names.map(([name, number]) => {
    svg.insertAdjacentHTML("beforeend", `<text>${name}<tspan x="0" dy="1em">${number}</tspan></text>`)
    const { left, right } = svg.lastElementChild.getBoundingClientRect()
    svg.lastElementChild.remove()
    return [100 * (right - left) / width, bertCounted.levels.roomFor(name, number)]
  })
}"""


def test_labels_stay_within_their_blocks_on_a_phone(browser: Browser, address: str) -> None:
    """Each is no wider than its block, nor higher but by what hangs below letters; no name needs more than it gets."""
    page = browser.new_context(viewport=WIDTHS["phone"], base_url=f"{address}/").new_page()
    at(page, "?model=bert-base-uncased&class=BertForPreTraining&tied=no")
    labels = [label for sizes in SIZES for label in page.evaluate(LABELS_OF, sizes)]
    assert len(labels) > 30
    assert [] == [label for label, fits, higher in labels if not fits or higher > 1.5]
    names = {(name, "1,234,567,890") for level in LEVELS for each in level.blocks for name in (each.label, *each.names)}
    import_modules(page)
    for needed, taken in page.evaluate(ALL_LABELS, sorted(names)):
        assert needed <= taken
    page.context.close()


# --- The address --------------------------------------------------------------

ADDRESSED = """({ state, text }) => {
  const { addressOf, stateAt } = bertCounted.calculator
  if (text !== undefined) return stateAt(text)
  const made = state.map(each => {
    const fresh = bertCounted.calculator.stateOf(each.model, each.modelClass)
    const published = one => bertCounted.calculator.stateOf(one.model).sizes
    const whole = one => ({ ...fresh, ...one, sizes: { ...published(one), ...one.sizes } })
    return { ...whole(each), beside: each.beside.map(whole) }
  })
  return made.map(each => {
    const address = addressOf(each)
    const { state, complaints } = stateAt(address)
    const [before, after] = [each, state].map(one => JSON.stringify(one))
    return [address, complaints, before === after, before, after]
  })
}"""

CLASSES = {
    "bert-base-uncased": ["BertModel", "BertForMaskedLM", "BertForSequenceClassification"],
    "roberta-large": ["RobertaModel", "RobertaForTokenClassification"],
    "albert-xxlarge-v2": ["AlbertModel", "AlbertForPreTraining"],
    "distilbert-base-cased": ["DistilBertModel", "DistilBertForMaskedLM"],
    "electra-small-generator": ["ElectraModel", "ElectraForMaskedLM"],
}


def some_state(chance: random.Random) -> dict[str, Any]:
    """A state as the form may hold it."""
    model = chance.choice([*CLASSES])
    more = ["more-V", "more-P", "more-F", "more-heads"]
    return {
        "model": model,
        "modelClass": chance.choice(CLASSES[model]),
        "sizes": {letter: str(chance.choice([1, 7, 512, 10**18])) for letter in "VPFL" if chance.random() < 0.4},
        "choices": {"pooler": chance.random() < 0.5, "tied": chance.random() < 0.5, "cross_attention": False},
        "biases": chance.random() < 0.5,
        "vocabulary": chance.choice(["", "31000", "no number & more"]),
        "more": [each for each in more if chance.random() < 0.3],
        "frozen": {
            "embeddings": chance.random() < 0.5,
            "layers": chance.choice(["", "3", "x"]),
            "all_but_head": chance.random() < 0.5,
        },
        "lora": chance.choice([None, {"rank": "8", "modules": ["query", "value"]}, {"rank": "", "modules": []}]),
        "to": chance.choice(["", "roberta-base"]),
        "beside": [],
    }


def test_every_state_comes_back_from_its_address(page: Page) -> None:
    """Hundreds of them, right and wrong."""
    chance = random.Random(12)  # noqa: S311  the same states every time
    states = [some_state(chance) for _ in range(300)]
    counted: dict[str, Any] = {"sizes": {"L": "3"}, "vocabulary": "", "lora": None, "to": ""}
    plain = [{**each, **counted, "frozen": {**each["frozen"], "layers": "1"}} for each in states]
    for each in states[::3]:
        each["beside"] = chance.sample(plain, 2)
    import_modules(page)
    for address, complaints, same, before, after in called(page, ADDRESSED, {"state": states}):
        assert same, f"{address}\n{before}\n{after}"
        assert [] == complaints, address
        assert re.fullmatch(r"(\?[\w=&,:;.%+-]+)?", address)


def test_the_address_says_only_what_differs(page: Page) -> None:
    """Short enough to be read, and it opens what was typed."""
    field(page, "L").fill("6")
    page.locator("#calculator-class").select_option("BertForMaskedLM")
    page.locator("#what-if-frozen-embeddings").check()
    page.locator("#what-if-frozen-layers").fill("2")
    page.locator("#what-if-more-V").check()
    page.wait_for_url("**/calculator.html?model=bert-base-uncased&L=6&class=BertForMaskedLM&more=V&frozen=embeddings,2")
    shown = total(page)
    page.reload()
    page.locator(READY).wait_for(state="attached")
    assert shown == total(page)
    assert "2" == page.input_value("#what-if-frozen-layers")


HOSTILE = [
    "?model=<script>alert(1)</script>",
    "?model=bert-base-uncased&H=<img src=x onerror=alert(1)>",
    "?model=bert-base-uncased&class=GPT2Model&L=6",
    "?model=bert-base-uncased&lora=8:everything",
    "?model=bert-base-uncased&pooler=perhaps&unknown=1&__proto__=1&constructor=2&toString=x",
    "?model=bert-base-uncased&beside=nobody&beside=;;;=&beside=a&beside=b",
    "?model=__proto__&more=constructor&frozen=%00,%F0%9F%92%A9",
    "?model=bert-base-uncased&V=" + "9" * 5000,
    "?model=bert-base-uncased&E=128",
]


@pytest.mark.parametrize("query", HOSTILE)
def test_hostile_addresses_get_words(page: Page, query: str) -> None:
    """A number still stands there, what could not be read is said until it is gone, and nothing of it is an element."""
    at(page, query)
    assert total(page) > 0
    complaint = page.locator("#calculator-form .bc-fault:not(:empty)")
    expect(complaint.first).to_be_visible()
    assert 0 == page.locator("article img, article script:not([type])").count()
    page.get_by_role("button", name="Start again").click()
    expect(complaint).to_have_count(0)


# Each changes everything that was typed, and is undone by one step back.
WHOLE: dict[str, Callable[[Page], Any]] = {
    "a model": lambda page: page.locator("#calculator-model").select_option("roberta-base"),
    "a config": lambda page: paste(page, json.dumps(BASE_CONFIG)),
    "Start again": lambda page: page.get_by_role("button", name="Start again").click(),
}


@pytest.mark.parametrize("name", WHOLE)
def test_back_undoes_what_changes_everything(page: Page, name: str) -> None:
    """Also when it follows a key at once; forward does it again, and a place on the page is no step of the sizes."""
    caught_up(page)  # "Start again" before the test is a step of its own once it has rested
    field(page, "L").fill("7")
    field(page, "V").fill("30,000")
    WHOLE[name](page)
    caught_up(page)
    after = total(page)
    page.go_back()
    expect(field(page, "L")).to_have_value("7")
    expect(field(page, "V")).to_have_value("30000")
    page.go_forward()
    expect(page.locator(".bc-digits")).to_have_text(f"{after:,}")
    field(page, "L").fill("5")
    page.evaluate("document.querySelector('#calculator-change').innerHTML = '<a href=#memory>memory</a>'")
    page.locator("#calculator-change a").click()
    page.go_back()
    expect(field(page, "L")).to_have_value("5")


# --- A config that is pasted or dropped ---------------------------------------

BASE_CONFIG: dict[str, Any] = {
    "architectures": ["BertForMaskedLM"],
    "attention_probs_dropout_prob": 0.1,
    "hidden_act": "gelu",
    "hidden_size": 768,
    "intermediate_size": 3072,
    "max_position_embeddings": 512,
    "model_type": "bert",
    "num_attention_heads": 12,
    "num_hidden_layers": 12,
    "type_vocab_size": 2,
    "vocab_size": 28996,
}
"""Keys as in the config.json of bert-base-cased."""

# Source: BertForMaskedLM of transformers 5.23 with that config; and RobertaModel with roberta-base's.
CASED_MLM = 108_340_804


def paste(page: Page, text: str) -> str:
    """Paste a text, and give what the page says of it."""
    if not page.locator("#calculator-config").is_visible():
        page.locator(".bc-paste summary").click()
    page.locator("#calculator-config").fill(text)
    return page.inner_text("#calculator-config-says")


def test_a_pasted_config_fills_the_fields(page: Page) -> None:
    """With the class that it names; the keys that size nothing are listed."""
    says = paste(page, json.dumps(BASE_CONFIG))
    assert CASED_MLM == total(page)
    assert "BertForMaskedLM" == page.input_value("#calculator-class")
    assert "attention_probs_dropout_prob" in says
    assert "28996" == field(page, "V").input_value()
    assert "bert-base-cased" == page.input_value("#calculator-model")


def test_a_relatives_config_brings_its_own_fields(page: Page) -> None:
    """ALBERT has the letters E, G and I besides."""
    config = {
        "model_type": "albert",
        "vocab_size": 30000,
        "embedding_size": 128,
        "hidden_size": 768,
        "num_hidden_layers": 12,
        "num_hidden_groups": 1,
        "num_attention_heads": 12,
        "intermediate_size": 3072,
        "inner_group_num": 1,
        "max_position_embeddings": 512,
        "type_vocab_size": 2,
    }
    paste(page, json.dumps(config))
    # Source: AlbertModel of transformers 5.23.
    assert 11_683_584 == total(page)
    for letter in "EGI":
        expect(field(page, letter)).to_be_visible()


WRONG = [
    ("{", "JSON"),
    ("[]", "object"),
    (json.dumps({**BASE_CONFIG, "hidden_size": "<b>wide</b>"}), "<b>wide</b>"),
    (json.dumps({**BASE_CONFIG, "hidden_size": 770, "embedding_size": 7}), "770"),
    (json.dumps({**BASE_CONFIG, "model_type": "gpt2"}), "gpt2"),
    (json.dumps({"vocab_size": 10}), "hidden_size"),
    ('{"__proto__": {"polluted": 1}, "model_type": "bert"}', "vocab_size"),
]


@pytest.mark.parametrize(("text", "named"), WRONG)
def test_a_wrong_config_is_named(page: Page, text: str, named: str) -> None:
    """What is wrong is said in words, and the numbers stay."""
    assert named in paste(page, text)
    assert BASE == total(page)
    assert "true" == page.get_attribute("#calculator-config", "aria-invalid")
    assert 0 == page.locator("#calculator-config-says :is(b, img)").count()
    assert page.evaluate("({}).polluted === undefined")


def test_a_file_is_opened_and_dropped(page: Page, tmp_path: Path) -> None:
    """The same as a pasted text; broken bytes are refused."""
    good, bad = tmp_path / "config.json", tmp_path / "<i>bad.json"
    good.write_text(json.dumps(BASE_CONFIG))
    bad.write_bytes(b"\xff\xfe\x00{")
    page.locator(".bc-paste summary").click()
    page.set_input_files("#calculator-file", bad)
    expect(page.locator("#calculator-config-says")).to_contain_text("<i>bad.json")
    page.set_input_files("#calculator-file", good)
    expect(page.locator("#calculator-config-says")).to_contain_text("config.json")
    expect(page.locator(".bc-digits")).to_have_text(f"{CASED_MLM:,}")
    transfer = page.evaluate_handle(
        "text => { const data = new DataTransfer(); data.items.add(new File([text], 'large.json')); return data }",
        json.dumps({**BASE_CONFIG, "num_hidden_layers": 1}),
    )
    page.dispatch_event("#calculator", "drop", {"dataTransfer": transfer})
    expect(field(page, "L")).to_have_value("1")


# --- What-ifs, bridge, comparison ---------------------------------------------

# Source: a row of a table more is H parameters, and the layers of BERT base hold 7,087,872 each;
# without biases 83,712 fewer (dense layers of the encoder and the pooler).
EFFECTS = {"more-V": 768, "more-P": 768, "more-S": 768, "more-L": 7_087_872, "more-F": 18_444, "biases-off": -83_712}


@pytest.mark.parametrize("name", EFFECTS)
def test_a_what_if_has_its_effect_and_its_line(page: Page, name: str) -> None:
    """The number beside the switch is what the total moves by, and what the bridge says."""
    switch = page.locator(f"#what-if-{name}")
    assert EFFECTS[name] == number(page.locator(f"#row-{name} .bc-effect").inner_text())
    switch.check()
    assert BASE + EFFECTS[name] == total(page)
    assert [BASE, EFFECTS[name]] == [number(row[1]) for row in numbers_of(page, "calculator-bridge")]
    switch.uncheck()
    assert BASE == total(page)


def test_other_heads_change_nothing(page: Page) -> None:
    """As the row says."""
    assert "changes nothing" == page.inner_text("#row-other-heads .bc-effect")


def test_lora_and_freezing_show_what_is_trained(page: Page) -> None:
    """Trainable stands beside the total, on the first screen, in the tables and in memory."""
    at(page, "?model=bert-base-uncased&lora=8:query,value")
    # Source: get_nb_trainable_parameters() of PEFT 0.21.2 on BertModel.
    assert 109_777_152 == total(page)
    assert 294_912 == number(page.inner_text(".bc-trained").partition(" of them")[0])
    assert "294,912" == foot(page, "calculator-parts")[3]
    at(page, "?model=bert-base-uncased&frozen=embeddings,12")
    # Source: all but the embeddings and the layers is the pooler.
    assert 590_592 == number(page.inner_text(".bc-trained").partition(" of them")[0])
    assert BASE == total(page)


def test_freezing_does_nothing_beside_lora_and_says_so(page: Page) -> None:
    """PEFT freezes all of the model: the switches rest, whatever they hold, until LoRA is off."""
    at(page, "?model=bert-base-uncased&frozen=embeddings,99&lora=8:query,value")
    # Source: get_nb_trainable_parameters() of PEFT 0.21.2 on BertModel, as it is and with all of it frozen before.
    assert "294,912 of them are trainable, 0.3%." == page.inner_text(".bc-trained")
    freezing = page.get_by_role("group", name="Frozen, so not trained")
    expect(freezing).to_have_accessible_description(re.compile("PEFT freezes the whole model"))
    expect(freezing.get_by_label("embeddings")).to_be_disabled()
    expect(page.locator("#what-if-frozen-layers")).to_be_disabled()
    page.locator("#what-if-rank").fill("")
    expect(freezing.get_by_label("embeddings")).to_be_enabled()
    expect(freezing.get_by_label("embeddings")).to_be_checked()
    expect(freezing).to_have_accessible_description("")
    page.locator("#what-if-frozen-layers").fill("12")
    assert 590_592 == number(page.inner_text(".bc-trained").partition(" of them")[0])


IN_PLACE = {
    "BertForMaskedLM&tied=no&vocabulary=31000": (
        "makes the two biases of an untied head one tensor: 31,000 parameters fewer."
    ),
    "BertForMaskedLM&tied=no&vocabulary=31000&biases=no": "",
    "BertForMaskedLM&vocabulary=31000": "",
    "BertModel&vocabulary=31000": "",
}


def test_what_resizing_in_place_does_besides_is_said(page: Page) -> None:
    """Where transformers resizes the vocabulary of an untied head otherwise than it builds one."""
    note = page.locator("#what-if-place .bc-hint").first
    for query, says in IN_PLACE.items():
        at(page, f"?model=bert-base-uncased&class={query}")
        assert says == (note.text_content() or "").partition("transformers 5 ")[2]
    at(page, "?model=roberta-base&class=RobertaForMaskedLM&tied=no&vocabulary=50,264")
    expect(note).to_have_text(re.compile("leaves one of the two biases .* as long as it was: 1 parameter more\\.$"))


def test_the_bridge_begins_at_any_published_model(page: Page) -> None:
    """It closes, and the figure has the same ends."""
    page.locator("#bridge-from").select_option("roberta-base")
    steps = [number(row[1]) for row in numbers_of(page, "calculator-bridge")]
    assert ROBERTA == steps[0]
    assert BASE == sum(steps)
    page.wait_for_url("**&from=roberta-base")


def test_configurations_stand_side_by_side(page: Page) -> None:
    """Two beside the one that is typed, each with its own numbers; removed again."""
    page.get_by_role("button", name="Keep this one").click()
    page.locator("#compare-with").select_option("bert-large-uncased")
    field(page, "L").fill("6")
    totals = page.locator(".bc-compared tbody tr").first.locator("td").all_text_contents()
    # Source: BERT base without six of its layers.
    assert [BASE - 6 * 7_087_872, BASE, LARGE] == [*map(number, totals)]
    expect(page.get_by_role("button", name="Keep this one")).to_be_disabled()
    page.wait_for_url("**beside=bert-base-uncased&beside=bert-large-uncased")
    page.reload()
    page.locator(READY).wait_for(state="attached")
    assert 3 == page.locator(".bc-compared tbody tr").first.locator("td").count()
    page.get_by_role("button", name="Remove").first.click()
    assert 2 == page.locator(".bc-compared tbody tr").first.locator("td").count()


# --- Exports ------------------------------------------------------------------


def downloaded(page: Page, button: str) -> str:
    """The text of the file that a button gives."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name=button).click()
    return Path(waiting.value.path()).read_text(encoding="utf-8")


def test_exports_add_up(page: Page) -> None:
    """CSV, JSON and Markdown hold the same total, with integers of any length."""
    at(page, "?model=bert-base-uncased&V=9000000000000000000&lora=2:query")
    shown = total(page)
    assert shown > 2**53
    rows = list(csv.DictReader(io.StringIO(downloaded(page, "Download CSV"))))
    assert shown == sum(int(row["parameters"]) for row in rows[:-1]) == int(rows[-1]["parameters"])
    found = json.loads(downloaded(page, "Download JSON"))
    assert shown == found["total"] == sum(each["parameters"] for each in found["tensors"])
    assert 9_000_000_000_000_000_000 == found["config"]["vocab_size"]
    page.get_by_role("button", name="Copy as Markdown").click()
    expect(page.locator("#export-place [role=status]")).to_have_text("Copied")
    text = page.evaluate("navigator.clipboard.readText()")
    numbers = [number(line.split("|")[2]) for line in text.splitlines() if line.startswith("| ")][1:]
    assert shown == numbers[-1] == sum(numbers[:-1])
    shares = page.locator("#calculator-parts tbody td:nth-child(3)").all_text_contents()
    assert shares == [line.split("|")[3].strip() for line in text.splitlines() if line.startswith("| ")][1:-1]
    assert "under 0.1%" in shares


LISTS = """models => models.map(({ config, class: modelClass, pooler }) => {
  const { calculator, changes, configuration } = bertCounted
  const read = { ...configuration.read(JSON.stringify(config)).configuration, modelClass }
  if (pooler !== null) read.choices.pooler = pooler
  const shown = { configuration: read, counted: changes.count(read), offered: changes.offered(read) }
  calculator.tensors.panel.show(shown)
  const table = [...document.querySelectorAll("#calculator-tensors tbody tr")].map(({ cells }) => {
    const [name, owner] = [...cells[0].querySelectorAll("code")].map((each) => each.textContent)
    return [cells[3].textContent, name, cells[1].querySelector(".bc-what").textContent, owner ?? ""]
  })
  return { csv: calculator.exports.csv(shown), json: calculator.exports.json(shown), table }
})"""


def test_table_and_files_list_what_transformers_prints(page: Page) -> None:
    """Name, shape, order and ties of every class, of small models; every row of the CSV says its class and sizes."""
    small = {"odd sizes", "two groups of three layers", "decoder with cross-attention"}
    recorded = [(model, asked) for model, asked in from_transformers() if model["name"] in small]
    assert set(ARCHITECTURE_OF_CLASS) == {model["class"] for model, _ in recorded}
    import_modules(page)
    for (model, asked), lists in zip(recorded, page.evaluate(LISTS, [model for model, _ in recorded]), strict=True):
        *rows, _ = records = list(csv.DictReader(io.StringIO(lists["csv"])))
        file = [[each["layers"], each["name"], each["shape"], each["tied_to"]] for each in rows]
        written = [
            [each["layers"], each["name"], each["shape"], each["tied_to"]]
            for each in json.loads(lists["json"])["tensors"]
        ]
        for listed in (lists["table"], file):
            as_read = [
                [number(n), name, list(map(number, shape.split("×"))), tied or None] for n, name, shape, tied in listed
            ]
            assert model["parameters"] == list(in_full(as_read, asked)), model["class"]
        assert model["parameters"] == list(in_full(written, asked)), model["class"]
        sizes = {letter: str(size) for letter, size in asked.model.sizes.items() if letter != "C"}
        for each in records:
            assert model["class"] == each["model_class"]
            assert sizes.items() <= dict(one.split("=") for one in each["sizes"].split()).items()


SNIPPET = """\
import torch
from transformers import BertConfig, BertForSequenceClassification

config = BertConfig(
    vocab_size=30522,
    max_position_embeddings=512,
    type_vocab_size=2,
    hidden_size=768,
    intermediate_size=3072,
    num_hidden_layers=6,
    num_attention_heads=12,
    num_labels=3,
)
with torch.device("meta"):  # no memory for the weights
    model = BertForSequenceClassification(config)
model.base_model.embeddings.requires_grad_(False)
for layer in model.get_submodule("bert.encoder.layer")[:2]:
    layer.requires_grad_(False)

parameters = list(model.parameters())
print(sum(p.numel() for p in parameters))  # 66957315
print(sum(p.numel() for p in parameters if p.requires_grad))  # 28944387
"""
"""What it must print was printed by it, with transformers 5.23 and torch 2.13."""


def test_the_snippet_builds_this_configuration(page: Page) -> None:
    """In Python that is known to print these numbers."""
    query = "?model=bert-base-uncased&L=6&class=BertForSequenceClassification&labels=3&frozen=embeddings,2"
    at(page, query)
    assert SNIPPET == page.locator(".bc-snippet").text_content()


# --- Look ---------------------------------------------------------------------


def test_states_are_clean_in_all_windows(page: Page) -> None:
    """Axe finds nothing, and nothing is wider than the window: with a note, an error, and with everything on."""
    page.locator(".bc-paste summary").click()
    field(page, "H").fill("1025")
    expect(page.locator(".bc-note")).to_have_count(1)
    assert [] == faults_in_windows(page, ".bc-calculator")
    field(page, "F").fill("x")
    expect(page.locator("[aria-invalid]")).to_have_count(1)
    assert [] == faults_in_windows(page, ".bc-calculator")
    at(
        page,
        "?model=bert-base-uncased&class=BertForSequenceClassification&labels=3&lora=8:query&more=V,L&vocabulary=31000"
        "&beside=bert-large-uncased;class=BertForMaskedLM&beside=roberta-base",
    )
    assert [] == faults_in_windows(page, ".md-content")
    page.set_viewport_size(WIDTHS["desktop"])


def test_what_is_touched_is_large_enough(browser: Browser, address: str) -> None:
    """24 pixels at least on a phone, and the keyboard is one of digits."""
    context = browser.new_context(viewport=WIDTHS["phone"], base_url=f"{address}/")
    page = at(context.new_page())
    small = page.evaluate(
        "[...document.querySelectorAll('article :is(button, select, input[type=text], .bc-switch label)')]"
        ".filter(each => each.checkVisibility() && each.getBoundingClientRect().height < 24)"
        ".map(each => each.outerHTML)"
    )
    assert [] == small
    assert {"numeric"} == set(
        page.evaluate("[...document.querySelectorAll('article input[type=text]')].map(each => each.inputMode)")
    )
    # The total stays in sight while one types further down.
    page.locator("#calculator-l").scroll_into_view_if_needed()
    page.evaluate("scrollBy(0, 300)")
    expect(page.locator(".bc-digits")).to_be_in_viewport()
    context.close()


def test_nothing_moves_when_the_scripts_come(browser: Browser, address: str) -> None:
    """What they fill has its place: with and without a state in the address."""
    for query in ("", "?model=bert-large-uncased&class=BertForMaskedLM"):
        for width in WIDTHS.values():
            context = browser.new_context(viewport=width, base_url=f"{address}/")
            page = at(context.new_page(), query)
            assert shift(page) < MOST, (query, width)
            context.close()


def test_the_page_leads_to_every_part(pages: Pages) -> None:
    """The static page has every id that its scripts fill."""
    ids = {str(each["id"]) for each in pages[PAGE].select("[id$=-place]")}
    assert ids == {
        f"{name}-place" for name in ("what-if", "parts", "tensors", "worked", "memory", "bridge", "compare", "export")
    }
