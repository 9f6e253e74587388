"""The files of figures look like the figures on pages, cut nothing off, and are offered next to the figures."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.docs.conftest import Pages
from tests.docs.scripts import function_in
from tests.docs.windows import SCHEMES, THEMES, Scheme, go_to

COMPARED_PAGES = ("map.html", "parts/encoder-layer.html", "disagreements/published-claims.html")
"""Pages with every kind of figure: areas in percentages, a drawing of fixed size, and bars."""


def differences(browser: Browser, url: str, scheme: Scheme, scheme_of_files: Scheme) -> list[str]:
    """The differences between the figures on a page in a colour scheme and the files for `scheme_of_files`.

    The page's scheme is set as the preference of the reader's device instead of on the page, because the theme's script
    runs late and might undo a choice on the page.
    """
    page = browser.new_page(color_scheme=scheme)
    page.goto(url)
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", THEMES[scheme])
    problems: list[str] = page.evaluate(function_in("figure_files.js", "differences"), scheme_of_files)
    page.close()
    return problems


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", COMPARED_PAGES)
def test_a_file_looks_like_the_figure_on_its_page(browser: Browser, address: str, name: str, scheme: Scheme) -> None:
    assert [] == differences(browser, f"{address}/{name}", scheme, scheme)


def test_a_difference_in_colour_is_noticed(browser: Browser, address: str) -> None:
    """The files for the other scheme differ in their colours."""
    problems = differences(browser, f"{address}/{COMPARED_PAGES[1]}", "dark", "light")
    assert [problem for problem in problems if "fill is" in problem]


def test_no_text_of_a_figure_is_cut_off(desktop: Page, address: str, site: Path) -> None:
    """A file must leave enough space, because the font of its texts depends on the machine."""
    files = [f"{address}/{path.relative_to(site).as_posix()}" for path in (site / "figures").rglob("*-light.svg")]
    assert len(files) > 40
    desktop.goto(f"{address}/totals/memory.html")
    assert [] == desktop.evaluate(function_in("figure_files.js", "cutOffTexts"), files)


def test_the_files_of_every_figure_exist_and_are_in_the_gallery(pages: Pages, site: Path) -> None:
    files = {
        ((site / name).parent / str(figure["data-file"])).resolve().relative_to(site.resolve()).as_posix()
        for name, page in pages.items()
        for figure in page.select("figure[data-file]")
    }
    assert len(files) > 40
    assert [] == [file for file in files if not (site / f"{file}-light.svg").exists()]
    gallery = {str(image["src"]) for image in pages["teach/hand-outs.html"].select(".bc-gallery img")}
    assert {f"../{file}-{scheme}.svg" for file in files for scheme in ("light", "dark")} == gallery


def test_the_window_of_a_figure_offers_its_files(desktop: Page, address: str) -> None:
    go_to(desktop, f"{address}/parts/attention.html")
    links = desktop.locator(".bc-citing a")
    desktop.click("#figure-attention .bc-permalink")
    assert ["SVG light", "SVG dark"] == links.all_text_contents()
    assert desktop.request.get(f"{address}/parts/{links.first.get_attribute('href')}").ok
    desktop.keyboard.press("Escape")
    desktop.click(".bc-worked > .bc-more > summary")
    desktop.click("#tensors .bc-permalink")
    assert links.count() == 0  # a table has no files
