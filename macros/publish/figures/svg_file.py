"""Converts a figure to a self-contained file with title, drawing, caption and source.

The file needs no style sheet, no particular font and no page. SVG does not wrap text, so the
caption is broken into lines here. Because readers have different sans-serif fonts,
the lines are short enough for a wide one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from cssselect2 import ElementWrapper
from selectolax.lexbor import LexborNode

from macros.rendering.components.pages import FIGURES

from ..page import Page, plain_text
from .styles import BACKGROUND, FigureStyles, Variables, declarations_for, resolve, set_attributes

WIDTH = 800
MARGIN = 24
"""The width of the file and its margin, in pixels."""

INNER_WIDTH = WIDTH - 2 * MARGIN
"""The width between the margins."""

TEMPLATE = Path(__file__).with_name("figure.svg").read_text(encoding="utf-8")

HEIGHTS = {"bc-small-map": 240, "bc-map": 380}
"""The heights of drawings without a fixed size, by class, in pixels."""

TITLE_HEIGHT = 34
"""The distance from the top of the title to the top of the drawing, in pixels."""

LINE_HEIGHT = 1.55
"""The distance between two lines of text, as a multiple of the font size."""

LETTER_WIDTH = 0.57
"""The mean width of a letter in a wide font, as a fraction of the font size."""

TITLE_SIZE = 16
CAPTION_SIZE = 13
SOURCE_SIZE = 11
GAP_SIZE = 4
"""Font sizes, in pixels. The gap above the source is an empty line in a tiny font."""

TEXT_COLOUR = "--md-default-fg-color"
SOURCE_COLOUR = "--md-default-fg-color--light"
COLOURS = (BACKGROUND, TEXT_COLOUR, SOURCE_COLOUR)
"""The custom properties of the colours that every file uses."""

KEY_CLASS = re.compile(r"\bbc-(key|key-thin)\b")
"""Matches the class of a sign that explains a colour within a caption."""

PAGE_ATTRIBUTES = ("focusable", "aria-labelledby", "role", "class", "href")
"""Attributes that have a meaning only on a page, as do all attributes that begin with `data-`."""


class Figure(NamedTuple):
    """A figure on a page.

    Attributes:
        page, id: the page and the id of the figure on it.
        drawing, caption: the SVG element and the caption element.
        source: the page's title, site, address and build, as text.
    """

    page: Page
    id: str
    drawing: LexborNode
    caption: LexborNode
    source: str

    @property
    def title(self) -> str:
        """The title of the drawing."""
        return plain_text(self.drawing.css_first("title"))

    @property
    def description(self) -> str:
        """The description of the drawing."""
        return plain_text(self.drawing.css_first("desc"))

    @property
    def stem(self) -> str:
        """The address of the figure's files from the top of the site, without scheme and extension."""
        name = self.id.removeprefix("figure-").removesuffix("-figure")
        return f"{FIGURES}/{self.page.name.removesuffix('.html')}/{name}"


class Word(NamedTuple):
    """A word of a caption, or the sign of a colour that the caption explains.

    Attributes:
        markup: the word or sign as SVG.
        width: its width, as a number of letters.
        min_space: the free space that it needs on a line, as a number of letters. A sign needs more than its own width,
            so that it is not separated from the word after it.
    """

    markup: str
    width: int
    min_space: int


def svg_file(figure: Figure, sheet: FigureStyles, scheme: str) -> str:
    """A figure as an SVG file in the scheme "light" or "dark"."""
    variables = sheet.variables[scheme]
    drawing = _drawing(figure.drawing.html or "", sheet, variables)
    width, height = (float(drawing.attrib[name]) for name in ("width", "height"))
    drawing.set("x", f"{(WIDTH - width) / 2:g}")
    drawing.set("y", f"{MARGIN + TITLE_HEIGHT}")
    # The baseline of the title is 12 pixels below the margin, 10 pixels separate the drawing from the caption, and the
    # margin below the last baseline is 6 pixels smaller than the others.
    body = [
        _text(escape(figure.title, quote=False), MARGIN + 12, TITLE_SIZE, variables[TEXT_COLOUR], ' font-weight="700"'),
        ElementTree.tostring(drawing, encoding="unicode"),
    ]
    y = MARGIN + TITLE_HEIGHT + height + 10
    for paragraph, size, colour in _paragraphs(figure, sheet, variables):
        for line in _lines(paragraph, INNER_WIDTH / (size * LETTER_WIDTH)):
            y += LINE_HEIGHT * size
            body.append(_text(line, y, size, variables[colour]))
    total_height = y + MARGIN - 6
    return TEMPLATE.format(
        width=WIDTH,
        height=f"{total_height:g}",
        title=escape(figure.title),
        description=escape(f"{figure.description} {figure.source}"),
        ground=variables[BACKGROUND],
        body="\n".join(filter(None, body)),
    )


