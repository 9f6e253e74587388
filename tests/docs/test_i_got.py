"""The page where readers type a number, as they meet it."""

from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.docs.scripts import call, import_modules, measure
from tests.docs.windows import ONE_OF_A_KIND, faults_in_windows, watch

PAGE = "disagreements/i-got.html"


@pytest.fixture(scope="module")
def errors(desktop: Page, address: str) -> list[str]:
    """The errors on the page, which stays open from test to test, because it reads the known numbers once."""
    errors_on_page = watch(desktop, address)
    desktop.goto(PAGE)
    return errors_on_page


@pytest.fixture
def page(desktop: Page, errors: list[str]) -> Iterator[Page]:
    """The page with no model chosen, reopened if a test has left it; an error on it fails the test."""
    yield desktop
    if desktop.url.partition("?")[0].endswith(PAGE):
        desktop.get_by_label("Model", exact=True).select_option("")
    else:
        desktop.goto(PAGE)
    assert [] == errors


def ask(page: Page, text: str) -> str:
    """Type a number, and return the answer."""
    page.get_by_label("Your number").fill(text)
    page.get_by_role("button", name="Explain").click()
    return answer(page)


def answer(page: Page) -> str:
    """The page's answer, in a region that is announced."""
    region = page.get_by_role("region", name="Answer")
    expect(region.locator(".bc-answer")).to_be_visible()
    assert "polite" == region.get_attribute("aria-live")
    return region.inner_text()


def test_printed_numbers_link_to_their_source(page: Page) -> None:
    """A source in the answer links to its place among the published claims."""
    ask(page, "324472832")
    source = page.locator("#answer a[href*='published-claims']").first
    assert "../disagreements/published-claims.html#bert4keras-walk-through" == source.get_attribute("href")


def test_other_ways_are_folded(page: Page) -> None:
    """Other ways, five at most, unfold on demand."""
    ask(page, "133547324")
    ways = page.locator("#answer .bc-ways-on li")
    assert 1 <= ways.count() <= 5
    expect(ways.first).not_to_be_visible()
    page.click("#answer .bc-ways-on summary")
    expect(ways.first).to_be_visible()


def test_the_address_holds_the_question(page: Page) -> None:
    """The question goes into the address, and an address is answered when it is opened."""
    page.get_by_label("Your number").fill("108.9 M")
    page.get_by_label("Your number").press("Enter")
    answer(page)
    expect(page).to_have_url(f"{PAGE}?n=108.9+M")
    page.goto(f"{PAGE}?n=75641856")
    assert "BERT base, Chinese" in answer(page)
    assert "75641856" == page.get_by_label("Your number").input_value()
    link = page.get_by_role("link", name="Link to this answer")
    assert "?n=75641856" == link.get_attribute("href")


def test_a_model_can_be_chosen(page: Page) -> None:
    """Choosing a model answers again for its number, and the address keeps the choice."""
    assert "BERT base, uncased" in ask(page, "590592")
    page.get_by_label("Model", exact=True).select_option("bert_uncased_L-2_H-768_A-12")
    expect(page.locator("#answer .bc-answer")).to_contain_text("BERT miniature with L = 2 and H = 768")
    expect(page).to_have_url(f"{PAGE}?n=590592&model=bert_uncased_L-2_H-768_A-12")
    page.goto(f"{PAGE}?n=109482240&model=bert-base-chinese")
    assert "BERT base, Chinese" in answer(page)
    assert "bert-base-chinese" == page.get_by_label("Model", exact=True).input_value()
    page.goto(f"{PAGE}?n=199&model=nobody")
    assert "BERT base, uncased" in answer(page)
    assert 0 == page.get_by_label("Model", exact=True).evaluate("each => each.selectedIndex")  # any model


BAD_TEXTS = [
    ("many", "“many” is not a number"),
    ("-1", "“-1” is not a number"),
    ("3^(1-1536)", "is not a number"),
    ("3.7 apples", "“3.7 apples” is not a number"),
    ("9" * 100, "We found no way to get 999"),
    ("9" * 150, "is not a number"),
    ("<script>injected = 1</script>", "“<script>injected = 1</script>” is not a number"),
    ("<img src=x onerror='injected = 1'>", "“<img src=x onerror='injected = 1'>” is not a number"),
    ('"><b>7</b>', '“"><b>7</b>” is not a number'),
    ("", "Enter a number first, or paste a text."),
]


def test_bad_input_is_answered(page: Page) -> None:
    """Bad input is answered in words and quoted as text, never as elements, typed or in the address."""
    for text, says in BAD_TEXTS:
        assert says in ask(page, text)
        assert 0 == page.locator("#answer :is(script, img, b)").count()
        if "<" in text:
            page.goto(f"{PAGE}?{urlencode({'n': text})}")
            assert says in answer(page)
            assert 0 == page.locator("#answer :is(script, img, b)").count()
            assert page.evaluate("globalThis.injected") is None


