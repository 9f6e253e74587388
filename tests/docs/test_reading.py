"""What readers do with the pages of the built site, in a real browser; and that the guards of pages notice faults."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from macros.rendering.listings import lines_of
from tests.docs.conftest import serving
from tests.docs.test_pages import text
from tests.docs.windows import WIDTHS, Scheme, faults_in_windows, go_to, open_page, overflow, violations


@pytest.fixture
def desk(browser: Browser) -> Iterator[Page]:
    """One page at desktop width."""
    opened = browser.new_context(viewport=WIDTHS["desktop"])
    yield opened.new_page()
    opened.close()


def test_what_is_far_below_is_read(desk: Page, address: str) -> None:
    """A long table that the browser has not laid out yet is among the words of its page."""
    desk.set_viewport_size(WIDTHS["phone"])
    go_to(desk, f"{address}/disagreements/conventions.html")
    names = desk.locator("#conventions-table tbody tr:last-child > :first-child").all_text_contents()
    assert names
    assert all(each in text(desk) for each in names)


SHOWN = "element => getComputedStyle(element, '::after').content"


def test_a_number_explains_itself(desk: Page, address: str) -> None:
    """On hover and on focus: formula, sum worked out, model and class; Escape puts it away."""
    desk.goto(f"{address}/parts/attention.html")
    number = desk.locator("h1 + p data").first
    assert number.evaluate(SHOWN) == "none"
    number.hover()
    lines = ("4·H² + 4·H", "768 × 768 = 589,824", "589,824 + 768 = 590,592", "4 × 590,592 = 2,362,368")
    assert "\\a ".join(lines) in number.evaluate(SHOWN)
    assert "bert-base-uncased" in number.evaluate(SHOWN)
    desk.mouse.move(0, 0)
    desk.locator("h1 + p data:first-of-type:not(:hover)").wait_for()
    assert number.evaluate(SHOWN) == "none"
    number.focus()
    assert "BertModel" in number.evaluate(SHOWN)
    desk.keyboard.press("Escape")
    assert number.evaluate(SHOWN) == "none"


def test_an_explanation_stays_in_the_window(desk: Page, address: str) -> None:
    """Also at the right edge, and inside a table that scrolls."""
    desk.goto(f"{address}/totals/checkpoints.html")
    number = desk.locator("tbody tr data").nth(6)
    number.hover()
    assert number.evaluate(SHOWN) != "none"
    assert desk.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_arrows_move_within_a_table(desk: Page, address: str) -> None:
    """A table is one stop of the tab key; arrows go from number to number."""
    desk.goto(f"{address}/parts/attention.html")
    desk.locator("table.bc data[tabindex='-1']").first.wait_for()
    first = desk.locator("#tensors data").first
    first.focus()
    desk.keyboard.press("ArrowDown")
    desk.keyboard.press("ArrowRight")
    focused = "document.activeElement.textContent"
    assert desk.evaluate(focused) == "1,024"
    desk.keyboard.press("ArrowUp")
    assert desk.evaluate(focused) == "1,048,576"
    desk.keyboard.press("ArrowUp")  # into the head, where no number is
    assert desk.evaluate(focused) == "1,048,576"
    assert desk.locator("#tensors data[tabindex='0']").count() == 1


@pytest.mark.parametrize(
    ("page_name", "listing", "framework", "model"),
    [
        ("transformers", "#bert-model-large", "transformers", "bert-large-uncased"),
        ("google-bert", "#pre-training-base", "google-bert", "bert-base-uncased"),
        ("keras-bert", "#summary-notebook", "keras-bert", "keras-bert-notebook"),
        ("bert4keras", "#layers-chinese-large", "bert4keras", "bert-large-chinese"),
        ("ledger", "#ledger-base", "ledger", "bert-base-uncased"),
    ],
)
def test_a_listing_is_copied_as_a_whole(
    browser: Browser, address: str, page_name: str, listing: str, framework: str, model: str
) -> None:
    """The clipboard holds every line of the engine's listing, the folded ones too."""
    allowed = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = allowed.new_page()
    page.goto(f"{address}/listings/{page_name}.html")
    page.locator(f"{listing} .bc-listing-foot button", has_text="Copy as text").click()
    page.locator(f"{listing} [role=status]", has_text="Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    allowed.close()
    assert "".join(f"{line.text}\n" for line in lines_of(framework, model)) == copied


LEFT_EDGES = """listing => [".bc-heads", "samp"].map(each => {
  const range = document.createRange()
  range.selectNodeContents(listing.querySelector(`details[open] ${each}`))
  return range.getBoundingClientRect().left
})"""
"""Where the text of heads and of lines of a listing begins."""


def test_the_ledger_has_column_heads(desk: Page, address: str) -> None:
    """Above each fold, over their columns; print-outs of others have none."""
    desk.goto(f"{address}/listings/ledger.html")
    ledger = desk.locator("#ledger-base")
    assert ["tensor", "shape", "formula", "elements", "sum so far"] == re.split(
        " {2,}|(?<=formula) ", ledger.locator(".bc-heads").first.inner_text()
    )
    heads, lines = ledger.evaluate(LEFT_EDGES)
    assert heads == lines
    desk.goto(f"{address}/listings/transformers.html")
    assert 0 == desk.locator(".bc-heads").count()


def test_a_refused_copy_is_told(desk: Page, address: str) -> None:
    """Where the browser does not let a page write to the clipboard, the page says so."""
    desk.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new Error('no'))")
    desk.goto(f"{address}/listings/transformers.html")
    foot = desk.locator("#bert-model-base .bc-listing-foot")
    foot.locator("button", has_text="Copy as text").click()
    foot.locator("[role=status]", has_text="The browser does not allow it").wait_for()


