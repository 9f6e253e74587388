"""Text with tabs as Blackboard uploads it: a question per line, numeric or multiple choice, with nothing besides.

Source: https://help.blackboard.com/Learn/Instructor/Original/Tests_Pools_Surveys/Orig_Reuse_Questions/Upload_Questions
"""

from __future__ import annotations

from collections.abc import Iterator

from .entries import Bank, Entry

NO_MARGIN = "0"
"""By how much a typed number may differ."""


def render(bank: Bank) -> str:
    """A file without a heading and without empty lines, either of which would be taken for a question."""
    return "".join("\t".join(map(_in_one_line, _question(each))) + "\r\n" for each in bank.entries)


def _question(entry: Entry) -> Iterator[str]:
    """The fields of a line: the kind, what is asked, and the answers."""
    text = " ".join((*entry.text, "; ".join(entry.ledger)))
    if entry.numeric:
        yield from ("NUM", text, *(each.text for each in entry.answers if each.right), NO_MARGIN)
        return
    yield from ("MC", text)
    for each in entry.answers:
        yield from (each.text, "correct" if each.right else "incorrect")


def _in_one_line(text: str) -> str:
    """Text without what ends a field or a line; a space that does not break may not survive, so it is a plain one."""
    return " ".join(text.split())
