"""Tables that a page writes in Markdown, made into tables like every other on the site (see `tables.py`).

The page contains everything that the table shows, and calls macros for its numbers:

    {% call rows("model-files") %}
    How large the files of BERT base and BERT large are

    | file | base | large |
    |:--|--:|--:|
    | header | {{ stored("header") }} | {{ stored("header", model=large) }} |
    {% endcall %}

The text above the first row is the caption. The rule below the headings says what each column holds, which
decides its place on a phone: `--:` figures, `:-:` a word, `:--` a sentence, `---` a name or a formula. A
second rule comes before the row of totals. `{ #id }` at the end of a first cell is the id of its row. Empty
lines between rows are ignored, because loops leave them.

A cell may contain HTML, which macros return, and three kinds of Markdown: code, links and bold type. The
table is not passed to Python-Markdown as a whole, which would parse every tag of every number only to leave
it unchanged; only cells that contain Markdown are.

If the rows themselves are computed, the page calls a macro in their place, which returns such lines;
`lines` makes them.
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
"""The kind of a column, by whether its rule has a colon on the left and on the right."""

PIECE = re.compile(r"<[^>]*>|`[^`]*`|\\\||(?P<bar>\|)")
"""Tags, code and escaped bars, whose bars do not separate cells; and a bar that does."""

RULE = re.compile(r"\|(\s*(:-+:|:?-{2,}:?)\s*\|)+")
"""A rule: the line below the headings, or before the row of totals."""

ROW_ID = re.compile(r"\s*\{\s*#(\S+)\s*\}$")
"""The id of a row, at the end of its first cell."""

CONVERTER = Markdown()
"""One converter for all cells, because making one takes longer than reading a cell."""

MARKS = re.compile(r"`|\]\(|\*\*")
"""The signs of Markdown in a cell: of code, a link, or bold type."""

PAGE = re.compile(r'(href="(?!\w+:)[^"#?]*)\.md(?=["#?])')
"""A link to a page by its source file."""


def rows(name: str, text: str) -> str:
    """The table that a page writes in Markdown.

    Args:
        name: the id of the table.
        text: caption, headings, rule and rows, as the head of this module says.

    Raises:
        CountingError: the caption or the rule is missing, a line is not a row, or a row has fewer or more
            cells than the head.
    """
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    start = next((index for index, line in enumerate(lines) if line.startswith("|")), len(lines))
    caption = " ".join(lines[:start])
    body = lines[start:]
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
            f'table "{name}" has {len(headings)} headings, but a rule for {len(kinds)}; give each heading one'
        )
    end = rules[1] if len(rules) > 1 else len(body)
    entries = [_cells(line) for line in body[2:end]]
    ids = [mark[1] if (mark := ROW_ID.search(row[0])) else "" for row in entries]
    return table(
        name,
        Markup(_inline(caption)),  # noqa: S704  the caption is ours, from a page of the site
        [Column(unescape(heading), kind) for heading, kind in zip(headings, kinds, strict=True)],
        [[_inline(ROW_ID.sub("", cell) if not index else cell) for index, cell in enumerate(row)] for row in entries],
        [_inline(cell) for line in body[end + 1 :] for cell in _cells(line)],
        row_ids=ids if any(ids) else (),
    )


def lines(cells_of_rows: Iterable[Sequence[str]], ids: Iterable[str] = ()) -> str:
    """Computed rows as lines of a table in Markdown: `| the pooler | 590,592 |`.

    Args:
        cells_of_rows: the cells of each row, as HTML.
        ids: the id of each row; empty if no row has one.
    """
    entries = [[_cell_source(cell) for cell in row] for row in cells_of_rows]
    marks = [f" {{ #{name} }}" for name in ids] or [""] * len(entries)
    return "\n".join(
        f"| {' | '.join([first + mark, *others])} |" for (first, *others), mark in zip(entries, marks, strict=True)
    )


def _cell_source(cell: str) -> str:
    """A cell of HTML as the page has to write it, so that `rows` returns the same HTML: on one line, and escaped."""
    return PIECE.sub(_escape_bar, MARKS.sub(_escape_marks, cell)).replace("\n", " ")


def _escape_bar(piece: re.Match[str]) -> str:
    """A bar with a backslash if it would separate cells; any other piece as it is."""
    return "\\|" if piece["bar"] else piece[0]


def _escape_marks(marks: re.Match[str]) -> str:
    """Characters of Markdown as character references, which Markdown leaves alone."""
    return "".join(f"&#{ord(character)};" for character in marks[0])


def _cells(line: str) -> list[str]:
    """The cells of a row, without the bars around them."""
    bars = [piece.start() for piece in PIECE.finditer(line) if piece["bar"]]
    return [line[start + 1 : end].strip() for start, end in pairwise(bars)]


def _kind(rule: str) -> str:
    """The kind of a column, by its part of the rule."""
    return KINDS[rule.startswith(":"), rule.endswith(":")]


@cache  # while a page is edited and served, most of its cells are the same as in the last build
def _inline(cell: str) -> str:
    """A cell as HTML: long names in code may be broken, and links lead to the published pages."""
    if not MARKS.search(cell):
        return cell.replace("\\|", "|")
    html = CONVERTER.reset().convert(cell).removeprefix("<p>").removesuffix("</p>")
    html = re.sub(r"(?<=<code>)[^<]+", lambda name: breakable(name[0]), html)
    return PAGE.sub(r"\1.html", html)
