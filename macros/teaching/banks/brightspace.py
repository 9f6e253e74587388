"""CSV for Brightspace's question library: short answers and multiple choice, one line per field.

Brightspace cannot import arithmetic questions, so a question with a number as its answer
becomes a short-answer question. Both kinds have hints and the worked-out sum, but only
multiple-choice questions have feedback on each answer.

Source:
https://community.d2l.com/brightspace/kb/articles/27274-import-questions-into-the-question-library,
and the sample file that Brightspace offers when questions are imported.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from macros.rendering.components.numbers import whole

from ..sets import fill, load_sets
from . import markup
from .entries import Bank, BankEntry
from .sheet import BYTE_ORDER_MARK

FIELDS_PER_LINE = 5
"""The number of fields on every line, as in the sample file; unused ones are empty."""

HTML = "HTML"
"""The field after a text, to mark it as HTML."""


def render(bank: Bank) -> str:
    """A bank as CSV for Brightspace, with a byte order mark like the sample file."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    title = fill(load_sets().banks["assessment"], title=bank.title)
    lines = [[f"//{title}"]]  # a comment
    for entry in bank.entries:
        lines += _lines(entry)
    for line in lines:
        writer.writerow([*line, *[""] * (FIELDS_PER_LINE - len(line))])
    return BYTE_ORDER_MARK + buffer.getvalue()


def _lines(entry: BankEntry) -> Iterator[list[str]]:
    """Yield the lines of a question, each of which begins with its keyword, and an empty line after them."""
    yield ["NewQuestion", "SA" if entry.is_numeric else "MC"]
    yield ["ID", entry.identifier]
    yield ["Title", entry.name]
    yield ["QuestionText", markup.prompt(entry), HTML]
    yield ["Points", "1"]
    yield ["Difficulty", "1"]
    if entry.is_numeric:
        yield ["InputBox", "1", "40"]  # rows and columns of the field
        (correct_text,) = (answer.text for answer in entry.answers if answer.is_correct)
        # Brightspace compares text, so the number is accepted with and without commas.
        yield from (["Answer", "100", text] for text in dict.fromkeys((correct_text, whole(int(correct_text)))))
    else:
        for answer in entry.answers:
            yield ["Option", "100" if answer.is_correct else "0", answer.text, "", answer.feedback]
    yield ["Hint", markup.paragraphs(entry.hints), HTML]
    yield ["Feedback", markup.solution(entry), HTML]
    yield []
