"""Every figure of the built pages as files, light and dark, and where pages say that there are such files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

from macros.rendering.citations import Cited
from macros.rendering.elements.pages import FIGURES

from ..page import SIGN, Page, PublishError, words
from .styles import SCHEMES, read_sheet
from .svg_file import COLOURS, Figure, svg_file

FIGURE = f"figure.bc-figure:is([id^=figure-], [id$=-figure]):has({SIGN})"
"""A figure that is drawn for good; what scripts draw anew has an id of another form."""


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


def found_on(page: Page, cited: Cited) -> Iterator[Found]:
    """The figures of a page, in order."""
    for figure in page.tree.css(FIGURE):
        drawing, caption = figure.css_first("svg"), figure.css_first("figcaption")
        if drawing and caption and figure.id:
            title, description = (words(drawing.css_first(kind)) for kind in ("title", "desc"))
            source = page.source(cited, figure.id)
            yield Found(page.name, figure.id, page.title, Figure(drawing, caption, title, description, source))


def at_old_addresses(found: Sequence[Found], moved: Mapping[str, str]) -> Iterator[Found]:
    """The figures that have moved, as they stood where they were: others may show their files."""
    for old, new in moved.items():
        page, _, anchor = old.partition("#")
        yield from (each._replace(page=page, id=anchor) for each in found if new == f"{each.page}#{each.id}")


def files(found: list[Found], css: str) -> dict[str, str]:
    """Every figure in both schemes, by address from the top, drawn by the style sheet of the site without the theme's.

    Raises:
        PublishError: the style sheet lacks a colour that every figure has.
    """
    if not found:
        return {}
    sheet = read_sheet(css)
    if missing := [each for each in COLOURS if each not in sheet.variables["light"]]:
        raise PublishError(f"the style sheet sets no {', '.join(missing)} for figures; set it for the default scheme")
    return {f"{each.stem}-{scheme}.svg": svg_file(each.figure, sheet, scheme) for each in found for scheme in SCHEMES}


def name_files(page: Page, found: list[Found], kinds: Sequence[str]) -> None:
    """Let figures say where their files are, and of which kinds, and a gallery list those of all pages."""
    for each in found:
        if each.page == page.name and (figure := page.element(each.id)):
            figure.attrs["data-file"] = f"{page.top}{each.stem}"
            figure.attrs["data-kinds"] = " ".join(kinds)
    if place := page.tree.css_first("ul.bc-gallery"):
        place.inner_html = "".join(_item(each, page.top, kinds) for each in found)


def _item(of: Found, up: str, kinds: Sequence[str]) -> str:
    """A figure, small, with what it is called, where it stands, and its files in both schemes."""
    title = escape(of.figure.title)

    def link(kind: str, scheme: str) -> str:
        label = f"{title}: {kind.upper()}, {scheme}"
        return f'<a href="{up}{of.stem}-{scheme}.{kind}" aria-label="{label}">{scheme}</a>'

    links = ", ".join(f"{kind.upper()} {' '.join(link(kind, each) for each in SCHEMES)}" for kind in kinds)
    return (
        f'<li><img src="{up}{of.stem}-light.svg" alt="" loading="lazy">'
        f'<a href="{up}{of.page}#{of.id}">{title}</a><br>'
        f"<small>{escape(of.question)}<br>{links}</small></li>"
    )
