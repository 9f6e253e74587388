"""Selectors of a style sheet: whether one selects an element, and how much it counts.

As much as figures need: elements, classes, what lies in, right in or after
what, `:is`, `:not` and `:has`. A state of a page, such as hovering, is none
of a file, so nothing is in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import NamedTuple
from xml.etree.ElementTree import Element

import tinycss2
from tinycss2.ast import Node


class Step(NamedTuple):
    """One compound of a selector, and how it is joined to the one before: by a space, `>`, `+` or `~`."""

    joint: str
    simple: tuple[Node, ...]


@dataclass(frozen=True)
class Placed:
    """An element with those around it, the nearest last, and its place among its siblings."""

    element: Element
    around: tuple[Placed, ...] = ()
    place: int = 0

    @property
    def before(self) -> Iterator[Placed]:
        """Its elder siblings, the nearest first."""
        for place in reversed(range(self.place)):
            yield Placed(self.around[-1].element[place], self.around, place)

    @property
    def inner(self) -> Iterator[Placed]:
        """Its children."""
        for place, each in enumerate(self.element):
            yield Placed(each, (*self.around, self), place)

    @cached_property
    def likeness(self) -> tuple[object, ...]:
        """What elements have in common that the same rules select."""
        around = self.around[-1].likeness if self.around else ()
        return *around, (self.element.tag, self.element.get("class"), *(inner.tag for inner in self.element))


def text(nodes: Iterable[Node]) -> str:
    """What some nodes say, without white space at the ends."""
    return str(tinycss2.serialize(nodes)).strip()


def cut(nodes: Iterable[Node]) -> list[list[Node]]:
    """A list of selectors, cut at its commas."""
    selectors: list[list[Node]] = [[]]
    for node in nodes:
        if node == ",":
            selectors.append([])
        else:
            selectors[-1].append(node)
    return selectors


def steps(selector: Iterable[Node]) -> tuple[Step, ...]:
    """A selector as its compounds; one that begins with a joint keeps it."""
    found: list[tuple[str, list[Node]]] = []
    joint = ""
    for node in selector:
        if node.type == "whitespace":
            joint = joint or " "
        elif node.type == "literal" and node.value in (">", "+", "~"):
            joint = node.value
        elif found and not joint:
            found[-1][1].append(node)
        else:
            found.append((joint, [node]))
            joint = ""
    return tuple(Step(joint, tuple(simple)) for joint, simple in found)


def specificity(selector: Iterable[Node]) -> tuple[int, int, int]:
    """How much a selector counts: ids, then classes and the like, then elements."""
    ids = classes = names = 0
    before = None
    for node in selector:
        if node.type == "hash":
            ids += 1
        elif node.type == "function":
            if node.lower_name in ("is", "not", "has"):
                inner = max(map(specificity, cut(node.arguments)))
                ids, classes, names = ids + inner[0], classes + inner[1], names + inner[2]
            else:
                classes += 1
        elif node.type == "[] block" or (node.type == "ident" and before in (".", ":")):
            classes += 1
        elif node.type == "ident":
            names += 1
        before = node
    return ids, classes, names


def _fits(placed: Placed, simple: tuple[Node, ...]) -> bool:
    """Whether an element is all that a compound asks for; a state of the page, such as hovering, never is."""
    before = None
    for node in simple:
        if node.type == "ident":
            if before == ".":
                fits = node.value in placed.element.get("class", "").split()
            else:
                fits = before != ":" and node.value == placed.element.tag
        elif node.type == "function":
            fits = _fits_function(placed, node)
        else:
            fits = node in (".", ":", "*")
        if not fits:
            return False
        before = node
    return True


def _fits_function(placed: Placed, node: Node) -> bool:
    selectors = [steps(each) for each in cut(node.arguments)]
    if node.lower_name in ("is", "not"):
        return any(matches(placed, each) for each in selectors) is (node.lower_name == "is")
    if node.lower_name == "has":
        within = list(_below(placed))
        return any(matches(each, chosen, placed) for chosen in selectors for each in within)
    return False


def _below(placed: Placed) -> Iterator[Placed]:
    for each in placed.inner:
        yield each
        yield from _below(each)


def matches(placed: Placed, steps: tuple[Step, ...], scope: Placed | None = None) -> bool:
    """Whether a selector selects an element; one within `:has()` starts from the element that has."""
    *earlier, (joint, simple) = steps
    if not _fits(placed, simple):
        return False
    if not earlier:
        return joint != ">" or (scope is not None and placed.around[-1].element is scope.element)
    candidates: Iterable[Placed]
    if joint == " ":
        candidates = placed.around
    elif joint == ">":
        candidates = placed.around[-1:]
    else:
        candidates = islice(placed.before, 1 if joint == "+" else None)
    return any(matches(each, tuple(earlier), scope) for each in candidates)
