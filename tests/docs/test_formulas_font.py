"""Formulas are set in the site's own font, even on a machine without a mathematical font."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.docs.building import ROOT
from tests.docs.conftest import Pages
from tests.docs.test_reserved_space import LAYOUT_SHIFT, MAX_SHIFT
from tests.docs.windows import go_to

FONT = "assets/fonts/stix-two-math.woff2"

TOKENS = "article math :is(mi, mn, mo, mtext)"
"""A selector for the tokens of formulas: letters, numbers, operators and words."""

LAY_OUT = "document.querySelector('article').getBoundingClientRect()"
"""Makes the browser lay out the page. Until then, tokens have no fonts."""

FONTS_ARE_LOADED = "document.fonts.status === 'loaded' && [...document.fonts].some(({ status }) => status === 'loaded')"
"""Evaluates to true if no font is being loaded, and at least one has been."""


def other_fonts(page: Page, formulas: list[str]) -> dict[str, set[str]]:
    """Put formulas on an open page; return the tokens drawn in fonts other than ours, each with these fonts."""
    page.evaluate("html => { document.querySelector('article').innerHTML = html }", "<p>".join(formulas))
    page.wait_for_function(FONTS_ARE_LOADED)
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    tokens = page.locator(TOKENS).evaluate_all("tokens => tokens.map(token => token.textContent)")
    nodes = session.send("DOM.querySelectorAll", {"nodeId": root, "selector": TOKENS})["nodeIds"]
    assert len(tokens) == len(nodes)
    fonts_by_token = {}
    page.evaluate(LAY_OUT)
    for token, node in dict(zip(tokens, nodes, strict=True)).items():
        fonts = session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
        assert fonts or not token.strip(), token
        names = {font["familyName"] for font in fonts if not font["isCustomFont"]}
        if names:
            fonts_by_token[token] = names
    return fonts_by_token


def test_every_character_of_a_formula_is_in_our_font(desktop: Page, address: str, pages: Pages) -> None:
    """The last formula has a letter that the font lacks, to show that such a letter is noticed."""
    formulas = sorted({str(formula) for page in pages.values() for formula in page.find_all("math")})
    assert len(formulas) > 50
    go_to(desktop, f"{address}/parts/attention.html")
    assert {"ж"} == set(other_fonts(desktop, [*formulas, "<math><mi>H</mi><mo>=</mo><mi>ж</mi></math>"]))


@pytest.mark.parametrize(("name", "request_count"), [("parts/attention.html", 1), ("disagreements/i-got.html", 0)])
def test_only_pages_with_formulas_fetch_the_font_and_nothing_moves(
    open_tab: Callable[..., Page], address: str, pages: Pages, name: str, request_count: int
) -> None:
    assert bool(pages[name].find("math")) == bool(request_count)
    urls: list[str] = []
    # With another locale, a page gets a new tab, whose cache does not have the font yet.
    page = open_tab(locale="en" if request_count else "de")
    page.on("request", lambda request: urls.append(request.url))
    go_to(page, name)
    assert request_count == urls.count(f"{address}/{FONT}")
    page.evaluate("document.fonts.ready.then(() => {})")
    assert page.evaluate(LAYOUT_SHIFT) < MAX_SHIFT


def test_the_font_is_small_and_its_licence_is_included() -> None:
    assert (ROOT / "docs" / FONT).stat().st_size <= 25_000
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "docs/assets/fonts/stix-two-math.woff2" in licence
    assert "The STIX Fonts Project Authors" in licence
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert "THE FONT SOFTWARE IS PROVIDED" in licence
