"""The field that takes anything, on the three pages that have it, and the account of a text that is shown below it.

The texts are read by a stand-in, whose account has every kind of line, finding and step.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from macros.rendering.components.pages import I_GOT
from macros.rendering.texts_to_try import TEXTS, texts_to_try
from tests.docs.windows import faults_in_windows, go_to, watch

ROWS = "\n".join(f"encoder.layer.{index}.attention.self.query.weight 589,824" for index in range(20))
SUM = "23,837,184 + 12 * 7,087,872 is what I got"

STAND_IN = Path(__file__).with_name("sample_account.js").read_text(encoding="utf-8").rpartition("*/\n;")[2]
DROP = """async ([selector, name, text, times = 1]) => {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File([text.repeat(times)], name))
  const place = document.querySelector(selector)
  place.dispatchEvent(new DragEvent("dragenter", { dataTransfer, bubbles: true }))
  while (!document.querySelector("form.bc-anything textarea")) await new Promise(requestAnimationFrame)
  const fire = (type) => place.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
  return [fire("dragover"), fire("drop")]
}"""
"""Drops a file onto an element; returns whether the browser would do something of its own, such as open it."""

PASTE = """([selector, text]) => {
  const clipboardData = new DataTransfer()
  clipboardData.setData("text/plain", text)
  document.querySelector(selector).focus()
  document.execCommand("insertText", false, text)
}"""
"""Pastes a text into a field."""


def stand_in(route: Route) -> None:
    """A bundle with readers; the stand-in takes the place of the one that the page calls."""
    code = route.fetch().text()
    if (reader := "export const $reading_account =") in code:
        code = f"{code.replace(reader, 'const $read =')}\n{reader} () => ({{ account: {STAND_IN} }})\n"
    route.fulfill(body=code, content_type="text/javascript")


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A page of its own, since texts are kept from page to page; an error on it fails the test."""
    context = browser.new_context(base_url=f"{address}/", permissions=["clipboard-read", "clipboard-write"])
    context.route(re.compile(r"/bundles/reading-account[^/]*\.js"), stand_in)
    new_page = context.new_page()
    errors = watch(new_page, address)
    yield new_page
    # The worker asks for bundles when it likes, perhaps now. Without this, one on its way fails the next test.
    context.unroute_all(behavior="ignoreErrors")
    context.close()
    assert [] == errors


FIELDS = {
    "index.html": ("#another-number-field", "Got another number?"),
    I_GOT: ("#question-number", "Your number, sum, print-out or config"),
    "404.html": ("#lost-number", "Were you looking for a number?"),
}
"""The pages with the field, its id and its label."""


def explained(page: Page) -> str:
    """The first sentence of the answer, once all of it is shown."""
    expect(page.locator("#answer .bc-controls")).to_be_visible()
    return page.locator("#answer .bc-answer").inner_text()


@pytest.mark.parametrize("name", FIELDS)
def test_the_field_has_one_line_and_grows(page: Page, name: str) -> None:
    """With scripts the field is one line high, says what it takes, and grows when several lines are pasted."""
    go_to(page, name)
    selector, label = FIELDS[name]
    field = page.get_by_label(label)
    field.focus()
    expect(page.locator(f"textarea{selector}")).to_be_focused()
    button = page.get_by_role("button", name="Explain")
    assert "textarea" == field.evaluate("each => each.localName")
    box_before = field.bounding_box()
    button_box = button.bounding_box()
    assert box_before
    assert button_box
    assert button_box["height"] == pytest.approx(box_before["height"], abs=1)
    assert "Nothing leaves your computer." in field.evaluate(
        "each => document.getElementById(each.getAttribute('aria-describedby')).textContent"
    )
    page.evaluate(PASTE, [selector, ROWS])
    box_after = field.bounding_box()
    assert box_after
    assert 100 < box_after["height"] < 300
    assert ROWS == field.input_value()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("name", FIELDS)
