"""Makes what only a browser can make of a published site: hand-outs as PDF and figures as PNG.

A PDF names the time at which it was made, and Chromium numbers its elements in the
order in which it happened to look at them. Both are replaced, so that two builds of
one commit have the same files.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from macros.rendering.components.pages import FIGURES
from macros.rendering.hand_outs import SCREEN, SHEETS

from ..page import Page, PublishError
from .browser import PLAYWRIGHT, advice, executable, flags

if TYPE_CHECKING:
    from playwright.sync_api import Browser


SIZE = re.compile(r'<svg [^>]*? width="([\d.]+)" height="([\d.]+)"')

AS_PUBLISHED = Path(__file__).with_name("as_published.js").read_text(encoding="utf-8")

MADE = re.compile(rb"\((D:\d{14}[^)]*)\)")
"""The times at which a PDF was made and changed."""

ELEMENT = re.compile(rb"\(node\d{8}\)")
"""Chromium's name for an element in a PDF, with the number under which it first looked at it."""

ELEMENTS = re.compile(rb"/Limits \[[^]]*\]\n/Names \[([^]]*)\]")
"""The list of all these names, sorted, with the first and the last in front."""


@contextmanager
def opened(paper: str | None) -> Iterator[Browser | None]:
    """A browser to print with, or None if none is wanted or there is none; arguments and errors as for `publish`."""
    path = executable() if paper and PLAYWRIGHT else None
    if path is None:
        says = advice("the hand-outs as PDF and the figures as PNG need")
        if paper == "required":
            raise PublishError(says)
        if paper:
            print(f"Left out, like the links to them: {says}", file=sys.stderr)
        yield None
        return
    # Only printing needs it.
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=flags())
        yield browser
        browser.close()


def add_links(page: Page) -> None:
    """Fill the places that a page leaves for links to the files of a hand-out."""
    for place in page.tree.css("span.bc-printed[data-sheet]"):
        name = place.attributes["data-sheet"] or ""
        links = [f'<a href="{page.top}{address(name, paper)}">PDF for {paper}</a>' for paper in SHEETS[name].papers]
        place.inner_html = f": {', '.join(links)}"


def address(name: str, paper: str) -> str:
    """The address of a hand-out as PDF."""
    return f"hand-outs/{name}-{paper.lower()}.pdf"


def sheets(site: Path, browser: Browser) -> Iterator[tuple[str, bytes]]:
    """Every hand-out as PDF, for each size of paper; slides have a size of their own."""
    page = browser.new_page(java_script_enabled=False)  # a script might change the page before or after it is printed
    for name, sheet in SHEETS.items():
        if not (site / sheet.page).exists():
            raise PublishError(f"the site has no {sheet.page} to print; publish the whole site into it first")
        page.goto((site / sheet.page).absolute().as_uri())
        page.evaluate(AS_PUBLISHED)
        for paper in sheet.papers:
            size = {"prefer_css_page_size": True} if paper == SCREEN else {"format": paper}
            yield address(name, paper), repeatable(page.pdf(**size, print_background=True, tagged=True))
    page.close()


def pictures(site: Path, browser: Browser) -> Iterator[tuple[str, bytes]]:
    """Every figure as PNG, with two pixels for each of the figure's."""
    page = browser.new_page(device_scale_factor=2)
    for path in sorted((site / FIGURES).rglob("*.svg")):
        width, height = (round(float(size)) for size in SIZE.findall(path.read_text(encoding="utf-8"))[0])
        page.set_viewport_size({"width": width, "height": height})
        page.goto(path.absolute().as_uri())
        yield path.relative_to(site).with_suffix(".png").as_posix(), page.screenshot()
    page.close()


def repeatable(pdf: bytes) -> bytes:
    """A PDF of the same length, with the time of the build and with its elements numbered in the order of the file."""
    built = datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), UTC)
    time = f"D:{built:%Y%m%d%H%M%S}+00'00'".encode()
    # The file says where each object begins, so nothing may get longer or shorter.
    pdf = MADE.sub(lambda found: b"(" + time.ljust(len(found[1]))[: len(found[1])] + b")", pdf)
    names = dict.fromkeys(ELEMENT.findall(pdf))
    renamed = {name: b"(node%08d)" % number for number, name in enumerate(names, start=1)}
    return ELEMENTS.sub(_in_order, ELEMENT.sub(lambda found: renamed[found[0]], pdf))


def _in_order(names: re.Match[bytes]) -> bytes:
    """The list of all elements, sorted again by their new names."""
    entries = sorted(re.findall(rb"\(\w+\) \d+ 0 R", names[1]))
    first, last = (entry.partition(b" ")[0] for entry in (entries[0], entries[-1]))
    return b"/Limits [%b %b]\n/Names [%b]" % (first, last, b" ".join(entries))
