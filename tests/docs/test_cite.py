"""Citing: the sign # beside a table, figure or sum is a link that opens a window with text to copy."""

import re
from collections.abc import Callable
from functools import partial

import pytest
from bs4 import BeautifulSoup
from markdown import markdown
from playwright.sync_api import Browser, Page, expect

from tests.docs.windows import LAYOUT, STILL, WIDTHS, faults_in_windows, go_to, open_page

SIGN = ".bc-permalink"
WINDOW = ".bc-citing:popover-open"
TENSORS = ".bc-worked > .bc-more > summary"
"""The summary of the fold with the tensors on the page on attention."""


@pytest.fixture
def touch(tab: Callable[..., Page]) -> Page:
    """A tab with touch."""
    return tab(has_touch=True)


@pytest.fixture
def desktop(touch: Page, address: str) -> Page:
    """The page on attention with touch, opened anew for each test."""
    return open_with_scripts(touch, address)


def open_with_scripts(page: Page, address: str, name: str = "parts/attention.html") -> Page:
    """Open a page with its scripts."""
    page.goto("about:blank")  # an address that differs only after its # would not be loaded again
    assert [] == open_page(page, f"{address}/{name}")
    page.evaluate(STILL)
    if page.locator(TENSORS).count():
        page.locator(TENSORS).click()
    return page


WAYS: dict[str, Callable[[Page, str], None]] = {
    "click": lambda page, sign: page.locator(sign).click(),
    "tap": lambda page, sign: page.locator(sign).tap(),
    "key": lambda page, sign: page.locator(sign).press("Enter"),
}


@pytest.mark.parametrize("way", WAYS)
def test_the_window_opens_and_closes(desktop: Page, way: str) -> None:
    """By mouse, touch and keyboard the window opens, nothing moves, and the focus goes in and comes back."""
    sign = f"#tensors {SIGN}"
    desktop.locator(sign).scroll_into_view_if_needed()
    layout_before = desktop.evaluate(LAYOUT)
    WAYS[way](desktop, sign)
    expect(desktop.locator(WINDOW)).to_be_visible()
    assert "Link" == desktop.evaluate("document.activeElement.textContent")
    assert layout_before == desktop.evaluate(LAYOUT)
    desktop.keyboard.press("Escape")
    expect(desktop.locator(WINDOW)).to_have_count(0)
    assert "#tensors" == desktop.evaluate("document.activeElement.getAttribute('href')")
    assert not desktop.url.endswith("#tensors")


QUESTION = "“How many parameters does self-attention have?”"

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
"""By sign: title, number and id. The numbers are 4·(H² + H) for H = 768 and H = 1,024."""


def copied(page: Page, form: str) -> str:
    """The text that one button puts on the clipboard."""
    page.locator(WINDOW).get_by_role("button", name=form, exact=False).click()
    expect(page.locator(f"{WINDOW} [role=status]")).to_have_text(f"{form} copied")
    return str(page.evaluate("navigator.clipboard.readText()"))


@pytest.mark.parametrize("sign", CITATIONS)
def test_a_citation_has_four_forms(desktop: Page, address: str, sign: str) -> None:
    """A link is the address alone; text, Markdown, HTML and LaTeX add title, number, question and site."""
    title, number, path = CITATIONS[sign]
    url = f"{address}/parts/attention.html#{path}"
    desktop.locator(sign).click()
    assert url == copied(desktop, "Link")
    assert f"{title}{number}. {QUESTION}, BERT, counted. {url}" == copied(desktop, "Text")
    assert f"[{title}]({url}){number}. {QUESTION}, *BERT, counted*." == copied(desktop, "Markdown")
    html = f'<a href="{url}">{title}</a>{number}. {QUESTION}, <cite>BERT, counted</cite>.'
    assert html == copied(desktop, "HTML")
    latex = url.replace("#", r"\#")
    question = f"``{QUESTION[1:-1]}''"
    assert rf"\href{{{latex}}}{{{title}}}{number}. {question}, \emph{{BERT, counted}}." == copied(desktop, "LaTeX")
    frame = BeautifulSoup(copied(desktop, "Frame"), "html.parser")
    assert f"{address}/embed/parts/attention/{path}.html?theme=light" == frame.iframe["src"]  # type: ignore[index]
    assert title == frame.iframe["title"]  # type: ignore[index]
    if path == "tensors":
        # 90 more pixels for margins and the line at the foot, rounded up to the next ten.
        tall = desktop.locator("#tensors").evaluate("each => each.offsetHeight")
        assert tall + 90 <= int(str(frame.iframe["height"])) <= tall + 100  # type: ignore[index]
    assert f"<p>{html}</p>" == str(frame.p)
    desktop.keyboard.press("Escape")


