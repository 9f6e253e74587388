"""An element that is focused, selected, current or pressed looks different from others of its kind.

The style sheets are read without a browser. A rule is wrong if it draws nothing, or only what is drawn without the
state as well.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.docs.building import ROOT

STYLES = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs/assets/styles").glob("*.css")))

RULE = re.compile(r"^ *([^{}\n@]+) {([^{}]*)}", re.MULTILINE)

STATE = re.compile(r':focus-visible|\[aria-(?:selected|current|pressed)(?:="?\w+"?)?\]')

VISIBLE_PROPERTY = re.compile(r"outline|border|background|color|font-weight|box-shadow|stroke|fill|text-decoration")
"""The start of a property that makes a state visible; a width or an offset alone does not."""

NOTHING = re.compile(r"(?:none|transparent|0(?:px|rem|em)?(?: .*)?)$")
"""A value that makes a property invisible."""


class StyleRule(NamedTuple):
    """A selector without commas outside of parentheses, and its declarations."""

    selector: str
    declared: dict[str, str]

    @property
    def place(self) -> tuple[frozenset[str], str]:
        """The classes in the selector, and its last element, both without states."""
        plain_selector = stateless(self.selector)
        return frozenset(re.findall(r"\.[\w-]+", plain_selector)), split_outside(plain_selector, " >+~")[-1]


def split_outside(text: str, separators: str) -> list[str]:
    """The pieces of a selector between some characters, those within parentheses left out."""
    pieces, depth = [""], 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character in separators and not depth:
            pieces.append("")
        else:
            pieces[-1] += character
    return pieces


def stateless(selector: str) -> str:
    """A selector without its states; a state alone becomes the selector of any element."""
    return re.sub(r"(?<![^ ])$", "*", STATE.sub("", selector))


def rules(styles: str) -> list[StyleRule]:
    """All rules of a style sheet, one for each of their selectors."""
    every_rule = []
    for selectors, body in RULE.findall(re.sub(r"/\*.*?\*/", "", styles, flags=re.DOTALL)):
        pairs = (declaration.partition(":") for declaration in body.split(";") if ":" in declaration)
        declared = {name.strip(): value.strip() for name, _, value in pairs}
        every_rule += [StyleRule(selector.strip(), declared) for selector in split_outside(selectors, ",")]
    return every_rule


def differences(rule: StyleRule, plain: list[StyleRule]) -> list[str]:
    """The properties that a state changes visibly; invisible values do not count."""
    declarations = [other.declared for other in plain if other.place == rule.place]
    return [
        name
        for name, value in rule.declared.items()
        if VISIBLE_PROPERTY.match(name) and not name.endswith("offset") and not NOTHING.match(value)
        if value not in [declared.get(name) for declared in declarations]
    ]


def unseen(styles: str) -> Iterator[str]:
    """The selectors with a state that looks the same as without the state.

    The outline of an element may be replaced by the stroke of what is in it.
    """
    every_rule = rules(styles)
    plain = [rule for rule in every_rule if not STATE.search(rule.selector)]
    for rule in every_rule:
        state = STATE.search(rule.selector)
        if not state or not any(VISIBLE_PROPERTY.match(name) and not name.endswith("offset") for name in rule.declared):
            continue
        start = rule.selector[: state.end()]
        if not any(differences(other, plain) for other in every_rule if other.selector.startswith(start)):
            yield rule.selector


def test_every_state_is_seen() -> None:
    """Every rule for a state draws something that is not drawn without the state."""
    assert [] == [*unseen(STYLES)]


def test_every_state_that_scripts_set_has_a_rule() -> None:
    """Every state that scripts set is visible; readers who see the page do not hear it announced."""
    scripts = [path.read_text(encoding="utf-8") for path in (ROOT / "docs/assets").rglob("*.js")]
    states = {name for code in scripts for name in re.findall(r"aria-(?:selected|current|pressed)", code)}
    assert states
    assert {*states, ":focus-visible"} <= {
        match[0].strip("[]").partition("=")[0] for rule in rules(STYLES) for match in STATE.finditer(rule.selector)
    }


@pytest.mark.parametrize("rule", [rule for rule in rules(STYLES) if STATE.search(rule.selector)], ids=str)
def test_a_state_that_looks_like_the_rest_is_found(rule: StyleRule) -> None:
    """A rule for a state is found if it draws nothing, or the same as the rule without the state."""
    names = [name for name in rule.declared if VISIBLE_PROPERTY.match(name) and not name.endswith("offset")]
    if not names:
        return
    body = ";".join(f"{name}: {value}" for name, value in rule.declared.items())
    if differences(rule, []):
        assert not [*unseen(f"{rule.selector} {{ {body} }}")]
        assert [*unseen(f"{rule.selector} {{ {body} }}\n{stateless(rule.selector)} {{ {body} }}")]
    assert [*unseen(f"{rule.selector} {{ {'; '.join(f'{name}: none' for name in names)} }}")]
    assert [*unseen(f"{rule.selector} {{ outline: 0 solid red }}")]
