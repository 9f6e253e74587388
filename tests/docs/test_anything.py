"""The field for any text works on the three pages that have it, and the account of a text is shown in full.

The account is always the one in `sample_account.js`, which has different kinds of lines, findings and steps. Other
tests check how texts are read.
"""

from collections.abc import Iterator
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from typing import BinaryIO
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from macros.rendering.components.pages import I_GOT
from macros.rendering.texts_to_try import TEXTS, texts_to_try
from tests.docs.conftest import QuietHandler, serving
from tests.docs.windows import WIDTHS, faults_in_windows, go_to, watch

QUERY_ROWS = "\n".join(f"encoder.layer.{index}.attention.self.query.weight 589,824" for index in range(20))
"""A text of several lines: a print-out."""

SUM_IN_A_LINE = "23,837,184 + 12 * 7,087,872 is what I got"
"""A text of a single line: a sum."""

SAMPLE_ACCOUNT = Path(__file__).with_name("sample_account.js").read_text(encoding="utf-8").rpartition("*/\n;")[2]
"""The account as a JavaScript expression, without the comment before it."""

DROP = """async ([selector, name, text, times = 1]) => {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File([text.repeat(times)], name))
  const target = document.querySelector(selector)
  target.dispatchEvent(new DragEvent("dragenter", { dataTransfer, bubbles: true }))
  while (!document.querySelector("form.bc-anything textarea")) await new Promise(requestAnimationFrame)
  const fire = (type) => target.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
  return [fire("dragover"), fire("drop")]
}"""
"""Drops a file onto an element; returns, for dragover and drop, whether the browser's default action would follow."""

INSERT = """([selector, text]) => {
  document.querySelector(selector).focus()
  document.execCommand("insertText", false, text)
}"""
"""Inserts a text into a field at once, as pasting does."""


EXPORT_OF_READER = "export const $reading_account ="
"""The beginning of the statement with which a bundle exports the module that reads texts."""


class HostOfSampleAccount(QuietHandler):
    """Serves the site, with the module that reads texts changed so that its account is always the sample.

    Playwright could change the module on its way to the browser, but would then disable the browser's cache.
    """

    def send_head(self) -> BytesIO | BinaryIO | None:
        """Send the headers of a file, and return what follows them."""
        path = Path(self.translate_path(self.path))
        code = path.read_text(encoding="utf-8") if path.name.startswith("reading-account") else ""
        if EXPORT_OF_READER not in code:
            return super().send_head()
        changed_code = code.replace(EXPORT_OF_READER, "const $read =")
        body = f"{changed_code}\n{EXPORT_OF_READER} () => ({{ account: {SAMPLE_ACCOUNT} }})\n".encode()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/javascript")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        return BytesIO(body)


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """The address of the site with the sample account."""
    with serving(site, HostOfSampleAccount) as origin:
        yield origin


@pytest.fixture(scope="module")
def errors(desktop: Page, address: str) -> list[str]:
    """A list that collects the errors of the tab that all tests share."""
    return watch(desktop, address)


@pytest.fixture
def page(desktop: Page, errors: list[str]) -> Iterator[Page]:
    """A tab in which the site has stored nothing, although it keeps texts from page to page.

    Any error in the tab fails the test.
    """
    desktop.set_viewport_size(WIDTHS["desktop"])
    desktop.emulate_media(media="screen", color_scheme="light")
    yield desktop
    desktop.evaluate("[localStorage, sessionStorage].forEach(storage => storage.clear())")
    assert [] == errors


FIELDS = {
    "index.html": ("#another-number-field", "Got a different number?"),
    I_GOT: ("#question-number", "Your number, sum, print-out or config"),
    "404.html": ("#lost-number", "Were you looking for a number?"),
}
"""The pages with the field, each with a selector for the field and the text of its label."""


def first_sentence(page: Page) -> str:
    """The first sentence of the answer, once its buttons, which come last, show that the answer is complete."""
    expect(page.locator("#answer .bc-controls")).to_be_visible()
    return page.locator("#answer .bc-answer").inner_text()


