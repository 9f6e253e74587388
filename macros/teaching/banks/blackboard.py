"""Tab-separated text that Blackboard imports: one numeric or multiple-choice question per line.

The format has no room for feedback, hints or solutions.

Source:
https://help.blackboard.com/Learn/Instructor/Original/Tests_Pools_Surveys/Orig_Reuse_Questions/Upload_Questions
"""

from __future__ import annotations

from collections.abc import Iterator

from .entries import Bank, BankEntry

NO_MARGIN = "0"
"""The largest difference from the correct number at which a typed number is accepted."""


def render(bank: Bank) -> str:
    """A bank as text for Blackboard.

    The text has no heading and no empty line, because Blackboard would take either for a question.
    """
    return "".join("\t".join(map(_in_one_line, _fields(entry))) + "\r\n" for entry in bank.entries)


def _fields(entry: BankEntry) -> Iterator[str]:
    """Yield the fields of a question's line: the kind of question, its text, and the answers."""
    question = " ".join((*entry.text, "; ".join(entry.ledger)))
    if entry.is_numeric:
        yield from ("NUM", question, *(answer.text for answer in entry.answers if answer.is_correct), NO_MARGIN)
        return
    yield from ("MC", question)
    for answer in entry.answers:
        yield from (answer.text, "correct" if answer.is_correct else "incorrect")


def _in_one_line(text: str) -> str:
    """The text with single spaces as its only white space: a tab would end the field, and a line break the question.

    No-break spaces are replaced too, because they may not survive the upload.
    """
    return " ".join(text.split())
