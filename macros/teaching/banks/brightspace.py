"""CSV as Brightspace imports it into its question library: short answers and multiple choice, a line for each field.

A typed number is a short answer here, since an arithmetic question cannot be
imported; it has hints and the sum, and only choices have feedback of their own.

Source: https://community.d2l.com/brightspace/kb/articles/27274-import-questions-into-the-question-library,
and the sample file that the page of the import offers.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from macros.rendering.components.numbers import whole

from ..sets import filled, load_sets
from . import markup
from .entries import Bank, Entry
from .sheet import BYTE_ORDER_MARK

FIELDS = 5
"""How many fields a line has in the sample, empty ones too."""

HTML = "HTML"
"""Stands after a text with markup."""


def render(bank: Bank) -> str:
    """A file in the encoding that the sample asks for; a line that begins with strokes is a remark."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    title = filled(load_sets().banks["assessment"], title=bank.title)
    for line in ([f"//{title}"], *(line for entry in bank.entries for line in _question(entry))):
        writer.writerow([*line, *[""] * (FIELDS - len(line))])
    return BYTE_ORDER_MARK + out.getvalue()


def _question(entry: Entry) -> Iterator[list[str]]:
    """The lines of a question, each named by its first field, and an empty one."""
    yield ["NewQuestion", "SA" if entry.numeric else "MC"]
    yield ["ID", entry.identifier]
    yield ["Title", entry.name]
    yield ["QuestionText", markup.prompt(entry), HTML]
    yield ["Points", "1"]
    yield ["Difficulty", "1"]
    if entry.numeric:
        yield ["InputBox", "1", "40"]
        (right,) = (each.text for each in entry.answers if each.right)
        # What is compared is text, so both ways to write the number are right.
        yield from (["Answer", "100", text] for text in dict.fromkeys((right, whole(int(right)))))
    else:
        yield from (["Option", "100" if each.right else "0", each.text, "", each.feedback] for each in entry.answers)
    yield ["Hint", markup.paragraphs(entry.hints), HTML]
    yield ["Feedback", markup.solution(entry), HTML]
    yield []
