"""Draws a figure as a file of its own: title, drawing, caption, and a line that says where it is from.

The file needs nothing else: no style sheet, no font, no page. SVG does not wrap text,
so the caption is cut into lines here. Which sans serif a reader has is unknown, so
lines leave room for a wide one.
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

from ..page import Page, words
from .styles import GROUND, Sheet, Variables, declared, resolve, set_attributes

WIDTH, MARGIN = 800, 24
"""The width of the file and its margin, in pixels."""

INNER = WIDTH - 2 * MARGIN

TEMPLATE = Path(__file__).with_name("figure.svg").read_text(encoding="utf-8")

HEIGHTS = {"bc-small-map": 240, "bc-map": 380}
"""The heights of drawings that fit any size, by their class, in pixels."""

HEAD = 34
"""From the top of the title to the top of the drawing, in pixels."""

LINE = 1.55
"""From one line of the caption to the next, as a multiple of the font's size."""

LETTER = 0.57
"""The mean width of a letter in a wide font, as a fraction of the font's size."""

TEXT, SMALL = "--md-default-fg-color", "--md-default-fg-color--light"
COLOURS = (GROUND, TEXT, SMALL)

KEY = re.compile(r"\bbc-(key|key-thin)\b")

LEFT_OUT = ("focusable", "aria-labelledby", "role", "class", "href")
"""Attributes that mean something only on a page, as all that begin with `data-` do."""


class Figure(NamedTuple):
    """A figure of a page.

    Attributes:
        page: the page.
        id: its id there.
        drawing: its SVG.
        caption: its caption.
        source: where it is from, as text.
    """

    page: Page
    id: str
    drawing: LexborNode
    caption: LexborNode
    source: str

    @property
    def title(self) -> str:
        """The title of the drawing."""
        return words(self.drawing.css_first("title"))

    @property
    def description(self) -> str:
        """The description of the drawing."""
        return words(self.drawing.css_first("desc"))

    @property
    def stem(self) -> str:
        """The address of its files from the top of the site, without scheme and ending."""
        name = self.id.removeprefix("figure-").removesuffix("-figure")
        return f"{FIGURES}/{self.page.name.removesuffix('.html')}/{name}"


class Word(NamedTuple):
    """A word of a caption, or the sign of a colour that the caption explains.

    Attributes:
        markup: the SVG.
        letters: its width, in letters.
        needs: the room that must be left on the line, in letters. A sign needs more than its own width, so that it
            stays with the word after it.
    """

    markup: str
    letters: int
    needs: int


def svg_file(figure: Figure, sheet: Sheet, scheme: str) -> str:
    """The text of the file of a figure in one of the schemes, "light" or "dark"."""
    variables = sheet.variables[scheme]
    drawing = _drawing(figure.drawing.html or "", sheet, variables)
    width, height = (float(drawing.attrib[name]) for name in ("width", "height"))
    y = MARGIN + HEAD + height + 10
    drawing.set("x", f"{(WIDTH - width) / 2:g}")
    drawing.set("y", f"{MARGIN + HEAD}")
    body = [
        _text(escape(figure.title, quote=False), MARGIN + 12, 16, variables[TEXT], ' font-weight="700"'),
        ElementTree.tostring(drawing, encoding="unicode"),
    ]
    for paragraph, size, colour in _paragraphs(figure, sheet, variables):
        for line in _lines(paragraph, INNER / (size * LETTER)):
            y += LINE * size
            body.append(_text(line, y, size, variables[colour]))
    total = y + MARGIN - 6
    return TEMPLATE.format(
        width=WIDTH,
        height=f"{total:g}",
        title=escape(figure.title),
        description=escape(f"{figure.description} {figure.source}"),
        ground=variables[GROUND],
        body="\n".join(filter(None, body)),
    )


