"""The page where readers type a number, as they meet it."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from macros.counting import load_models
from macros.counting.deviations import load_deviations
from tests.docs.known_numbers import TOTALS
from tests.docs.scripts import import_modules
from tests.docs.windows import WIDTHS, faults_in_windows, watch

PAGE = "disagreements/i-got.html"


@pytest.fixture(scope="module")
def open_page(browser: Browser, address: str) -> Iterator[tuple[Page, list[str]]]:
    """The page, which stays open from test to test, for it works all totals out once; and the errors on it."""
    opened = browser.new_context(viewport=WIDTHS["desktop"], base_url=f"{address}/disagreements/")
    page = opened.new_page()
    errors = watch(page, address)
    page.goto("i-got.html")
    yield page, errors
    opened.close()


@pytest.fixture
def page(open_page: tuple[Page, list[str]]) -> Iterator[Page]:
    """The page, with no model chosen; an error on it fails the test. A test that has left it comes back."""
    page, errors = open_page
    yield page
    if page.url.partition("?")[0].endswith("disagreements/i-got.html"):
        page.get_by_label("Model").select_option("")
    else:
        page.goto("i-got.html")
    assert [] == errors


def asked(page: Page, typed: str) -> str:
    """The answer to what a reader types."""
    enter(page, typed)
    return answer(page)


def enter(page: Page, typed: str) -> None:
    """Type a number and ask for its explanation."""
    page.get_by_label("Your number").fill(typed)
    page.get_by_role("button", name="Explain").click()


def answer(page: Page) -> str:
    """What the page answers, once it has."""
    expect(page.locator("#answer:not([aria-busy]) .bc-answer")).to_be_visible(timeout=20_000)
    return page.inner_text("#answer")


def headline(page: Page) -> str:
    """The likeliest explanation."""
    return page.inner_text("#answer .bc-answer")


def test_well_known_totals_are_explained(page: Page) -> None:
    """Model, class and everything that was done otherwise stand in the first sentence."""
    for typed, model, model_class, mistakes in TOTALS:
        asked(page, typed)
        words = headline(page)
        assert load_models()[model].title in words, typed
        assert model_class in words, typed
        assert all(load_deviations()[name].done in words for name in mistakes), typed
        assert ("you would get" in words.lower()) is bool(mistakes), typed


# What is typed, and how the answer begins. Sources: named_parameters() of BertModel in transformers 5.23; 4 bytes a
# float32 and 2^20 in a MiB; the file pytorch_model.bin of bert-base-uncased; GPT2Model of transformers 5.23.
OTHERS = [
    (
        "2362368",
        (
            "2,362,368 is the size of either the first dense layer of the feed-forward network in one layer or "
            "self-attention in one layer of BERT base, uncased."
        ),
    ),
    ("590592", "590,592 is the size of each of these parts of BERT base, uncased:"),
    ("85,054,464", "85,054,464 is the size of all encoder layers of BERT base, uncased."),
    ("21263616", "21,263,616 is the size of 3 layers of BERT base, uncased."),
    ("199", "199 counts the tensors of BERT base, uncased (BertModel), not its parameters."),
    ("110592", "You would get 110,592 for BERT base, uncased (BertForPreTraining, both pre-training tasks) if you"),
    (
        "102281490",
        (
            "102,281,490 is the number of parameters in BERT base, Chinese (BertForSequenceClassification, "
            "a label for a text) with 18 labels."
        ),
    ),
    ("102394368", "You would get 102,394,368 for BERT base, uncased (BertModel) with 11 layers instead of 12."),
    (
        "108890112",
        (
            "You would get 108,890,112 for BERT base, uncased (BertModel) if you either forgot the LayerNorm of "
            "the embeddings and left out the pooler, or forgot the segment table and left out the pooler."
        ),
    ),
    (
        "417.6 MiB",
        (
            "417.6 MiB: 437,928,960 bytes are 109,482,240 parameters of BERT base, uncased (BertModel), "
            "4 bytes each (float32), divided by 1,048,576."
        ),
    ),
    ("72.1 MB", "72.1 MB: 75,641,856 bytes are 75,641,856 parameters of BERT base, Chinese (BertModel), 1 byte each"),
    (
        "440473133",
        (
            "440,473,133 bytes are 110,106,428 parameters of BERT base, uncased (BertForPreTraining, both pre-training "
            "tasks), 4 bytes each (float32), and 47,421 bytes of a file's names and frame."
        ),
    ),
    ("124645632", "124,645,632 is the number of parameters in RoBERTa base (RobertaModel), which is not BERT."),
    ("124439808", "124,439,808 is the number of parameters in GPT-2, small (GPT2Model), which is not BERT."),
    (
        "225659648",
        "225,659,648 is the difference between BERT large, uncased (BertModel) and BERT base, uncased (BertModel).",
    ),
    (
        "77.7%",
        "77.7%: 85,054,464 / 109,482,240 gives this share: all encoder layers in BERT base, uncased (BertModel).",
    ),
    (
        "109428240",
        (
            "109,428,240 looks like 109,482,240 with two digits swapped: that is the number of parameters in "
            "BERT base, uncased (BertModel), 54,000 away."
        ),
    ),
    ("97531246", "We know of no way to get 97,531,246. The nearest right number is "),
    ("12*768*768*4", "12*768*768*4 = 28,311,552. 28,311,552 is the size of either "),
    ("110,000,000", "110,000,000: 109,482,240 is the number of parameters in BERT base, uncased (BertModel)."),
]


# Sources: the claims of these texts, data/claims.toml. EleutherAI prints 108.84 M of 108,844,032, NVIDIA 330M
# of 334,092,288, and aidway 54MB of the feed-forward networks and 108808704 of the model, which takes 435,234,816
# bytes.
PRINTED = [
    ("75,641,856", "Hand count of BERT base, Chinese"),
    ("72.1 MB", "Hand count of BERT base, Chinese"),
    ("108808704", "aidway"),
    ("108.84M", "EleutherAI"),
    ("334092288", ""),
    ("108844032", ""),
    ("435234816", ""),
    ("109436160", ""),
]


@pytest.mark.parametrize(("typed", "source"), PRINTED)
def test_who_prints_a_number_prints_just_that(page: Page, typed: str, source: str) -> None:
    """And of the same thing; not who rounds it, counts something else, or counts it in other units."""
    sentences = [line for line in asked(page, typed).splitlines() if line.startswith("This number appears in ")]
    assert bool(source) is bool(sentences)
    assert all(source in each for each in sentences)


def test_two_things_of_one_number_do_not_deny_each_other(page: Page) -> None:
    """BERT large without its pooler is as large as ELECTRA large, which is not BERT."""
    asked(page, "334092288")
    page.locator("#answer .bc-ways-on summary").click()
    also = "is also the number of parameters in ELECTRA large, discriminator (ElectraModel), which is not BERT."
    assert f"334,092,288 {also}" in page.inner_text("#answer .bc-ways-on")


@pytest.mark.parametrize(("typed", "begins"), OTHERS)
def test_other_numbers_are_explained(page: Page, typed: str, begins: str) -> None:
    """Parts, tensors, labels, sizes, memory, relatives, differences, slips of digits, sums and what has no reason."""
    asked(page, typed)
    assert headline(page).startswith(begins)


def test_the_bridge_closes(page: Page) -> None:
    """The steps lead from the reader's number to the right total, which is linked."""
    asked(page, "75641856")
    column = page.locator("#bridge td.bc-num").all_inner_texts()
    start, *steps, end = (int(text.replace(",", "").replace("−", "-")) for text in column)
    # Source: the hand count, and the total of base Chinese in transformers 5.23.
    assert (75_641_856, 102_267_648) == (start, end)
    assert 4 == len(steps)
    assert end == start + sum(steps)
    assert ["+(1 − 1/L)·L·4·H²", "+L·4·H", "+L·(F + H)", "+(H² + H)"] == page.locator(
        "#bridge tbody td code"
    ).all_inner_texts()
    page.click("#bridge tfoot a")
    assert page.url.endswith("totals/checkpoints.html")


