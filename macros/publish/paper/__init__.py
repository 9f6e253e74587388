"""Creates the files of a published site that need a browser: hand-outs as PDF and figures as PNG.

A PDF contains the time of its creation, and Chromium numbers the elements in the order
in which it happens to visit them. The time and these numbers are replaced, so that two
builds of the same commit give the same files.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from macros.rendering.components.pages import FIGURES
from macros.rendering.hand_outs import HAND_OUTS, SCREEN

from ..page import Page, PublishError
from .browser import PLAYWRIGHT_VERSION, advice, executable, flags

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from playwright.sync_api import Page as Tab


SIZE = re.compile(r'<svg [^>]*? width="([\d.]+)" height="([\d.]+)"')
"""Matches the width and the height of a figure."""

AS_PUBLISHED = Path(__file__).with_name("as_published.js").read_text(encoding="utf-8")
"""A script that changes the links of a page to lead to the published site."""

TIMES = re.compile(rb"\((D:\d{14}[^)]*)\)")
"""Matches the times at which a PDF was created and last changed."""

ELEMENT_NAME = re.compile(rb"\(node\d{8}\)")
"""Matches Chromium's name for an element in a PDF, which contains a number."""

ELEMENT_LIST = re.compile(rb"/Limits \[[^]]*\]\n/Names \[([^]]*)\]")
"""Matches the sorted list of the names of all elements, with the first and the last name before it."""


@contextmanager
def printing_browser(printing: str | None) -> Iterator[Browser | None]:
    """Yield a browser to print with, or None if none is wanted or available.

    Args:
        printing: "required", "if-possible" or None, as for `publish`.

    Raises:
        PublishError: a required browser is missing.
    """
    path = executable() if printing and PLAYWRIGHT_VERSION else None
    if path is None:
        message = advice("the hand-outs as PDF and the figures as PNG need")
        if printing == "required":
            raise PublishError(message)
        if printing:
            print(f"Left out, like the links to them: {message}", file=sys.stderr)
        yield None
        return
    # Imported here because only printing needs it, and because it may not be installed.
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=flags())
        yield browser
        browser.close()


def add_links(page: Page) -> None:
    """Add links to the PDF files of a hand-out wherever a page has a placeholder for them."""
    for span in page.tree.css("span.bc-printed[data-sheet]"):
        name = span.attributes["data-sheet"] or ""
        links = [
            f'<a href="{page.top}{pdf_address(name, paper)}">PDF for {paper}</a>' for paper in HAND_OUTS[name].papers
        ]
        span.inner_html = f": {', '.join(links)}"


def pdf_address(name: str, paper: str) -> str:
    """The address of a hand-out as PDF."""
    return f"hand-outs/{name}-{paper.lower()}.pdf"


def sheets(site: Path, browser: Browser) -> Iterator[tuple[str, bytes]]:
    """Yield the address and the content of every hand-out as PDF, in each of its sizes.

    Raises:
        PublishError: the site lacks the page of a hand-out.
    """
    tab = browser.new_page(java_script_enabled=False)  # so that no script changes the page while it is printed
    for name, hand_out in HAND_OUTS.items():
        if not (site / hand_out.page).exists():
            raise PublishError(f"the site has no {hand_out.page} to print; publish the whole site into it first")
        tab.goto((site / hand_out.page).absolute().as_uri())
        tab.evaluate(AS_PUBLISHED)
        for paper in hand_out.papers:
            options = {"prefer_css_page_size": True} if paper == SCREEN else {"format": paper}
            yield pdf_address(name, paper), repeatable(tab.pdf(**options, print_background=True, tagged=True))
    tab.close()


def pictures(site: Path, browser: Browser) -> Iterator[tuple[str, bytes]]:
    """Yield the address and the content of every figure as PNG, at twice the figure's size in pixels."""
    tab = browser.new_page(device_scale_factor=2)
    for figure_path in sorted((site / FIGURES).rglob("*.svg")):
        width, height = (round(float(size)) for size in SIZE.findall(figure_path.read_text(encoding="utf-8"))[0])
        tab.set_viewport_size({"width": width, "height": height})
        tab.goto(figure_path.absolute().as_uri())
        yield figure_path.relative_to(site).with_suffix(".png").as_posix(), screenshot(tab)
    tab.close()


def screenshot(tab: Tab) -> bytes:
    """A screenshot of a tab as PNG. On a busy machine the first attempt may fail, so there is a second one."""
    from playwright.sync_api import Error

    with suppress(Error):
        return tab.screenshot()
    return tab.screenshot()


def repeatable(pdf: bytes) -> bytes:
    """A PDF dated SOURCE_DATE_EPOCH, or else the start of 1970, with elements numbered in the order of the file."""
    source_date = datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), UTC)
    time = f"D:{source_date:%Y%m%d%H%M%S}+00'00'".encode()
    # The file contains the position of each object, so no replacement may change the length of a text.
    pdf = TIMES.sub(lambda match: b"(" + time.ljust(len(match[1]))[: len(match[1])] + b")", pdf)
    names = dict.fromkeys(ELEMENT_NAME.findall(pdf))
    new_names = {name: b"(node%08d)" % number for number, name in enumerate(names, start=1)}
    return ELEMENT_LIST.sub(_sort_names, ELEMENT_NAME.sub(lambda match: new_names[match[0]], pdf))


def _sort_names(match: re.Match[bytes]) -> bytes:
    """The list of all elements, sorted by their new names, with the first and the last name before it."""
    references = sorted(re.findall(rb"\(\w+\) \d+ 0 R", match[1]))
    first, last = (reference.partition(b" ")[0] for reference in (references[0], references[-1]))
    return b"/Limits [%b %b]\n/Names [%b]" % (first, last, b" ".join(references))
