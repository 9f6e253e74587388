"""One style sheet for all pages: what they use of the theme's, and ours after it.

Ours is written in one file for each component, in `docs/assets/styles`.

The theme ships styles for all that it can show, and a browser waits for them
before it paints. A selector with a class or an id that no page and no script
names matches nothing and is left out; one that costs more than it does is too.
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
"""The folder of our style sheets, whose names begin with a number, since a later rule wins: the colours that all others
name come first, then what any page may have, what one has, and what holds in forced colours, on paper and on phones."""

THEME = "assets/stylesheets"
"""Where themes keep their style sheets: Material right here, Zensical in folders, "classic" with Material's look."""

SWITCHING = "data-md-color-switching"
"""What the theme has on `body` while it sets the colours, also on arrival, so that none of them fades: it restyles
every element twice, which on long pages took longer than all the rest."""

SENTINEL = ".bc-end"
"""A rule that is put behind all others."""

UNREADABLE = re.compile("(?:EOF|Stop token) reached before .*")
NEITHER = "this is neither a rule, which has braces, nor a declaration, which has a colon"
"""What a parser says at the end of what it took for a rule, and what that means where it began."""

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
    """Raises at the first fault in one of our style sheets, after which a browser would leave rules out without a word.

    Raises:
        PublishError: it cannot be read as CSS; names file and line.
    """
    rules = tinycss2.parse_stylesheet(css)
    faults = [(each.source_line, UNREADABLE.sub(NEITHER, each.message)) for each in _errors(rules)]
    # What is still open at the end of a file is closed there without an error, but takes in a rule that follows.
    after = tinycss2.parse_stylesheet(f"{css}\n{SENTINEL}{{}}")
    if not faults and tinycss2.serialize(after[-1:]) != f"{SENTINEL}{{}}":
        faults = [(after[-1].source_line, "what begins here is not closed")]
    if faults:
        line, message = min(faults)
        raise PublishError(f"docs/{name}, line {line}: {message}")


def _errors(nodes: Iterable[Node]) -> Iterator[Node]:
    """What cannot be read, in rules and in all that they hold."""
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
    """The part of a style sheet whose classes and ids occur in some texts: all pages, and what scripts make."""
    words = {word for text in texts for word in WORD.findall(text)}
    return _kept(tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True), words)


def _kept(rules: Iterable[Node], words: set[str]) -> str:
    out = []
    for rule in rules:
        if rule.type == "qualified-rule":
            # Commas separate selectors; those within `:is(...)` belong to one.
            groups = (list(nodes) for comma, nodes in groupby(rule.prelude, lambda node: node == ",") if not comma)
            used = (tinycss2.serialize(each).strip() for each in groups if words.issuperset(_named(each)))
            if head := ",".join(each for each in used if SWITCHING not in each):
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
    """The classes and ids without which a selector matches nothing; those within `:is(...)` are not looked at."""
    before = zip([None, *selector], selector, strict=False)
    return [each.value for dot, each in before if each.type == "hash" or (each.type == "ident" and dot == ".")]


def replaced(site: Path) -> list[Path]:
    """What the one style sheet replaces."""
    return sorted([*(site / STYLES).glob("*.css"), *(site / THEME).rglob("*.css")])
