"""A figure as a file of its own: its title, the drawing, the caption, and the line that says where it is from.

The file needs nothing else: no style sheet, no font, no page. Its text is set
in whatever sans serif there is, with room for a wide one.
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
"""Of the whole file, in pixels."""

INNER = WIDTH - 2 * MARGIN

TEMPLATE = Path(__file__).with_name("figure.svg").read_text(encoding="utf-8")

HEIGHTS = {"bc-small-map": 240, "bc-map": 380}
"""Of drawings in per cent of any size, by their class."""

HEAD = 34
"""From the top of the title to that of the drawing."""

LINE = 1.55
"""From one line of the caption to the next, as a multiple of the font's size."""

LETTER = 0.57
"""The mean width of a letter in a wide font, as a part of the font's size."""

TEXT, SMALL = "--md-default-fg-color", "--md-default-fg-color--light"
COLOURS = (GROUND, TEXT, SMALL)

KEY = re.compile(r"\bbc-(key|key-thin)\b")

LEFT_OUT = ("focusable", "aria-labelledby", "role", "class", "href")
"""Attributes that mean something on a page alone, as those do that begin with `data-`."""


class Figure(NamedTuple):
    """A figure of a page: its id there, two of its elements, and as text where it is from."""

    page: Page
    id: str
    drawing: LexborNode
    caption: LexborNode
    source: str

    @property
    def title(self) -> str:
        """What it is called."""
        return words(self.drawing.css_first("title"))

    @property
    def description(self) -> str:
        """What it shows."""
        return words(self.drawing.css_first("desc"))

    @property
    def stem(self) -> str:
        """The address of its files from the top, without scheme and ending."""
        name = self.id.removeprefix("figure-").removesuffix("-figure")
        return f"{FIGURES}/{self.page.name.removesuffix('.html')}/{name}"


class Word(NamedTuple):
    """A word of a caption, or the sign of a colour that it explains: as SVG, and in letters how wide it is.

    A sign needs room for some letters more, so that it stays with the word after it.
    """

    markup: str
    letters: int
    needs: int


def svg_file(figure: Figure, sheet: Sheet, scheme: str) -> str:
    """The file, in one of the schemes, "light" or "dark"."""
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


def _drawing(written: str, sheet: Sheet, variables: Variables) -> Element:
    """The drawing with its styles as attributes and a size in pixels, and nothing of the page in it."""
    page = f'<div class="md-typeset"><figure class="bc-figure">{written}</figure></div>'
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
        drawing.set("height", f"{next((HEIGHTS[each] for each in HEIGHTS if each in classes), drawing.get('height'))}")
    _clean(drawing)
    drawing.set("overflow", "visible")
    return drawing


def _clean(drawing: Element) -> None:
    """Links become groups; attributes of the page go, and marks may stick out as they do there."""
    for each in drawing.iter():
        if each.tag == "a":
            each.tag = "g"
        if each.get("class") in ("bc-caret", "bc-mark"):
            each.set("overflow", "visible")
        for name in [name for name in each.attrib if name in LEFT_OUT or name.startswith("data-")]:
            del each.attrib[name]
        for child in [child for child in each if child.tag == "desc" or (each is drawing and child.tag == "title")]:
            each.remove(child)


def _paragraphs(figure: Figure, sheet: Sheet, variables: Variables) -> Iterator[tuple[list[Word], float, str]]:
    """The caption, what a picture of areas says in words, a gap and the source, each with its size and colour."""
    for paragraph in _caption(figure.caption, sheet, variables):
        yield paragraph, 13, TEXT
    classes = (figure.drawing.attributes.get("class") or "").split()
    if "bc-map" in classes and "bc-small-map" not in classes:
        yield _words(figure.description), 13, TEXT
    yield [Word("", 0, 0)], 4, SMALL
    yield _words(figure.source), 11, SMALL


def _words(text: str) -> list[Word]:
    return [Word(escape(each, quote=False), len(each) + 1, len(each) + 1) for each in text.split()]


def _caption(around: LexborNode, sheet: Sheet, variables: Variables) -> Iterator[list[Word]]:
    """A caption in paragraphs; links are for the page."""
    found: list[Word] = []
    for node in around.iter(include_text=True):
        if KEY.search(classes := node.attributes.get("class") or "" if node.is_element_node else ""):
            found.append(Word(_sign(classes, sheet, variables), 2, 12))
        elif node.tag in ("ul", "p"):
            yield found
            found = []
            yield [word for each in _caption(node, sheet, variables) for word in each]
        elif node.tag in ("li", "span"):
            found += [word for each in _caption(node, sheet, variables) for word in each]
        elif node.tag != "a":
            found += _words(node.text())
    yield found


def _lines(words: Iterable[Word], room: float) -> Iterator[str]:
    """Words in lines for which there is room."""
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
    """A square, or the mark of what is too thin to see: signs that go along with the words, whatever their font."""
    key = ElementWrapper.from_html_root(Element("i", {"class": classes}))
    own = {name: resolve(value, variables) for name, value in declared(key, sheet).items()}
    ink = own.get("--bc-ink", variables[TEXT])
    if "bc-key-thin" in classes.split():
        return f'<tspan fill="{ink}">▼</tspan>'
    fill = variables[GROUND] if "bc-taken" in classes.split() else ink
    return f'<tspan fill="{fill}" stroke="{ink}">■</tspan>'


def _text(inside: str, y: float, size: float, colour: str, weight: str = "") -> str:
    return f'<text x="{MARGIN}" y="{y:g}" font-size="{size:g}"{weight} fill="{colour}">{inside}</text>' * bool(inside)