def test_what_is_in_print_is_linked(page: Page) -> None:
    """The source leads to its place among the published claims."""
    asked(page, "324472832")
    source = page.locator("#answer a[href*='published-claims']").first
    assert "../disagreements/published-claims.html#bert4keras-walk-through" == source.get_attribute("href")


def test_other_ways_are_folded(page: Page) -> None:
    """They open on demand, and there are five at most; how many more is said."""
    asked(page, "133547324")
    ways = page.locator("#answer .bc-ways-on li")
    assert 1 <= ways.count() <= 5
    expect(ways.first).not_to_be_visible()
    page.click("#answer .bc-ways-on summary")
    expect(ways.first).to_be_visible()


def test_a_rounded_number_lists_totals_and_leads_to_the_paper(page: Page) -> None:
    """The paper's number has a page of its own; other rounded numbers have none."""
    asked(page, "110M")
    assert "Exact totals that round to 110M" in page.inner_text("#rounded caption")
    link = page.locator("#answer a[href*='why-110m']")
    assert 1 == link.count()
    asked(page, "109.5M")
    assert 0 == link.count()


def test_a_relative_is_bridged_from_bert(page: Page) -> None:
    """Block by block, from the BERT of the same depth and width; the differences close."""
    asked(page, "124645632")
    rows = [
        [cell.replace(",", "").replace("−", "-") for cell in row.locator("td").all_inner_texts()]
        for row in page.locator("#bridge tr:has(td)").all()
    ]
    numbers = [list(map(int, row)) for row in rows]
    # Source: BertModel and RobertaModel of transformers 5.23.
    assert [109_482_240, 15_163_392, 124_645_632] == numbers[-1]
    assert numbers[-1] == [sum(column) for column in zip(*numbers[:-1], strict=True)]
    assert all(before + difference == after for before, difference, after in numbers)