@pytest.mark.parametrize("name", FIELDS)
def test_the_field_promises_privacy_and_grows_with_its_text(page: Page, name: str) -> None:
    go_to(page, name)
    selector, label = FIELDS[name]
    field = page.get_by_label(label)
    field.focus()
    expect(page.locator(f"textarea{selector}")).to_be_focused()
    button = page.get_by_role("button", name="Explain")
    assert "textarea" == field.evaluate("element => element.localName")
    box_before = field.bounding_box()
    button_box = button.bounding_box()
    assert box_before
    assert button_box
    assert button_box["height"] == pytest.approx(box_before["height"], abs=1)
    assert "Nothing leaves your computer." in field.evaluate(
        "element => document.getElementById(element.getAttribute('aria-describedby')).textContent"
    )
    page.evaluate(INSERT, [selector, QUERY_ROWS])
    box_after = field.bounding_box()
    assert box_after
    assert 100 < box_after["height"] < 300  # pixels, enough for several of the twenty lines, but not for all
    assert QUERY_ROWS == field.input_value()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("name", FIELDS)
def test_a_text_of_several_lines_is_explained_without_becoming_part_of_the_address(page: Page, name: str) -> None:
    go_to(page, name)
    selector, _ = FIELDS[name]
    page.locator(selector).focus()
    page.locator(f"textarea{selector}").wait_for()
    page.evaluate(INSERT, [selector, QUERY_ROWS])
    page.locator(selector).press("Control+Enter")
    assert "BERT base, Chinese as BertForMaskedLM has 102,290,312 parameters." in first_sentence(page)
    assert f"/{I_GOT}" == page.evaluate("location.pathname + location.search + location.hash")
    assert QUERY_ROWS == page.locator("#question-number").input_value()
    assert 0 == page.get_by_role("link", name="Link to this answer").count()
    page.reload()
    assert "102,290,312" in first_sentence(page)


@pytest.mark.parametrize("name", FIELDS)
def test_a_text_of_one_line_becomes_part_of_the_address_without_being_sent(page: Page, name: str) -> None:
    go_to(page, name)
    requested_queries: list[str] = []
    page.on("request", lambda request: requested_queries.append(urlsplit(request.url).query))
    selector, _ = FIELDS[name]
    page.locator(selector).focus()
    page.locator(f"textarea{selector}").wait_for()
    page.locator(selector).fill(f"{SUM_IN_A_LINE}\n")
    page.locator(selector).press("Enter")
    first_sentence(page)
    address = page.evaluate("location.href")
    assert {"n": [SUM_IN_A_LINE]} == parse_qs(urlsplit(address).query)
    assert {""} >= {*requested_queries}
    link = page.get_by_role("link", name="Link to this answer")
    assert address == link.evaluate("element => element.href")


def test_enter_starts_a_new_line_in_a_text_of_several_lines(page: Page) -> None:
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
    first_sentence(page)


def test_a_dropped_or_chosen_file_is_explained(page: Page) -> None:
    go_to(page, I_GOT)
    for selector in ("#question-number", "#question", "article h2"):
        # The browser must not open the file itself.
        assert [False, False] == page.evaluate(DROP, [selector, f"{selector[:3]}.txt", QUERY_ROWS])
        expect(page.locator("#question [role=status]")).to_have_text(f"This is about “{selector[:3]}.txt”.")
        first_sentence(page)
        assert QUERY_ROWS == page.locator("#question-number").input_value()
        page.locator("#question-number").fill("")
    # A file that is too long for the field is explained without appearing there.
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a file").click()
    chooser.value.set_files({"name": "rows.csv", "mimeType": "text/csv", "buffer": (QUERY_ROWS * 100).encode()})
    expect(page.locator("#question [role=status]")).to_have_text("This is about “rows.csv”.")
    assert "" == page.locator("#question-number").input_value()
    page.reload()  # the page keeps the text, although it is not in the field
    first_sentence(page)


@pytest.mark.parametrize("name", ["index.html", "404.html"])
def test_a_file_dropped_on_another_page_is_explained_on_the_page_for_numbers(page: Page, name: str) -> None:
    go_to(page, name)
    with page.expect_file_chooser():  # even the first click, which also loads the scripts, opens the file chooser
        page.get_by_role("button", name="Choose a file").dispatch_event("click")
    page.evaluate(DROP, ["form.bc-anything", "huge.txt", "0 1\n", 3_000_000])
    expect(page.locator("form [role=status]")).to_contain_text("too long to be handed over")
    page.evaluate(DROP, ["form.bc-anything", "rows.txt", QUERY_ROWS])
    assert "102,290,312" in first_sentence(page)


