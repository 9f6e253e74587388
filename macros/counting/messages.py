"""The messages in `data/messages.toml`, which the scripts in the browser use as well, and lists of items in words."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence

from .blocks import DATA

MESSAGES: Mapping[str, str] = tomllib.loads((DATA / "messages.toml").read_text(encoding="utf-8"))
"""The messages by name. A name in braces is a placeholder for a value."""


def message(name: str, /, **values: object) -> str:
    """The message of that name, with values in place of its placeholders.

    >>> message("size", least=1, most=3)
    'it must be an integer from 1 to 3'
    """
    return MESSAGES[name].format(**values)


def and_list(items: Sequence[str]) -> str:
    """The items, at least one, as a list within a sentence.

    >>> and_list(["the last layer", "the pooler", "a head"])
    'the last layer, the pooler and a head'
    """
    *first_items, last_item = items
    return f"{', '.join(first_items)} and {last_item}" if first_items else last_item
