"""Sentences that scripts in the browser say as well: `data/messages.toml` has them, once for both."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping

from .blocks import DATA

MESSAGES: Mapping[str, str] = tomllib.loads((DATA / "messages.toml").read_text(encoding="utf-8"))
"""The sentences by name, with names in braces for what is filled in."""


def message(name: str, /, **values: object) -> str:
    """A sentence with its values filled in.

    >>> message("size", least=1, most=3)
    'it must be an integer from 1 to 3'
    """
    return MESSAGES[name].format(**values)