def test_a_long_text_is_read_in_a_worker(page: Page) -> None:
    """The worker keeps the page responsive."""
    go_to(page, I_GOT)
    with page.expect_worker() as worker:
        page.evaluate(DROP, ["#question", "long.txt", QUERY_ROWS * 200])
    assert "/assets/reading/worker.js" in worker.value.url
    first_sentence(page)
    page.evaluate(DROP, ["#question", "huge.txt", "x", 50_000_001])
    refusal = (
        "This file takes up 51 MB, but we read only texts of up to 50 MB. Drop only the part that you are asking about."
    )
    expect(page.locator("#question [role=status]")).to_have_text(refusal)


def test_the_texts_to_try_are_fetched_only_when_one_is_chosen(page: Page) -> None:
    requested_paths: list[str] = []
    page.on("request", lambda request: requested_paths.append(urlsplit(request.url).path))
    go_to(page, I_GOT)
    assert [] == [path for path in requested_paths if "examples" in path or "reading" in path]
    texts = texts_to_try()
    links = page.locator("#texts a")
    assert [title for title, _ in TEXTS.values()] == links.all_inner_texts()
    for link, name in zip(links.all(), TEXTS, strict=True):
        link.click()
        expect(page.locator("#question-number")).to_have_value(texts[name])
        first_sentence(page)
        expect(page).to_have_url(f"{I_GOT}?example={name}")
    assert 1 == sum(path.endswith("/data/examples.js") for path in requested_paths)
    page.reload()
    first_sentence(page)
    page.goto(f"{I_GOT}?example=constructor")  # a property of every JavaScript object, but not an example
    expect(page.locator("textarea#question-number")).to_have_value("")


REPLACE_BY_PASTING = """text => {
  const field = document.querySelector("#question-number")
  field.value = text
  field.dispatchEvent(new InputEvent("input", { inputType: "insertFromPaste", bubbles: true }))
}"""
"""Replaces the text in the field, as if another text had been pasted over it."""


def test_a_text_pasted_over_another_is_answered_at_once(page: Page) -> None:
    """The new answer replaces the old one, which would otherwise remain below the new text."""
    go_to(page, f"{I_GOT}?n=109482240")
    expect(page.locator("#answer .bc-answer")).to_contain_text("109,482,240")
    page.evaluate(REPLACE_BY_PASTING, "335,141,888")
    expect(page.locator("#answer .bc-answer")).to_contain_text("335,141,888")
    expect(page).to_have_url(f"{I_GOT}?n=335%2C141%2C888")


def test_an_account_has_findings_bridge_and_lines(page: Page) -> None:
    go_to(page, I_GOT)
    page.evaluate(DROP, ["#question", "rows.txt", QUERY_ROWS])
    first_sentence(page)
    findings = page.locator(".bc-findings li").all_inner_texts()
    assert ["+16,226,304", "+21,128", "+512"] == [text.split("\n")[-1] for text in findings[:-1]]
    assert "<b>Bold</b>" in findings[0]  # a pasted text never becomes markup
    assert 0 == page.locator("#answer b").count()
    assert "102,290,312" == page.locator("#bridge tfoot td").first.inner_text()
    assert 1 == page.locator("#answer figure").count()
    rows = page.locator("#your-lines tbody tr")
    assert 20 == rows.count()
    wrong_row, repeated_row, multiplied_row = (rows.nth(index) for index in (3, 5, 7))
    assert "1,024 too low" in wrong_row.inner_text()
    assert "2× counted twice" in repeated_row.inner_text()
    assert "../parts/heads.html#masked-lm" == repeated_row.get_by_role("link").get_attribute("href")
    assert "× 12 = 85,054,464" in multiplied_row.inner_text()
    assert "83.2%" in multiplied_row.inner_text()
    assert page.get_by_text(
        "Your lines, with equal layers taken together: 13 right, 1 wrong, 1 counted twice"
    ).is_visible()
    page.get_by_label("Hide the lines that are right").check()
    assert 5 == rows.count()


def test_a_line_is_shown_without_wide_gaps_and_cut_if_long(page: Page) -> None:
    go_to(page, I_GOT)
    page.evaluate(DROP, ["#question", "rows.txt", f"    (query)      589824 \n{'name.' * 100} 1000"])
    first_sentence(page)
    gapped_line, long_line = page.locator("#your-lines .bc-line").all_text_contents()
    assert "(query)  589824" == gapped_line
    assert 400 == len(long_line)
    assert long_line.endswith("...")