def test_the_address_holds_the_question(page: Page) -> None:
    """What is asked goes into the address, and an address is answered when it is opened."""
    page.get_by_label("Your number").fill("108.9 M")
    page.get_by_label("Your number").press("Enter")
    answer(page)
    assert page.url.endswith("i-got.html?n=108.9+M")
    page.goto("i-got.html?n=75641856")
    assert "BERT base, Chinese" in answer(page)
    assert "75641856" == page.get_by_label("Your number").input_value()
    link = page.get_by_role("link", name="Link to this answer")
    assert "?n=75641856" == link.get_attribute("href")


def test_a_model_can_be_chosen(page: Page) -> None:
    """The same number of another model; choosing asks again, and the address keeps the choice."""
    assert "BERT base, uncased" in asked(page, "590592")
    page.get_by_label("Model").select_option("bert_uncased_L-2_H-768_A-12")
    expect(page.locator("#answer .bc-answer")).to_contain_text("BERT miniature with L = 2 and H = 768")
    assert page.url.endswith("?n=590592&model=bert_uncased_L-2_H-768_A-12")
    page.goto("i-got.html?n=109482240&model=bert-base-chinese")
    assert "BERT base, Chinese" in answer(page)
    assert "bert-base-chinese" == page.get_by_label("Model").input_value()
    page.goto("i-got.html?n=199&model=nobody")
    assert "BERT base, uncased" in answer(page)


BAD = [
    ("many", "“many” is not a number"),
    ("-1", "“-1” is not a number"),
    ("3.7 apples", "“3.7 apples” is not a number"),
    ("9" * 100, "Nothing we count gives 999"),
    ("9" * 150, "is not a number"),
    ("<script>injected = 1</script>", "“<script>injected = 1</script>” is not a number"),
    ("<img src=x onerror='injected = 1'>", "“<img src=x onerror='injected = 1'>” is not a number"),
    ('"><b>7</b>', '“"><b>7</b>” is not a number'),
    ("", "Enter a number first."),
]


