"""Resolves the styles of a figure into attributes, for a separate file.

Many programs that show an SVG understand neither the classes of a page nor custom
properties, but they understand attributes. So this module applies the rules
that affect drawing. It supports only the part of CSS that our figures use; a test
compares its result with what a browser draws. A file is never hovered or focused, so
selectors for such a state match nothing.
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
"""The theme's names for the two colour schemes, by our own names."""

BACKGROUND = "--md-default-bg-color"
"""The custom property of the background colour."""

THEME_COLOURS = {BACKGROUND: "#ffffff"}
"""Colours of the light scheme from the theme's style sheet, which is not read here."""

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
"""The properties that affect drawing. For each of them, SVG has an attribute of the same name."""

INHERITED_VARIABLES = ("--bc-ink",)
"""Custom properties that elements of a figure set for their descendants."""

REFERENCE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,\s*([^()]+))?\)")
"""Matches a reference to a variable, with an optional fallback."""

Variables = Mapping[str, str]
"""The values of custom properties, by name."""


class FigureStyles(NamedTuple):
    """The part of a style sheet that concerns figures.

    Attributes:
        rules: the declarations for each selector.
        variables: the custom properties of each scheme, by our name for it.
    """

    rules: Matcher
    variables: dict[str, dict[str, str]]


def read_sheet(css: str) -> FigureStyles:
    """The rules that set drawing properties or variables, except those in at-rules other than `@media screen`."""
    rules = Matcher()
    variables: dict[str, dict[str, str]] = {name: {} for name in SCHEMES.values()}
    for prelude, declarations in _rules(css):
        for scheme in SCHEMES.values():
            if f'[data-md-color-scheme="{scheme}"]' in tinycss2.serialize(prelude):
                variables[scheme] |= declarations
        relevant_declarations = {
            name: value for name, value in declarations.items() if name in DRAWING_PROPERTIES + INHERITED_VARIABLES
        }
        if relevant_declarations:
            for selector in _selectors(prelude):
                rules.add_selector(selector, relevant_declarations)
    light = THEME_COLOURS | variables[SCHEMES["light"]]
    return FigureStyles(rules, {"light": light, "dark": light | variables[SCHEMES["dark"]]})


def _rules(css: str) -> Iterator[tuple[list[Node], dict[str, str]]]:
    """Yield the selectors and the declarations of every rule outside at-rules or in `@media screen`."""
    for rule in tinycss2.parse_stylesheet(css):
        if rule.type == "at-rule" and rule.lower_at_keyword == "media":
            if tinycss2.serialize(rule.prelude).strip() == "screen":
                yield from _rules(tinycss2.serialize(rule.content))
        elif rule.type == "qualified-rule":
            contents = tinycss2.parse_blocks_contents(rule.content)
            declarations = [node for node in contents if node.type == "declaration"]
            yield rule.prelude, {node.name: tinycss2.serialize(node.value).strip() for node in declarations}


def _selectors(prelude: list[Node]) -> Iterator[object]:
    """Yield the selectors of a rule, except those for pseudo-elements; none if `cssselect2` lacks support for one."""
    with suppress(SelectorError):
        yield from (selector for selector in compile_selector_list(prelude) if selector.pseudo_element is None)


def resolve(value: str, variables: Variables) -> str:
    """A value with its variables replaced. A variable that is not set is replaced by its fallback, or by nothing."""
    # The value of a variable may refer to other variables.
    while REFERENCE.search(value):
        value = REFERENCE.sub(lambda match: variables.get(match[1], (match[2] or "").strip()), value)
    return value


def declarations_for(element: ElementWrapper, sheet: FigureStyles) -> dict[str, str]:
    """The declarations of the style sheet for an element, with unresolved variables."""
    return {name: value for *_, rule in sheet.rules.match(element) for name, value in rule.items()}


def set_attributes(element: ElementWrapper, sheet: FigureStyles, variables: Variables) -> None:
    """Set the attributes of an element and all of its descendants to the values that the style sheet declares."""
    declarations = declarations_for(element, sheet)
    resolved_variables = {
        name: resolve(declarations[name], variables) for name in INHERITED_VARIABLES if name in declarations
    }
    variables = {**variables, **resolved_variables}
    for name in DRAWING_PROPERTIES:
        if name in declarations and (value := resolve(declarations[name], variables)):
            # SVG has no paint "transparent", and its attributes give lengths in pixels without a unit.
            element.etree_element.set(name, "none" if value == "transparent" else value.removesuffix("px"))
    for child in element.iter_children():
        set_attributes(child, sheet, variables)
