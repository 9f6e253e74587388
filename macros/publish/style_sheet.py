"""Makes one style sheet for all pages: the rules of the theme that they use, and ours after them.

The theme ships styles for everything that it can show, and a browser waits for them
before it paints. So a selector is left out if it needs a class or an id that occurs
on no page and in no script. Because scripts add elements that no page has yet, every
word of a script counts as a class that may be used. This keeps a few unused rules, but
drops none that is needed.

Our own styles are written in one file per component, in `docs/assets/styles`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from pathlib import Path

import tinycss2
from tinycss2.ast import Node

from .page import PublishError

STYLE_SHEET = "assets/bert-counted.css"
"""The address that `docs/.overrides/main.html` links to."""

STYLES = "assets/styles"
"""The folder of our style sheets. Each name begins with a number, which fixes the order, because a later rule overrides
an earlier one: first the colours that all others name, then the styles for any page, then those for a single page, and
last those for forced colours, paper and phones."""

THEME = "assets/stylesheets"
"""The folder of a theme's style sheets. Zensical has two folders within it; "classic" looks like Material."""

SWITCHING = "data-md-color-switching"
"""An attribute that the theme sets on `body` while it changes the colours, so that none of them fades. The rules with
it are dropped, because they make a browser restyle every element twice, even when a page is opened; on long pages that
took longer than all other work."""

SENTINEL = ".bc-end"
"""The selector of a rule that is appended to a style sheet. If the rule is not read as it was written, a block, string
or comment before it is still open."""

UNREADABLE = re.compile("(?:EOF|Stop token) reached before .*")
"""The parser's message about a rule or a declaration that it cannot read to its end."""

NEITHER = "this is neither a rule, which has braces, nor a declaration, which has a colon"
"""The message that replaces one that matches `UNREADABLE`. There the parser names the end of what it took for a rule,
but a writer needs to know what is wrong at its beginning."""

WORD = re.compile(r"[A-Za-z_][\w-]*")
"""A word that may be a class or an id."""


def our_style_sheets(site: Path) -> dict[str, str]:
    """Our style sheets by address from the top of a built site, in the order in which they apply.

    Raises:
        PublishError: there is none.
    """
    sheets = {path.relative_to(site).as_posix(): path for path in sorted((site / STYLES).glob("*.css"))}
    if not sheets:
        raise PublishError(f"the folder lacks the style sheets in {STYLES}; build the site again")
    return {address: path.read_text(encoding="utf-8") for address, path in sheets.items()}


def whole_style_sheet(site: Path) -> str:
    """The theme's style sheets and ours after them.

    Raises:
        PublishError: one of them is missing.
    """
    folders = (site / THEME, site / THEME / "classic")
    theme = next((sheets for folder in folders if (sheets := sorted(folder.glob("*.css")))), [])
    if not theme:
        raise PublishError(f"the folder lacks the style sheets in {THEME}; build the site again")
    return "".join([*(path.read_text(encoding="utf-8") for path in theme), *our_style_sheets(site).values()])


@lru_cache(maxsize=100)  # of the last few builds, so that a build while serving checks only what has changed
def check_style_sheet(name: str, css: str) -> None:
    """Check one of our style sheets, because a browser that meets a fault drops rules silently.

    Raises:
        PublishError: it cannot be read as CSS; names file and line.
    """
    rules = tinycss2.parse_stylesheet(css)
    faults = [(error.source_line, UNREADABLE.sub(NEITHER, error.message)) for error in _errors(rules)]
    # The parser closes a block that is still open at the end of a file without an error; but if a rule follows, it ends
    # up inside that block.
    sheet_with_sentinel = tinycss2.parse_stylesheet(f"{css}\n{SENTINEL}{{}}")
    if not faults and tinycss2.serialize(sheet_with_sentinel[-1:]) != f"{SENTINEL}{{}}":
        faults = [(sheet_with_sentinel[-1].source_line, "what begins here is not closed")]
    if faults:
        line, message = min(faults)
        raise PublishError(f"docs/{name}, line {line}: {message}")


def _errors(nodes: Iterable[Node]) -> Iterator[Node]:
    """Everything that cannot be read, in rules and in everything inside them."""
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
    words = set().union(*map(WORD.findall, texts))
    return _used_rules(tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True), words)


def _used_rules(rules: Iterable[Node], words: set[str]) -> str:
    """The rules as text, each with only those selectors whose classes and ids are all among the words."""
    texts = []
    for rule in rules:
        if rule.type == "qualified-rule":
            # Commas separate selectors; those within `:is(...)` belong to one.
            groups = (list(nodes) for comma, nodes in groupby(rule.prelude, lambda node: node == ",") if not comma)
            needed_selectors = (
                tinycss2.serialize(group).strip() for group in groups if words.issuperset(_needed_names(group))
            )
            if selectors := ",".join(selector for selector in needed_selectors if SWITCHING not in selector):
                texts.append(f"{selectors}{{{tinycss2.serialize(rule.content).strip()}}}")
        elif (
            rule.type == "at-rule"
            and rule.lower_at_keyword in ("media", "supports", "layer")
            and rule.content is not None
        ):
            inner_rules = _used_rules(
                tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True), words
            )
            if inner_rules:
                texts.append(f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{inner_rules}}}")
        else:
            texts.append(rule.serialize())
    return "".join(texts)


def _needed_names(selector: list[Node]) -> list[str]:
    """The classes and ids that a selector needs in order to match; those within `:is(...)` are only alternatives."""
    # Not strict, because the last node precedes none.
    neighbours = zip([None, *selector], selector, strict=False)
    return [
        node.value for previous, node in neighbours if node.type == "hash" or (node.type == "ident" and previous == ".")
    ]


def replaced_files(site: Path) -> list[Path]:
    """The files that the one style sheet replaces."""
    return sorted([*(site / STYLES).glob("*.css"), *(site / THEME).rglob("*.css")])
