"""The shape every table has: caption, address, right-aligned figures, a region that scrolls."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import markupsafe

from macros.counting import CountingError

from .asking import SHORT
from .permalinks import permalink

NUMERIC, WORD, TEXT, PROSE = "num", "word", "text", "prose"
"""What a column holds: figures, a word, a name or formula, or a sentence.

On a phone a row is stacked: figures and words share a line, the others have one of their own.
The table says once what each of its columns holds, as in `bc-num-2`; names are what is not said.
"""

ABREAST = 3
"""How many figures and words are side by side on a phone at most."""

WIDE = re.compile(r">[+−]?[\d,]{14,}<")
"""A number from ten thousand millions on: three of them do not fit on a phone."""


class Column(NamedTuple):
    """One column: its heading, and what it holds."""

    heading: str
    kind: str = TEXT


def numeric(*headings: str) -> tuple[Column, ...]:
    """Columns of figures."""
    return tuple(Column(heading, NUMERIC) for heading in headings)


BASE_AND_LARGE = numeric(*SHORT.values())
"""The columns of the two models that most tables set side by side."""


WITHIN_CLASS = re.compile(r"(?<=[a-z]For)(?=[A-Z])")
"""Where the name of a class may be broken on a narrow screen: BertFor, PreTraining."""


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
    """A table as HTML; cells are HTML already, caption and headings are text.

    The first cell of a row is its heading. `foot` is the row of totals.
    `row_parts` are the paths of what the rows count; see `sums`.

    Raises:
        CountingError: there are no rows, as after a misspelt choice, or a row is not as long as the head.
    """
    if wrong := next((row for row in [*rows, *([foot] if foot else [])] if len(row) != len(columns)), None):
        raise CountingError(
            f'table "{name}" has {len(columns)} columns, got a row of {len(wrong)}; give it as many cells'
        )
    if not rows:
        raise CountingError(f'table "{name}" needs at least one row, got none; name what it should list')
    head = "\n".join(f'<th scope="col">{WITHIN_CLASS.sub("<wbr>", escape(each.heading))}</th>' for each in columns)
    ids = [f' id="{each}"' for each in row_ids] or [""] * len(rows)
    named = [f' data-part="{each}"' for each in row_parts] or [""] * len(rows)
    heads = [_head(each, place) for place, each in enumerate(columns)]
    body = "\n".join(f"<tr{i}{part}>{_cells(row, heads)}</tr>" for i, part, row in zip(ids, named, rows, strict=True))
    total = f"<tfoot><tr>{_cells(foot, heads)}</tr></tfoot>" if foot else ""
    figures = sum(each.kind in (NUMERIC, WORD) for each in columns)
    wide = any(WIDE.search(cell) for row in (*rows, foot) for cell in row)
    abreast = 2 if figures == 4 else min(2 if wide else ABREAST, figures)  # two and two, rather than three and one
    kinds = "".join(f" bc-{each.kind}-{place}" for place, each in enumerate(columns, 1) if each.kind != TEXT)
    return (
        f'<div class="bc-table" id="{name}">'
        f'<div class="bc-scroll" role="region" aria-labelledby="{name}-caption" tabindex="0">'
        f'<table aria-labelledby="{name}-caption" class="bc bc-{abreast or 1}{kinds}"{_result(columns, foot)}>'
        # The table is named by its words alone: the caption has the sign as well.
        f'<caption><span class="bc-caption"><span id="{name}-caption">{markupsafe.escape(caption)}</span>'
        f"&nbsp;{permalink(name, 'table')}</span></caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>{total}</table></div></div>"
    )


COUNTED = re.compile(r'<data value="\d+"(?![^>]* data-kind="(?!deviating))[^>]*>(.+?)</data>')
"""A number of parameters in a cell."""


def _result(columns: Sequence[Column], foot: Sequence[str]) -> str:
    """What a table adds up to, for `assets/pages/cite.js`: its totals, several with the headings of their columns."""
    cells = {each.heading: COUNTED.search(cell) for each, cell in zip(columns, foot, strict=True)} if foot else {}
    found = {heading: number[1] for heading, number in cells.items() if number}
    named = [f"{heading} {number}" if len(found) > 1 else number for heading, number in found.items()]
    return f' data-result="{escape(", ".join(named))} parameters"' if named else ""


def code(text: str | None) -> str:
    """A name as code, breakable at its joints."""
    return f"<code>{breakable(text)}</code>" if text else "none"


def breakable(text: str) -> str:
    """Text in which names may be broken behind a slash or a dot, and nowhere else."""
    return JOINTS.sub("<wbr>", text)


JOINTS = re.compile(r"(?<=[\w*][/.])(?=[\w*])")
"""Where a name may be broken."""


def date(day: str) -> str:
    """A day in one piece."""
    return f"<time>{day}</time>"


def _head(column: Column, place: int) -> str:
    """What repeats the heading of a column in each of its cells, for phones; what names a row needs none."""
    if not place and column.kind != NUMERIC:
        return ""
    return f' data-head="{escape(WITHIN_CLASS.sub(NO_SPACE, column.heading))}"'


NO_SPACE = "\u200b"
"""Where an attribute may be broken, as `<wbr>` says it of text."""


def _cells(row: Sequence[str], heads: Sequence[str]) -> str:
    said = [head if cell else "" for cell, head in zip(row, heads, strict=True)]
    cells = [f"<td{head}>{cell}</td>" for cell, head in zip(row[1:], said[1:], strict=True)]
    cells.insert(0, f'<th scope="row"{said[0]}>{row[0]}</th>')
    return "\n".join(cells)  # a break, so that the search does not take two cells for one word
