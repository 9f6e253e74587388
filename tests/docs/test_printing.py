"""A browser turns the hand-outs of a published site into PDF, and its figures into PNG."""

import re
import struct
from pathlib import Path
from typing import cast

import pytest
from playwright.sync_api import Browser, Error, Page

from macros.publish import paper

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20.4" viewBox="0 0 40 20.4"><text y="9">a</text></svg>'
)


def pages_of(pdf: bytes) -> int:
    """The pages of a PDF, counted one by one, which must agree with the root's count."""
    count = len(re.findall(rb"/Type /Page\b(?!s)", pdf))
    assert max(map(int, re.findall(rb"/Type /Pages\s+/Count (\d+)", pdf))) == count
    return count


def test_hand_outs_have_as_many_pages_as_they_say(
    site: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hand-outs fill two pages of A4 or Letter, slides one page each, and their only date is that of the build."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    pdfs = dict(paper.sheets(site, browser))
    page_counts = {name: pages_of(pdf) for name, pdf in pdfs.items()}
    assert len((site / "teach/slides.html").read_text().split('class="bc-slide"')) - 1 == page_counts.pop(
        "hand-outs/the-board-slides.pdf"
    )
    names = ("bert-on-two-pages", "count-bert-by-hand", "lesson-plan")
    assert {f"hand-outs/{name}-{paper}.pdf": 2 for name in names for paper in ("a4", "letter")} == page_counts
    assert not any(b"file:" in pdf for pdf in pdfs.values())
    assert {b"19700102000000"} == {day for pdf in pdfs.values() for day in re.findall(rb"\(D:(\d{14})", pdf)}


SLIDES = """() => [...document.querySelectorAll(".bc-slide")].map((slide) => {
    const texts = [...slide.querySelectorAll(":not(h2)")].filter(
        (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
    )
    const lowest = Math.max(...texts.map((text) => text.getBoundingClientRect().bottom))
    const sizes = texts.map((text) => getComputedStyle(text).fontSize)
    return [lowest <= slide.getBoundingClientRect().bottom, ...new Set(sizes)]
})"""
"""For each slide, whether all its texts end within it, and the sizes of its texts below the heading."""


def test_slides_are_legible(site: Path, browser: Browser) -> None:
    """All texts of all slides below the headings have one size, in figures too, and a printed slide holds all of them.

    The window is as wide as a printed slide, where 26 pixels are 19.5 points.
    """
    page = browser.new_page(java_script_enabled=False, viewport={"width": 1280, "height": 720})
    page.goto((site / "teach/slides.html").absolute().as_uri())
    page.emulate_media(media="print")
    (fits, size), *others = page.evaluate(SLIDES)
    assert (fits, 26) == (True, round(float(size.removesuffix("px"))))
    assert [[True, size]] * len(others) == others
    page.close()


LINKS = (
    '<p><a href="../map.html#base">a</a> <a href="#b">b</a> <a href="https://example.com/">c</a>'
    '<svg><a href="../map.html#large"><text y="9">d</text></a></svg>'
)
PUBLISHED = {
    '<link rel="canonical" href="https://example.org/bert/teach/two-pages.html">': [
        b"https://example.com/",
        b"https://example.org/bert/map.html#base",
        b"https://example.org/bert/map.html#large",
        b"https://example.org/bert/teach/two-pages.html#b",
    ],
    "": [b"https://example.com/"],
}


@pytest.mark.parametrize("canonical", PUBLISHED)
def test_links_lead_to_the_published_site(tmp_path: Path, browser: Browser, canonical: str) -> None:
    """Links lead to the published address, or without one are dropped; no sheet names the machine it comes from."""
    (tmp_path / "teach").mkdir()
    for name in ("two-pages", "sheet", "plan", "slides"):
        (tmp_path / "teach" / f"{name}.html").write_text(f"<!doctype html><title>a</title>{canonical}{LINKS}")
    links = {name: sorted(re.findall(rb"/URI \((.*?)\)", pdf)) for name, pdf in paper.sheets(tmp_path, browser)}
    assert dict.fromkeys(links, PUBLISHED[canonical]) == links


def test_figures_become_png(tmp_path: Path, browser: Browser) -> None:
    """A PNG has twice the width and height of its SVG in pixels, and lies in the same folder."""
    (tmp_path / "figures" / "a").mkdir(parents=True)
    (tmp_path / "figures" / "a" / "b-light.svg").write_text(SVG)
    ((name, png),) = paper.pictures(tmp_path, browser)
    assert ("figures/a/b-light.png", (80, 40)) == (name, struct.unpack(">II", png[16:24]))


class BusyTab:
    """A tab whose first screenshots fail."""

    def __init__(self, failures: int) -> None:
        self.failures = failures

    def screenshot(self) -> bytes:
        """Fail, or return a picture."""
        self.failures -= 1
        if self.failures >= 0:
            raise Error("Unable to capture screenshot")
        return b"png"


def test_a_screenshot_may_fail_once() -> None:
    """A second attempt is made; if it fails as well, so does the build."""
    assert b"png" == paper.screenshot(cast("Page", BusyTab(1)))
    with pytest.raises(Error):
        paper.screenshot(cast("Page", BusyTab(2)))
