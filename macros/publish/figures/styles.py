"""The colours and strokes of a figure, worked out from the site's style sheet, so that they can stand in a file.

Many programs that show an SVG know neither classes of a page nor custom
properties, but all know attributes. So every rule of the style sheet that
says how something is drawn is followed here, as far as our figures need it: a
test compares the outcome with what a browser makes of the same figures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

import tinycss2
from tinycss2.ast import Node

from .selectors import Placed, Step, cut, matches, specificity, steps, text

SCHEMES = {"light": "default", "dark": "slate"}
"""The two schemes, and what the theme calls them."""

GROUND = "--md-default-bg-color"

OF_THEME = {GROUND: "#ffffff"}
"""Colours of the light scheme that the theme sets and the site does not."""

DRAWN = (
    "dominant-baseline",
    "fill",
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

NONE = {"transparent": "none"}
"""What is called otherwise where there is no CSS."""

VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,\s*([^()]+))?\)")

Variables = Mapping[str, str]


class Rule(NamedTuple):
    """A selector of the style sheet with what it declares, and how much it counts: more specific, then later."""

    selector: tuple[Step, ...]
    declared: dict[str, str]
    weight: tuple[tuple[int, int, int], int]


class Sheet(NamedTuple):
    """What a style sheet says of figures: rules, the variables of each scheme, and what it was found to declare."""

    rules: list[Rule]
    variables: dict[str, dict[str, str]]
    known: dict[tuple[object, ...], dict[str, str]]


def read_sheet(css: str) -> Sheet:
    """The rules that draw something or set variables; those for certain windows or for paper are left out."""
    rules: list[Rule] = []
    variables: dict[str, dict[str, str]] = {name: {} for name in SCHEMES.values()}
    for selectors, declared in _declarations(css):
        for scheme in SCHEMES.values():
            if f'[data-md-color-scheme="{scheme}"]' in map(text, selectors):
                variables[scheme] |= declared
        kept = {name: value for name, value in declared.items() if name in DRAWN or name in ("--bc-ink", "--bc-fill")}
        for selector in selectors if kept else ():
            rules.append(Rule(steps(selector), kept, (specificity(selector), len(rules))))
    light = OF_THEME | variables[SCHEMES["light"]]
    return Sheet(rules, {"light": light, "dark": light | variables[SCHEMES["dark"]]}, {})


def _declarations(css: str) -> Iterator[tuple[list[list[Node]], dict[str, str]]]:
    """Every rule for screens of any size: its selectors, and what it declares."""
    for rule in tinycss2.parse_stylesheet(css):
        if rule.type == "at-rule" and rule.lower_at_keyword == "media" and text(rule.prelude) == "screen":
            yield from _declarations(tinycss2.serialize(rule.content))
        elif rule.type == "qualified-rule":
            found = tinycss2.parse_blocks_contents(rule.content)
            declared = {each.name: text(each.value) for each in found if each.type == "declaration"}
            yield cut(rule.prelude), declared


def resolve(value: str, variables: Variables) -> str:
    """A value with its variables put in; one that is not set is what stands in for it, or nothing."""
    while VARIABLE.search(value):
        value = VARIABLE.sub(partial(_value_of, variables), value)
    return value


def _value_of(variables: Variables, found: re.Match[str]) -> str:
    return variables.get(found[1], (found[2] or "").strip())


def declared(placed: Placed, sheet: Sheet) -> dict[str, str]:
    """What the style sheet declares for an element, its variables not yet put in."""
    likeness = placed.likeness
    found = sheet.known.get(likeness)
    if found is None:
        matching = sorted(
            (rule for rule in sheet.rules if matches(placed, rule.selector)), key=lambda each: each.weight
        )
        found = {name: value for rule in matching for name, value in rule.declared.items()}
        sheet.known[likeness] = found
    return found


def set_attributes(placed: Placed, sheet: Sheet, variables: Variables) -> None:
    """Write what the style sheet says of an element and of all in it as their attributes."""
    found = declared(placed, sheet)
    own = {name: resolve(value, variables) for name, value in found.items() if name.startswith("--")}
    here = {**variables, **own}
    for name in DRAWN:
        if name in found and (value := resolve(found[name], here)):
            placed.element.set(name, NONE.get(value, value.removesuffix("px")))
    for each in placed.inner:
        set_attributes(each, sheet, here)
