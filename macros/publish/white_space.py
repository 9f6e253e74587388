"""A page without the indentation of its templates, which is a sixth of a short one."""

from __future__ import annotations

import re

KEPT = re.compile(r"(<(pre|script|style|textarea)\b.*?</\2>|<[^>]*>)", re.DOTALL)
"""Tags, and elements in which white space is what it is."""


def without_indentation(html: str) -> str:
    """A page in which white space between words and elements is one character, as a browser shows it."""
    pieces = KEPT.split(html)
    # Each piece that is kept comes with the name of its element, if it is one of those.
    return "".join(
        f"{_shortest(text)}{kept or ''}" for text, kept in zip(pieces[::3], [*pieces[1::3], None], strict=True)
    )


def _shortest(text: str) -> str:
    return re.sub(r"[ \t\r\n]{2,}", lambda space: "\n" if "\n" in space[0] else " ", text)
