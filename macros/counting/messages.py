"""Messages that the engine shares with the scripts in the browser, as data in `data/messages.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping

from .blocks import DATA

MESSAGES: Mapping[str, str] = tomllib.loads((DATA / "messages.toml").read_text(encoding="utf-8"))
"""The messages by name. A name in braces is a placeholder for a value."""


def message(name: str, /, **values: object) -> str:
    """The message of that name, with values in place of its placeholders.

    >>> message("size", least=1, most=3)
    'it must be an integer from 1 to 3'
    """
    return MESSAGES[name].format(**values)
