"""Builds one style sheet for all pages from the theme's rules and ours, without those for classes that never occur.

The theme ships styles for everything that it can show, and a browser waits for them
before it paints. So a selector is left out if it needs a class or an id that occurs
on no page and in no script. Because scripts may add any element, every word of a
script counts as a class that may be used. This keeps a few unused rules, but drops
none that is needed.

Our own styles are in `docs/assets/styles`, with one file per component.
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
"""The address to which `docs/.overrides/main.html` links."""

OUR_STYLES = "assets/styles"
"""The folder of our style sheets.

Each file name begins with a number, which sets the order, because a later rule overrides an earlier one. First come the
colours that all others use, then the styles for any page, then those for single pages, and last those for forced
colours, paper and phones.
"""

THEME_STYLES = "assets/stylesheets"
"""The folder of a theme's style sheets.

Zensical's has a folder for each of its two looks, of which "classic" is that of Material.
"""

SWITCHING = "data-md-color-switching"
"""An attribute that the theme sets on `body` while it switches colours, so that no colour fades.

Selectors with this attribute are dropped, because they make a browser restyle every element twice, even when a page is
opened. On long pages, that took longer than all other work.
"""

SENTINEL = ".bc-end"
"""The selector of a rule that is appended to a style sheet.

If the rule is not read back unchanged, a block, string or comment before it is not closed.
"""

UNREADABLE = re.compile("(?:EOF|Stop token) reached before .*")
"""Matches the parser's message about a rule or a declaration that it cannot read to its end."""

UNREADABLE_FAULT = "this is neither a rule, which has braces, nor a declaration, which has a colon"
"""The message that replaces messages that match `UNREADABLE`.

The parser names the end of the text that it took for a rule, but a writer needs to know what is wrong at its beginning.
"""

WORD = re.compile(r"[A-Za-z_][\w-]*")
"""Matches a word that may be a class or an id."""


def our_style_sheets(site: Path) -> dict[str, str]:
    """Our style sheets by address from the top of a built site, in the order in which they apply.

    Raises:
        PublishError: the site has none.
    """
    sheets = {path.relative_to(site).as_posix(): path for path in sorted((site / OUR_STYLES).glob("*.css"))}
    if not sheets:
        raise PublishError(f"the folder lacks the style sheets in {OUR_STYLES}; build the site again")
    return {address: path.read_text(encoding="utf-8") for address, path in sheets.items()}


def whole_style_sheet(site: Path) -> str:
    """The text of the theme's style sheets, followed by ours.

    Raises:
        PublishError: the theme's or our style sheets are missing.
    """
    theme = sorted((site / THEME_STYLES).glob("*.css")) or sorted((site / THEME_STYLES / "classic").glob("*.css"))
    if not theme:
        raise PublishError(f"the folder lacks the style sheets in {THEME_STYLES}; build the site again")
    return "".join([*(path.read_text(encoding="utf-8") for path in theme), *our_style_sheets(site).values()])


@lru_cache(maxsize=100)  # enough for the last few builds, so that a rebuild while serving checks only changed files
def check_style_sheet(name: str, css: str) -> None:
    """Check the syntax of one of our style sheets, because a browser silently drops rules that it cannot read.

    Raises:
        PublishError: the style sheet cannot be read as CSS; the message names file and line.
    """
    rules = tinycss2.parse_stylesheet(css)
    faults = [(error.source_line, UNREADABLE.sub(UNREADABLE_FAULT, error.message)) for error in _errors(rules)]
    # At the end of a file, the parser closes an open block without an error. If another rule follows, that rule ends up
    # inside the block.
    sheet_with_sentinel = tinycss2.parse_stylesheet(f"{css}\n{SENTINEL}{{}}")
    if not faults and tinycss2.serialize(sheet_with_sentinel[-1:]) != f"{SENTINEL}{{}}":
        faults = [(sheet_with_sentinel[-1].source_line, "a block, string or comment that begins here is not closed")]
    if faults:
        line, message = min(faults)
        raise PublishError(f"docs/{name}, line {line}: {message}")


def _errors(nodes: Iterable[Node]) -> Iterator[Node]:
    """Yield the parts of `nodes` that cannot be read, at any depth."""
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
    """The rules of a style sheet, without selectors that have `SWITCHING` or a class or an id not in `texts`."""
    words = set().union(*map(WORD.findall, texts))
    return _used_rules(tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True), words)


def _used_rules(rules: Iterable[Node], words: set[str]) -> str:
    """The rules as text, each without selectors that have `SWITCHING` or a class or an id that is not in `words`."""
    texts = []
    for rule in rules:
        if rule.type == "qualified-rule":
            # Commas separate selectors, except within `:is(...)`.
            groups = (
                list(nodes) for is_comma, nodes in groupby(rule.prelude, lambda node: node == ",") if not is_comma
            )
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
    """The classes and ids that a selector needs to match. Those in parentheses, as in `:is(...)`, do not count."""
    # Not strict, because the first sequence is longer by one node.
    neighbours = zip([None, *selector], selector, strict=False)
    return [
        node.value for previous, node in neighbours if node.type == "hash" or (node.type == "ident" and previous == ".")
    ]


def replaced_files(site: Path) -> list[Path]:
    """The files that the single style sheet replaces."""
    return sorted([*(site / OUR_STYLES).glob("*.css"), *(site / THEME_STYLES).rglob("*.css")])
