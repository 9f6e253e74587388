"""Formulas are set in the font that the site brings, on a machine that has none for mathematics."""

from __future__ import annotations

import struct
import subprocess
from collections.abc import Callable
from pathlib import Path

import playwright
import pytest
from playwright.sync_api import Page

from tests.docs.building import ROOT
from tests.docs.conftest import Pages
from tests.docs.test_reserved import MOST, shift
from tests.docs.windows import go_to

FONT = "assets/fonts/stix-two-math.woff2"

SIGNS = "article math :is(mi, mn, mo, mtext)"


LAY_OUT = "document.querySelector('article').getBoundingClientRect()"
"""Until a page is laid out, none of its signs is in any font."""

LOADED = "document.fonts.status === 'loaded' && [...document.fonts].some(({ status }) => status === 'loaded')"


def other_fonts(page: Page, formulas: list[str]) -> dict[str, set[str]]:
    """Signs of formulas, put into an open page, that are in another font than ours, with those fonts."""
    page.evaluate("html => { document.querySelector('article').innerHTML = html }", "<p>".join(formulas))
    page.wait_for_function(LOADED)
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    signs = page.locator(SIGNS).evaluate_all("all => all.map(each => each.textContent)")
    nodes = session.send("DOM.querySelectorAll", {"nodeId": root, "selector": SIGNS})["nodeIds"]
    assert len(signs) == len(nodes)
    found = {}
    page.evaluate(LAY_OUT)
    for sign, node in dict(zip(signs, nodes, strict=True)).items():
        fonts = session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
        assert fonts or not sign.strip(), sign
        if others := {each["familyName"] for each in fonts if not each["isCustomFont"]}:
            found[sign] = others
    return found


def test_every_character_of_a_formula_is_in_our_font(desk: Page, address: str, pages: Pages) -> None:
    """Every formula of the site, each once."""
    formulas = sorted({str(each) for page in pages.values() for each in page.find_all("math")})
    assert len(formulas) > 50
    go_to(desk, f"{address}/parts/attention.html")
    assert {} == other_fonts(desk, formulas)


def test_a_character_that_is_not_is_noticed(desk: Page, address: str) -> None:
    """A letter that no formula has, in the midst of others."""
    go_to(desk, f"{address}/parts/attention.html")
    assert {"ж"} == set(other_fonts(desk, ["<math><mi>H</mi></math>", "<math><mi>H</mi><mo>=</mo><mi>ж</mi></math>"]))


@pytest.mark.parametrize(("name", "expected"), [("parts/attention.html", 1), ("disagreements/i-got.html", 0)])
def test_only_a_page_with_formulas_fetches_it(
    tab: Callable[..., Page], address: str, pages: Pages, name: str, expected: int
) -> None:
    """The font costs nothing where there is no formula, and nothing moves when it comes."""
    assert bool(pages[name].find("math")) == bool(expected)
    found: list[str] = []
    page = tab(locale=("de", "en")[expected])
    page.on("request", lambda request: found.append(request.url))
    go_to(page, name)
    assert expected == found.count(f"{address}/{FONT}")
    page.evaluate("document.fonts.ready.then(() => {})")
    assert shift(page) < MOST


def test_the_font_is_small_and_its_licence_is_named() -> None:
    """It is within a budget of bytes, and LICENSE has the text that the font's makers ask for."""
    assert (ROOT / "docs" / FONT).stat().st_size <= 25_000
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "docs/assets/fonts/stix-two-math.woff2" in licence
    assert "The STIX Fonts Project Authors" in licence
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert "THE FONT SOFTWARE IS PROVIDED" in licence


UNPACKED = """
const font = require("fs").readFileSync(0), size = font.readUInt32BE(20)
for (const padding of [0, 1, 2, 3])
  try {
    const end = font.length - padding
    process.stdout.write(require("zlib").brotliDecompressSync(font.subarray(end - size, end)))
    break
  } catch {}
"""
"""The tables of a WOFF2 file, which it holds at its end. Python has no Brotli; the Node.js of Playwright has."""


def test_the_font_says_what_its_licence_is() -> None:
    """In the records that OpenType has for it, one for the licence and one for its address."""
    node = Path(playwright.__file__).parent / "driver" / "node"
    font = (ROOT / "docs" / FONT).read_bytes()
    tables = subprocess.run([node, "-e", UNPACKED], input=font, capture_output=True, check=True).stdout
    address = "https://scripts.sil.org/OFL"
    licence = (
        "This Font Software is licensed under the SIL Open Font License, Version 1.1. "
        f"This license is available with a FAQ at: {address}"
    )
    for record, text in {13: licence, 14: address}.items():
        assert struct.pack(">5H", 3, 1, 0x409, record, 2 * len(text)) in tables  # for Windows, in English
        assert text.encode("utf-16-be") in tables


def test_the_font_works_from_a_folder(desk: Page, site: Path) -> None:
    """Opened as files, formulas are set in it too."""
    go_to(desk, (site / "parts" / "attention.html").as_uri())
    desk.wait_for_function(LOADED)
