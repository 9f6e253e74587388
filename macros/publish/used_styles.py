"""One small style sheet: what the pages use of the theme's, and ours after it.

The theme ships styles for everything it can show, and a browser waits for
all of them before it paints. A selector is dropped if it names a class or an
id that occurs in no page and no script, and so can match nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import tinycss2
from tinycss2.ast import Node

NESTING = {"media", "supports", "layer"}
"""At-rules that hold further rules."""

ONLY_IF_ON_A_PAGE = ("md-annotation", "md-source", "md-tag", "md-tooltip--", "md-tooltip__", "md-version", "tabbed")
"""Features whose classes the theme's scripts mention, used or not; kept if a page has one of their classes."""

SCHEMES = re.compile(r"(data-md-color-[\w-]+)=[\"']?([\w-]+)[\"']?")
"""The attribute by which a page chooses one of the theme's palettes."""


def used_styles(css: str, pages: str, scripts: str) -> str:
    """The part of a style sheet that can match something, comments left out.

    Args:
        css: the style sheet.
        pages: the HTML of all pages.
        scripts: all scripts, since they add classes too.
    """
    named = re.findall(r"""\b(?:class|id)=(?:"([^"]*)"|([^\s>"]+))""", pages)
    words = {word for quoted, bare in named for word in (quoted or bare).split()}
    unused = tuple(each for each in ONLY_IF_ON_A_PAGE if not any(word.startswith(each) for word in words))
    # Minified variables have one or two letters; classes that scripts add have more.
    words |= {word for word in re.findall(r"[A-Za-z_][\w-]{2,}", scripts) if not word.startswith(unused)}
    rules = tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True)
    kept = _kept(rules, words, pages)
    read = set(re.findall(r"var\(\s*(--[\w-]+)", kept + scripts + pages))
    return _without_unread(kept, read)


def _kept(rules: Iterable[Node], words: set[str], pages: str) -> str:
    out = []
    for rule in rules:
        if rule.type == "qualified-rule":
            selectors = [each for each in _selectors(rule.prelude) if _can_match(each, words, pages)]
            if selectors:
                head = ",".join(tinycss2.serialize(each).strip() for each in selectors)
                out.append(f"{head}{{{tinycss2.serialize(rule.content)}}}")
        elif rule.type == "at-rule" and rule.lower_at_keyword in NESTING and rule.content is not None:
            nested = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
            inner = _kept(nested, words, pages)
            if inner:
                out.append(f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{inner}}}")
        else:
            out.append(rule.serialize())
    return "".join(out)


def _selectors(prelude: Iterable[Node]) -> list[list[Node]]:
    """A selector list, cut at its commas."""
    selectors: list[list[Node]] = [[]]
    for node in prelude:
        if node == ",":
            selectors.append([])
        else:
            selectors[-1].append(node)
    return selectors


def _can_match(selector: list[Node], words: set[str], pages: str) -> bool:
    """Whether every class, id and palette outside brackets occurs somewhere.

    What stands within `:is(...)` or `:not(...)` is not looked at, which keeps
    a selector rather than losing one.
    """
    for before, node in zip([None, *selector], selector, strict=False):
        names_class = node.type == "ident" and before is not None and before == "."
        if (names_class or node.type == "hash") and node.value not in words:
            return False
        if node.type == "[] block":
            palette = SCHEMES.fullmatch(tinycss2.serialize(node.content))
            if palette and f'{palette[1]}="{palette[2]}"' not in pages:
                return False
    return True


def _without_unread(css: str, read: set[str]) -> str:
    """The style sheet without the custom properties of `:root` that nothing reads."""
    out = []
    for rule in tinycss2.parse_stylesheet(css):
        if rule.type == "qualified-rule" and tinycss2.serialize(rule.prelude) == ":root":
            declared = tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True)
            kept = ";".join(each.serialize() for each in declared if each.name in read or each.name[:2] != "--")
            out.append(f":root{{{kept}}}" if kept else "")
        else:
            out.append(rule.serialize())
    return "".join(out)