def _drawing(svg: str, sheet: Sheet, variables: Variables) -> Element:
    """The drawing with its styles as attributes and its size in pixels, without anything that needs the page."""
    page = f'<div class="md-typeset"><figure class="bc-figure">{svg}</figure></div>'
    root = ElementWrapper.from_html_root(ElementTree.fromstring(page))  # noqa: S314  it is our own
    (figure,) = root.iter_children()
    (placed,) = figure.iter_children()
    set_attributes(placed, sheet, variables)
    drawing: Element = placed.etree_element
    classes = drawing.get("class", "").split()
    if drawing.get("viewBox"):
        wide, high = (float(drawing.attrib[name]) for name in ("width", "height"))
        shrunk = min(1.0, INNER / wide)
        drawing.set("width", f"{wide * shrunk:g}")
        drawing.set("height", f"{high * shrunk:g}")
    else:
        drawing.set("width", f"{INNER}")
        height = next((HEIGHTS[name] for name in HEIGHTS if name in classes), drawing.get("height"))
        drawing.set("height", f"{height}")
    _clean(drawing)
    drawing.set("overflow", "visible")
    return drawing


def _clean(drawing: Element) -> None:
    """Turn links into groups, remove attributes that need the page, and let marks stick out as they do there."""
    for element in drawing.iter():
        if element.tag == "a":
            element.tag = "g"
        if element.get("class") in ("bc-caret", "bc-mark"):
            element.set("overflow", "visible")
        for name in [name for name in element.attrib if name in LEFT_OUT or name.startswith("data-")]:
            del element.attrib[name]
        # The file has a title and a description of its own.
        replaced = ("desc", "title") if element is drawing else ("desc",)
        for child in [child for child in element if child.tag in replaced]:
            element.remove(child)


def _paragraphs(figure: Figure, sheet: Sheet, variables: Variables) -> Iterator[tuple[list[Word], float, str]]:
    """The caption, the description of a picture of areas, a gap and the source, with their font sizes and colours."""
    for paragraph in _caption(figure.caption, sheet, variables):
        yield paragraph, 13, TEXT
    classes = (figure.drawing.attributes.get("class") or "").split()
    if "bc-map" in classes and "bc-small-map" not in classes:
        yield _words(figure.description), 13, TEXT
    yield [Word("", 0, 0)], 4, SMALL
    yield _words(figure.source), 11, SMALL


def _words(text: str) -> list[Word]:
    """The words of a text, each with the space after it."""
    return [Word(escape(word, quote=False), len(word) + 1, len(word) + 1) for word in text.split()]


def _caption(around: LexborNode, sheet: Sheet, variables: Variables) -> Iterator[list[Word]]:
    """The paragraphs of a caption, without its links, which are for the page."""
    paragraph: list[Word] = []
    for node in around.iter(include_text=True):
        if KEY.search(classes := node.attributes.get("class") or "" if node.is_element_node else ""):
            paragraph.append(Word(_sign(classes, sheet, variables), 2, 12))
        elif node.tag in ("ul", "p"):
            yield paragraph
            paragraph = []
            yield [word for inner in _caption(node, sheet, variables) for word in inner]
        elif node.tag in ("li", "span"):
            paragraph += [word for inner in _caption(node, sheet, variables) for word in inner]
        elif node.tag != "a":
            paragraph += _words(node.text())
    yield paragraph


def _lines(words: Iterable[Word], room: float) -> Iterator[str]:
    """Words put into lines of at most so many letters as there is room for."""
    line: list[str] = []
    used = 0
    for word in words:
        if line and used + word.needs > room:
            yield " ".join(line)
            line, used = [], 0
        line.append(word.markup)
        used += word.letters
    if line:
        yield " ".join(line)


def _sign(classes: str, sheet: Sheet, variables: Variables) -> str:
    """The sign of a colour, as a character that fits any font: a square, or a triangle for what is too thin to see."""
    key = ElementWrapper.from_html_root(Element("i", {"class": classes}))
    own = {name: resolve(value, variables) for name, value in declared(key, sheet).items()}
    ink = own.get("--bc-ink", variables[TEXT])
    if "bc-key-thin" in classes.split():
        return f'<tspan fill="{ink}">▼</tspan>'
    fill = variables[GROUND] if "bc-taken" in classes.split() else ink
    return f'<tspan fill="{fill}" stroke="{ink}">■</tspan>'


def _text(inside: str, y: float, size: float, colour: str, weight: str = "") -> str:
    return f'<text x="{MARGIN}" y="{y:g}" font-size="{size:g}"{weight} fill="{colour}">{inside}</text>' * bool(inside)
