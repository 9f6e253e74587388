"""An element looks different when it is focused, selected, current or pressed.

The style sheets are read without a browser. A rule for a state is wrong if it draws nothing, or only what is also drawn
without the state.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.docs.building import ROOT
from tests.docs.test_colours import STYLES

RULE = re.compile(r"^ *([^{}\n@]+) {([^{}]*)}", re.MULTILINE)
"""A rule of a style sheet. Its groups are the selectors and the declarations."""

STATE = re.compile(r':focus-visible|\[aria-(?:selected|current|pressed)(?:="?\w+"?)?\]')
"""The part of a selector that matches a state."""

VISIBLE_PROPERTY = re.compile(r"outline|border|background|color|font-weight|box-shadow|stroke|fill|text-decoration")
"""The start of a property that makes a state visible, unlike a width or an offset alone."""

INVISIBLE_VALUE = re.compile(r"(?:none|transparent|0(?:px|rem|em)?(?: .*)?)$")
"""A value that makes a property invisible."""


class StyleRule(NamedTuple):
    """A single selector, without a comma outside parentheses, and its declarations as values by property."""

    selector: str
    declarations: dict[str, str]

    @property
    def subject(self) -> tuple[frozenset[str], str]:
        """The classes in the selector and its last element, without states. Rules for the same elements share both."""
        plain_selector = without_states(self.selector)
        return frozenset(re.findall(r"\.[\w-]+", plain_selector)), split_selector(plain_selector, " >+~")[-1]


def split_selector(text: str, separators: str) -> list[str]:
    """The pieces of a selector between separators. Separators within parentheses do not count."""
    pieces, depth = [""], 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character in separators and not depth:
            pieces.append("")
        else:
            pieces[-1] += character
    return pieces


def without_states(selector: str) -> str:
    """A selector without its states. A state on its own becomes the selector for any element."""
    return re.sub(r"(?<![^ ])$", "*", STATE.sub("", selector))


def rules(styles: str) -> list[StyleRule]:
    """The rules of a style sheet, one for each of their selectors."""
    single_rules = []
    for selectors, body in RULE.findall(re.sub(r"/\*.*?\*/", "", styles, flags=re.DOTALL)):
        pairs = (declaration.partition(":") for declaration in body.split(";") if ":" in declaration)
        declarations = {name.strip(): value.strip() for name, _, value in pairs}
        single_rules += [StyleRule(selector.strip(), declarations) for selector in split_selector(selectors, ",")]
    return single_rules


def visible_properties(rule: StyleRule) -> list[str]:
    """The properties of a rule that can make a state visible."""
    return [name for name in rule.declarations if VISIBLE_PROPERTY.match(name) and not name.endswith("offset")]


def differences(rule: StyleRule, stateless_rules: list[StyleRule]) -> list[str]:
    """The properties that a rule for a state visibly changes, compared with stateless rules for the same elements."""
    plain_declarations = [candidate.declarations for candidate in stateless_rules if candidate.subject == rule.subject]
    return [
        name
        for name in visible_properties(rule)
        if not INVISIBLE_VALUE.match(rule.declarations[name])
        and all(rule.declarations[name] != declarations.get(name) for declarations in plain_declarations)
    ]


def invisible_states(styles: str) -> Iterator[str]:
    """The selectors with a state that makes no visible difference.

    A rule may remove the outline of an element if another rule draws a stroke around something in the element.
    """
    all_rules = rules(styles)
    stateless_rules = [rule for rule in all_rules if not STATE.search(rule.selector)]
    for rule in all_rules:
        state = STATE.search(rule.selector)
        if not state or not visible_properties(rule):
            continue
        start = rule.selector[: state.end()]
        if not any(
            differences(candidate, stateless_rules) for candidate in all_rules if candidate.selector.startswith(start)
        ):
            yield rule.selector


def test_every_state_is_visible() -> None:
    assert [] == [*invisible_states(STYLES)]


def test_every_state_that_scripts_set_has_a_rule() -> None:
    """Scripts set states for screen readers, and all other readers must see them."""
    scripts = [path.read_text(encoding="utf-8") for path in (ROOT / "docs/assets").rglob("*.js")]
    states = {name for code in scripts for name in re.findall(r"aria-(?:selected|current|pressed)", code)}
    assert states
    assert {*states, ":focus-visible"} <= {
        match[0].strip("[]").partition("=")[0] for rule in rules(STYLES) for match in STATE.finditer(rule.selector)
    }


RULES_FOR_STATES = [rule for rule in rules(STYLES) if STATE.search(rule.selector) and visible_properties(rule)]
"""Our rules that can make a state visible."""


@pytest.mark.parametrize("rule", RULES_FOR_STATES, ids=str)
def test_an_invisible_state_is_noticed(rule: StyleRule) -> None:
    body = ";".join(f"{name}: {value}" for name, value in rule.declarations.items())
    if differences(rule, []):
        assert not [*invisible_states(f"{rule.selector} {{ {body} }}")]
        assert [*invisible_states(f"{rule.selector} {{ {body} }}\n{without_states(rule.selector)} {{ {body} }}")]
    assert [
        *invisible_states(f"{rule.selector} {{ {'; '.join(f'{name}: none' for name in visible_properties(rule))} }}")
    ]
    assert [*invisible_states(f"{rule.selector} {{ outline: 0 solid red }}")]