def test_only_the_first_rows_of_a_long_list_are_shown_at_first(page: Page) -> None:
    go_to(page, I_GOT)
    lines = [f"name.{index} {1000 + index}" for index in range(1000)]
    page.evaluate(DROP, ["#question", "rows.txt", "\n".join(["not a number"] * 9 + lines)])
    first_sentence(page)
    rows = page.locator("#your-lines tbody tr")
    assert 300 == rows.count()
    assert "9 lines that were not read" == rows.first.inner_text().strip()
    rows.first.locator("summary").click()
    assert 9 == rows.first.inner_text().count("not a number")
    page.get_by_role("button", name="Show all 1,001 rows").click()
    assert 1001 == rows.count()


def test_an_account_is_copied_as_markdown(page: Page) -> None:
    go_to(page, I_GOT)
    page.evaluate(DROP, ["#question", "rows.txt", QUERY_ROWS])
    first_sentence(page)
    page.get_by_role("button", name="Copy as Markdown").click()
    expect(page.get_by_text("Copied", exact=True)).to_be_visible()
    copied_text = page.evaluate("navigator.clipboard.readText()")
    top = page.url.removesuffix(I_GOT)
    beginning = f"[BERT base, Chinese]({top}totals/checkpoints.html) as `BertForMaskedLM` has 102,290,312"
    assert copied_text.startswith(beginning)
    assert "\\<b\\>Bold\\</b\\> (**+16,226,304**)" in copied_text
    assert "| count the bias once | −21,128 | `V` |" in copied_text
    assert 1 == copied_text.count("| ✗ wrong: 589,824 is 1,024 too low |")


def test_an_account_is_accessible(page: Page) -> None:
    go_to(page, I_GOT)
    page.evaluate(DROP, ["#question", "rows.txt", f"{QUERY_ROWS}\nno number\nno number\nno number"])
    first_sentence(page)
    assert [] == faults_in_windows(page, "#question, #answer")
    page.set_viewport_size({"width": 320, "height": 640})  # 320 pixels is the narrowest width that WCAG requires
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_an_account_is_printed_in_full(page: Page) -> None:
    go_to(page, I_GOT)
    lines = [f"name.{index} {1000 + index}" for index in range(400)]
    page.evaluate(DROP, ["#question", "rows.txt", "\n".join(["not a number"] * 9 + lines)])
    first_sentence(page)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert 401 == page.locator("#your-lines tbody tr").count()
    expect(page.get_by_text("not a number").first).to_be_visible()
    # Two pixels allow for rounding.
    is_scrollable = "box => box.scrollHeight > box.clientHeight + 2 || box.scrollWidth > box.clientWidth + 2"
    assert not page.locator("#your-lines .bc-scroll").evaluate(is_scrollable)
    assert not page.get_by_role("button", name="Copy as Markdown").is_visible()


@pytest.mark.parametrize("name", FIELDS)
def test_without_scripts_the_field_has_a_single_line(scriptless_tab: Page, name: str) -> None:
    scriptless_tab.goto(name)
    selector, _ = FIELDS[name]
    assert "input" == scriptless_tab.locator(selector).evaluate("element => element.localName")
    assert not scriptless_tab.get_by_text("Nothing leaves your computer.").is_visible()
    assert not scriptless_tab.get_by_role("button", name="Choose a file").is_visible()


OFFERED_LINES = {
    "trainable params: 296,450 || all params: 109,780,228": "Infinity",
    "BERT base has 110M parameters": "0",
    "参数量 110M": "0",
}
"""Lines that the search box offers to explain, each with the score that decides the rank of the offer.

If the line can only be from a print-out, the offer outranks every page, so that Enter follows it.
"""


def test_the_search_offers_to_explain_a_line_with_a_count(page: Page) -> None:
    go_to(page, "parts/heads.html")
    query = page.locator("[data-md-component=search-query]")
    offer = page.locator(".bc-explain")
    for line, score in OFFERED_LINES.items():
        query.fill(line)
        assert offer.inner_text().startswith(f"Explain this: {line[:20]}")
        assert score == offer.get_attribute("data-md-score")
        assert {"n": [line]} == parse_qs(urlsplit(page.locator("a:has(.bc-explain)").get_attribute("href") or "").query)
    for text in ("how many parameters does a layer have", "layer 11 parameters", "12 heads", f"{QUERY_ROWS} params"):
        query.fill(text)
        assert 0 == offer.count()
