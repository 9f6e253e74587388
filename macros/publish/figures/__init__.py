"""Every figure of the built pages as files, light and dark, and where pages say that there are such files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from macros.rendering.citations import Cited
from macros.rendering.components.templates import render

from ..page import SIGN, Page, PublishError
from .styles import SCHEMES, read_sheet
from .svg_file import COLOURS, Figure, svg_file

FIGURE = f"figure.bc-figure:is([id^=figure-], [id$=-figure]):has({SIGN})"
"""A figure that is drawn for good; what scripts draw anew has an id of another form."""


def found_on(page: Page, cited: Cited) -> Iterator[Figure]:
    """The figures of a page, in order."""
    for figure in page.tree.css(FIGURE):
        drawing, caption = figure.css_first("svg"), figure.css_first("figcaption")
        if drawing and caption and figure.id:
            yield Figure(page, figure.id, drawing, caption, page.source(cited, figure.id))


def files(found: list[Figure], css: str) -> dict[str, str]:
    """Every figure in both schemes, by address from the top, drawn by the style sheet of the site without the theme's.

    Raises:
        PublishError: the style sheet lacks a colour that every figure has.
    """
    if not found:
        return {}
    sheet = read_sheet(css)
    if missing := [each for each in COLOURS if each not in sheet.variables["light"]]:
        raise PublishError(f"the style sheet sets no {', '.join(missing)} for figures; set it for the default scheme")
    return {f"{each.stem}-{scheme}.svg": svg_file(each, sheet, scheme) for each in found for scheme in SCHEMES}


def name_files(page: Page, found: list[Figure], kinds: Sequence[str]) -> None:
    """Let figures say where their files are, and of which kinds, and a gallery list those of all pages."""
    for each in found:
        if each.page.name == page.name and (figure := page.element(each.id)):
            figure.attrs["data-file"] = f"{page.top}{each.stem}"
            figure.attrs["data-kinds"] = " ".join(kinds)
    if place := page.tree.css_first("ul.bc-gallery"):
        place.inner_html = render("gallery.html", figures=found, top=page.top, kinds=kinds, schemes=tuple(SCHEMES))
