"""Tables as HTML: a caption with a permalink, right-aligned numbers, and a scrollable region.

On a phone, each row becomes a block, with its cells stacked or side by side. Cells that are neither empty nor the name
of the row then repeat the heading of their column (`data-head`), and the classes of the table determine which cells
share a line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import markupsafe

from macros.counting import CountingError

from .asking import SHORT_NAMES
from .permalinks import permalink

NUMERIC = "num"
WORD = "word"
TEXT = "text"
PROSE = "prose"
"""The kinds of columns: numbers, a word, a name or formula, or a sentence.

On a phone, numbers and words share a line, and everything else has its own line. The table has a class for each
column, such as `bc-num-2`, except for names and formulas.
"""

MAX_CELLS_PER_LINE = 3
"""The maximum number of cells with numbers or words that share a line on a phone."""

WIDE_NUMBER = re.compile(r">[+−]?[\d,]{14,}<")
"""Matches a number of at least eleven digits; three such numbers do not fit side by side on a phone."""


class Column(NamedTuple):
    """A column with its heading as text and its kind: `NUMERIC`, `WORD`, `TEXT` or `PROSE`."""

    heading: str
    kind: str = TEXT


def numeric_columns(*headings: str) -> tuple[Column, ...]:
    """Columns of numbers."""
    return tuple(Column(heading, NUMERIC) for heading in headings)


BASE_AND_LARGE = numeric_columns(*(f"BERT {short_name}" for short_name in SHORT_NAMES.values()))
"""The columns for the two models that most tables show side by side."""


BREAKS_IN_CLASS_NAME = re.compile(
    r"(?<=[a-z]For)(?=[A-Z])|(?<=[a-z])(?=(?:Answering|Choice|Classification|Prediction)\b)"
)
"""Matches the points at which the name of a class can break between lines: BertFor, Sequence, Classification."""


def table(
    name: str,
    caption: str,
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    foot: Sequence[str] = (),
    *,
    row_ids: Sequence[str] = (),
    row_parts: Sequence[str] = (),
) -> str:
    """A table as HTML.

    Args:
        name: the id of the table.
        caption: the caption as text, or as HTML in a `Markup`.
        columns: the columns, whose headings are text.
        rows: the cells of each row as HTML; the first cell is the heading of the row.
        foot: the cells of the row of totals, if there is one.
        row_ids: the id of each row; empty if no row has one.
        row_parts: the paths of the tensors that each row counts, for highlighting; empty if no row has any.

    Raises:
        CountingError: there are no rows, for example because a choice is misspelt, or a row is not as long as the head.
    """
    all_rows = [*rows, foot] if foot else rows
    _check_rows(name, columns, rows, all_rows)
    head = "\n".join(
        f'<th scope="col">{BREAKS_IN_CLASS_NAME.sub("<wbr>", escape(column.heading))}</th>' for column in columns
    )
    ids = [f' id="{row_id}"' for row_id in row_ids] or [""] * len(rows)
    parts = [f' data-part="{paths}"' for paths in row_parts] or [""] * len(rows)
    headings = [_heading_attribute(column, index) for index, column in enumerate(columns)]
    body = "\n".join(
        f"<tr{row_id}{part}>{_cells(row, headings)}</tr>" for row_id, part, row in zip(ids, parts, rows, strict=True)
    )
    total = f"<tfoot><tr>{_cells(foot, headings)}</tr></tfoot>" if foot else ""
    return (
        f'<div class="bc-table" id="{name}">'
        f'<div class="bc-scroll" role="region" aria-labelledby="{name}-caption" tabindex="0">'
        f'<table aria-labelledby="{name}-caption" class="{_classes(columns, all_rows)}"{_result(columns, foot)}>'
        # Only the text of the caption labels the table, without the permalink.
        f'<caption><span class="bc-caption"><span id="{name}-caption">{markupsafe.escape(caption)}</span>'
        f"&nbsp;{permalink(name, 'table')}</span></caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>{total}</table></div></div>"
    )


def _check_rows(
    name: str, columns: Sequence[Column], rows: Sequence[Sequence[str]], all_rows: Sequence[Sequence[str]]
) -> None:
    """Raise a `CountingError` if there are no rows, or if a row or the row of totals is not as long as the head."""
    if bad_row := next((row for row in all_rows if len(row) != len(columns)), None):
        raise CountingError(
            f'table "{name}" has {len(columns)} columns, but a row has {len(bad_row)}; give each row a cell per column'
        )
    if not rows:
        raise CountingError(f'table "{name}" has no rows; check what it should list')


def _classes(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> str:
    """The classes of a table, which determine the layout of its cells on a phone."""
    short_columns = sum(column.kind in (NUMERIC, WORD) for column in columns)
    is_wide = any(WIDE_NUMBER.search(cell) for row in rows for cell in row)
    # Four columns become two lines of two, because lines of three and one would look uneven.
    cells_per_line = 2 if short_columns == 4 else min(2 if is_wide else MAX_CELLS_PER_LINE, short_columns)
    kinds = (f"bc-{column.kind}-{number}" for number, column in enumerate(columns, 1) if column.kind != TEXT)
    return " ".join(["bc", f"bc-{cells_per_line or 1}", *kinds])


PARAMETER_COUNT = re.compile(r'<data value="\d+"(?![^>]* data-kind="(?!deviating))[^>]*>(.+?)</data>')
"""Matches a number of parameters in a cell: its question has no kind, or is about a deviating count."""


def _result(columns: Sequence[Column], foot: Sequence[str]) -> str:
    """The attribute with the totals of a table, for `assets/pages/cite.js`; several totals follow their headings."""
    if not foot:
        return ""
    totals = {}
    for column, cell in zip(columns, foot, strict=True):
        if match := PARAMETER_COUNT.search(cell):
            totals[column.heading] = match[1]
    results = [f"{heading} {total}" if len(totals) > 1 else total for heading, total in totals.items()]
    return f' data-result="{escape(", ".join(results))} parameters"' if results else ""


def code(text: str | None) -> str:
    """A name as code that can break at its joints; "none" if there is no name."""
    return f"<code>{breakable(text)}</code>" if text else "none"


def breakable(text: str) -> str:
    """The text with optional line breaks at the joints of names."""
    return JOINTS.sub("<wbr>", text)


JOINTS = re.compile(r"(?<=[\w*][/.])(?=[\w*])")
"""Matches the joints of a name: after each slash or dot that is between words or stars."""


def date(day: str) -> str:
    """A date, which never breaks between two lines."""
    return f"<time>{day}</time>"


def _heading_attribute(column: Column, index: int) -> str:
    """The attribute that repeats a column's heading in its cells, for phones; empty for cells that name a row."""
    if not index and column.kind != NUMERIC:
        return ""
    return f' data-head="{escape(BREAKS_IN_CLASS_NAME.sub(ZERO_WIDTH_SPACE, column.heading))}"'


ZERO_WIDTH_SPACE = "\u200b"
"""Allows a line break in the text of an attribute, as `<wbr>` does in HTML."""


def _cells(row: Sequence[str], headings: Sequence[str]) -> str:
    """The cells of a row, each with the attribute that repeats its heading unless the cell is empty."""
    attributes = [heading if cell else "" for cell, heading in zip(row, headings, strict=True)]
    cells = [f"<td{attribute}>{cell}</td>" for cell, attribute in zip(row[1:], attributes[1:], strict=True)]
    cells.insert(0, f'<th scope="row"{attributes[0]}>{row[0]}</th>')
    return "\n".join(cells)  # line breaks keep the search from joining the words of adjacent cells