def test_without_a_clipboard_nothing_offers_to_copy(desk: Page, address: str) -> None:
    """As on a page that did not come safely; its print-outs unfold all the same."""
    desk.add_init_script("delete Navigator.prototype.clipboard")
    desk.goto(f"{address}/listings/transformers.html")
    foot = desk.locator("#bert-model-base .bc-listing-foot")
    foot.locator("button", has_text="Expand all").wait_for()
    assert ["Expand all"] == foot.locator("button").all_inner_texts()


def test_a_listing_unfolds_and_folds(desk: Page, address: str) -> None:
    """One button opens every fold of its listing and of no other, and then closes them."""
    desk.goto(f"{address}/listings/transformers.html")
    base, large = desk.locator("#bert-model-base"), desk.locator("#bert-model-large")
    folds, opened = base.locator("details"), base.locator("details[open]")
    assert (14, 2) == (folds.count(), opened.count())  # embeddings, each layer, pooler
    base.locator("button", has_text="Expand all").click()
    assert 14 == opened.count()
    assert 0 == large.locator("details[open]").count()
    base.locator("button", has_text="Fold all").click()
    assert 0 == opened.count()
    for fold in folds.all():
        fold.locator("summary").click()
    base.locator("button", has_text="Fold all").wait_for()  # the button's name follows the folds


def test_folded_text_is_found(desk: Page, address: str) -> None:
    """The browser's search opens the fold that holds the text, here asked for by an address."""
    text = "encoder.layer.23.output.LayerNorm.bias"
    desk.goto(f"{address}/listings/transformers.html#:~:text={text}")
    desk.locator("#bert-model-large details[open]", has_text=text).wait_for()


@pytest.mark.parametrize("scripts", [True, False])
def test_printing_shows_what_is_folded(browser: Browser, address: str, scripts: bool) -> None:
    """On paper nothing can be opened, so everything is, with and without scripts."""
    opened = browser.new_context(java_script_enabled=scripts, viewport=WIDTHS["desktop"])
    page = opened.new_page()
    page.goto(f"{address}/listings/transformers.html", wait_until="networkidle")
    last = page.locator("#bert-model-large pre").last
    assert not last.is_visible()
    page.emulate_media(media="print")
    last.wait_for(state="visible")
    opened.close()


SMALLER_SIDES = """elements => elements.map(each => {
  const { width, height } = each.getBoundingClientRect()
  return Math.min(width, height)
})"""


def test_what_can_be_clicked_is_large_enough(browser: Browser, address: str) -> None:
    """Links and buttons below a listing, and links to files in tables, are 24 pixels high and wide at least."""
    phone = browser.new_context(viewport=WIDTHS["phone"])
    page = phone.new_page()
    for name in ("listings/transformers.html", "teach/downloads.html"):
        go_to(page, f"{address}/{name}")
        targets = page.locator(":is(.bc-listing-foot :is(a, button), .bc-files a)")
        sides = targets.evaluate_all(SMALLER_SIDES)
        assert sides
        assert not [side for side in sides if side < 24]
    phone.close()


def test_search_finds_a_number(desk: Page, address: str) -> None:
    """The index is the site's own."""
    go_to(desk, f"{address}/index.html")
    desk.click(".md-search__input")
    desk.keyboard.type("2,362,368")
    desk.wait_for_selector(".md-search-result__item")
    assert "self-attention" in desk.inner_text(".md-search-result__list")


def test_the_theme_can_be_switched(desk: Page, address: str) -> None:
    """And the figures follow."""
    go_to(desk, f"{address}/index.html")
    colour = "getComputedStyle(document.querySelector('.bc-map .bc-pooler rect')).fill"
    before = desk.evaluate(colour)
    desk.click("label[title='Switch to dark']")
    assert desk.evaluate(colour) != before


@pytest.mark.parametrize(("scheme", "expected"), [("light", "default"), ("dark", "slate")])
def test_the_theme_is_the_readers(browser: Browser, address: str, scheme: Scheme, expected: str) -> None:
    """A page opens in the theme that the reader's system is set to."""
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    go_to(page, f"{address}/index.html")
    assert expected == page.locator("body").get_attribute("data-md-color-scheme")
    context.close()