def _drawing(svg: str, sheet: FigureStyles, variables: Variables) -> Element:
    """The drawing with styles as attributes and a size in pixels, without anything that depends on the page."""
    # Selectors of the style sheet may refer to these elements, which surround a figure on a page.
    html = f'<div class="md-typeset"><figure class="bc-figure">{svg}</figure></div>'
    root = ElementWrapper.from_html_root(ElementTree.fromstring(html))  # noqa: S314  it is our own
    (figure,) = root.iter_children()
    (svg_element,) = figure.iter_children()
    set_attributes(svg_element, sheet, variables)
    drawing: Element = svg_element.etree_element
    classes = drawing.get("class", "").split()
    if drawing.get("viewBox"):
        width, height = (float(drawing.attrib[name]) for name in ("width", "height"))
        scale = min(1.0, INNER_WIDTH / width)
        drawing.set("width", f"{width * scale:g}")
        drawing.set("height", f"{height * scale:g}")
    else:
        drawing.set("width", f"{INNER_WIDTH}")
        height_text = next((HEIGHTS[name] for name in HEIGHTS if name in classes), drawing.get("height"))
        drawing.set("height", f"{height_text}")
    _clean(drawing)
    drawing.set("overflow", "visible")
    return drawing


def _clean(drawing: Element) -> None:
    """Turn links into groups, remove attributes that depend on the page, and let marks extend beyond their element."""
    for element in drawing.iter():
        if element.tag == "a":
            element.tag = "g"
        if element.get("class") in ("bc-caret", "bc-mark"):
            element.set("overflow", "visible")
        for name in [name for name in element.attrib if name in PAGE_ATTRIBUTES or name.startswith("data-")]:
            del element.attrib[name]
        # The file gives the drawing's title and description elsewhere. Only titles within the drawing are kept.
        dropped_tags = ("desc", "title") if element is drawing else ("desc",)
        for child in [child for child in element if child.tag in dropped_tags]:
            element.remove(child)


def _paragraphs(figure: Figure, sheet: FigureStyles, variables: Variables) -> Iterator[tuple[list[Word], float, str]]:
    """Yield the caption, a large map's description, a gap and the source, each with its font size and colour."""
    for paragraph in _caption(figure.caption, sheet, variables):
        yield paragraph, CAPTION_SIZE, TEXT_COLOUR
    classes = (figure.drawing.attributes.get("class") or "").split()
    # A map labels only blocks that have room for a label; its description has the numbers of all blocks.
    if "bc-map" in classes and "bc-small-map" not in classes:
        yield _words(figure.description), CAPTION_SIZE, TEXT_COLOUR
    yield [Word("", 0, 0)], GAP_SIZE, SOURCE_COLOUR
    yield _words(figure.source), SOURCE_SIZE, SOURCE_COLOUR


def _words(text: str) -> list[Word]:
    """The words of a text. The width of each word includes the space after it."""
    return [Word(escape(word, quote=False), len(word) + 1, len(word) + 1) for word in text.split()]


def _caption(caption: LexborNode, sheet: FigureStyles, variables: Variables) -> Iterator[list[Word]]:
    """Yield the paragraphs of a caption, without its links, which make sense only on the page."""
    paragraph: list[Word] = []
    for node in caption.iter(include_text=True):
        classes = (node.attributes.get("class") or "") if node.is_element_node else ""
        if KEY_CLASS.search(classes):
            # A sign is two letters wide, and needs space for ten more, for the word after it.
            paragraph.append(Word(_sign(classes, sheet, variables), 2, 12))
        elif node.tag in ("ul", "p"):
            yield paragraph
            paragraph = []
            yield [word for words in _caption(node, sheet, variables) for word in words]
        elif node.tag in ("li", "span"):
            paragraph += [word for words in _caption(node, sheet, variables) for word in words]
        elif node.tag != "a":
            paragraph += _words(node.text())
    yield paragraph


def _lines(words: Iterable[Word], space: float) -> Iterator[str]:
    """Break words into lines that are at most `space` letters wide, unless a single word is wider."""
    line: list[str] = []
    width = 0
    for word in words:
        if line and width + word.min_space > space:
            yield " ".join(line)
            line = []
            width = 0
        line.append(word.markup)
        width += word.width
    if line:
        yield " ".join(line)


def _sign(classes: str, sheet: FigureStyles, variables: Variables) -> str:
    """The sign of a colour, as a common character: a square, or a triangle for parts that are too thin to see."""
    key = ElementWrapper.from_html_root(Element("i", {"class": classes}))
    resolved_values = {name: resolve(value, variables) for name, value in declarations_for(key, sheet).items()}
    ink = resolved_values.get("--bc-ink", variables[TEXT_COLOUR])
    if "bc-key-thin" in classes.split():
        return f'<tspan fill="{ink}">▼</tspan>'
    fill = variables[BACKGROUND] if "bc-taken" in classes.split() else ink
    return f'<tspan fill="{fill}" stroke="{ink}">■</tspan>'


def _text(markup: str, y: float, size: float, colour: str, attributes: str = "") -> str:
    """A line of text as SVG; empty if the line is empty."""
    if not markup:
        return ""
    return f'<text x="{MARGIN}" y="{y:g}" font-size="{size:g}"{attributes} fill="{colour}">{markup}</text>'
