"""A table written in Markdown on its page, made into one like every table of the site: see `tables.py`.

A page says everything that the table shows, and calls macros for its numbers:

    {% call rows("model-files") %}
    How large the files of BERT base and BERT large are

    | file | base | large |
    |:--|--:|--:|
    | header | {{ stored("header") }} | {{ stored("header", model=large) }} |
    {% endcall %}

The text above the first row is the caption. The rule below the headings says
what each column holds, which decides where it stands on a phone: `--:`
figures, `:-:` a word, `:--` a sentence, `---` a name or a formula. A second
rule stands before the row of totals. `{ #place }` at the end of a first cell is
the id of its row. Empty lines between rows mean nothing, so a loop may leave some.

Cells are HTML as macros return it, with code, links and bold type in Markdown.
They are not left to Python-Markdown as a whole: it would parse every tag of
every number only to leave all as it is.

Where the rows themselves are computed, a macro of the page's topic returns
them as such lines, from `lines`, and stands where the rows would.
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
from macros.counting.errors import shown

from .tables import NUMERIC, PROSE, TEXT, WORD, Column, breakable, table

KINDS = {(False, False): TEXT, (False, True): NUMERIC, (True, True): WORD, (True, False): PROSE}
"""What a column holds, by whether its rule has a colon on the left and on the right."""

PIECE = re.compile(r"<[^>]*>|`[^`]*`|\\\||(?P<bar>\|)")
"""What may hold a bar that does not part cells, and a bar that does."""

RULE = re.compile(r"\|(\s*(:-+:|:?-{2,}:?)\s*\|)+")

ROW_ID = re.compile(r"\s*\{\s*#(\S+)\s*\}$")

CONVERTER = Markdown()
"""Reads cells one after the other: to make one takes longer than to read a cell."""

MARKS = re.compile(r"`|\]\(|\*\*")
"""What only Markdown would read: code, a link, bold type."""

PAGE = re.compile(r'(href="(?!\w+:)[^"#?]*)\.md(?=["#?])')
"""A link to a page by the name of its file."""


def rows(name: str, text: str) -> str:
    """The table that a page writes in Markdown.

    Args:
        name: the id of the table.
        text: caption, headings, rule and rows; see the top of this module.

    Raises:
        CountingError: there is no caption or no rule, a line is no row, or a row has not as many cells as the head.
    """
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    start = next((place for place, line in enumerate(lines) if line.startswith("|")), len(lines))
    caption, body = " ".join(lines[:start]), lines[start:]
    if not caption:
        raise CountingError(f'table "{name}" has no caption; write a line above its first row that says what it shows')
    if wrong := next((line for line in body if not (line.startswith("|") and line.endswith("|"))), None):
        raise CountingError(f'table "{name}": {shown(wrong)} is no row; begin and end it with a bar')
    rules = [place for place, line in enumerate(body) if RULE.fullmatch(line)]
    if not rules or rules[0] != 1:
        raise CountingError(f'table "{name}" has no rule; write one such as |---|--:| below its headings')
    headings, kinds = _cells(body[0]), [_kind(each) for each in _cells(body[1])]
    if len(headings) != len(kinds):
        raise CountingError(f'table "{name}" has {len(headings)} headings, and a rule for {len(kinds)}; write one each')
    last = rules[1] if len(rules) > 1 else len(body)
    listed = [_cells(line) for line in body[2:last]]
    ids = [found[1] if (found := ROW_ID.search(row[0])) else "" for row in listed]
    return table(
        name,
        Markup(_inline(caption)),  # noqa: S704  what a page says is ours
        [Column(unescape(heading), kind) for heading, kind in zip(headings, kinds, strict=True)],
        [[_inline(ROW_ID.sub("", cell) if not place else cell) for place, cell in enumerate(row)] for row in listed],
        [_inline(cell) for line in body[last + 1 :] for cell in _cells(line)],
        row_ids=ids if any(ids) else (),
    )


def lines(computed: Iterable[Sequence[str]], ids: Iterable[str] = ()) -> str:
    """Computed rows as the lines of a table that a page writes: `| the pooler | 590,592 |`.

    Args:
        computed: the cells of each row, as HTML.
        ids: the id of each row, or none at all.
    """
    listed = [[_as_written(cell) for cell in row] for row in computed]
    marked = [f" {{ #{each} }}" for each in ids] or [""] * len(listed)
    return "\n".join(
        f"| {' | '.join([first + mark, *others])} |" for (first, *others), mark in zip(listed, marked, strict=True)
    )


def _as_written(cell: str) -> str:
    """A cell of HTML as a page would write it, on one line and with nothing that Markdown would read."""
    return PIECE.sub(_escaped, MARKS.sub(_referred_to, cell)).replace("\n", " ")


def _escaped(piece: re.Match[str]) -> str:
    """A bar that would part cells, so that it does not; everything else as it is."""
    return "\\|" if piece["bar"] else piece[0]


def _referred_to(marks: re.Match[str]) -> str:
    """Signs of Markdown as HTML refers to them, which Markdown leaves alone."""
    return "".join(f"&#{ord(each)};" for each in marks[0])


def _cells(line: str) -> list[str]:
    """The cells of a row, without the bars around them."""
    bars = [piece.start() for piece in PIECE.finditer(line) if piece["bar"]]
    return [line[start + 1 : end].strip() for start, end in pairwise(bars)]


def _kind(rule: str) -> str:
    """What a column holds, by its part of the rule."""
    return KINDS[rule.startswith(":"), rule.endswith(":")]


@cache  # a page that is served again has most of its cells as before
def _inline(cell: str) -> str:
    """A cell as HTML. Code can be broken at its joints, and links lead to pages as they are published."""
    if not MARKS.search(cell):
        return cell.replace("\\|", "|")
    html = CONVERTER.reset().convert(cell).removeprefix("<p>").removesuffix("</p>")
    html = re.sub(r"(?<=<code>)[^<]+", lambda name: breakable(name[0]), html)
    return PAGE.sub(r"\1.html", html)
