"""One small style sheet: what the pages use of the theme's, and ours after it.

The theme ships styles for everything it can show, and a browser waits for
all of them before it paints. A selector is dropped if it names a class, an
id, an element or an attribute that is on no page and that no script makes,
and so can match nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

import tinycss2
from tinycss2.ast import Node

from .figures.selectors import cut

NESTING = {"media", "supports", "layer"}
"""At-rules that hold further rules."""

ONLY_IF_ON_A_PAGE = ("md-annotation", "md-source", "md-status", "md-tag", "md-tooltip", "md-version", "tabbed")
"""Features whose classes the theme's scripts mention, used or not; kept if a page has one of their classes."""

STATES = {"checked", "disabled", "hidden", "href", "open"}
"""Attributes that browsers and scripts set without naming them."""

CHOSEN = ("data-md-color-accent", "data-md-color-primary", "data-md-color-scheme", "dir")
"""Attributes whose values pages choose, whatever else scripts know."""

UNCLASSED = ("table",)
"""Elements that scripts make with a class if at all, so that one without is on a page or nowhere.

Rules for those without have a browser style whole pages anew whenever a class changes.
"""

COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)


class Found(NamedTuple):
    """What is on pages, and what scripts may put there.

    Attributes:
        words: classes, ids, and what scripts name between quotes, spaces or dots.
        tags: names of elements.
        attributes: names of attributes.
        values: values of attributes, and the words in them.
        chosen: attributes and values of `CHOSEN`.
        classed: elements of `UNCLASSED` that have a class everywhere.
    """

    words: set[str]
    tags: set[str]
    attributes: set[str]
    values: set[str]
    chosen: set[tuple[str, str]]
    classed: set[str]


def used_styles(css: str, pages: str, scripts: str) -> str:
    """The part of a style sheet that can match something, comments left out.

    Args:
        css: the style sheet.
        pages: the HTML of all pages.
        scripts: all scripts, since they add classes, elements and attributes too.
    """
    rules = tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True)
    return _without_unread(_kept(rules, _found(pages, scripts)), _read(pages + scripts))


def _found(pages: str, scripts: str) -> Found:
    scripts = COMMENT.sub("", scripts)
    elements = "\n".join(set(re.findall(r"<[a-z][^>]*>", pages)))
    named = re.findall(r"""\s([a-z][\w:-]*)(?:=(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?""", elements)
    valued = {(name, double or single or bare) for name, double, single, bare in named}
    values = {value for _, value in valued}
    values |= {word for value in values for word in value.split()}
    classes = re.findall(r"""\b(?:class|id)=(?:"([^"]*)"|([^\s>"]+))""", elements)
    on_pages = {word for quoted, bare in classes for word in (quoted or bare).split()}
    unused = tuple(each for each in ONLY_IF_ON_A_PAGE if not any(word.startswith(each) for word in on_pages))
    # A class in a script is a word of a text or of a selector: `"md-nav"`, `"a b"`, `".md-nav:hover"`.
    made = set(re.findall(r"""(?<=["'`\s.#<>\[=])[A-Za-z_][\w-]*(?=["'`\s.:,>\[\]\)=+~$])""", scripts))
    return Found(
        words=on_pages | {word for word in made if len(word) > 2 and not word.startswith(unused)},
        tags={*re.findall(r"<([a-z][\w-]*)", elements), *(word for word in made if word.islower())},
        attributes={name for name, _ in valued} | made | _dataset(scripts + pages) | STATES,
        values=values | made,
        chosen={each for each in valued if each[0] in CHOSEN},
        classed={each for each in UNCLASSED if not re.search(rf"<{each}(?![^>]*\sclass=)[\s>]", elements)},
    )


def _dataset(scripts: str) -> set[str]:
    """The attributes that scripts set as `dataset.mdState`."""
    names = re.findall(r"dataset\.(\w+)", scripts)
    return {f"data-{re.sub('[A-Z]', lambda letter: f'-{letter[0].lower()}', name)}" for name in names}


def _kept(rules: Iterable[Node], found: Found) -> str:
    out = []
    for rule in rules:
        if rule.type == "qualified-rule":
            selectors = [each for each in cut(rule.prelude) if _can_match(each, found)]
            if selectors:
                head = ",".join(tinycss2.serialize(each).strip() for each in selectors)
                out.append(f"{head}{{{_without_spaces(rule.content)}}}")
        elif rule.type == "at-rule" and rule.lower_at_keyword in NESTING and rule.content is not None:
            nested = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
            inner = _kept(nested, found)
            if inner:
                out.append(f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{inner}}}")
        else:
            out.append(rule.serialize())
    return "".join(out)


def _without_spaces(content: Iterable[Node]) -> str:
    """Declarations without white space at their ends and around their colons."""
    kept: list[Node] = []
    for node in content:
        if node.type != "whitespace" or (kept and kept[-1] not in (":", ";")):
            kept.append(node)
    return str(tinycss2.serialize(kept)).strip()


def _can_match(selector: list[Node], found: Found) -> bool:
    """Whether every class, id, element and attribute outside `:is(...)` and the like occurs somewhere.

    What stands within `:is(...)` or `:not(...)` is not looked at, which keeps
    a selector rather than losing one.
    """
    if any(re.search(rf"\b{each}:not\(\[class\]\)", tinycss2.serialize(selector)) for each in found.classed):
        return False
    for before, node in zip([None, *selector], selector, strict=False):
        if node.type == "hash" or (node.type == "ident" and before == "."):
            if node.value not in found.words:
                return False
        elif node.type == "ident" and before != ":":
            if node.lower_value not in found.tags:
                return False
        elif node.type == "[] block" and not _attribute_occurs(node, found):
            return False
    return True


def _attribute_occurs(block: Node, found: Found) -> bool:
    """Whether an attribute occurs, with its value where the selector asks for one as a whole or as a word."""
    asked, _, quoted = tinycss2.serialize(block.content).partition("=")
    name, value = asked.strip().rstrip("~^$*|"), quoted.strip(" \"'")
    if name in CHOSEN and value:
        return (name, value) in found.chosen
    whole = bool(value) and asked.strip()[-1] not in "^$*|"
    return name in found.attributes and (not whole or value in found.values)


def _read(text: str) -> set[str]:
    """The custom properties that are read."""
    return set(re.findall(r"var\(\s*(--[\w-]+)", text))


def _without_unread(css: str, read: set[str]) -> str:
    """The style sheet without the custom properties that nothing reads, and without rules that hold nothing else.

    One that only another reads goes after that other has gone.
    """
    rules = tinycss2.parse_stylesheet(css)
    kept, smaller = None, css
    while smaller != kept:
        kept = smaller
        still = read | _read(kept)
        smaller = "".join(_rule_without_unread(rule, still) for rule in rules)
    return smaller


def _rule_without_unread(rule: Node, read: set[str]) -> str:
    if rule.type == "at-rule" and rule.lower_at_keyword in NESTING and rule.content is not None:
        inner = "".join(_rule_without_unread(each, read) for each in tinycss2.parse_rule_list(rule.content))
        return f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{inner}}}" if inner else ""
    if rule.type != "qualified-rule" or "--" not in tinycss2.serialize(rule.content):
        return str(rule.serialize())
    declared = tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True)
    if any(each.type != "declaration" for each in declared):
        return str(rule.serialize())
    kept = ";".join(
        each.serialize().removesuffix(";") for each in declared if each.name in read or each.name[:2] != "--"
    )
    return f"{tinycss2.serialize(rule.prelude)}{{{kept}}}" if kept else ""
