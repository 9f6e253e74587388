"""Figures as files: they look as on their pages, nothing in them is cut off, and pages offer them."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.docs.conftest import Pages
from tests.docs.scripts import measure
from tests.docs.windows import SCHEMES, THEMES, Scheme, go_to

COMPARED = ("map.html", "parts/encoder-layer.html", "disagreements/published-claims.html")
"""Pages whose figures are of every kind: areas in per cent, a drawing of fixed size, and bars."""


def differences(browser: Browser, url: str, scheme: Scheme, of_file: Scheme) -> list[str]:
    """How files differ from the figures on a page, for a reader who prefers a scheme and has chosen none.

    Any other way to it the theme's script, which comes late, might take back.
    """
    page = browser.new_page(color_scheme=scheme)
    page.goto(url)
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", THEMES[scheme])
    found: list[str] = page.evaluate(measure("figure_files.js", "differences"), of_file)
    page.close()
    return found


@pytest.mark.other_browser
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", COMPARED)
def test_a_file_looks_as_the_figure_on_its_page(browser: Browser, address: str, name: str, scheme: Scheme) -> None:
    """Every colour, stroke and size that a browser works out of the style sheet, in both schemes."""
    assert [] == differences(browser, f"{address}/{name}", scheme, scheme)


@pytest.mark.other_browser
def test_another_colour_is_noticed(browser: Browser, address: str) -> None:
    """The file of the other scheme has others."""
    found = differences(browser, f"{address}/{COMPARED[1]}", "dark", "light")
    assert [each for each in found if "fill is" in each]


def test_nothing_is_cut_off(desk: Page, address: str, site: Path) -> None:
    """Whatever font there is, which on this machine may be a wide one."""
    files = [f"{address}/{path.relative_to(site).as_posix()}" for path in (site / "figures").rglob("*-light.svg")]
    assert len(files) > 40
    desk.goto(f"{address}/totals/memory.html")
    assert [] == desk.evaluate(measure("figure_files.js", "cutOff"), files)


def test_every_figure_offers_its_files(pages: Pages, site: Path) -> None:
    """Those that its page names are there, and the list of all has the same."""
    named = {
        ((site / name).parent / str(each["data-file"])).resolve().relative_to(site.resolve()).as_posix()
        for name, page in pages.items()
        for each in page.select("figure[data-file]")
    }
    assert len(named) > 40
    assert [] == [each for each in named if not (site / f"{each}-light.svg").exists()]
    listed = {str(each["src"]) for each in pages["teach/hand-outs.html"].select(".bc-gallery img")}
    assert {f"../{each}-{scheme}.svg" for each in named for scheme in ("light", "dark")} == listed


def test_the_sign_beside_a_figure_offers_its_files(desk: Page, address: str) -> None:
    """Where there are any: a table has none."""
    go_to(desk, f"{address}/parts/attention.html")
    links = desk.locator(".bc-citing a")
    desk.click("#figure-attention .bc-permalink")
    assert ["SVG light", "SVG dark"] == links.all_text_contents()
    assert desk.request.get(f"{address}/parts/{links.first.get_attribute('href')}").ok
    desk.keyboard.press("Escape")
    desk.click("#tensors .bc-permalink")
    assert links.count() == 0
