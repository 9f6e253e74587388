"""Figures as files look as on their pages, are not cut off, and are offered by their pages."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.docs.conftest import Pages
from tests.docs.scripts import measure
from tests.docs.windows import SCHEMES, THEMES, Scheme, go_to

COMPARED = ("map.html", "parts/encoder-layer.html", "disagreements/published-claims.html")
"""Pages with every kind of figure: areas in percentages, a drawing of fixed size, and bars."""


def differences(browser: Browser, url: str, scheme: Scheme, of_file: Scheme) -> list[str]:
    """The differences between files and the figures on a page, for a reader whose device prefers a scheme.

    The scheme is not switched on the page, because the theme's script comes late and might undo
    that.
    """
    page = browser.new_page(color_scheme=scheme)
    page.goto(url)
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", THEMES[scheme])
    problems: list[str] = page.evaluate(measure("figure_files.js", "differences"), of_file)
    page.close()
    return problems


@pytest.mark.other_browser
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", COMPARED)
def test_a_file_looks_as_the_figure_on_its_page(browser: Browser, address: str, name: str, scheme: Scheme) -> None:
    """A file has the colours, strokes and sizes of the figure on its page, in both schemes."""
    assert [] == differences(browser, f"{address}/{name}", scheme, scheme)


@pytest.mark.other_browser
def test_another_colour_is_noticed(browser: Browser, address: str) -> None:
    """The file of the other scheme has other colours."""
    problems = differences(browser, f"{address}/{COMPARED[1]}", "dark", "light")
    assert [problem for problem in problems if "fill is" in problem]


def test_nothing_is_cut_off(desktop: Page, address: str, site: Path) -> None:
    """Figures have room even for a wide font, such as this machine may have."""
    files = [f"{address}/{path.relative_to(site).as_posix()}" for path in (site / "figures").rglob("*-light.svg")]
    assert len(files) > 40
    desktop.goto(f"{address}/totals/memory.html")
    assert [] == desktop.evaluate(measure("figure_files.js", "cutOff"), files)


def test_every_figure_offers_its_files(pages: Pages, site: Path) -> None:
    """The files that a figure names exist, and the gallery shows the same ones."""
    files = {
        ((site / name).parent / str(figure["data-file"])).resolve().relative_to(site.resolve()).as_posix()
        for name, page in pages.items()
        for figure in page.select("figure[data-file]")
    }
    assert len(files) > 40
    assert [] == [file for file in files if not (site / f"{file}-light.svg").exists()]
    gallery = {str(image["src"]) for image in pages["teach/hand-outs.html"].select(".bc-gallery img")}
    assert {f"../{file}-{scheme}.svg" for file in files for scheme in ("light", "dark")} == gallery


def test_the_sign_beside_a_figure_offers_its_files(desktop: Page, address: str) -> None:
    """The window of a figure offers its files; that of a table offers none."""
    go_to(desktop, f"{address}/parts/attention.html")
    links = desktop.locator(".bc-citing a")
    desktop.click("#figure-attention .bc-permalink")
    assert ["SVG light", "SVG dark"] == links.all_text_contents()
    assert desktop.request.get(f"{address}/parts/{links.first.get_attribute('href')}").ok
    desktop.keyboard.press("Escape")
    desktop.click(".bc-worked > .bc-more > summary")
    desktop.click("#tensors .bc-permalink")
    assert links.count() == 0
