"""What the calculator does with what a reader types, steps, chooses and pastes, and with what an address says."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from macros.counting.changes import Changes, Frozen, Lora, total, trainable
from playwright.sync_api import Browser, Page, expect

from macros.counting import Choices, Question, model_named
from tests.docs.scripts import called, import_modules
from tests.docs.test_calculator import BASE_CONFIG, PAGE, READY
from tests.docs.windows import watch

BASE, LARGE, ALBERT = map(model_named, ("bert-base-uncased", "bert-large-uncased", "albert-base-v2"))


@pytest.fixture(scope="module")
def open_page(browser: Browser, address: str) -> Iterator[tuple[Page, list[str]]]:
    """The calculator, which stays open from test to test, and what goes wrong on it."""
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    faults = watch(page, address)
    page.goto(f"{address}/{PAGE}")
    page.locator(READY).wait_for(state="attached")
    import_modules(page)
    yield page, faults
    context.close()


@pytest.fixture
def page(open_page: tuple[Page, list[str]]) -> Iterator[Page]:
    """The calculator as it is opened; an error on it fails the test."""
    page, faults = open_page
    page.evaluate("document.querySelector('#calculator-form [type=reset]').click()")
    yield page
    assert [] == faults


# --- Sizes --------------------------------------------------------------------

STEP = """(fields, letter, key) => {
  const form = document.querySelector("#calculator-form")
  for (const [name, text] of Object.entries(fields)) form.elements[name].value = text
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })
  form.elements[letter].dispatchEvent(event)
  const { value } = form.elements[letter]
  form.querySelector("[type=reset]").click()
  return [value, event.defaultPrevented]
}"""

UP, DOWN = "ArrowUp", "ArrowDown"

STEPS = [
    ({}, "L", UP, "13"),
    ({}, "L", DOWN, "11"),
    ({"L": "1"}, "L", DOWN, "0"),
    ({"L": "0"}, "L", DOWN, "0"),
    ({"V": "2"}, "V", DOWN, "1"),
    ({"V": "1"}, "V", DOWN, "1"),
    ({"V": "30,522"}, "V", UP, "30523"),
    ({"V": " 30_522 "}, "V", UP, "30523"),
    ({"V": "x1"}, "V", UP, "x1"),
    ({"V": "1x"}, "V", UP, "1x"),
    ({"V": ""}, "V", UP, ""),
    ({"V": "9" * 25}, "V", UP, f"1{'0' * 25}"),
    ({"V": "9" * 26}, "V", UP, "9" * 26),
    # The hidden size goes to the next that the heads divide, or by one where they are no number.
    ({}, "H", UP, "780"),
    ({}, "H", DOWN, "756"),
    ({"H": "770"}, "H", UP, "780"),
    ({"H": "770"}, "H", DOWN, "768"),
    ({"H": "24"}, "H", DOWN, "12"),
    ({"H": "12"}, "H", DOWN, "12"),
    ({"A": "x"}, "H", UP, "769"),
    ({"A": "0"}, "H", UP, "769"),
    # The heads go to the next number that divides it, where it is not so large that this takes long.
    ({}, "A", UP, "16"),
    ({}, "A", DOWN, "8"),
    ({"A": "384"}, "A", UP, "768"),
    ({"A": "768"}, "A", UP, "768"),
    ({"A": "1"}, "A", DOWN, "1"),
    ({"A": "900"}, "A", DOWN, "900"),
    ({"A": "2", "H": "7"}, "A", UP, "7"),
    ({"A": "2", "H": "7"}, "A", DOWN, "1"),
    ({"H": "x"}, "A", UP, "13"),
    ({"H": "0"}, "A", UP, "13"),
    ({"A": "15", "H": "999,999"}, "A", UP, "21"),
    ({"A": "20", "H": "1000000"}, "A", UP, "21"),
    ({"H": "7", "F": "8"}, "F", UP, "9"),
]


def test_sizes_step_to_sizes_that_fit(page: Page) -> None:
    """Up and down, at their limits, and beside a field that is wrong; what is no number stays."""
    for fields, letter, key, expected in STEPS:
        assert [expected, True] == called(page, STEP, fields, letter, key), (fields, letter, key)
    assert ["12", False] == called(page, STEP, {}, "L", "Enter")


TYPED = """(changes) => {
  for (const [id, value] of changes) {
    const field = document.getElementById(id)
    if (typeof value === "boolean") field.checked = value
    else field.value = value
    field.dispatchEvent(new Event("input", { bubbles: true }))
  }
}"""


def typed(page: Page, *changes: tuple[str, str | bool]) -> None:
    """Change fields one after the other, by id, and let what is out of sight follow."""
    page.evaluate(TYPED, [[*each] for each in changes])
    page.evaluate("document.body.click()")


REMEDIES = """all => all.map(([model, sizes]) => {
  const { evaluated, form, stateOf } = bertCounted.calculator
  const published = stateOf(model)
  const state = { ...published, sizes: { ...published.sizes, ...sizes } }
  form.fill(state)
  const { configuration, errors } = evaluated(state)
  form.mark(errors, configuration ? bertCounted.configuration.note(configuration) : "")
  return [...document.querySelectorAll("#calculator-form .bc-fault button")].map(each => each.textContent)
})"""

OFFERED = [
    ("bert-base-uncased", {"H": "1024"}, ["Take 16 heads, 64 wide each"]),
    ("bert-base-uncased", {"H": "1.024"}, ["Take 16 heads, 64 wide each"]),
    ("bert-base-uncased", {"H": "\uff11,024"}, ["Take 16 heads, 64 wide each"]),
    ("bert-base-uncased", {"H": "7"}, ["Take 1 head, 7 wide"]),
    ("bert-base-uncased", {"H": "999999", "A": "5"}, ["Take 15,873 heads, 63 wide each"]),
    ("bert-base-uncased", {"H": "1000000"}, ["Take 15,625 heads, 64 wide each"]),
    ("bert-base-uncased", {"H": "1000001"}, []),
    ("bert-base-uncased", {"A": "13"}, ["Take 12 heads, 64 wide each"]),
    ("electra-small-generator", {"A": "3"}, ["Take 4 heads, 64 wide each"]),
    ("bert-base-uncased", {"A": "x"}, ["Take 12 heads, 64 wide each"]),
    ("bert-base-uncased", {"A": "x", "H": "3.5"}, []),
    ("bert-base-uncased", {"A": "12", "H": "1e3"}, []),
    ("bert-base-uncased", {"F": "x"}, []),
    ("bert-base-uncased", {}, []),
]


def test_heads_that_fit_are_offered(page: Page) -> None:
    """About as wide as the model has them, whatever is typed between the digits of the hidden size, if it is one."""
    found = page.evaluate(REMEDIES, [[model, sizes] for model, sizes, _ in OFFERED])
    assert [remedies for *_, remedies in OFFERED] == found


def test_a_class_for_the_same_is_kept(page: Page) -> None:
    """With another model, where that has one; what stands beside stays as well."""
    typed(page, ("calculator-class", "BertForMaskedLM"))
    page.evaluate("document.querySelector('.bc-controls button').click()")
    shown = []
    for model in ("albert-base-v2", "roberta-base", "bert-base-cased"):
        typed(page, ("calculator-model", model))
        shown.append(page.input_value("#calculator-class"))
    assert ["AlbertForMaskedLM", "RobertaForMaskedLM", "BertForMaskedLM"] == shown
    typed(page, ("calculator-class", "BertForNextSentencePrediction"), ("calculator-model", "distilbert-base-cased"))
    assert "DistilBertModel" == page.input_value("#calculator-class")
    assert 2 == page.locator(".bc-compared thead th").count()


PREVENTED = """selector => !document.querySelector(selector).dispatchEvent(
  new SubmitEvent("submit", { bubbles: true, cancelable: true }))"""


def test_enter_sends_nothing(page: Page) -> None:
    """Neither form has an address to go to."""
    assert page.evaluate(PREVENTED, "#calculator-form")
    assert page.evaluate(PREVENTED, ".bc-what-if")


LIT = """letter => {
  document.getElementById(`calculator-${letter.toLowerCase()}`).focus()
  document.body.click()
  const rows = [...document.querySelectorAll("#calculator-tensors tbody tr")]
  const shape = row => row.cells[1].querySelector(".bc-letters").textContent.split(" × ")
  const holds = row => shape(row).includes(letter) || (letter === "L" && row.cells[0].textContent.includes("layer.*"))
  const lit = rows.filter(row => row.matches(".bc-lit"))
  return [lit.length, rows.every(row => holds(row) === lit.includes(row))]
}"""


def test_the_letter_in_hand_lights_its_rows(page: Page) -> None:
    """Those whose shape holds it, and of the layers all that are in one; none once the cursor is elsewhere."""
    found = {letter: page.evaluate(LIT, letter) for letter in "VPSHFLA"}
    assert {"V": 1, "P": 1, "S": 1, "H": 22, "F": 3, "L": 16, "A": 0} == {each: lit for each, (lit, _) in found.items()}
    assert all(right for _, right in found.values())
    page.locator("#calculator-h").focus()
    page.evaluate("document.activeElement.blur()")
    expect(page.locator("#calculator-tensors .bc-lit")).to_have_count(0)


# --- What a change did --------------------------------------------------------

C, W = "calculator", "what-if"
AS_IT_WAS = Question(BASE)
MASKED, LABELLED = Question(BASE, "BertForMaskedLM"), Question(BASE, "BertForSequenceClassification")

CHANGES: list[tuple[list[tuple[str, str | bool]], str, Question, Question, Changes]] = [
    ([(f"{C}-class", "BertForMaskedLM")], "From BertModel to BertForMaskedLM:", AS_IT_WAS, MASKED, Changes()),
    (
        [(f"{C}-pooler", False)],
        "The pooler:",
        AS_IT_WAS,
        Question(BASE, choices=Choices(pooler=False)),
        Changes(),
    ),
    (
        [(f"{C}-class", "BertForMaskedLM"), (f"{C}-tied", False)],
        "Tying:",
        MASKED,
        Question(BASE, "BertForMaskedLM", choices=Choices(tied=False)),
        Changes(),
    ),
    (
        [(f"{C}-cross_attention", True)],
        "Cross-attention:",
        AS_IT_WAS,
        Question(BASE, choices=Choices(cross_attention=True)),
        Changes(),
    ),
    ([(f"{W}-biases-off", True)], "The biases:", AS_IT_WAS, AS_IT_WAS, Changes(biases=False)),
    ([(f"{W}-rank", "4")], "LoRA:", AS_IT_WAS, AS_IT_WAS, Changes(lora=Lora(4, ("query", "value")))),
    ([(f"{W}-lora-key", True)], "LoRA:", AS_IT_WAS, AS_IT_WAS, Changes(lora=Lora(8, ("key",)))),
    ([(f"{W}-frozen-embeddings", True)], "Freezing:", AS_IT_WAS, AS_IT_WAS, Changes(frozen=Frozen(True))),
    ([(f"{W}-frozen-layers", "3")], "Freezing:", AS_IT_WAS, AS_IT_WAS, Changes(frozen=Frozen(layers=3))),
    (
        [(f"{C}-class", "BertForSequenceClassification"), (f"{W}-frozen-all-but-head", True)],
        "Freezing:",
        LABELLED,
        LABELLED,
        Changes(frozen=Frozen(all_but_head=True)),
    ),
    (
        [(f"{W}-vocabulary", "30,000")],
        "V from 30,522 to 30,000:",
        AS_IT_WAS,
        Question(BASE.resized(V=30_000)),
        Changes(),
    ),
    ([(f"{W}-more-P", True)], "P from 512 to 513:", AS_IT_WAS, Question(BASE.resized(P=513)), Changes()),
    (
        [(f"{W}-more-P", True), (f"{W}-more-S", True), (f"{W}-more-P", False)],
        "S from 2 to 3:",
        AS_IT_WAS,
        Question(BASE.resized(S=3)),
        Changes(),
    ),
    (
        [(f"{C}-model", "bert-large-uncased")],
        "From BERT base, uncased to BERT large, uncased:",
        AS_IT_WAS,
        Question(LARGE),
        Changes(),
    ),
    (
        [(f"{C}-a", "16"), (f"{C}-h", "1024"), (f"{C}-l", "1")],
        "L from 12 to 1:",
        Question(BASE.resized(A=16, H=1024)),
        Question(BASE.resized(A=16, H=1024, L=1)),
        Changes(),
    ),
    (
        [(f"{C}-model", "albert-base-v2"), (f"{C}-e", "64")],
        "E from 128 to 64:",
        Question(ALBERT),
        Question(ALBERT.resized(E=64)),
        Changes(),
    ),
]


def test_a_change_says_what_it_did(page: Page) -> None:
    """To the total, or where that stays to what is trained, since this field was touched."""
    for steps, words, before, after, changes in CHANGES:
        typed(page, *steps)
        more = total(after, changes) - total(before, Changes())
        trained = trainable(after, changes) - trainable(before, Changes())
        if more:
            expected = f"{words} {abs(more):,} {'more' if more > 0 else 'fewer'} parameters."
        else:
            expected = f"{words} the total stays; {abs(trained):,} {'more' if trained > 0 else 'fewer'} are trained."
        assert expected == page.inner_text(".bc-delta"), steps
        page.evaluate("document.querySelector('#calculator-form [type=reset]').click()")
    assert page.inner_text(".bc-delta").startswith("Change a size")


def difference(before: Question, after: Question) -> str:
    """How many more or fewer parameters, as the calculator says it."""
    more = after.number - before.number
    return f"{abs(more):,} {'more' if more > 0 else 'fewer'} parameters."


def test_what_is_compared_is_what_is_named(page: Page) -> None:
    """Another model after other sizes, or in a class for something else; a config; and once the field is left."""
    distil, delta = Question(model_named("distilbert-base-uncased")), page.locator(".bc-delta")
    deep, nsp = Question(BASE.resized(L=24)), Question(BASE, "BertForNextSentencePrediction")
    typed(page, (f"{C}-l", "24"), (f"{C}-model", "distilbert-base-uncased"))
    said = f"From your model to DistilBERT base, uncased: {difference(deep, distil)}"
    assert said == delta.inner_text()
    page.locator(f"#{C}-model").focus()
    page.locator(f"#{C}-class").focus()
    page.get_by_role("button", name="Keep this one").click()
    assert said == delta.inner_text()
    page.evaluate("document.querySelector('#calculator-form [type=reset]').click()")
    typed(page, (f"{C}-class", nsp.model_class), (f"{C}-model", "distilbert-base-uncased"))
    classes = (
        "From BERT base, uncased, as BertForNextSentencePrediction, to DistilBERT base, uncased, as DistilBertModel:"
    )
    assert f"{classes} {difference(nsp, distil)}" == delta.inner_text()
    config = {**BASE_CONFIG, "num_hidden_layers": 3, "architectures": ["BertModel"]}
    page.evaluate("document.querySelector('#calculator-form [type=reset]').click()")
    typed(page, (f"{C}-config", json.dumps(config)))
    small = Question(model_named("bert-base-cased").resized(L=3))
    assert f"From BERT base, uncased to your config: {difference(AS_IT_WAS, small)}" == delta.inner_text()


def test_what_is_trained_again_is_more(page: Page) -> None:
    """Where the total stays, and what is taken back is a change of its own."""
    typed(page, (f"{W}-frozen-embeddings", True), (f"{C}-l", "11"), (f"{W}-frozen-embeddings", False))
    assert "Freezing: the total stays; 23,837,184 more are trained." == page.inner_text(".bc-delta")
    typed(page, (f"{C}-l", "12"), (f"{C}-s", "2"))
    assert "This change: nothing changes." == page.inner_text(".bc-delta")


PARTS = (
    "[...document.querySelectorAll('#calculator-change > ul li, #calculator-change > p')].map(each => each.textContent)"
)


def test_the_parts_that_moved_and_why(page: Page) -> None:
    """The largest change first, and those together that are many; a sentence on the size that was typed."""
    typed(page, (f"{C}-h", "780"))
    *moved, rest, why = page.evaluate(PARTS)
    numbers = [int(each.rpartition(" ")[2].replace(",", "")) for each in (*moved, rest)]
    assert numbers[:3] == sorted(numbers[:3], reverse=True)
    assert total(Question(BASE.resized(H=780)), Changes()) - total(AS_IT_WAS, Changes()) == sum(numbers)
    assert rest.startswith("and 2 other parts +")
    assert "H is in the shape of 22 of the 23 rows, in some of them twice: these grow with its square." == why
    said = {}
    for field, size in {"f": "3071", "v": "30521", "l": "11", "a": "1"}.items():
        page.evaluate("document.querySelector('#calculator-form [type=reset]').click()")
        typed(page, (f"{C}-{field}", size))
        said[field] = page.evaluate(PARTS)[-1]
    heads = "The only head takes all H = 768 columns of query, key and value."
    assert {
        "f": "F is in the shape of 3 of the 23 rows; each grows in proportion.",
        "v": "V is in the shape of 1 of the 23 rows; it grows in proportion.",
        "l": "Every layer has the same 16 tensors, so L multiplies what one layer holds and touches nothing else.",
        "a": f"{heads} However many heads there are, the matrices stay H × H.",
    } == said
    typed(page, (f"{C}-a", "16"))
    heads = "The 16 heads share the H = 768 columns of query, key and value: each takes H / A = 48 of them."
    assert [f"{heads} However many heads there are, the matrices stay H × H."] == page.evaluate(PARTS)
    assert 0 == page.locator("#calculator-change ul").count()
    page.evaluate("document.querySelector('#calculator-form [type=reset]').click()")
    typed(page, (f"{C}-c", "3"))
    assert ["No shape of this class holds the letter C."] == page.evaluate(PARTS)


def test_a_long_total_is_smaller(page: Page) -> None:
    """From the thirteenth digit on."""
    for size, long in (("900000000", False), ("1300000000", False), ("1302083334", True)):
        typed(page, (f"{C}-v", size))
        assert long == page.locator(".bc-digits.bc-long").count(), page.inner_text(".bc-digits")


# --- Switches -----------------------------------------------------------------

SWITCHED: list[tuple[list[tuple[str, str | bool]], str]] = [
    ([("rank", "4")], "lora = 4:query,value"),
    ([("rank", "4"), ("lora-key", True), ("rank", "5")], "lora = 5:query,key,value"),
    ([("rank", "4"), ("rank", " ")], ""),
    ([("lora-key", True)], "lora = 8:key"),
    (
        [("lora-key", True), ("lora-key", False), ("rank", " "), ("lora-key", True), ("lora-value", True)],
        "lora = 8:key,value",
    ),
    ([("lora-key", True), ("lora-all-linear", True)], "lora = 8:all-linear"),
    ([("lora-all-linear", True), ("lora-key", True)], "lora = 8:key"),
    ([("biases-off", True), ("more-V", True), ("more-P", True)], "more = V,P, biases = no"),
    ([("biases-off", True), ("biases-off", False), ("vocabulary", "31,000")], "vocabulary = 31000"),
    (
        [("frozen-embeddings", True), ("frozen-layers", "2"), ("frozen-all-but-head", True)],
        "frozen = embeddings,2,all-but-head",
    ),
]


def test_switches_and_fields_make_a_configuration(page: Page) -> None:
    """LoRA takes the usual modules with a rank and the usual rank with a module; all linear layers stand alone."""
    for steps, expected in SWITCHED:
        typed(page, *((f"{W}-{name}", value) for name, value in steps))
        page.select_option("#compare-with", "roberta-base")
        page.evaluate("document.body.click()")
        assert expected == page.locator(".bc-compared th .bc-what").first.text_content()
        page.evaluate("document.querySelector('#calculator-form [type=reset]').click()")


# --- Addresses ----------------------------------------------------------------

READ = """all => all.map(each => {
  const { addressOf, stateAt } = bertCounted.calculator
  const { state, complaints } = stateAt(each)
  return [addressOf(state), complaints.join("; ")]
})"""

FIRST, LONG = "?model=bert-base-uncased", "x" * 61

ADDRESSES = {
    "": ("", ""),
    FIRST: ("", ""),
    "?model=nobody": ("", "no model “nobody”"),
    "?from=nobody": ("", "no model “nobody”"),
    "?from=": ("", ""),
    "?from=bert-base-uncased": ("", ""),
    "?from=albert-base-v2": (f"{FIRST}&from=albert-base-v2", ""),
    "?model=albert-base-v2": ("?model=albert-base-v2", ""),
    "?class=GPT2Model": ("", "no class “GPT2Model” of BERT base, uncased"),
    f"?class={LONG}": ("", f"no class “{LONG[:60]}…” of BERT base, uncased"),
    f"?model={LONG[:60]}": ("", f"no model “{LONG[:60]}”"),
    "?pooler=perhaps": ("", "pooler is “perhaps”, and can be “yes” or “no”"),
    "?biases=1": ("", "biases is “1”, and can be “yes” or “no”"),
    "?tied=no&cross=yes&pooler=no": (f"{FIRST}&pooler=no&tied=no&cross=yes", ""),
    "?tied=yes&biases=yes": ("", ""),
    "?more=V,none": (f"{FIRST}&more=V", "no what-if “none”"),
    "?more=C": ("", "no what-if “C”"),
    "?more=other-heads,C,L,heads&class=BertForTokenClassification": (
        f"{FIRST}&class=BertForTokenClassification&more=L,C,heads,other-heads",
        "",
    ),
    "?frozen=embeddings,2,all-but-head": (f"{FIRST}&frozen=embeddings,2,all-but-head", ""),
    "?frozen=": ("", ""),
    "?lora=8": (f"{FIRST}&lora=8:", ""),
    "?lora=:all-linear": (f"{FIRST}&lora=:all-linear", ""),
    "?lora=8:query,nothing": (f"{FIRST}&lora=8:query", "no module “nothing” for LoRA"),
    "?h=1&theme=dark&id=x": ("", ""),
    # What others append is passed over, however much it is.
    "?utm_source=mail&L=6&fbclid=IwAR0&__proto__=1&toString=x&=": (f"{FIRST}&L=6", ""),
    "?" + "&".join(f"unknown{place}=1" for place in range(500)): ("", ""),
    "?beside=bert-large-uncased;utm_id=1;constructor=2": (f"{FIRST}&beside=bert-large-uncased", ""),
    # The first value counts, as on other pages.
    "?pooler=perhaps&L=6&L=7" + "&pooler=x" * 500: (f"{FIRST}&L=6", "pooler is “perhaps”, and can be “yes” or “no”"),
    "?E=128": ("", "no size E in BERT base, uncased"),
    "?labels=3": (f"{FIRST}&labels=3", ""),
    "?L=30,522&V=%207%20&P=1,2&H=a,bcd&S=,123&F=1234,567&A=1,234x": (
        f"{FIRST}&V=7&P=1,2&S=,123&H=a,bcd&F=1234,567&L=30522&A=1,234x",
        "",
    ),
    "?vocabulary=1,000,000&biases=no": (f"{FIRST}&vocabulary=1000000&biases=no", ""),
    "?vocabulary=%20": ("", ""),
    f"?V={LONG}": (f"{FIRST}&V={LONG[:60]}%E2%80%A6", ""),
    "?beside=bert-large-uncased;L=2;class=BertForMaskedLM": (
        f"{FIRST}&beside=bert-large-uncased;L=2;class=BertForMaskedLM",
        "",
    ),
    "?beside=bert-large-uncased;L=x": (
        "",
        "what is to stand beside it cannot be counted: “bert-large-uncased;L=x”",
    ),
    "?beside=a&beside=b&beside=c": (
        f"{FIRST}&beside=bert-base-uncased&beside=bert-base-uncased",
        "no model “a”; no model “b”",
    ),
    "?beside=bert-base-uncased;more=V=1": (f"{FIRST}&beside=bert-base-uncased", "no what-if “V=1”"),
}


def test_addresses_are_read_to_the_letter(page: Page) -> None:
    """What each asks for, as the calculator writes it, and what is wrong with it, in words."""
    found = dict(zip(ADDRESSES, map(tuple, called(page, READ, [*ADDRESSES])), strict=True))
    assert {each: found[each] for each in ADDRESSES} == ADDRESSES


# --- Words, units and colours -------------------------------------------------

UNITS = {
    "0": "0 bytes",
    "1": "1 byte",
    "999": "999 bytes",
    "1000": "1.0 kB",
    "1049": "1.0 kB",
    "1050": "1.1 kB",
    "999949": "999.9 kB",
    "999950": "1.0 MB",
    "999949999": "999.9 MB",
    "999950000": "1.0 GB",
    "1000000": "1.0 MB",
    "1500000000": "1.5 GB",
    "1000000000000": "1.0 TB",
    "123456789012345678": "123,456.8 TB",
}


def test_bytes_are_in_units_that_leave_a_digit(page: Page) -> None:
    """Rounded to one after the point, however many there are."""
    found = page.evaluate("all => all.map(each => bertCounted.calculator.memory.inUnits(BigInt(each)))", [*UNITS])
    assert [*UNITS.values()] == found


def test_shares_that_are_not_nothing_are_not_shown_as_nothing(page: Page) -> None:
    """Not even a parameter among more than a number of a script can hold."""
    shares = """all => all.map(each => {
      const { changes: { shareOf }, live: { percentage } } = bertCounted
      return percentage(shareOf(...each.map(BigInt)))
    })"""
    asked = [
        ["0", "7"],
        ["1", "1" + "0" * 40],
        ["4999", "10000000"],
        ["5", "10000"],
        ["1", "3"],
        ["7", "7"],
        ["0", "0"],
    ]
    assert ["0.0%", "under 0.1%", "under 0.1%", "0.1%", "33.3%", "100.0%", "0.0%"] == page.evaluate(shares, asked)


def test_blocks_have_the_colours_of_the_style_sheet(page: Page) -> None:
    """Each its own; one that has none has that of totals."""
    blocks = ["embeddings", "self-attention", "cross-attention", "feed-forward", "encoder-norms", "pooler", "mlm-head"]
    blocks += ["nsp-head", "task-head", "lora", "copied-head", "layer"]
    assert [f"bc-{each}" for each in blocks] == page.evaluate("all => all.map(bertCounted.live.styleOf)", blocks)
    assert ["bc-total", "bc-total"] == page.evaluate("['discriminator-head', ''].map(bertCounted.live.styleOf)")


SAME = """() => {
  const links = () => [...document.querySelectorAll("#calculator-parts tbody a")]
  const before = links()
  const field = document.querySelector("#calculator-l")
  field.value = "11"
  field.dispatchEvent(new Event("input", { bubbles: true }))
  document.body.click()
  return links().map((each, place) => each === before[place])
}"""


def test_what_stays_the_same_is_left_alone(page: Page) -> None:
    """A link that has the cursor keeps it while numbers beside it change."""
    assert [True] * 5 == page.evaluate(SAME)


AREAS = """() => {
  const size = (each, name) => parseFloat(each.getAttribute(name) ?? 0)
  const area = all => all.reduce((sum, each) => sum + size(each, "width") * size(each, "height") / 10000, 0)
  const within = (group, style) => [...group.querySelectorAll(`:scope > .${style} > rect`)]
  return [...document.querySelectorAll("#calculator-picture .bc-map > g")].map(group => {
    const own = [...group.querySelectorAll(":scope > rect"), ...within(group, "bc-outline")]
    const blocks = ["bc-self-attention", "bc-feed-forward"].map(each => area(within(group, each)))
    return [area(own), ...blocks]
  })
}"""


@pytest.mark.parametrize("layers", [7, 30])
def test_the_picture_is_to_scale(page: Page, layers: int) -> None:
    """Embeddings, layers with what they hold, and pooler: a rectangle for each layer, or lines between them."""
    typed(page, (f"{C}-l", str(layers)))
    model = BASE.resized(L=layers)
    paths = ("bert/embeddings", "bert/encoder", "bert/pooler")
    embeddings, encoder, pooler = (Question(model, part=path).number / Question(model).number for path in paths)
    found = page.evaluate(AREAS)
    assert [pytest.approx(each, abs=1e-4) for each in (embeddings, encoder, pooler)] == [each[0] for each in found]
    of_layer = [2_362_368 / 7_087_872, 4_722_432 / 7_087_872] if layers == 7 else [0, 0]
    assert [pytest.approx(encoder * each, abs=1e-4) for each in of_layer] == found[1][1:]
    lines = page.locator("#calculator-picture .bc-between").all()
    drawn = "".join(f"M{layer} 0v1" for layer in range(1, 30))
    assert ([] if layers == 7 else [drawn]) == [each.get_attribute("d") for each in lines]


WAY = """all => all.map(address => {
  const { calculator: { bridge, evaluated, stateAt }, configuration } = bertCounted
  const { state } = stateAt(address)
  return bridge.way(evaluated(state), configuration.ofModel(state.to || state.model)).map(({ words }) => words)
})"""

WAYS = {
    "?pooler=no": ["without the pooler"],
    "?cross=yes": ["with cross-attention"],
    "?class=BertForMaskedLM&tied=no": [
        "pooler, without what only BertModel has",
        "masked-LM head of BertForMaskedLM",
        "decoder not tied",
    ],
    "?biases=no&vocabulary=31000&more=V,heads": [
        "vocabulary resized: V = 31,000, not 30,522",
        "one token more: V = 31,001",
        "one head more, as wide as the others: H = 832",
        "without biases in dense layers",
    ],
    "?L=6&frozen=embeddings": ["layers: L = 6, not 12", "frozen, so not trained"],
    "?lora=8:query": ["LoRA's adapters, everything else frozen"],
}


def test_each_step_of_the_bridge_is_in_words(page: Page) -> None:
    """Sizes, classes, choices, what-ifs and what is trained."""
    assert [*WAYS.values()] == called(page, WAY, [*WAYS])


# --- Side by side, pasted, exported -------------------------------------------

CHOICES = "id => [...document.querySelectorAll(`#${id} :is(optgroup, option)`)].map(each => each.label)"


def test_any_published_model_can_stand_beside(page: Page) -> None:
    """In the same order and groups as it can be started from; at most two, and each can be removed."""
    models = page.evaluate(CHOICES, "calculator-model")
    assert len(models) > 50
    assert models == page.evaluate(CHOICES, "bridge-from")
    assert ["a published model …", *models] == page.evaluate(CHOICES, "compare-with")
    page.evaluate("document.querySelector('#compare-with').dispatchEvent(new Event('change'))")
    assert 0 == page.locator(".bc-beside *").count()
    page.select_option("#compare-with", "roberta-base")
    expect(page.locator("#compare-with")).to_have_value("")
    expect(page.locator("#compare-with")).to_be_enabled()
    page.select_option("#compare-with", "albert-base-v2")
    expect(page.locator("#compare-with")).to_be_disabled()
    page.get_by_role("button", name="Remove").last.click()
    assert ["What you type: BERT base, uncased", "RoBERTa base"] == page.locator(".bc-title").all_inner_texts()
    assert page.evaluate("document.activeElement.textContent").startswith("Keep this one")
    typed(page, (f"{C}-f", "x"))
    page.get_by_role("button", name="Keep this one").click()
    assert 2 == page.locator(".bc-title").count()


BARS = """() => [...document.querySelectorAll(".bc-compared svg")].map(bar => {
  const pieces = [...bar.children].map(each => ["x", "width"].map(name => parseFloat(each.getAttribute(name))))
  let end = 0
  return [pieces.every(([x, width]) => Math.abs(x - end) < 0.001 && (end += width)), end]
})"""


def test_bars_are_to_one_scale(page: Page) -> None:
    """The longest is as wide as there is room, and the parts of each follow on each other."""
    page.select_option("#compare-with", "bert-large-uncased")
    (first, base), (second, large) = page.evaluate(BARS)
    assert first
    assert second
    assert pytest.approx(100, abs=0.001) == large
    assert pytest.approx(100 * Question(BASE).number / Question(LARGE).number, abs=0.001) == base


PASTE = """text => {
  const field = document.querySelector("#calculator-config")
  field.value = text
  field.dispatchEvent(new Event("input", { bubbles: true }))
  document.body.click()
  return document.querySelector("#calculator-config-says").textContent
}"""

SIZES = {key: BASE_CONFIG[key] for key in BASE_CONFIG if key.endswith(("size", "layers", "heads", "embeddings"))}


def test_what_a_config_says_besides_is_named(page: Page) -> None:
    """One key, a few or many that size nothing; the class where it names one; the nearest model to start from."""
    says = [
        page.evaluate(PASTE, json.dumps({**SIZES, **more, **{f"key{each}": each for each in range(keys)}}))
        for more, keys in (({}, 0), ({}, 1), ({"architectures": ["BertForMaskedLM"]}, 2), ({}, 12), ({}, 14))
    ]
    many = ", ".join(f"key{each}" for each in range(12))
    fills = "This text fills the fields"
    assert [
        f"{fills}.",
        f"{fills}.One key sizes nothing and was passed over: key0.",
        f"{fills}, with the class that it names, BertForMaskedLM.2 keys size nothing and were passed over: key0, key1.",
        f"{fills}.12 keys size nothing and were passed over: {many}.",
        f"{fills}.14 keys size nothing and were passed over: {many} and 2 more.",
    ] == says
    assert "bert-base-cased" == page.input_value("#calculator-model")
    rows = 30_522 - 28_996
    assert f"From BERT base, uncased to BERT base, cased: {768 * rows:,} fewer parameters." == page.inner_text(
        ".bc-delta"
    )
    twice = json.dumps(SIZES)[:-1] + ', "vocab_size": 7, "id2label": {"0": "a", "0": "b"}, "vocab_size": 28996}'
    keys = "These keys come more than once, and the last value of each counts: "
    assert f'{fills}.{keys}vocab_size (28996), id2label.0 ("b").' == page.evaluate(PASTE, twice)
    assert ".This key comes more than once, and its last value counts: hidden_size (0)." in page.evaluate(
        PASTE, json.dumps(SIZES)[:-1] + ', "hidden_size": 0}'
    )
    many = "".join(f', "{"x" * 61}{each}": 1, "{"x" * 61}{each}": 2' for each in range(14))
    assert f": {', '.join(['x' * 60 + ' (2)'] * 12)} and 2 more." in page.evaluate(
        PASTE, json.dumps(SIZES)[:-1] + many + "}"
    )
    assert f"passed over: {'x' * 60}." in page.evaluate(PASTE, json.dumps({**SIZES, "x" * 70: 1}))
    page.evaluate(PASTE, json.dumps({**SIZES, "key0": 1}))
    assert (
        "<p>This text fills the fields.</p>"
        '<p class="bc-hint">One key sizes nothing and was passed over: <code>key0</code>.</p>'
    ) == page.inner_html("#calculator-config-says")
    page.evaluate(PASTE, json.dumps({**SIZES, "type_vocab_size": 0}))
    assert (
        '<p class="bc-fault">This text cannot be counted:</p><ul class="bc-fault">'
        "<li>type_vocab_size is 0; it must be an integer from 1 to 9223372036854775807.</li></ul>"
    ) == page.inner_html("#calculator-config-says")
    assert "true" == page.get_attribute("#calculator-config", "aria-invalid")
    assert "" == page.evaluate(PASTE, " ")
    page.evaluate(PASTE, "[]")
    page.evaluate("document.querySelector('#calculator-form [type=reset]').click()")
    assert ("", "") == (page.input_value("#calculator-config"), page.inner_text("#calculator-config-says"))
    assert page.get_attribute("#calculator-config", "aria-invalid") is None


DRAGGED = """([kind, text]) => {
  const dataTransfer = new DataTransfer()
  dataTransfer.setData("text", text)
  const event = new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer })
  document.querySelector("#calculator").dispatchEvent(event)
  const over = document.querySelector("#calculator").matches(".bc-over")
  return [event.defaultPrevented, over, document.querySelector("#calculator-config").value]
}"""


def test_a_text_is_dropped(page: Page) -> None:
    """What is dragged over shows where it may fall; where it falls it is read, and the browser does not open it."""
    text = json.dumps({**SIZES, "num_hidden_layers": 3})
    assert [True, True, ""] == page.evaluate(DRAGGED, ["dragover", text])
    assert [False, False, ""] == page.evaluate(DRAGGED, ["dragleave", text])
    page.evaluate(DRAGGED, ["dragover", text])
    assert [True, False, text] == page.evaluate(DRAGGED, ["drop", text])
    assert "3" == page.input_value("#calculator-l")
    assert page.evaluate("document.querySelector('.bc-paste').open")


def test_what_is_taken_along_is_said(page: Page) -> None:
    """Name and kind of each file, and what is in the clipboard."""
    status = page.locator("#export-place [role=status]")
    for kind in ("CSV", "JSON"):
        with page.expect_download() as waiting:
            page.get_by_role("button", name=f"Download {kind}").click()
        assert f"bert-counted.{kind.lower()}" == waiting.value.suggested_filename
        assert f"bert-counted.{kind.lower()} is ready" == status.inner_text()
    for button, begins in {
        "snippet": "import torch\n",
        "address": "http://127.0.0.1",
        "as Markdown": "**BertModel**",
    }.items():
        page.get_by_role("button", name=f"Copy {'the ' * (button != 'as Markdown')}{button}").click()
        expect(status).to_have_text("Copied")
        assert page.evaluate("navigator.clipboard.readText()").startswith(begins)
        page.evaluate("document.querySelector('#export-place [role=status]').textContent = ''")
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error()) }")
    page.get_by_role("button", name="Copy the address").click()
    expect(status).to_have_text("The browser does not allow it")
