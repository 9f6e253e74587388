"""Makes one style sheet for all pages: the rules of the theme that they use, and ours after them.

The theme ships styles for everything that it can show, and a browser waits for them
before it paints. So a selector is left out if it needs a class or an id that stands
on no page and in no script. Scripts make elements that no page has yet, therefore
every word of a script counts as a class that may be used: too much is kept, and
never too little.

Our own styles are written in one file per component, in `docs/assets/styles`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

import tinycss2
from tinycss2.ast import Node

from .page import PublishError

STYLE_SHEET = "assets/bert-counted.css"
"""The address that `docs/.overrides/main.html` links to."""

STYLES = "assets/styles"
"""The folder of our style sheets. Their names begin with a number, because a later rule wins: first the colours that
all others name, then what any page may have, what one page has, and last forced colours, paper and phones."""

THEME = "assets/stylesheets"
"""The folder of a theme's style sheets. Zensical has two folders within it; "classic" looks like Material."""

SWITCHING = "data-md-color-switching"
"""An attribute that the theme gives `body` while it sets the colours, so that none of them fades. It makes a browser
restyle every element twice, also on arrival, which on long pages took longer than all the rest; so its rules go."""

SENTINEL = ".bc-end"
"""A rule that is appended to a style sheet, to see whether something in it is still open."""

UNREADABLE = re.compile("(?:EOF|Stop token) reached before .*")
NEITHER = "this is neither a rule, which has braces, nor a declaration, which has a colon"
"""The parser reports the end of what it took for a rule; this is what the report means for the place where it began."""

WORD = re.compile(r"[A-Za-z_][\w-]*")


def our_style_sheets(site: Path) -> dict[str, str]:
    """Our style sheets by address from the top of a built site, in the order in which they apply.

    Raises:
        PublishError: there is none.
    """
    sheets = {path.relative_to(site).as_posix(): path for path in sorted((site / STYLES).glob("*.css"))}
    if not sheets:
        raise PublishError(f"the folder lacks the style sheets in {STYLES}; build the site anew")
    return {address: path.read_text(encoding="utf-8") for address, path in sheets.items()}


def whole_style_sheet(site: Path) -> str:
    """The theme's style sheets and ours after them.

    Raises:
        PublishError: one of them is missing.
    """
    theme = next((found for look in (".", "classic") if (found := sorted((site / THEME / look).glob("*.css")))), [])
    if not theme:
        raise PublishError(f"the folder lacks the style sheets in {THEME}; build the site anew")
    return "".join([*(path.read_text(encoding="utf-8") for path in theme), *our_style_sheets(site).values()])


def check_style_sheet(name: str, css: str) -> None:
    """Check one of our style sheets: after a fault, a browser leaves out rules without a word.

    Raises:
        PublishError: it cannot be read as CSS; names file and line.
    """
    rules = tinycss2.parse_stylesheet(css)
    faults = [(error.source_line, UNREADABLE.sub(NEITHER, error.message)) for error in _errors(rules)]
    # A block that is still open at the end of a file is closed there without an error, but it would take in a rule that
    # follows.
    after = tinycss2.parse_stylesheet(f"{css}\n{SENTINEL}{{}}")
    if not faults and tinycss2.serialize(after[-1:]) != f"{SENTINEL}{{}}":
        faults = [(after[-1].source_line, "what begins here is not closed")]
    if faults:
        line, message = min(faults)
        raise PublishError(f"docs/{name}, line {line}: {message}")


def _errors(nodes: Iterable[Node]) -> Iterator[Node]:
    """Everything that cannot be read, in rules and in all that they hold."""
    for node in nodes:
        if node.type == "error":
            yield node
        elif node.type in ("qualified-rule", "at-rule"):
            yield from _errors(node.prelude)
            yield from _errors(tinycss2.parse_blocks_contents(node.content or []))
        elif node.type == "declaration":
            yield from _errors(node.value)
        elif node.type == "function":
            yield from _errors(node.arguments)
        elif node.type.endswith("block"):
            yield from _errors(node.content)


def used_styles(css: str, texts: Iterable[str]) -> str:
    """The part of a style sheet whose classes and ids all occur in some texts: pages and scripts."""
    words = {word for text in texts for word in WORD.findall(text)}
    return _kept(tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True), words)


def _kept(rules: Iterable[Node], words: set[str]) -> str:
    """Those rules, and those of their selectors, whose classes and ids are all among the words."""
    out = []
    for rule in rules:
        if rule.type == "qualified-rule":
            # Commas separate selectors; those within `:is(...)` belong to one.
            groups = (list(nodes) for comma, nodes in groupby(rule.prelude, lambda node: node == ",") if not comma)
            used = (tinycss2.serialize(selector).strip() for selector in groups if words.issuperset(_named(selector)))
            if head := ",".join(selector for selector in used if SWITCHING not in selector):
                out.append(f"{head}{{{tinycss2.serialize(rule.content).strip()}}}")
        elif (
            rule.type == "at-rule"
            and rule.lower_at_keyword in ("media", "supports", "layer")
            and rule.content is not None
        ):
            inner = _kept(tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True), words)
            if inner:
                out.append(f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{inner}}}")
        else:
            out.append(rule.serialize())
    return "".join(out)


def _named(selector: list[Node]) -> list[str]:
    """The classes and ids that a selector needs in order to match; those within `:is(...)` are only alternatives."""
    pairs = zip([None, *selector], selector, strict=False)
    return [node.value for dot, node in pairs if node.type == "hash" or (node.type == "ident" and dot == ".")]


def replaced(site: Path) -> list[Path]:
    """The files that the one style sheet replaces."""
    return sorted([*(site / STYLES).glob("*.css"), *(site / THEME).rglob("*.css")])
