"""Resolves the colours and strokes of a figure from the site's style sheet into attributes, for a file of its own.

Many programs that show an SVG understand neither the classes of a page nor custom
properties, but all of them understand attributes. So this module applies the rules
that determine how something is drawn. It supports only the part of CSS that our
figures use; a test compares its result with what a browser draws. A file is never
hovered or focused, so selectors that ask for such a state match nothing.
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
"""The two colour schemes by our names, and the theme's names for them."""

GROUND = "--md-default-bg-color"
"""The colour behind everything."""

THEME_COLOURS = {GROUND: "#ffffff"}
"""Colours of the light scheme that only the theme's style sheet sets, which is not read here."""

DRAWING_PROPERTIES = (
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
"""The properties that determine how something is drawn. SVG has an attribute of the same name for each."""

VARIABLES = ("--bc-ink",)
"""Custom properties that elements of figures set for the elements within them."""

REFERENCE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,\s*([^()]+))?\)")

"""The use of a variable, with a value to fall back on."""

Variables = Mapping[str, str]
"""The values of custom properties, by name."""


class FigureStyles(NamedTuple):
    """The part of a style sheet that concerns figures.

    Attributes:
        rules: what each selector declares.
        variables: the custom properties of each scheme, by our name for it.
    """

    rules: Matcher
    variables: dict[str, dict[str, str]]


def read_sheet(css: str) -> FigureStyles:
    """Read the rules that set drawing properties or variables, except those for certain window sizes or for paper."""
    rules = Matcher()
    variables: dict[str, dict[str, str]] = {name: {} for name in SCHEMES.values()}
    for prelude, declarations in _rules(css):
        for scheme in SCHEMES.values():
            if f'[data-md-color-scheme="{scheme}"]' in tinycss2.serialize(prelude):
                variables[scheme] |= declarations
        relevant = {name: value for name, value in declarations.items() if name in DRAWING_PROPERTIES + VARIABLES}
        for selector in _selectors(prelude) if relevant else ():
            rules.add_selector(selector, relevant)
    light = THEME_COLOURS | variables[SCHEMES["light"]]
    return FigureStyles(rules, {"light": light, "dark": light | variables[SCHEMES["dark"]]})


def _rules(css: str) -> Iterator[tuple[list[Node], dict[str, str]]]:
    """The selectors and the declarations of every rule that applies to screens of any size."""
    for rule in tinycss2.parse_stylesheet(css):
        if rule.type == "at-rule" and rule.lower_at_keyword == "media":
            if tinycss2.serialize(rule.prelude).strip() == "screen":
                yield from _rules(tinycss2.serialize(rule.content))
        elif rule.type == "qualified-rule":
            contents = tinycss2.parse_blocks_contents(rule.content)
            declarations = [node for node in contents if node.type == "declaration"]
            yield rule.prelude, {node.name: tinycss2.serialize(node.value).strip() for node in declarations}


def _selectors(prelude: list[Node]) -> Iterator[object]:
    """The selectors of a rule, except those for pseudo-elements and those that `cssselect2` does not support."""
    with suppress(SelectorError):
        yield from (selector for selector in compile_selector_list(prelude) if selector.pseudo_element is None)


def resolve(value: str, variables: Variables) -> str:
    """A value with its variables replaced; a variable that is not set becomes its fallback, or nothing."""
    # The value of a variable may refer to other variables.
    while REFERENCE.search(value):
        value = REFERENCE.sub(lambda match: variables.get(match[1], (match[2] or "").strip()), value)
    return value


def declarations_for(element: ElementWrapper, sheet: FigureStyles) -> dict[str, str]:
    """The declarations of the style sheet for an element, in which variables are not yet resolved."""
    return {name: value for *_, rule in sheet.rules.match(element) for name, value in rule.items()}


def set_attributes(element: ElementWrapper, sheet: FigureStyles, variables: Variables) -> None:
    """Set the attributes of an element, and of all elements in it, to the values that the style sheet declares."""
    declarations = declarations_for(element, sheet)
    resolved_variables = {name: resolve(declarations[name], variables) for name in VARIABLES if name in declarations}
    variables = {**variables, **resolved_variables}
    for name in DRAWING_PROPERTIES:
        if name in declarations and (value := resolve(declarations[name], variables)):
            # SVG has no "transparent" as a paint, and its attributes take pixels without a unit.
            element.etree_element.set(name, "none" if value == "transparent" else value.removesuffix("px"))
    for child in element.iter_children():
        set_attributes(child, sheet, variables)
