"""Finds plurals after the number one, as in "1 layers"."""

import re

PLURALS = (
    "bytes",
    "classes",
    "digits",
    "elements",
    "features",
    "fields",
    "groups",
    "heads",
    "keys",
    "labels",
    "layers",
    "matrices",
    "models",
    "numbers",
    "parameters",
    "parts",
    "positions",
    "rows",
    "segments",
    "steps",
    "tensors",
    "times",
    "tokens",
    "units",
    "ways",
)
"""The plurals of the nouns that answers count."""

PLURAL_AFTER_ONE = re.compile(rf"(?<![\d,.])1 (?:[a-z-]+ )?(?:{'|'.join(PLURALS)})\b")
"""The number one, an optional adjective, and a plural."""


def plurals_after_one(text: str) -> list[str]:
    """The phrases of a text in which a plural follows the number one, with an optional adjective between them.

    >>> plurals_after_one("1 layers, 11 layers")
    ['1 layers']
    """
    return PLURAL_AFTER_ONE.findall(text)