def test_a_long_text_is_explained_from_each_page(page: Page, name: str) -> None:
    """A text of several lines gets its account on one page from all three, and no part of it is in an address."""
    go_to(page, name)
    selector, _ = FIELDS[name]
    page.locator(selector).focus()
    page.locator(f"textarea{selector}").wait_for()
    page.evaluate(PASTE, [selector, ROWS])
    page.locator(selector).press("Control+Enter")
    assert "BERT base, Chinese as BertForMaskedLM has 102,290,312 parameters." in explained(page)
    assert f"/{I_GOT}" == page.evaluate("location.pathname + location.search + location.hash")
    assert ROWS == page.locator("#question-number").input_value()
    assert 0 == page.get_by_role("link", name="Link to this answer").count()
    page.reload()
    assert "102,290,312" in explained(page)


@pytest.mark.parametrize("name", FIELDS)
def test_a_short_text_is_in_the_address(page: Page, name: str) -> None:
    """Enter sends a text of one line, which is in the address of the answer, whole."""
    go_to(page, name)
    selector, _ = FIELDS[name]
    page.locator(selector).fill(f"{SUM}\n")
    page.locator(selector).press("Enter")
    explained(page)
    address = page.evaluate("location.href")
    assert {"n": [SUM]} == parse_qs(urlsplit(address).query)
    link = page.get_by_role("link", name="Link to this answer")
    assert address == link.evaluate("each => each.href")


def test_enter_begins_a_line_where_there_are_several(page: Page) -> None:
    """Shift with Enter begins a line, Enter begins another one then, and Control with Enter sends all of them."""
    go_to(page, I_GOT)
    field = page.locator("#question-number")
    field.press_sequentially("1,234,567")
    field.press("Shift+Enter")
    field.press_sequentially("7,087,872")
    field.press("Enter")
    field.press_sequentially("590,592")
    assert "1,234,567\n7,087,872\n590,592" == field.input_value()
    assert "" == page.inner_text("#answer")
    field.press("Control+Enter")
    explained(page)


def test_a_file_can_be_dropped_chosen_or_too_long_for_the_field(page: Page) -> None:
    """A file that is dropped anywhere on the page, or chosen, is explained, and named; the browser does not open it."""
    go_to(page, I_GOT)
    for selector in ("#question-number", "#question", "article h2"):
        assert [False, False] == page.evaluate(DROP, [selector, f"{selector[:3]}.txt", ROWS])
        expect(page.locator("#question [role=status]")).to_have_text(f"This is about “{selector[:3]}.txt”.")
        explained(page)
        assert ROWS == page.locator("#question-number").input_value()
        page.locator("#question-number").fill("")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a file").click()
    chooser.value.set_files({"name": "rows.csv", "mimeType": "text/csv", "buffer": (ROWS * 100).encode()})
    expect(page.locator("#question [role=status]")).to_have_text("This is about “rows.csv”.")
    assert "" == page.locator("#question-number").input_value()
    page.reload()  # the text is kept, although it is not in the field
    explained(page)


@pytest.mark.parametrize("name", ["index.html", "404.html"])
def test_a_file_is_handed_over(page: Page, name: str) -> None:
    """A file that is dropped where nothing is explained is explained on the page that does; a huge one is not."""
    go_to(page, name)
    with page.expect_file_chooser():  # by the first click on a page that nobody has used
        page.get_by_role("button", name="Choose a file").dispatch_event("click")
    page.evaluate(DROP, ["form.bc-anything", "huge.txt", "0 1\n" * 3_000_000])
    expect(page.locator("form [role=status]")).to_contain_text("too long to be handed over")
    page.evaluate(DROP, ["form.bc-anything", "rows.txt", ROWS])
    assert "102,290,312" in explained(page)