def test_an_injected_script_does_not_run(desk: Page, address: str) -> None:
    """The policy allows the scripts the build saw, and no other."""
    go_to(desk, f"{address}/index.html")
    desk.evaluate(
        "document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.injected = true'}))"
    )
    assert desk.evaluate("window.injected") is None


def test_the_site_works_from_a_folder(desk: Page, site: Path) -> None:
    """Opened as files, pages are styled and links lead on."""
    desk.goto((site / "index.html").as_uri())
    assert desk.evaluate("getComputedStyle(document.querySelector('table.bc')).borderCollapse") == "collapse"
    desk.click("article a[href='parts/embeddings.html']")
    assert desk.inner_text("h1").startswith("How many parameters do the embeddings have?")


BAD_PAGES = {
    "<script>console.error('oh')</script>": "oh",
    "<script>throw new Error('oh')</script>": "oh",
    "<img src='https://example.org/a.png' alt=''>": "example.org",
    "<img src='missing.png' alt=''>": "404",
    "<div style='width: 3000px'>wide</div>": "wider than the window",
}


@pytest.mark.parametrize(("html", "says"), BAD_PAGES.items())
def test_faults_are_found(desk: Page, tmp_path: Path, html: str, says: str) -> None:
    """Errors, other hosts, missing files and overflow are noticed."""
    (tmp_path / "a.html").write_text(f"<!doctype html><title>a</title>{html}")
    with serving(tmp_path) as address:
        found = open_page(desk, f"{address}/a.html") + overflow(desk)
    assert any(says in fault for fault in found), found


HARMLESS = {
    "what is fetched for a page that names no icon": "<img src='/favicon.ico' alt=''>",
    "what nobody waits for any more": """<script>
      const left = new AbortController()
      fetch("a.html", { signal: left.signal }).catch(() => {})
      left.abort()
    </script>""",
}
"""What a browser does by itself, here brought about in any."""


@pytest.mark.parametrize("what", HARMLESS)
def test_what_the_browser_does_by_itself_is_no_fault(desk: Page, tmp_path: Path, what: str) -> None:
    """Some do it and others do not."""
    (tmp_path / "a.html").write_text(f"<!doctype html><title>a</title>{HARMLESS[what]}")
    with serving(tmp_path) as address:
        assert [] == open_page(desk, f"{address}/a.html")


@pytest.mark.parametrize("why", ["failed", "connectionreset", "connectionrefused", "blockedbyclient", "timedout"])
def test_a_request_that_fails_is_a_fault(desk: Page, tmp_path: Path, why: str) -> None:
    """Also that for an icon which the page names."""
    (tmp_path / "a.html").write_text("<!doctype html><title>a</title><img src='assets/logo.svg' alt=''>")
    desk.route("**/logo.svg", lambda route: route.abort(why))
    with serving(tmp_path) as address:
        assert f"failed: {address}/assets/logo.svg" in open_page(desk, f"{address}/a.html")


WRONG_STYLE = """
@media (max-width: 600px) { article { width: 3000px } }
[data-md-color-scheme=slate] article p { color: #333 !important }
@media (max-width: 600px) { [data-md-color-scheme=slate] article h2 { color: #333 !important } }
@media (min-width: 1000px) { .md-tabs__item, .md-tabs__link { width: 9px; height: 9px; padding: 0; margin: 0 } }
@media (min-width: 1000px) { [data-md-color-scheme=slate] .md-footer__title { overflow: scroll; height: 1px } }
"""


def test_faults_of_one_window_are_found(desk: Page, address: str, site: Path) -> None:
    """What is wrong in one width, in one theme, or in one window alone is reported with its windows."""
    style = (site / "assets" / "bert-counted.css").read_text() + WRONG_STYLE
    desk.route("**/bert-counted.css", lambda route: route.fulfill(body=style, content_type="text/css"))
    open_page(desk, f"{address}/about/verification.html")
    found = {re.sub(r"<(\w+).*", r"\1", each, flags=re.DOTALL) for each in faults_in_windows(desk)}
    assert {
        "phone, light: the page is wider than the window",
        "phone, dark: the page is wider than the window",
        "phone, dark: color-contrast: p",
        "desktop, dark: color-contrast: p",
        "phone, dark: color-contrast: h2",
        "desktop, light: target-size: a",
        "desktop, dark: target-size: a",
        "desktop, dark: scrollable-region-focusable: div",
    } <= found
    assert {"p", "data", "h2", "a", "div", "the page is wider than the window"} == {
        each.split(": ")[-1] for each in found
    }
    assert not [each for each in found if each.startswith("phone, light") and "wider" not in each]


def test_violations_are_found(desk: Page) -> None:
    """A picture without words, and pale text on white."""
    desk.set_content(
        "<html lang=en><title>a</title><main><h1>a</h1><img src=a.png><p style='color:#ccc'>pale</p></main>"
    )
    assert {"image-alt", "color-contrast"} <= {each.split(":")[0] for each in violations(desk)}
