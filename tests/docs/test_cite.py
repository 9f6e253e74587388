"""The # sign next to a table, figure or sum is a link that opens a window with citations to copy."""

import re
from collections.abc import Callable
from functools import partial

import pytest
from bs4 import BeautifulSoup
from markdown import markdown
from playwright.sync_api import Browser, Page, expect

from tests.docs.windows import LAYOUT, STOP_ANIMATIONS, WIDTHS, faults_in_windows, go_to, open_page

SIGN = ".bc-permalink"
"""A selector for these signs."""

WINDOW = ".bc-citing:popover-open"
"""A selector for the open window."""

FOLD_OF_TENSORS = ".bc-worked > .bc-more > summary"
"""A selector for the summary of the fold with the tensors, on the page about attention."""


@pytest.fixture
def touch_tab(open_tab: Callable[..., Page]) -> Page:
    """A tab on a device with a touch screen."""
    return open_tab(has_touch=True)


@pytest.fixture
def attention_page(touch_tab: Page, address: str) -> Page:
    """The page about attention in the tab for touch, opened anew for each test."""
    return open_with_scripts(touch_tab, address)


def open_with_scripts(page: Page, address: str, name: str = "parts/attention.html") -> Page:
    """Open a page, unfold the tensors if it has them, and return it once its scripts have run."""
    page.goto("about:blank")  # a browser does not reload a page if only the fragment of its address changes
    assert [] == open_page(page, f"{address}/{name}")
    page.evaluate(STOP_ANIMATIONS)
    if page.locator(FOLD_OF_TENSORS).count():
        page.locator(FOLD_OF_TENSORS).click()
    return page


ACTIVATIONS: dict[str, Callable[[Page, str], None]] = {
    "click": lambda page, sign: page.locator(sign).click(),
    "tap": lambda page, sign: page.locator(sign).tap(),
    "key": lambda page, sign: page.locator(sign).press("Enter"),
}
"""The ways to activate a sign: by mouse, touch and keyboard."""


def test_the_window_opens_and_closes_without_moving_the_page(attention_page: Page) -> None:
    sign = f"#tensors {SIGN}"
    attention_page.locator(sign).scroll_into_view_if_needed()
    layout_before = attention_page.evaluate(LAYOUT)
    for activate in ACTIVATIONS.values():
        activate(attention_page, sign)
        expect(attention_page.locator(WINDOW)).to_be_visible()
        assert "Link" == attention_page.evaluate("document.activeElement.textContent")
        assert layout_before == attention_page.evaluate(LAYOUT)
        attention_page.keyboard.press("Escape")
        expect(attention_page.locator(WINDOW)).to_have_count(0)
        assert "#tensors" == attention_page.evaluate("document.activeElement.getAttribute('href')")
        assert not attention_page.url.endswith("#tensors")
        attention_page.evaluate("document.activeElement.blur()")


QUESTION = "“How many parameters does self-attention have?”"
"""The title of the page about attention, in quotation marks."""

CITATIONS = {
    f"#tensors {SIGN}": (
        "The tensors of self-attention in one encoder layer, as transformers names them; dense weights are (out, in)",
        "",
        "tensors",
    ),
    f"#figure-attention {SIGN}": (
        "Four matrices of self-attention, to scale",
        ": 2,362,368 parameters",
        "figure-attention",
    ),
    f"#worked {SIGN}": ("Worked out, BERT base", ": 2,362,368 parameters", "worked"),
    f"#results {SIGN}": ("Worked out, BERT large", ": 4,198,400 parameters", "results"),
}
"""Signs, each with the title, number and id in its citation. The numbers are 4·(H² + H) for H = 768 and H = 1,024."""


def copy_citation(page: Page, form: str) -> str:
    """Press the button for a form of citation, and return the text that it copies to the clipboard."""
    page.locator(WINDOW).get_by_role("button", name=form, exact=False).click()
    expect(page.locator(f"{WINDOW} [role=status]")).to_have_text(f"{form} copied")
    return str(page.evaluate("navigator.clipboard.readText()"))


def test_a_citation_has_six_forms(attention_page: Page, address: str) -> None:
    for sign in CITATIONS:
        check_forms_of_citation(attention_page, address, sign)


