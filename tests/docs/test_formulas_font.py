"""Formulas are set in the site's own font, even on a machine without a font for mathematics."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.docs.building import ROOT
from tests.docs.conftest import Pages
from tests.docs.test_reserved import MOST, SHIFT
from tests.docs.windows import go_to

FONT = "assets/fonts/stix-two-math.woff2"

SIGNS = "article math :is(mi, mn, mo, mtext)"

LAY_OUT = "document.querySelector('article').getBoundingClientRect()"
"""Forces layout: before that, no sign of a page has a font."""

FONTS_ARE_LOADED = "document.fonts.status === 'loaded' && [...document.fonts].some(({ status }) => status === 'loaded')"


def other_fonts(page: Page, formulas: list[str]) -> dict[str, set[str]]:
    """Signs of formulas that an open page shows in another font than ours, with those fonts."""
    page.evaluate("html => { document.querySelector('article').innerHTML = html }", "<p>".join(formulas))
    page.wait_for_function(FONTS_ARE_LOADED)
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    signs = page.locator(SIGNS).evaluate_all("all => all.map(each => each.textContent)")
    nodes = session.send("DOM.querySelectorAll", {"nodeId": root, "selector": SIGNS})["nodeIds"]
    assert len(signs) == len(nodes)
    fonts_by_sign = {}
    page.evaluate(LAY_OUT)
    for sign, node in dict(zip(signs, nodes, strict=True)).items():
        fonts = session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
        assert fonts or not sign.strip(), sign
        if others := {font["familyName"] for font in fonts if not font["isCustomFont"]}:
            fonts_by_sign[sign] = others
    return fonts_by_sign


def test_every_character_of_a_formula_is_in_our_font(desktop: Page, address: str, pages: Pages) -> None:
    """Every formula of the site uses our font; a letter that it lacks is noticed among them."""
    formulas = sorted({str(formula) for page in pages.values() for formula in page.find_all("math")})
    assert len(formulas) > 50
    go_to(desktop, f"{address}/parts/attention.html")
    assert {"ж"} == set(other_fonts(desktop, [*formulas, "<math><mi>H</mi><mo>=</mo><mi>ж</mi></math>"]))


@pytest.mark.parametrize(("name", "expected"), [("parts/attention.html", 1), ("disagreements/i-got.html", 0)])
def test_only_pages_with_formulas_fetch_the_font(
    tab: Callable[..., Page], address: str, pages: Pages, name: str, expected: int
) -> None:
    """It costs other pages nothing, and nothing moves when it arrives."""
    assert bool(pages[name].find("math")) == bool(expected)
    urls: list[str] = []
    page = tab(locale=("de", "en")[expected])
    page.on("request", lambda request: urls.append(request.url))
    go_to(page, name)
    assert expected == urls.count(f"{address}/{FONT}")
    page.evaluate("document.fonts.ready.then(() => {})")
    assert page.evaluate(SHIFT) < MOST


def test_the_font_is_small_and_its_licence_is_named() -> None:
    """The font keeps to a budget of bytes, and LICENSE has its licence."""
    assert (ROOT / "docs" / FONT).stat().st_size <= 25_000
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "docs/assets/fonts/stix-two-math.woff2" in licence
    assert "The STIX Fonts Project Authors" in licence
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert "THE FONT SOFTWARE IS PROVIDED" in licence
