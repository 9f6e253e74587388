"""The colours and strokes of a figure, resolved from the site's style sheet, so that they can stand in a file.

Many programs that show an SVG know neither the classes of a page nor custom
properties, but all know attributes. So the rules that say how something is
drawn are applied here; a test compares the result with what a browser makes
of the same figures. A file is never hovered or focused, so selectors that ask
for such a state match nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

import tinycss2
from cssselect2 import ElementWrapper, Matcher, SelectorError, compile_selector_list
from tinycss2.ast import Node

SCHEMES = {"light": "default", "dark": "slate"}
"""The two schemes, and what the theme calls them."""

GROUND = "--md-default-bg-color"

OF_THEME = {GROUND: "#ffffff"}
"""Colours of the light scheme that the theme sets and the site does not."""

DRAWN = (
    "dominant-baseline",
    "fill",
    "fill-opacity",
    "font-size",
    "font-weight",
    "paint-order",
    "stroke",
    "stroke-linejoin",
    "stroke-width",
    "text-anchor",
    "vector-effect",
    "writing-mode",
)
"""The properties that say how something is drawn; SVG has an attribute of the same name for each."""

VARIABLES = ("--bc-ink",)
"""The custom properties that elements of figures set."""

VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,\s*([^()]+))?\)")

Variables = Mapping[str, str]


class Sheet(NamedTuple):
    """What a style sheet says of figures: its rules, by selector, and the variables of each scheme."""

    rules: Matcher
    variables: dict[str, dict[str, str]]


def read_sheet(css: str) -> Sheet:
    """The rules that draw something or set variables; those for certain windows or for paper are left out."""
    rules = Matcher()
    variables: dict[str, dict[str, str]] = {name: {} for name in SCHEMES.values()}
    for prelude, declarations in _rules(css):
        for scheme in SCHEMES.values():
            if f'[data-md-color-scheme="{scheme}"]' in tinycss2.serialize(prelude):
                variables[scheme] |= declarations
        kept = {name: value for name, value in declarations.items() if name in DRAWN + VARIABLES}
        for selector in _selectors(prelude) if kept else ():
            rules.add_selector(selector, kept)
    light = OF_THEME | variables[SCHEMES["light"]]
    return Sheet(rules, {"light": light, "dark": light | variables[SCHEMES["dark"]]})


def _rules(css: str) -> Iterator[tuple[list[Node], dict[str, str]]]:
    """Every rule for screens of any size: its selectors, and what it declares."""
    for rule in tinycss2.parse_stylesheet(css):
        if rule.type == "at-rule" and rule.lower_at_keyword == "media":
            if tinycss2.serialize(rule.prelude).strip() == "screen":
                yield from _rules(tinycss2.serialize(rule.content))
        elif rule.type == "qualified-rule":
            contents = tinycss2.parse_blocks_contents(rule.content)
            declarations = [each for each in contents if each.type == "declaration"]
            yield rule.prelude, {each.name: tinycss2.serialize(each.value).strip() for each in declarations}


def _selectors(prelude: list[Node]) -> Iterator[object]:
    """The selectors of a rule that select elements; what only browsers know, such as a view transition, is skipped."""
    with suppress(SelectorError):
        yield from (each for each in compile_selector_list(prelude) if each.pseudo_element is None)


def resolve(value: str, variables: Variables) -> str:
    """A value with its variables put in; one that is not set gives its fallback, or nothing."""
    while VARIABLE.search(value):
        value = VARIABLE.sub(lambda found: variables.get(found[1], (found[2] or "").strip()), value)
    return value


def declared(element: ElementWrapper, sheet: Sheet) -> dict[str, str]:
    """What the style sheet declares for an element, with its variables not yet put in."""
    return {name: value for *_, rule in sheet.rules.match(element) for name, value in rule.items()}


def set_attributes(element: ElementWrapper, sheet: Sheet, variables: Variables) -> None:
    """Write what the style sheet says of an element and of all in it as their attributes."""
    found = declared(element, sheet)
    here = {**variables, **{name: resolve(found[name], variables) for name in VARIABLES if name in found}}
    for name in DRAWN:
        if name in found and (value := resolve(found[name], here)):
            element.etree_element.set(name, "none" if value == "transparent" else value.removesuffix("px"))
    for child in element.iter_children():
        set_attributes(child, sheet, here)