def check_forms_of_citation(attention_page: Page, address: str, sign: str) -> None:
    """Copy a citation in each form, and check all of them."""
    title, number, anchor = CITATIONS[sign]
    url = f"{address}/parts/attention.html#{anchor}"
    attention_page.locator(sign).click()
    assert url == copy_citation(attention_page, "Link")
    assert f"{title}{number}. {QUESTION}, BERT, counted. {url}" == copy_citation(attention_page, "Text")
    assert f"[{title}]({url}){number}. {QUESTION}, *BERT, counted*." == copy_citation(attention_page, "Markdown")
    html = f'<a href="{url}">{title}</a>{number}. {QUESTION}, <cite>BERT, counted</cite>.'
    assert html == copy_citation(attention_page, "HTML")
    latex = url.replace("#", r"\#")
    question = f"``{QUESTION[1:-1]}''"
    assert rf"\href{{{latex}}}{{{title}}}{number}. {question}, \emph{{BERT, counted}}." == copy_citation(
        attention_page, "LaTeX"
    )
    frame = BeautifulSoup(copy_citation(attention_page, "Frame"), "html.parser")
    assert f"{address}/embed/parts/attention/{anchor}.html?theme=light" == frame.iframe["src"]  # type: ignore[index]
    assert title == frame.iframe["title"]  # type: ignore[index]
    if anchor == "tensors":
        # Margins and the line at the foot add 90 pixels, and the height is rounded up to the next ten.
        height = attention_page.locator("#tensors").evaluate("table => table.offsetHeight")
        assert height + 90 <= int(str(frame.iframe["height"])) <= height + 100  # type: ignore[index]
    assert f"<p>{html}</p>" == str(frame.p)
    attention_page.keyboard.press("Escape")


def test_the_window_fits_every_screen(attention_page: Page) -> None:
    for index, sign in enumerate(CITATIONS):
        attention_page.locator(sign).click()
        if index < 2:  # a table and a figure are enough, because sums have the same window as tables
            assert [] == faults_in_windows(attention_page, ".bc-citing")
        for size in WIDTHS.values():
            attention_page.set_viewport_size(size)
            box = attention_page.locator(WINDOW).bounding_box()
            assert box
            assert 0 <= box["x"]
            assert box["x"] + box["width"] <= size["width"]
            heights = attention_page.locator(f"{WINDOW} button").evaluate_all(
                "buttons => buttons.map(button => button.offsetHeight)"
            )
            assert min(heights) >= 24  # pixels, as WCAG 2.2 requires
        attention_page.keyboard.press("Escape")


SPECIAL_CHARACTERS = "a & b < c_d*e 50% #1 {x} $5 ~^\\ [y] −2 × 3"
"""A title with characters that have a special meaning in HTML, Markdown or LaTeX."""


def test_special_characters_are_escaped(attention_page: Page, address: str) -> None:
    attention_page.locator("#tensors-caption").evaluate(
        "(caption, text) => (caption.firstChild.data = text)", SPECIAL_CHARACTERS
    )
    attention_page.locator(f"#tensors {SIGN}").click()
    assert (
        SPECIAL_CHARACTERS
        == BeautifulSoup(copy_citation(attention_page, "HTML"), "html.parser").select("a")[0].get_text()
    )
    link = BeautifulSoup(markdown(copy_citation(attention_page, "Markdown")), "html.parser").select("a")[0]
    assert (SPECIAL_CHARACTERS, f"{address}/parts/attention.html#tensors") == (link.get_text(), link["href"])
    latex = copy_citation(attention_page, "LaTeX")
    escaped_title = (
        r"a \& b < c\_d*e 50\% \#1 \{x\} \$5 \textasciitilde{}\textasciicircum{}\textbackslash{} [y] $-$2 $\times$ 3"
    )
    assert f"{{{escaped_title}}}" in latex
    attention_page.keyboard.press("Escape")


def test_the_address_in_a_citation_is_that_of_the_published_page(touch_tab: Page, address: str) -> None:
    go_to(touch_tab, f"{address}/parts/attention.html?h=a#check")
    touch_tab.locator(FOLD_OF_TENSORS).click()
    touch_tab.locator(f"#tensors {SIGN}").click()
    assert f"{address}/parts/attention.html#tensors" == copy_citation(touch_tab, "Link")
    touch_tab.keyboard.press("Escape")
    touch_tab.evaluate("""() => document.head.append(Object.assign(document.createElement("link"),
        { rel: "canonical", href: "https://example.org/bert/parts/attention.html" }))""")
    touch_tab.locator(f"#tensors {SIGN}").click()
    assert "https://example.org/bert/parts/attention.html#tensors" == copy_citation(touch_tab, "Link")
    assert re.search(r"example\.org", copy_citation(touch_tab, "Text"))
    touch_tab.keyboard.press("Escape")


def test_a_sign_on_the_map_does_not_change_the_level(touch_tab: Page, address: str) -> None:
    open_with_scripts(touch_tab, address, "map.html#base/layer").locator(f"[id='base/layer'] {SIGN}").press("Enter")
    assert "Link" == touch_tab.evaluate("document.activeElement.textContent")
    assert f"{address}/map.html#base/layer" == copy_citation(touch_tab, "Link")


