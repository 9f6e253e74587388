"""Converts tables that pages write in Markdown into the tables of `tables.py`.

The page contains the whole table and calls macros for its numbers:

    {% call rows("model-files") %}
    How large the files of BERT base and BERT large are

    | file | base | large |
    |:--|--:|--:|
    | header | {{ stored("header") }} | {{ stored("header", model=large) }} |
    {% endcall %}

The text above the first row is the caption. The rule below the headings specifies the kind of each column,
which determines its layout on a phone: `--:` for numbers, `:-:` for a word, `:--` for a sentence, `---` for a
name or a formula. A second rule precedes the row of totals. `{ #id }` at the end of a first cell sets the id
of its row. Empty lines between rows are ignored, because loops produce them.

A cell may contain HTML returned by macros and three kinds of Markdown: code, links and bold text. Only cells
that contain Markdown are passed to Python-Markdown, because it would parse every tag of every number in the
table only to leave it unchanged.

If the rows themselves are computed, the page calls a macro in their place. It returns lines in the same
format, which `lines` generates.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from html import unescape
from itertools import pairwise

from markdown import Markdown
from markupsafe import Markup

from macros.counting import CountingError
from macros.counting.errors import quote

from .tables import NUMERIC, PROSE, TEXT, WORD, Column, breakable, table

KINDS = {(False, False): TEXT, (False, True): NUMERIC, (True, True): WORD, (True, False): PROSE}
"""The kind of a column by the colons in its rule: (on the left, on the right)."""

PIECE = re.compile(r"<[^>]*>|`[^`]*`|\\\||(?P<bar>\|)")
"""Matches a tag, code or an escaped bar, in which bars do not separate cells; or a bar that does."""

RULE = re.compile(r"\|(\s*(:-+:|:?-{2,}:?)\s*\|)+")
"""Matches a rule: the line below the headings, or before the row of totals."""

ROW_ID = re.compile(r"\s*\{\s*#(\S+)\s*\}$")
"""Matches the mark with the id of a row, at the end of its first cell."""

CONVERTER = Markdown()
"""One converter for all cells, because creating a converter takes longer than converting a cell."""

MARKDOWN_SYNTAX = re.compile(r"`|\]\(|\*\*")
"""Matches the Markdown syntax in a cell that indicates code, a link or bold text."""

SOURCE_LINK = re.compile(r'(href="(?!\w+:)[^"#?]*)\.md(?=["#?])')
"""Matches a link to the source file of a page."""


def rows(name: str, text: str) -> str:
    """The HTML of a table written in Markdown.

    Args:
        name: the id of the table.
        text: the caption, headings, rule and rows, as described at the top of this module.

    Raises:
        CountingError: the text does not have this form, or a row has more or fewer cells than there are headings.
    """
    text_lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    start = next((index for index, line in enumerate(text_lines) if line.startswith("|")), len(text_lines))
    caption = " ".join(text_lines[:start])
    body = text_lines[start:]
    if not caption:
        raise CountingError(f'table "{name}" has no caption; write a line above its first row that says what it shows')
    if stray_line := next((line for line in body if not (line.startswith("|") and line.endswith("|"))), None):
        raise CountingError(f'table "{name}": {quote(stray_line)} is not a row; begin and end it with a bar')
    rules = [index for index, line in enumerate(body) if RULE.fullmatch(line)]
    if not rules or rules[0] != 1:
        raise CountingError(f'table "{name}" has no rule; write one such as |---|--:| below its headings')
    headings = _cells(body[0])
    kinds = [_kind(rule) for rule in _cells(body[1])]
    if len(headings) != len(kinds):
        raise CountingError(
            f'table "{name}" has {len(headings)} headings, but a rule for {len(kinds)}; write a rule for each heading'
        )
    end = rules[1] if len(rules) > 1 else len(body)
    cells_of_rows = [_cells(line) for line in body[2:end]]
    marks = [ROW_ID.search(first) for first, *_ in cells_of_rows]
    ids = [mark[1] if mark else "" for mark in marks]
    return table(
        name,
        Markup(_inline(caption)),  # noqa: S704  the caption is ours, from a page of the site
        [Column(unescape(heading), kind) for heading, kind in zip(headings, kinds, strict=True)],
        [[_inline(ROW_ID.sub("", first)), *map(_inline, others)] for first, *others in cells_of_rows],
        [_inline(cell) for line in body[end + 1 :] for cell in _cells(line)],
        row_ids=ids if any(ids) else (),
    )


def lines(cells_of_rows: Iterable[Sequence[str]], ids: Iterable[str] = ()) -> str:
    """Computed rows as lines of a Markdown table: `| the pooler | 590,592 |`.

    Args:
        cells_of_rows: the cells of each row as HTML.
        ids: the id of each row; empty if no row has one.
    """
    sources_of_rows = [[_cell_source(cell) for cell in row] for row in cells_of_rows]
    id_marks = [f" {{ #{name} }}" for name in ids] or [""] * len(sources_of_rows)
    return "\n".join(
        f"| {' | '.join([first + id_mark, *others])} |"
        for (first, *others), id_mark in zip(sources_of_rows, id_marks, strict=True)
    )


def _cell_source(cell: str) -> str:
    """The Markdown for an HTML cell, on one line and escaped, from which `rows` restores the same HTML."""
    return PIECE.sub(_escape_bar, MARKDOWN_SYNTAX.sub(_escape_markdown, cell)).replace("\n", " ")


def _escape_bar(piece: re.Match[str]) -> str:
    """A bar that would separate cells, preceded by a backslash; any other piece unchanged."""
    return "\\|" if piece["bar"] else piece[0]


def _escape_markdown(syntax: re.Match[str]) -> str:
    """Markdown syntax as character references, which Markdown does not interpret."""
    return "".join(f"&#{ord(character)};" for character in syntax[0])


def _cells(line: str) -> list[str]:
    """The cells of a row, without the bars around them."""
    bars = [piece.start() for piece in PIECE.finditer(line) if piece["bar"]]
    return [line[start + 1 : end].strip() for start, end in pairwise(bars)]


def _kind(rule: str) -> str:
    """The kind of a column, given its rule, such as `--:`."""
    return KINDS[rule.startswith(":"), rule.endswith(":")]


@cache  # while a page is being edited, most of its cells do not change from one build to the next
def _inline(cell: str) -> str:
    """The HTML of a cell or a caption: long names in code can break, and links lead to the published pages."""
    if not MARKDOWN_SYNTAX.search(cell):
        return cell.replace("\\|", "|")
    html = CONVERTER.reset().convert(cell).removeprefix("<p>").removesuffix("</p>")
    html = re.sub(r"(?<=<code>)[^<]+", lambda code_text: breakable(code_text[0]), html)
    return SOURCE_LINK.sub(r"\1.html", html)
