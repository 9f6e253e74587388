"""CSV for spreadsheets: a row per question, several things in a cell on lines of their own.

A spreadsheet takes a cell for a formula that begins with certain marks, even
within quotation marks; such a cell gets an apostrophe before it.
Source: https://owasp.org/www-community/attacks/CSV_Injection
"""

from __future__ import annotations

import csv
import io

from .entries import Bank, Entry

COLUMNS = (
    "set",
    "variant",
    "name",
    "question",
    "answer",
    "feedback",
    "wrong answers",
    "feedback to wrong answers",
    "hints",
    "solution",
)
"""The lines of a wrong answer and of the feedback to it have the same place in their cells."""

MARKS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a formula may begin with, in full width too."""

BYTE_ORDER_MARK = "\ufeff"
"""Without it Excel takes the file for one of another encoding."""


def render(bank: Bank) -> str:
    """A file with a line of headings."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for entry in bank.entries:
        writer.writerow(map(_harmless, _row(entry)))
    return BYTE_ORDER_MARK + out.getvalue()


def _row(entry: Entry) -> tuple[str, ...]:
    (right,) = (each for each in entry.answers if each.right)
    wrong = [each for each in entry.answers if not each.right]
    return (
        entry.set,
        str(entry.seed),
        entry.name,
        "\n".join((*entry.text, *entry.ledger)),
        right.text,
        right.feedback,
        "\n".join(each.text for each in wrong),
        "\n".join(each.feedback for each in wrong),
        "\n".join(entry.hints),
        "\n".join(entry.solution),
    )


def _harmless(cell: str) -> str:
    return f"'{cell}" if cell.startswith(MARKS) else cell
