"""GIFT, a text format that Moodle and other platforms read. It has no room for hints.

Source: https://docs.moodle.org/en/GIFT_format, and Moodle's importer,
question/format/gift/format.php. `make verify` reads our files with the importer.
"""

from __future__ import annotations

import re

from ..sets import fill, load_sets
from . import markup
from .entries import Answer, Bank, BankEntry

SPECIAL = re.compile(r"[\\~=#{}:]")
"""Matches characters that have a special meaning in GIFT unless a backslash precedes them."""


def render(bank: Bank) -> str:
    """A bank as GIFT, in a separate category. Blank lines separate the questions."""
    category = f"$CATEGORY: {fill(load_sets().banks['category'], title=bank.title)}"
    return "\n\n".join([category, *map(_question, bank.entries)]) + "\n"


def _question(entry: BankEntry) -> str:
    """A question: its identifier, name and text, its answers in braces, and the solution as general feedback."""
    answers = "\n".join(map(_number if entry.is_numeric else _choice, entry.answers))
    return (
        f"// [id:{entry.identifier}]\n::{_escape(entry.name)}::[html]{_escape(markup.prompt(entry))}"
        f"{{{'#' if entry.is_numeric else ''}\n{answers}\n####{_escape(markup.solution(entry))}\n}}"
    )


def _number(answer: Answer) -> str:
    """An exact number with its feedback. GIFT gives a number full marks unless a percentage precedes it."""
    return f"={'' if answer.is_correct else '%0%'}{answer.text}:0#{_escape(markup.paragraphs([answer.feedback]))}"


def _choice(answer: Answer) -> str:
    """An option with its feedback. `=` marks the correct option, and `~` a wrong one."""
    text = _escape(markup.paragraphs([answer.text]))
    return f"{'=' if answer.is_correct else '~'}{text}#{_escape(markup.paragraphs([answer.feedback]))}"


def _escape(text: str) -> str:
    """The text on one line, with every special character escaped."""
    return SPECIAL.sub(r"\\\g<0>", " ".join(text.split("\n")))
