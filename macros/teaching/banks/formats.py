"""The formats of question banks, and the content of a bank in any of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from macros.counting.errors import quote, suggestion

from . import blackboard, brightspace, canvas, gift, moodle, sheet
from .entries import Bank, bank_of


class UnknownFormat(ValueError):
    """No format has this name."""


class Format(NamedTuple):
    """A format of question banks.

    Attributes:
        title: the name of the format for readers.
        ending: the end of file names, after the name of the set.
        render: the function that returns the content of a file for a bank. Text is encoded as UTF-8.
        is_in_one_zip: whether the banks of all sets are downloaded in one zip rather than one by one.
    """

    title: str
    ending: str
    render: Callable[[Bank], str | bytes]
    is_in_one_zip: bool = False


FORMATS: Mapping[str, Format] = {
    "moodle": Format("Moodle XML", "-moodle.xml", moodle.render),
    "canvas": Format("QTI 1.2 for Canvas", "-canvas.zip", canvas.render),
    "brightspace": Format("CSV for Brightspace", "-brightspace.csv", brightspace.render, is_in_one_zip=True),
    "blackboard": Format("Text for Blackboard", "-blackboard.txt", blackboard.render, is_in_one_zip=True),
    "gift": Format("GIFT", "-gift.txt", gift.render),
    "csv": Format("CSV", ".csv", sheet.render),
}
"""The formats by their names on the command line."""


def format_named(name: str) -> Format:
    """The format with this name.

    Raises:
        UnknownFormat: no format has this name.
    """
    if name not in FORMATS:
        raise UnknownFormat(f"no format {quote(name)}; {suggestion(name, FORMATS)}")
    return FORMATS[name]


def bank_content(name: str, seeds: Iterable[int], format_name: str) -> bytes:
    """The content of a file with variants of a set in one format.

    Raises:
        UnknownFormat: no format has this name.
        UnknownExercise: as for `bank_of`.
    """
    content = format_named(format_name).render(bank_of(name, seeds))
    return content if isinstance(content, bytes) else content.encode()
