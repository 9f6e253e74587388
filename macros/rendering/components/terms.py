"""The terms that pages use; each is explained once, in `terms.toml`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from macros.counting.blocks import blocks_of, check_keys

FILE = Path(__file__).with_suffix(".toml")


class GlossaryTerm(NamedTuple):
    """A term with its two explanations.

    Attributes:
        title: the term itself.
        short: an explanation that continues a sentence after the term.
        long: a self-contained explanation.
    """

    title: str
    short: str
    long: str


@cache
def terms() -> dict[str, GlossaryTerm]:
    """Every term by name, in the order of the file.

    Raises:
        BadConfig: a key is missing, unknown, or of the wrong type.
    """
    blocks = blocks_of(FILE)
    for name, block in blocks.items():
        check_keys(f"{FILE.name}, {name}", block, GlossaryTerm._fields, ())
    return {name: GlossaryTerm(**block) for name, block in blocks.items()}


def short_explanations() -> dict[str, str]:
    """The short explanation of each term, by its name with underscores, which makes it a valid name in templates."""
    return {name.replace("-", "_"): term.short for name, term in terms().items()}