def test_a_frame_of_the_map_starts_at_the_level_that_the_reader_sees(touch_tab: Page, address: str) -> None:
    open_with_scripts(touch_tab, address, "map.html#large/layer").locator(f"[id='large/layer'] {SIGN}").click()
    frame = BeautifulSoup(copy_citation(touch_tab, "Frame"), "html.parser").iframe
    assert frame
    assert f"{address}/embed/map.html?theme=light#large/layer" == frame["src"]
    assert 200 < int(str(frame["height"])) <= 900  # pixels, enough for a picture and no more than a screen


SENTENCES_BEFORE_TITLES = {
    ("totals/base.html", f"#pre-training {SIGN}"): "BertForPreTraining, part by part: 110,106,428 parameters.",
    ("totals/base.html", f"#figure-base {SIGN}"): "The whole model, BERT base: 109,482,240 parameters.",
    ("map.html", f"#base {SIGN} >> nth=0"): "The whole model, BERT base: 109,482,240 parameters.",
    ("totals/memory.html", f"#bytes-worked {SIGN}"): "Worked out, BERT base: 417.6 MiB.",
    ("totals/memory.html", f"#bytes {SIGN}"): "Weights of BertModel in BERT base and BERT large.",
    ("disagreements/conventions.html", f"#bridge-state-dict {SIGN}"): "parameters.",
}
"""Pages and signs, each with the end of what the citation says before the title of the page.

The table of bytes has no row of totals, so its citation has no total.
"""


@pytest.mark.parametrize(("name", "sign"), SENTENCES_BEFORE_TITLES)
def test_the_text_of_a_citation_has_the_total_if_there_is_one(
    touch_tab: Page, address: str, name: str, sign: str
) -> None:
    open_with_scripts(touch_tab, address, name).locator(sign).click()
    text = copy_citation(touch_tab, "Text")
    assert text.partition("“")[0].rstrip().endswith(SENTENCES_BEFORE_TITLES[name, sign])


NO_CLIPBOARD = """Object.defineProperty(navigator, "clipboard", { value: undefined })
document.execCommand = () => false"""
"""Makes both ways to copy unavailable to a page, as in some browsers."""


def test_without_a_clipboard_the_text_is_selected(open_tab: Callable[..., Page], address: str) -> None:
    page = open_tab(locale="en")
    page.add_init_script(NO_CLIPBOARD)
    open_with_scripts(page, address).locator(f"#tensors {SIGN}").click()
    page.get_by_role("button", name="Copy as Markdown").click()
    expect(page.locator(f"{WINDOW} [role=status]")).to_have_text("The text is selected; copy it with Ctrl+C or ⌘C")
    field = page.locator(f"{WINDOW} textarea")
    assert field.input_value().startswith("[The tensors")
    length = field.evaluate("field => field === document.activeElement && field.selectionEnd - field.selectionStart")
    assert len(field.input_value()) == length


@pytest.mark.parametrize("condition", ["with Ctrl", "no scripts", "no popover"])
def test_the_sign_can_still_be_followed_as_a_link(open_tab: Callable[..., Page], address: str, condition: str) -> None:
    page = open_tab(java_script_enabled=condition != "no scripts")
    open_address = page.goto if condition == "no scripts" else partial(go_to, page)
    if condition == "with Ctrl":
        open_address("parts/attention.html")
        page.locator(FOLD_OF_TENSORS).click()
        with page.context.expect_page() as new_tab:
            page.locator(f"#tensors {SIGN}").click(modifiers=["ControlOrMeta"])
        new_tab.value.wait_for_url(f"{address}/parts/attention.html#tensors")
        new_tab.value.wait_for_load_state()  # closing a tab that is still opening may hang
        new_tab.value.close()
    else:
        page.add_init_script("delete HTMLElement.prototype.popover")
        open_address("parts/attention.html")
        page.locator(FOLD_OF_TENSORS).click()
        page.locator(f"#tensors {SIGN}").click()
        page.wait_for_url(f"{address}/parts/attention.html#tensors")
    assert 0 == page.locator(".bc-citing").count()


def test_citations_of_the_site_are_copied(browser: Browser, address: str) -> None:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    go_to(page, f"{address}/teach/linking.html")
    beginnings = {"bibtex": "@misc{bert-counted,", "ris": "TY  - COMP", "text": 'The authors of "BERT, counted" ('}
    for heading, beginning in beginnings.items():
        page.locator(f"#{heading} > summary").click()
        block = page.locator(f"#{heading} .highlight")
        block.hover()
        block.locator("button[data-clipboard-target], .md-code__button").first.click()
        page.wait_for_function(
            "beginning => navigator.clipboard.readText().then(text => text.startsWith(beginning))", arg=beginning
        )
    context.close()
