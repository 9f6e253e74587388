"""The words that every page needs, each explained in one place."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from macros.counting.blocks import blocks_of, check_keys

FILE = Path(__file__).with_suffix(".toml")


class Term(NamedTuple):
    """A word with two explanations: one that goes on in a sentence, and one that stands by itself."""

    title: str
    short: str
    long: str


@cache
def terms() -> dict[str, Term]:
    """Every term by name, in the order in which they are needed.

    Raises:
        BadConfig: a key is missing, unknown, or of the wrong type.
    """
    blocks = blocks_of(FILE)
    for name, each in blocks.items():
        check_keys(f"{FILE.name}, {name}", each, Term._fields, ())
    return {name: Term(**each) for name, each in blocks.items()}


def in_sentences() -> dict[str, str]:
    """What pages say of each term right after naming it, by the name with underscores."""
    return {name.replace("-", "_"): each.short for name, each in terms().items()}
