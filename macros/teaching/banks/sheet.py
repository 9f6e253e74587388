"""CSV for spreadsheets, with one row per question. A cell with several items has one item per line.

Spreadsheets read a cell that begins with certain characters as a formula, even in quotation marks.
Such a cell is prefixed with an apostrophe. Source:
https://owasp.org/www-community/attacks/CSV_Injection
"""

from __future__ import annotations

import csv
import io

from .entries import Bank, BankEntry

COLUMNS = (
    "set",
    "variant",
    "name",
    "question",
    "answer",
    "feedback",
    "wrong answers",
    "feedback on wrong answers",
    "hints",
    "solution",
)
"""The headings of the columns. A wrong answer and the feedback on it are on the same line of their cells."""

FORMULA_BEGINNINGS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""Characters with which a formula may begin, including full-width forms."""

BYTE_ORDER_MARK = "\ufeff"
"""Marks the file as UTF-8 for Excel, which would otherwise guess a different encoding."""


def render(bank: Bank) -> str:
    """A bank as CSV, with a row of headings."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for entry in bank.entries:
        writer.writerow(map(_harmless, _row(entry)))
    return BYTE_ORDER_MARK + buffer.getvalue()


def _row(entry: BankEntry) -> tuple[str, ...]:
    """The cells of a question, in the order of `COLUMNS`."""
    (correct,) = (answer for answer in entry.answers if answer.is_correct)  # exactly one answer is correct
    wrong_answers = [answer for answer in entry.answers if not answer.is_correct]
    return (
        entry.set,
        str(entry.seed),
        entry.name,
        "\n".join((*entry.text, *entry.ledger)),
        correct.text,
        correct.feedback,
        "\n".join(answer.text for answer in wrong_answers),
        "\n".join(answer.feedback for answer in wrong_answers),
        "\n".join(entry.hints),
        "\n".join(entry.solution),
    )


def _harmless(cell: str) -> str:
    """The cell, prefixed with an apostrophe if a spreadsheet would read it as a formula."""
    return f"'{cell}" if cell.startswith(FORMULA_BEGINNINGS) else cell
