"""Every figure of the built pages as files, light and dark, and where pages say that there are such files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import NamedTuple

from macros.rendering.citations import Cited
from macros.rendering.elements.pages import FIGURES

from ..errors import PublishError
from ..imprint import line, title_of
from .styles import SCHEMES, read_sheet
from .svg_file import COLOURS, Figure, svg_file

FIGURE = re.compile(
    r'<figure class="bc-figure" id="(?P<id>figure-[^"]+|[^"]+-figure)"(?P<files>(?: data-(?:file|kinds)="[^"]*")*)'
    r"[^>]*>(?P<drawing><svg.*?</svg>)<figcaption>(?P<caption>.*?)</figcaption></figure>",
    re.DOTALL,
)
"""A figure that is drawn for good; what scripts draw anew has an id of another form."""

FILES = re.compile(r' data-file="[^"]*" data-kinds="[^"]*"')

SAID = re.compile(r'<(title|desc) id="[^"]*">([^<]*)</\1>')

SHEET = 'class="bc-sheet"'
"""Stands on hand-outs, which repeat figures of other pages."""

KINDS = ("svg", "png")


class Found(NamedTuple):
    """A figure of a page: the page's address, its id there, the question that the page answers, and what it is."""

    page: str
    id: str
    question: str
    figure: Figure

    @property
    def stem(self) -> str:
        """The address of its files from the top, without scheme and ending."""
        name = self.id.removeprefix("figure-").removesuffix("-figure")
        return f"{FIGURES}/{self.page.removesuffix('.html')}/{name}"


def found_on(page: str, html: str, cited: Cited) -> Iterator[Found]:
    """The figures of a page, in order."""
    if SHEET in html:
        return
    for each in FIGURE.finditer(html):
        said = {kind: unescape(text) for kind, text in SAID.findall(each["drawing"])}
        source = line(html, cited, each["id"])
        figure = Figure(each["drawing"], each["caption"], said["title"], said["desc"], source)
        yield Found(page, each["id"], title_of(html), figure)


def files(found: list[Found], css: str) -> dict[str, str]:
    """Every figure in both schemes, as address from the top and content.

    Args:
        found: the figures.
        css: the style sheet of the site, not yet joined with that of the theme.

    Raises:
        PublishError: the style sheet lacks a colour that every figure has.
    """
    if not found:
        return {}
    sheet = read_sheet(css)
    if missing := [each for each in COLOURS if each not in sheet.variables["light"]]:
        raise PublishError(f"the style sheet sets no {', '.join(missing)} for figures; set it for the default scheme")
    return {
        address(each.stem, scheme, "svg"): svg_file(each.figure, sheet, scheme) for each in found for scheme in SCHEMES
    }


def address(stem: str, scheme: str, kind: str) -> str:
    """The address of a file of a figure."""
    return f"{stem}-{scheme}.{kind}"


def with_files(page: str, html: str, found: list[Found], site: Path) -> str:
    """A page whose figures say where their files are, and of which kinds there are some."""
    up = "../" * page.count("/")
    stems = {each.id: each.stem for each in found if each.page == page}

    def said(figure: re.Match[str]) -> str:
        stem = stems.get(figure["id"])
        if not stem:
            return figure[0]
        kinds = " ".join(kinds_of(stem, site))
        files = f' data-file="{up}{stem}" data-kinds="{kinds}"'
        return figure[0].replace(f'id="{figure["id"]}"{figure["files"]}', f'id="{figure["id"]}"{files}')

    return FIGURE.sub(said, html)


def without_files(html: str) -> str:
    """A page whose figures say nothing of files; where they are cut out for other pages, addresses mean others."""
    return FILES.sub("", html)


def kinds_of(stem: str, site: Path) -> list[str]:
    """The kinds of files that there are of a figure: the drawn ones always, the others once a browser has made them."""
    return [kind for kind in KINDS if kind == "svg" or (site / address(stem, "light", kind)).exists()]