# A teacher's comments on numbers that count nothing, and on sums with letters. Source: the sizes in bert_config.json.
PLAIN_ANSWERS = {
    "0": "0 is what everything without weights of its own adds: dropout,",
    "1": "1 is too small to be a number of parameters: a single vector of features in BERT base, uncased already has",
    "+".join("1" * 29): "= 29. 29 is too small to be a number of parameters",
    "2": "2 is the number of segments",
    "4LH": "With the sizes of BERT base, uncased, 4LH = 36,864. 36,864 is the size of either",
    "V*H + P*H": "With the sizes of BERT base, uncased, V*H + P*H = 23,834,112. 23,834,112 is the size of the word and",
    "H² + H = 590,592": "With the sizes of BERT base, uncased, H² + H = 590,592. These parts",
}


def test_small_numbers_and_letters_are_answered(page: Page) -> None:
    """A bare small number is never gigabytes, alone or in a sum; letters are the chosen model's sizes."""
    for number, says in PLAIN_ANSWERS.items():
        text = ask(page, number)
        assert says in text, number
        assert "bytes" not in text, number
    page.get_by_label("Model", exact=True).select_option("bert-large-uncased")
    # 4 × 24 × 1,024.
    assert "With the sizes of BERT large, uncased, 4LH = 98,304. 98,304 is" in ask(page, "4LH")


LARGE_TERMS = [110_106_428, 109_514_298, 108_891_648, 108_310_272, 335_141_888, 102_267_648]
SUMS = {
    "+".join("1" * 20): 0,
    "590592+590592+590592": 1,
    "109482240+7087872+7": 0,
    "+".join(map(str, LARGE_TERMS)): 0,
    "-".join(["335141888", *["109482240"] * 3]): 2,
    "(" * 60 + "1" + ")" * 59: 0,
}
"""Sums, with the most terms explained: each distinct term once, and none if there are many."""

BOTH = "110M-109482240"
"""Both its terms are explained, because their difference is nothing by itself."""


def test_terms_are_explained_once(page: Page) -> None:
    """A repeated term is explained once, and terms only if all of them can be."""
    import_modules(page)
    limits = {BOTH: 2, **SUMS}
    counts = dict(zip(limits, call(page, measure("scripts.js", "explanations"), [*limits]), strict=True))
    assert 2 == counts[BOTH]
    assert {} == {text: count for text, count in counts.items() if count > limits[text]}


HEAVY = [
    "+".join("1" * 20),
    "1" * 100_000,
    "1+" * 50_000 + "1",
    "(" * 100_000,
    " " * 100_000 + "1",
    "V*H+" * 25_000,
    "0.1",
    "1GB",
    "1000",
    "110M-109482240",
    "100M+200M+300M",
    "+".join(map(str, LARGE_TERMS)),
    "9" * 120,
]
"""Texts that take long to read, to search for or to explain."""


def test_no_text_blocks_the_page(page: Page) -> None:
    """The page keeps responding.

    A busy machine gets twice the promised 300 milliseconds, and two more tries.
    """
    longest = {}
    for text in HEAVY:
        for _ in range(3):
            longest[text] = call(page, measure("scripts.js", "longestTask"), text)
            if longest[text] < 300:
                break
    assert {} == {text[:40]: time for text, time in longest.items() if time > 2 * 300}


def test_examples_are_answered(page: Page) -> None:
    """Every example leads to an exact answer."""
    examples = {link.inner_text(): link.get_attribute("href") for link in page.locator("#examples a").all()}
    assert len(examples) >= 6
    for text, address in examples.items():
        assert f"../disagreements/i-got.html?{urlencode({'n': text})}" == address
        assert "We found no" not in ask(page, text)
    page.locator("#examples a").last.click()
    page.wait_for_url(f"**{str(address).removeprefix('..')}")
    expect(page.get_by_label("Your number")).to_have_value(text)  # filled in once the scripts have loaded
    assert "We found no" not in answer(page)


def test_without_scripts_there_is_a_table(plain: Page) -> None:
    """Without scripts the usual wrong totals of BERT base and BERT large are still there."""
    plain.goto(f"{PAGE}?n=108891648")
    # Source: totals of transformers 5.23, built without pooler.
    plain.locator("#usual + details > summary").click()
    row = plain.locator("#wrong-totals tr", has_text="Leaving out the pooler")
    assert ["108,891,648", "334,092,288"] == row.locator("data").all_inner_texts()
    assert "" == plain.inner_text("#answer")


ALSO = measure("scripts.js", "keepCopy")
"""Keeps a copy of an answer, with ids of its own."""

ACCESSIBLE = ["75641856", "590592", "110M", "72.1 MB", "97531246", "124645632", "102394368", "many"]


def test_answers_are_accessible(page: Page) -> None:
    """In every window, answers of every kind pass axe and fit, and the controls are large enough."""
    for index, text in enumerate(ACCESSIBLE):
        ask(page, text)
        page.locator("#answer details").evaluate_all("all => all.forEach((fold) => (fold.open = true))")
        page.evaluate(ALSO, index)
    page.evaluate("document.querySelector('#answer').replaceChildren(...also)")
    assert len(ACCESSIBLE) == page.locator("#answer .bc-answer").count()
    for control in page.locator(".bc-question :is(input, select, button)").all():
        box = control.bounding_box()
        assert box
        assert box["height"] >= 24
    page.evaluate(ONE_OF_A_KIND, "#answer")
    assert [] == faults_in_windows(page, "#answer")
    page.goto("about:blank")