def test_an_answer_stays_until_the_next_is_there(browser: Browser, address: str) -> None:
    """The first question is told that totals are counted; later ones have the answer before them meanwhile."""
    page = browser.new_page()
    page.goto(f"{address}/{PAGE}")
    import_modules(page)
    page.evaluate("bertCounted.explainer.ask = (text, model, tell) => { window.tell = tell }")
    answer = page.locator("#answer")
    enter(page, "590592")
    expect(answer).to_have_text("Counting all totals…")
    expect(answer).to_have_attribute("aria-busy", "true")
    page.evaluate("tell(bertCounted.explain('590592'), true)")
    expect(answer).not_to_have_attribute("aria-busy", "true")
    said = answer.inner_text()
    enter(page, "769")
    expect(answer).to_have_attribute("aria-busy", "true")
    assert said == answer.inner_text()
    page.close()


@pytest.mark.parametrize(("typed", "says"), BAD)
def test_bad_input_is_answered(page: Page, typed: str, says: str) -> None:
    """In words, with what was typed as text and never as elements; typed and by the address."""
    assert says in asked(page, typed)
    page.evaluate("typed => location.search = new URLSearchParams({ n: typed })", typed)
    page.wait_for_load_state()
    assert says in answer(page)
    assert 0 == page.locator("#answer :is(script, img, b)").count()
    assert page.evaluate("globalThis.injected") is None


def test_examples_are_answered(page: Page) -> None:
    """Every number to try leads to an exact answer."""
    examples = {each.inner_text(): each.get_attribute("href") for each in page.locator(".bc-examples a").all()}
    assert len(examples) >= 6
    for text, address in examples.items():
        assert f"../disagreements/i-got.html?{urlencode({'n': text})}" == address
        assert "We know of no" not in asked(page, text)
    page.locator(".bc-examples a").last.click()
    page.wait_for_url(f"**{str(address).removeprefix('..')}")
    expect(page.get_by_label("Your number")).to_have_value(text)  # once the scripts are there
    assert "We know of no" not in answer(page)


def test_without_scripts_there_is_a_table(browser: Browser, address: str) -> None:
    """The usual wrong totals of base and large stand there in any case."""
    opened = browser.new_context(java_script_enabled=False)
    page = opened.new_page()
    page.goto(f"{address}/{PAGE}?n=108891648")
    # Source: totals of transformers 5.23, built without pooler.
    row = page.locator("#wrong-totals tr", has_text="Leaving out the pooler")
    assert ["108,891,648", "334,092,288"] == row.locator("data").all_inner_texts()
    assert "" == page.inner_text("#answer")
    opened.close()


@pytest.mark.parametrize(
    "typed", ["75641856", "590592", "110M", "72.1 MB", "97531246", "124645632", "102394368", "many"]
)
def test_answers_are_accessible(page: Page, typed: str) -> None:
    """In every window nothing serious found by axe, nothing too wide, targets large enough; answers of every kind."""
    asked(page, typed)
    page.locator("#answer details").evaluate_all("all => all.forEach((each) => (each.open = true))")
    assert [] == faults_in_windows(page, "#answer")
    for control in page.locator(".bc-question :is(input, select, button)").all():
        box = control.bounding_box()
        assert box
        assert box["height"] >= 24


def test_the_answer_is_announced(page: Page) -> None:
    """The place of the answer is a live region with a name, there before the answer is."""
    region = page.get_by_role("region", name="Answer")
    assert "polite" == region.get_attribute("aria-live")
    asked(page, "199")
    assert region.get_attribute("aria-busy") is None


def test_what_training_adds_is_worked_out(page: Page) -> None:
    """The sum ends in the number that was typed: the model, and two matrices of each rank beside two in each layer."""
    # Source: peft 0.21.2, as in test_search.py; 3,072 is four times the hidden size.
    assert "109,482,240 + 192 × 3,072 = 110,072,064" in asked(page, "110072064")
    assert "7,087,872" in asked(page, "14766336")


def test_memory_is_listed_in_bytes(page: Page) -> None:
    """Totals that round to the same amount are listed once each, in bytes."""
    said = asked(page, "639 MiB")
    assert "bytes" in page.inner_text("#rounded thead")
    assert said.count("670,348,916") == 1
