"""One of something: what is counted is then in the singular."""

import re

PLURALS = (
    *("bytes", "classes", "digits", "elements", "features", "fields", "groups", "heads", "keys", "labels", "layers"),
    *("matrices", "models", "numbers", "parameters", "parts", "positions", "rows", "segments", "steps", "tensors"),
    *("times", "tokens", "units", "ways"),
)
"""What answers count."""

ONES = re.compile(rf"(?<![\d,.])1 (?:[a-z-]+ )?(?:{'|'.join(PLURALS)})\b")


def ones_in_the_plural(text: str) -> list[str]:
    """Wherever a text counts one of something as if there were more.

    >>> ones_in_the_plural("1 layers, 11 layers")
    ['1 layers']
    """
    return ONES.findall(text)