def test_the_dialog_fits_every_screen(desktop: Page) -> None:
    """Nothing overflows, and axe finds nothing."""
    for index, sign in enumerate(CITATIONS):
        desktop.locator(sign).click()
        if index < 2:  # with the files of a figure and without them; a sum is like a table
            assert [] == faults_in_windows(desktop, ".bc-citing")
        for size in WIDTHS.values():
            desktop.set_viewport_size(size)
            box = desktop.locator(WINDOW).bounding_box()
            assert box
            assert 0 <= box["x"]
            assert box["x"] + box["width"] <= size["width"]
            heights = desktop.locator(f"{WINDOW} button").evaluate_all("all => all.map((each) => each.offsetHeight)")
            assert min(heights) >= 24
        desktop.keyboard.press("Escape")


HARD = "a & b < c_d*e 50% #1 {x} $5 ~^\\ [y] −2 × 3"


def test_special_characters_are_escaped(desktop: Page, address: str) -> None:
    """Special characters are escaped in HTML, Markdown and LaTeX, and read back unchanged."""
    desktop.locator("#tensors-caption").evaluate("(each, text) => (each.firstChild.data = text)", HARD)
    desktop.locator(f"#tensors {SIGN}").click()
    assert HARD == BeautifulSoup(copied(desktop, "HTML"), "html.parser").select("a")[0].get_text()
    link = BeautifulSoup(markdown(copied(desktop, "Markdown")), "html.parser").select("a")[0]
    assert (HARD, f"{address}/parts/attention.html#tensors") == (link.get_text(), link["href"])
    latex = copied(desktop, "LaTeX")
    special = (
        r"a \& b < c\_d*e 50\% \#1 \{x\} \$5 \textasciitilde{}\textasciicircum{}\textbackslash{} [y] $-$2 $\times$ 3"
    )
    assert f"{{{special}}}" in latex
    desktop.keyboard.press("Escape")


def test_an_address_is_that_of_the_published_page(touch: Page, address: str) -> None:
    """The link drops the query of the reader's address, and uses the canonical address if the page has one."""
    go_to(touch, f"{address}/parts/attention.html?h=a#check")
    touch.locator(TENSORS).click()
    touch.locator(f"#tensors {SIGN}").click()
    assert f"{address}/parts/attention.html#tensors" == copied(touch, "Link")
    touch.keyboard.press("Escape")
    touch.evaluate("""() => document.head.append(Object.assign(document.createElement("link"),
        { rel: "canonical", href: "https://example.org/bert/parts/attention.html" }))""")
    touch.locator(f"#tensors {SIGN}").click()
    assert "https://example.org/bert/parts/attention.html#tensors" == copied(touch, "Link")
    assert re.search(r"example\.org", copied(touch, "Text"))
    touch.keyboard.press("Escape")


def test_the_map_does_not_walk_away(touch: Page, address: str) -> None:
    """On the map a sign opens the window, which takes the focus; the link names the level."""
    open_with_scripts(touch, address, "map.html#base/layer").locator(f"[id='base/layer'] {SIGN}").press("Enter")
    assert "Link" == touch.evaluate("document.activeElement.textContent")
    assert f"{address}/map.html#base/layer" == copied(touch, "Link")


def test_the_map_is_embedded_at_its_level(touch: Page, address: str) -> None:
    """A frame of the map starts at the level and the model shown."""
    open_with_scripts(touch, address, "map.html#large/layer").locator(f"[id='large/layer'] {SIGN}").click()
    frame = BeautifulSoup(copied(touch, "Frame"), "html.parser").iframe
    assert frame
    assert f"{address}/embed/map.html?theme=light#large/layer" == frame["src"]
    assert 200 < int(str(frame["height"])) <= 900