def test_a_long_text_is_read_in_a_worker(page: Page) -> None:
    """A long text is read beside the page, which shows that it is at work; one of 50 MB is refused in a sentence."""
    go_to(page, I_GOT)
    with page.expect_worker() as worker:
        page.evaluate(DROP, ["#question", "long.txt", ROWS * 200])
    assert "/assets/reading/worker.js" in worker.value.url
    explained(page)
    page.evaluate(DROP, ["#question", "huge.txt", "x", 50_000_001])
    refusal = "This file has 51 MB, and we read texts of up to 50 MB. Drop the part that you ask about."
    expect(page.locator("#question [role=status]")).to_have_text(refusal)


def test_examples_are_fetched_when_they_are_chosen(page: Page) -> None:
    """Each text to try is put into the field and explained, and its answer has an address of its own."""
    requested: list[str] = []
    page.on("request", lambda request: requested.append(urlsplit(request.url).path))
    go_to(page, I_GOT)
    assert [] == [path for path in requested if "examples" in path or "reading" in path]
    texts = texts_to_try()
    links = page.locator("#texts a")
    assert [title for title, _ in TEXTS.values()] == links.all_inner_texts()
    for link, name in zip(links.all(), TEXTS, strict=True):
        link.click()
        expect(page.locator("#question-number")).to_have_value(texts[name])
        explained(page)
        expect(page).to_have_url(f"{I_GOT}?example={name}")
    assert 1 == sum(path.endswith("/data/examples.js") for path in requested)
    page.reload()
    explained(page)
    page.goto(f"{I_GOT}?example=constructor")
    expect(page.locator("textarea#question-number")).to_have_value("")


REPLACE_BY_PASTING = """text => {
  const field = document.querySelector("#question-number")
  field.value = text
  field.dispatchEvent(new InputEvent("input", { inputType: "insertFromPaste", bubbles: true }))
}"""


def test_a_pasted_text_is_answered_at_once(page: Page) -> None:
    """A text that is pasted over another gets its own answer, so that no old one stands below it."""
    go_to(page, f"{I_GOT}?n=109482240")
    expect(page.locator("#answer .bc-answer")).to_contain_text("109,482,240")
    page.evaluate(REPLACE_BY_PASTING, "335,141,888")
    expect(page.locator("#answer .bc-answer")).to_contain_text("335,141,888")
    expect(page).to_have_url(f"{I_GOT}?n=335%2C141%2C888")


def test_an_account_has_findings_bridge_and_lines(page: Page) -> None:
    """Findings have their amounts, the bridge its steps, and every line its part, number, share and verdict."""
    go_to(page, I_GOT)
    page.evaluate(DROP, ["#question", "rows.txt", ROWS])
    explained(page)
    findings = page.locator(".bc-findings li").all_inner_texts()
    assert ["+16,226,304", "+21,128", "+512"] == [text.split("\n")[-1] for text in findings[:-1]]
    assert "<b>Bold</b>" in findings[0]  # what is pasted is never markup
    assert 0 == page.locator("#answer b").count()
    assert "102,290,312" == page.locator("#bridge tfoot td").first.inner_text()
    assert 1 == page.locator("#answer figure").count()
    rows = page.locator("#your-lines tbody tr")
    assert 20 == rows.count()
    wrong, twice, folded = (rows.nth(index) for index in (3, 5, 7))
    assert "1,024 too low" in wrong.inner_text()
    assert "2× counted twice" in twice.inner_text()
    assert "../parts/heads.html#masked-lm" == twice.get_by_role("link").get_attribute("href")
    assert "× 12 = 85,054,464" in folded.inner_text()
    assert "83.2%" in folded.inner_text()
    assert page.get_by_text(
        "Your lines, with equal layers taken together: 13 right, 1 wrong, 1 counted twice"
    ).is_visible()
    page.get_by_label("Hide the lines that are right").check()
    assert 5 == rows.count()


def test_long_lists_are_shown_in_part(page: Page) -> None:
    """Of a thousand lines, the first are shown at once, and all on demand; lines that were not read are folded."""
    go_to(page, I_GOT)
    lines = [f"name.{index} {1000 + index}" for index in range(1000)]
    page.evaluate(DROP, ["#question", "rows.txt", "\n".join([*["not a number"] * 9, *lines])])
    explained(page)
    rows = page.locator("#your-lines tbody tr")
    assert 300 == rows.count()
    assert "9 lines that were not read" == rows.first.inner_text().strip()
    rows.first.locator("summary").click()
    assert 9 == rows.first.inner_text().count("not a number")
    page.get_by_role("button", name="Show all 1,001 rows").click()
    assert 1001 == rows.count()


