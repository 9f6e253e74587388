"""GIFT, which Moodle and others read: the same questions as text, without hints.

Source: https://docs.moodle.org/en/GIFT_format, and Moodle's importer,
question/format/gift/format.php, which reads the files in `make verify`.
"""

from __future__ import annotations

import re

from ..sets import filled, load_sets
from . import markup
from .entries import Answer, Bank, Entry

SPECIAL = re.compile(r"[\\~=#{}:]")
"""What has a meaning of its own, unless a backslash stands before it."""


def render(bank: Bank) -> str:
    """A file with a category of its own; a blank line ends a question."""
    category = f"$CATEGORY: {filled(load_sets().banks['category'], title=bank.title)}"
    return "\n\n".join([category, *map(_question, bank.entries)]) + "\n"


def _question(entry: Entry) -> str:
    answers = "\n".join(map(_number if entry.numeric else _choice, entry.answers))
    return (
        f"// [id:{entry.identifier}]\n::{_escaped(entry.name)}::[html]{_escaped(markup.prompt(entry))}"
        f"{{{'#' if entry.numeric else ''}\n{answers}\n####{_escaped(markup.solution(entry))}\n}}"
    )


def _number(answer: Answer) -> str:
    """A number that is exact, and its mark in percent, which is all of it where it is left out."""
    return f"={'' if answer.right else '%0%'}{answer.text}:0#{_escaped(markup.paragraphs([answer.feedback]))}"


def _choice(answer: Answer) -> str:
    text = _escaped(markup.paragraphs([answer.text]))
    return f"{'=' if answer.right else '~'}{text}#{_escaped(markup.paragraphs([answer.feedback]))}"


def _escaped(text: str) -> str:
    """Text on one line in which nothing has a meaning of its own."""
    return SPECIAL.sub(r"\\\g<0>", " ".join(text.split("\n")))