TOTALS = {
    ("totals/base.html", f"#pre-training {SIGN}"): "BertForPreTraining, part by part: 110,106,428 parameters.",
    ("totals/base.html", f"#figure-base {SIGN}"): "The whole model, BERT base: 109,482,240 parameters.",
    ("map.html", f"#base {SIGN} >> nth=0"): "The whole model, BERT base: 109,482,240 parameters.",
    ("totals/memory.html", f"#bytes-worked {SIGN}"): "Worked out, BERT base: 417.6 MiB.",
    ("totals/memory.html", f"#bytes {SIGN}"): "Weights of BertModel in BERT base and BERT large.",
    ("disagreements/conventions.html", f"#bridge-state-dict {SIGN}"): "parameters.",
}
"""By page and sign: a piece of the text before the question."""


@pytest.mark.parametrize(("name", "sign"), TOTALS)
def test_the_text_of_a_citation_has_the_total(touch: Page, address: str, name: str, sign: str) -> None:
    """The total is that of a table, of the sum below a figure, or of a sum in bytes."""
    open_with_scripts(touch, address, name).locator(sign).click()
    text = copied(touch, "Text")
    assert TOTALS[name, sign] in text.partition("“")[0]


NO_CLIPBOARD = """Object.defineProperty(navigator, "clipboard", { value: undefined })
document.execCommand = () => false"""


def test_without_a_clipboard_the_text_is_selected(tab: Callable[..., Page], address: str) -> None:
    """Without a clipboard the text is selected, and a message says which keys copy it."""
    page = tab(locale="en")
    page.add_init_script(NO_CLIPBOARD)
    open_with_scripts(page, address).locator(f"#tensors {SIGN}").click()
    page.get_by_role("button", name="Copy as Markdown").click()
    expect(page.locator(f"{WINDOW} [role=status]")).to_contain_text("Ctrl+C")
    field = page.locator(f"{WINDOW} textarea")
    assert field.input_value().startswith("[The tensors")
    length = field.evaluate("each => each === document.activeElement && each.selectionEnd - each.selectionStart")
    assert len(field.input_value()) == length


@pytest.mark.parametrize("way", ["with Ctrl", "no scripts", "no popover"])
def test_the_sign_is_a_plain_link(tab: Callable[..., Page], address: str, way: str) -> None:
    """Without scripts, in an older browser and with Ctrl the sign is an ordinary link."""
    page = tab(java_script_enabled=way != "no scripts")
    go = page.goto if way == "no scripts" else partial(go_to, page)
    if way == "with Ctrl":
        go("parts/attention.html")
        page.locator(TENSORS).click()
        with page.context.expect_page() as other:
            page.locator(f"#tensors {SIGN}").click(modifiers=["ControlOrMeta"])
        other.value.wait_for_url(f"{address}/parts/attention.html#tensors")
        other.value.wait_for_load_state()  # closing a tab that is still opening may never end
        other.value.close()
    else:
        page.add_init_script("delete HTMLElement.prototype.popover")
        go("parts/attention.html")
        page.locator(TENSORS).click()
        page.locator(f"#tensors {SIGN}").click()
        page.wait_for_url(f"{address}/parts/attention.html#tensors")
    assert 0 == page.locator(".bc-citing").count()


CITING = "teach/linking.html"


def test_citations_are_copied(browser: Browser, address: str) -> None:
    """Each of the three citations has a button that copies it as it stands."""
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    go_to(page, f"{address}/{CITING}")
    begins = {"bibtex": "@misc{bert-counted,", "ris": "TY  - COMP", "text": 'The authors of "BERT, counted" ('}
    for heading, begin in begins.items():
        page.locator(f"#{heading} > summary").click()
        block = page.locator(f"#{heading} .highlight")
        block.hover()
        block.locator("button[data-clipboard-target], .md-code__button").first.click()
        page.wait_for_function(
            "begin => navigator.clipboard.readText().then(text => text.startsWith(begin))", arg=begin
        )
    context.close()
