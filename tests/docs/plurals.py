"""Finds plurals after the number one."""

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
"""The nouns that answers count."""

ONES = re.compile(rf"(?<![\d,.])1 (?:[a-z-]+ )?(?:{'|'.join(PLURALS)})\b")


def ones_in_the_plural(text: str) -> list[str]:
    """Every place in a text that puts a plural after the number one.

    >>> ones_in_the_plural("1 layers, 11 layers")
    ['1 layers']
    """
    return ONES.findall(text)
