"""The formats of question banks by name, and a bank in one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from macros.counting.errors import shown, suggestion

from . import blackboard, brightspace, canvas, gift, moodle, sheet
from .entries import Bank, bank_of


class UnknownFormat(ValueError):
    """There is no format of that name."""


class Format(NamedTuple):
    """A format.

    Attributes:
        title: what readers call it.
        ending: of its files, after the name of the set.
        write: what makes a file of a bank; text is written in UTF-8.
        together: whether the banks to download are of all sets are in one zip.
    """

    title: str
    ending: str
    write: Callable[[Bank], str | bytes]
    together: bool = False


FORMATS: Mapping[str, Format] = {
    "moodle": Format("Moodle XML", "-moodle.xml", moodle.render),
    "canvas": Format("QTI 1.2 for Canvas", "-canvas.zip", canvas.render),
    "brightspace": Format("CSV for Brightspace", "-brightspace.csv", brightspace.render, together=True),
    "blackboard": Format("Text for Blackboard", "-blackboard.txt", blackboard.render, together=True),
    "gift": Format("GIFT", "-gift.txt", gift.render),
    "csv": Format("CSV", ".csv", sheet.render),
}
"""Every format by its name on the command line."""


def format_named(name: str) -> Format:
    """The format of that name.

    Raises:
        UnknownFormat: there is none.
    """
    if name not in FORMATS:
        raise UnknownFormat(f"no format {shown(name)}; {suggestion(name, FORMATS)}")
    return FORMATS[name]


def bank(name: str, seeds: Iterable[int], form: str) -> bytes:
    """The content of a file: some variants of a set in a format.

    Raises:
        UnknownFormat: there is no such format.
        UnknownExercise: there is no such set or variant, or none or too many are asked for.
    """
    made = format_named(form).write(bank_of(name, seeds))
    return made if isinstance(made, bytes) else made.encode()
