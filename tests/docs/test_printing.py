"""A browser prints the hand-outs of a built site to PDF, and draws its figures as PNG."""

import re
import struct
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from macros.publish import paper

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20.4" viewBox="0 0 40 20.4"><text y="9">a</text></svg>'
)
"""A figure whose height is not a whole number of pixels."""


def page_count(pdf: bytes) -> int:
    """The number of pages in a PDF, which must agree with the count in the PDF's root."""
    count = len(re.findall(rb"/Type /Page\b(?!s)", pdf))
    assert max(map(int, re.findall(rb"/Type /Pages\s+/Count (\d+)", pdf))) == count
    return count


def test_hand_outs_have_the_right_number_of_pages(
    site: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each hand-out fills two pages of A4 or Letter, and each slide fills one. Their only date is that of the build."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    pdfs = dict(paper.sheets(site, browser))
    page_counts = {name: page_count(pdf) for name, pdf in pdfs.items()}
    assert len((site / "teach/slides.html").read_text().split('class="bc-slide"')) - 1 == page_counts.pop(
        "hand-outs/the-board-slides.pdf"
    )
    names = ("bert-on-two-pages", "count-bert-by-hand", "lesson-plan")
    assert {f"hand-outs/{name}-{paper_size}.pdf": 2 for name in names for paper_size in ("a4", "letter")} == page_counts
    assert "Prints on two pages" in (site / "teach/plan.html").read_text()
    assert not any(b"file:" in pdf for pdf in pdfs.values())
    assert {b"19700102000000"} == {day for pdf in pdfs.values() for day in re.findall(rb"\(D:(\d{14})", pdf)}


FIT_AND_TEXT_SIZES = """() => [...document.querySelectorAll(".bc-slide")].map((slide) => {
    const texts = [...slide.querySelectorAll(":not(h2)")].filter(
        (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
    )
    const lowest = Math.max(...texts.map((text) => text.getBoundingClientRect().bottom))
    const sizes = texts.map((text) => getComputedStyle(text).fontSize)
    return [lowest <= slide.getBoundingClientRect().bottom, ...new Set(sizes)]
})"""
"""Returns, for each slide, whether all its texts end within it, and the sizes of its texts below the heading."""


def test_slides_are_legible(site: Path, browser: Browser) -> None:
    """Below the headings, all texts have the same size, even in figures, and all of them fit on a printed slide.

    The size is 26 pixels, or 19.5 points, in a window as wide as a printed slide.
    """
    page = browser.new_page(java_script_enabled=False, viewport={"width": 1280, "height": 720})
    page.goto((site / "teach/slides.html").absolute().as_uri())
    page.emulate_media(media="print")
    (fits, size), *further_slides = page.evaluate(FIT_AND_TEXT_SIZES)
    assert (fits, 26) == (True, round(float(size.removesuffix("px"))))
    assert [[True, size]] * len(further_slides) == further_slides
    page.close()


LINKS = (
    '<p><a href="../map.html#base">a</a> <a href="#b">b</a> <a href="https://example.com/">c</a>'
    '<svg><a href="../map.html#large"><text y="9">d</text></a></svg>'
)
EXPECTED_LINKS = {
    '<link rel="canonical" href="https://example.org/bert/teach/two-pages.html">': [
        b"https://example.com/",
        b"https://example.org/bert/map.html#base",
        b"https://example.org/bert/map.html#large",
        b"https://example.org/bert/teach/two-pages.html#b",
    ],
    "": [b"https://example.com/"],
}
"""Elements with a page's published address, or "" for none, each with the links that the PDF must have."""


@pytest.mark.parametrize("canonical", EXPECTED_LINKS)
def test_links_in_a_hand_out_lead_to_the_published_site(tmp_path: Path, browser: Browser, canonical: str) -> None:
    """Without a published address, the PDF has only links to other sites, and none to files on this machine."""
    (tmp_path / "teach").mkdir()
    for name in ("two-pages", "sheet", "plan", "slides"):
        (tmp_path / "teach" / f"{name}.html").write_text(f"<!doctype html><title>a</title>{canonical}{LINKS}")
    links = {name: sorted(re.findall(rb"/URI \((.*?)\)", pdf)) for name, pdf in paper.sheets(tmp_path, browser)}
    assert dict.fromkeys(links, EXPECTED_LINKS[canonical]) == links


def test_figures_become_png(tmp_path: Path, browser: Browser) -> None:
    """The PNG is next to its SVG. It is twice as wide and high as the SVG in whole pixels."""
    (tmp_path / "figures" / "a").mkdir(parents=True)
    (tmp_path / "figures" / "a" / "b-light.svg").write_text(SVG)
    ((name, png),) = paper.pictures(tmp_path, browser)
    assert ("figures/a/b-light.png", (80, 40)) == (name, struct.unpack(">II", png[16:24]))