def test_an_account_is_copied_as_markdown(page: Page) -> None:
    """The copy has the sentences with whole addresses, the steps, and a row for each line."""
    go_to(page, I_GOT)
    page.evaluate(DROP, ["#question", "rows.txt", ROWS])
    explained(page)
    page.get_by_role("button", name="Copy as Markdown").click()
    expect(page.get_by_text("Copied", exact=True)).to_be_visible()
    copy = page.evaluate("navigator.clipboard.readText()")
    top = page.url.removesuffix(I_GOT)
    assert copy.startswith(f"[BERT base, Chinese]({top}totals/checkpoints.html) as `BertForMaskedLM` has 102,290,312")
    assert "\\<b\\>Bold\\</b\\> (**+16,226,304**)" in copy
    assert "| count the bias once | −21,128 | `V` |" in copy
    assert 1 == copy.count("| ✗ wrong: 589,824 is 1,024 too low |")


def test_an_account_is_accessible(page: Page) -> None:
    """In every window the account passes axe and fits."""
    go_to(page, I_GOT)
    page.evaluate(DROP, ["#question", "rows.txt", f"{ROWS}\nno number\nno number\nno number"])
    explained(page)
    assert [] == faults_in_windows(page, "#question, #answer")
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_an_account_is_printed_whole(page: Page) -> None:
    """On paper nothing of the account is folded, scrolls or is for clicking."""
    go_to(page, I_GOT)
    lines = [f"name.{index} {1000 + index}" for index in range(400)]
    page.evaluate(DROP, ["#question", "rows.txt", "\n".join([*["not a number"] * 9, *lines])])
    explained(page)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert 401 == page.locator("#your-lines tbody tr").count()
    expect(page.get_by_text("not a number").first).to_be_visible()
    scrolls = "each => each.scrollHeight > each.clientHeight + 2 || each.scrollWidth > each.clientWidth + 2"
    assert not page.locator("#your-lines .bc-scroll").evaluate(scrolls)
    assert not page.get_by_role("button", name="Copy as Markdown").is_visible()


@pytest.mark.parametrize("name", FIELDS)
def test_without_scripts_it_is_a_field_for_a_number(plain: Page, name: str) -> None:
    """Without scripts the field has one line, promises nothing else, and has no button that does nothing."""
    plain.goto(name)
    selector, _ = FIELDS[name]
    assert "input" == plain.locator(selector).evaluate("each => each.localName")
    assert not plain.get_by_text("Nothing leaves your computer.").is_visible()
    assert not plain.get_by_role("button", name="Choose a file").is_visible()


LINES = {
    "trainable params: 296,450 || all params: 109,780,228": "Infinity",
    "BERT base has 110M parameters": "0",
    "参数量 110M": "0",
}
"""Lines that the search offers to explain, and the score of the offer, by which Enter chooses."""


def test_the_search_offers_to_explain_a_line(page: Page) -> None:
    """A line with a count and its label is offered; a question in words is not, nor is a text that is too long."""
    go_to(page, "parts/heads.html")
    query = page.locator("[data-md-component=search-query]")
    offer = page.locator(".bc-explain")
    for line, score in LINES.items():
        query.fill(line)
        assert offer.inner_text().startswith(f"Explain this: {line[:20]}")
        assert score == offer.get_attribute("data-md-score")
        assert {"n": [line]} == parse_qs(urlsplit(page.locator("a:has(.bc-explain)").get_attribute("href") or "").query)
    for text in ("how many parameters does a layer have", "layer 11 parameters", "12 heads", f"{ROWS} params"):
        query.fill(text)
        assert 0 == offer.count()
