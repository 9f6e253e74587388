"""The elements of a page that we have built ourselves, read quickly: all tags are closed, and no value holds a `>`.

A parser for any HTML takes longer for a whole site than building its pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape
from typing import NamedTuple

from .errors import PublishError

TOKEN = re.compile(r"<(?P<end>/?)(?P<name>[a-zA-Z][\w-]*)(?P<attributes>[^>]*)>|(?P<text>[^<]+)")

VOID = ("br", "hr", "img", "input", "link", "meta", "wbr")
"""Elements without an end."""

CLASS = re.compile(r'\sclass="([^"]*)"')
HREF = re.compile(r'\shref="([^"]*)"')
DRAWING = re.compile(r"<(/?)svg\b[^>]*>")
SAID = re.compile(r'<(?:title|desc) id="[^"]*">([^<]*)</(?:title|desc)>')


class Element(NamedTuple):
    """An element, and what it holds; of drawings nothing is kept but what they say.

    Attributes:
        name: of the element.
        attributes: as they are written.
        children: elements and text, in order; references in the text are as they are written.
        said: title and description of the drawings in it, as text.
    """

    name: str
    attributes: str
    children: list[Element | str]
    said: list[str]

    @property
    def classes(self) -> list[str]:
        """Its classes."""
        found = CLASS.search(self.attributes)
        return found[1].split() if found else []

    @property
    def href(self) -> str:
        """Where it leads; empty if nowhere."""
        found = HREF.search(self.attributes)
        return unescape(found[1]) if found else ""


Node = Element | str


def elements(html: str) -> list[Node]:
    """What a piece of a page holds.

    Raises:
        PublishError: an element is not closed, or another one is.
    """
    root = Element("", "", [], [])
    open_elements, place = [root], 0
    while found := TOKEN.match(html, place):
        place = found.end()
        around = open_elements[-1]
        if text := found["text"]:
            around.children.append(text)
        elif found["name"] == "svg":
            place = _end_of_drawing(html, place)
            around.said.extend(map(unescape, SAID.findall(html, found.end(), place)))
        elif found["end"]:
            if around.name != found["name"]:
                raise PublishError(f"</{found['name']}> ends <{around.name}>; close each element, the last one first")
            open_elements.pop()
        else:
            element = Element(found["name"], found["attributes"], [], [])
            around.children.append(element)
            if element.name not in VOID and not element.attributes.endswith("/"):
                open_elements.append(element)
    if place != len(html) or len(open_elements) > 1:
        raise PublishError(f"<{open_elements[-1].name}> is not closed, or what follows is no HTML: {html[place:][:60]}")
    return root.children


def _end_of_drawing(html: str, place: int) -> int:
    """Where a drawing ends that has begun before a place; drawings may hold others."""
    depth = 1
    for each in DRAWING.finditer(html, place):
        depth += -1 if each[1] else 0 if each[0].endswith("/>") else 1
        if not depth:
            return each.end()
    raise PublishError("a drawing is not closed; write </svg>")


def end_of(name: str, html: str, start: int) -> int:
    """Where the element of this name ends that begins at a place.

    Raises:
        ValueError: it does not end.
    """
    depth = 0
    for tag in re.compile(rf"<(/?){name}\b[^>]*>").finditer(html, start):
        depth += -1 if tag[1] else 1
        if not depth:
            return tag.end()
    raise ValueError(name)


def text_of(nodes: Iterable[Node]) -> str:
    """The text in some elements, as a reader sees it, all its white space kept."""
    return "".join(unescape(each) if isinstance(each, str) else text_of(each.children) for each in nodes)
