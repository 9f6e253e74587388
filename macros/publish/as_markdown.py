"""A finished page as Markdown, for programs and for those who copy text: its numbers, and nothing for browsers alone.

It is made from the page as it was built, so that no number can differ from
the page's. Tables become pipe tables, formulas LaTeX, and a figure its title,
its description and its caption. The elements that our pages have are known
here; what is not is kept as its text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from html import unescape
from typing import NamedTuple, TypeGuard

from . import as_latex
from .elements import Element, Node, elements, text_of

ARTICLE = re.compile(r"<article\b[^>]*>(.*)</article>", re.DOTALL)

LEFT_OUT = ("form", "fieldset", "button", "input", "script", "select", "svg")
"""What a reader acts on, and drawings, whose titles are kept."""

LEFT_OUT_CLASSES = ("headerlink", "bc-permalink", "bc-carets")
"""What leads to the place where it is, or explains a sign in a drawing."""

BLOCKS = {
    *("article", "blockquote", "details", "div", "dl", "figcaption", "figure", "h1", "h2", "h3", "h4", "hr"),
    *("ol", "p", "pre", "section", "summary", "table", "ul"),
}
"""Elements that begin a paragraph of their own."""

MARKS = {"strong": "**", "em": "*"}

SPECIAL = re.compile(r"([\\`*\[\]<|]|(?<!\w)_|_(?!\w))")
"""What Markdown would take for a sign of its own; an underscore only at the edge of a word."""

KEY = "bc-key"
"""How the classes of patches of colour begin, which say what a colour means."""


def as_markdown(html: str) -> str:
    """The article of a page as Markdown, a blank line between paragraphs; empty where there is none.

    Raises:
        PublishError: an element is not closed, or a formula cannot be written.
    """
    article = ARTICLE.search(html)
    return "\n\n".join(_blocks(elements(article[1]))) + "\n" if article else ""


def _blocks(nodes: Iterable[Node]) -> Iterator[str]:
    """The paragraphs of some elements, in order; what stands between blocks is a paragraph too."""
    loose: list[Node] = []
    for node in nodes:
        if isinstance(node, Element) and _left_out(node):
            continue
        if isinstance(node, Element) and (node.name in BLOCKS or _holds_blocks(node)):
            yield from _paragraph(loose)
            loose = []
            yield from BLOCK.get(node.name, _inside)(node)
        else:
            loose.append(node)
    yield from _paragraph(loose)


def _left_out(node: Element) -> bool:
    return node.name in LEFT_OUT or any(each in LEFT_OUT_CLASSES for each in node.classes)


def _holds_blocks(node: Element) -> bool:
    return any(
        isinstance(each, Element) and not _left_out(each) and (each.name in BLOCKS or _holds_blocks(each))
        for each in node.children
    )


def _paragraph(nodes: Iterable[Node]) -> Iterator[str]:
    if words := _inline(nodes):
        yield words


def _inside(node: Element) -> Iterator[str]:
    return _blocks(node.children)


def _heading(node: Element) -> Iterator[str]:
    small = [isinstance(each, Element) and each.name == "small" for each in node.children]
    words, beside = (
        [each for each, is_small in zip(node.children, small, strict=True) if is_small == asked]
        for asked in (False, True)
    )
    yield f"{'#' * int(node.name[1])} {': '.join(filter(None, [_inline(words), _inline(beside)]))}"


def _summary(node: Element) -> Iterator[str]:
    yield f"**{_inline(node.children)}**"


def _list(node: Element) -> Iterator[str]:
    items = [each for each in node.children if isinstance(each, Element) and each.name == "li"]
    marks = [f"{place}." if node.name == "ol" else "-" for place in range(1, len(items) + 1)]
    written = [_item(mark, _blocks(item.children)) for mark, item in zip(marks, items, strict=True)]
    if written:
        yield ("\n\n" if any("\n\n" in each for each in written) else "\n").join(written)


def _item(mark: str, blocks: Iterable[str]) -> str:
    """One entry of a list: its further lines are indented as far as its text."""
    indent = " " * (len(mark) + 1)
    return f"{mark} " + "\n\n".join(blocks).replace("\n", f"\n{indent}").replace(f"\n{indent}\n", "\n\n")


def _definitions(node: Element) -> Iterator[str]:
    """Terms as entries of a list, each with what it means."""
    entries = []
    for each in (child for child in node.children if isinstance(child, Element)):
        if each.name == "dt":
            entries.append(f"- **{_inline(each.children)}**")
        else:
            entries[-1] += f": {_inline(each.children)}"
    yield "\n".join(entries)


def _verbatim(node: Element) -> Iterator[str]:
    # A heading above the columns is an element of its own, and so a line of its own.
    text = "\n".join(filter(None, (text_of([each]) for each in node.children)))
    yield f"```\n{text.rstrip()}\n```"


def _figure(node: Element) -> Iterator[str]:
    """What a drawing is called and describes, and its caption."""
    drawn = " ".join(f"{text.rstrip('.')}." for text in node.said if text)
    if drawn:
        yield f"Figure: {SPECIAL.sub(_escaped, drawn)}"
    yield from _inside(node)


def _caption(node: Element) -> Iterator[str]:
    """A caption without the sentences that say what a colour means."""
    keys = [place for place, each in enumerate(node.children) if isinstance(each, Element) and _is_key(each)]
    if not keys:
        return (yield from _inside(node))
    before = _inline(node.children[: keys[0]])
    yield from filter(None, [before[: before.rfind(".") + 1]])


def _is_key(node: Element) -> bool:
    return any(each.startswith(KEY) for each in node.classes)


class Cells(NamedTuple):
    """A row of a table, as Markdown."""

    head: bool
    cells: list[str]


def _table(node: Element) -> Iterator[str]:
    """The caption as a line of its own, and a pipe table."""
    for caption in (each for each in node.children if isinstance(each, Element) and each.name == "caption"):
        yield f"**{_inline(caption.children)}**"
    rows = list(_rows(node))
    if not rows:
        return
    first, *rest = rows
    lines = [_piped(first.cells), _piped(["---"] * len(first.cells)), *(_piped(each.cells) for each in rest)]
    yield "\n".join(lines)


def _rows(node: Element) -> Iterator[Cells]:
    for each in (child for child in node.children if isinstance(child, Element)):
        if each.name == "tr":
            yield Cells(False, [_inline(cell.children) for cell in each.children if isinstance(cell, Element)])
        elif each.name != "caption":
            yield from _rows(each)


def _piped(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _inline(nodes: Iterable[Node]) -> str:
    """What stands in a line, white space made one."""
    return " ".join("".join(map(_piece, nodes)).split())


def _piece(node: Node) -> str:
    """One piece of a line."""
    if isinstance(node, str):
        return SPECIAL.sub(_escaped, unescape(node))
    if _left_out(node):
        return ""
    if node.name == "br":
        return " "
    if node.name == "math":
        return f"${as_latex.latex(node)}$"
    if "bc-math" in node.classes:  # one formula, in pieces between which a line may break
        return f"${' '.join(as_latex.latex(each) for each in node.children if _is_formula(each))}$"
    if node.name == "code":
        return f"`{text_of(node.children)}`"
    inside = "".join(map(_piece, node.children))
    if node.href and inside.strip():
        return f"[{inside.strip()}]({node.href})"
    if node.name in MARKS and inside.strip():
        return f"{MARKS[node.name]}{inside.strip()}{MARKS[node.name]}"
    if "bc-what" in node.classes:
        return f"*{inside}*: "
    # The first of two words that stand one below the other.
    return f"{inside} " if node.name in ("small", "legend") or node.name in BLOCKS else inside


def _is_formula(node: Node) -> TypeGuard[Element]:
    return isinstance(node, Element) and node.name == "math"


def _escaped(found: re.Match[str]) -> str:
    return f"\\{found[0]}"


BLOCK: dict[str, Callable[[Element], Iterator[str]]] = {
    **dict.fromkeys(("h1", "h2", "h3", "h4"), _heading),
    **dict.fromkeys(("ol", "ul"), _list),
    "dl": _definitions,
    "figcaption": _caption,
    "figure": _figure,
    "pre": _verbatim,
    "summary": _summary,
    "table": _table,
}
"""How a block is written, by element; of the others what is inside."""
