"""Reading the data files.

A data file is TOML, and each of its tables is a block: a model, a deviation, a
claim. Whoever adds a block may forget a key or misspell one, so every reader
checks its blocks here, and the message names file, block, key and value.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Mapping
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

from .errors import BadConfig, CountingError, label, quote, suggestion

DATA = Path(__file__).with_name("data")
"""The folder of the data files."""

KINDS = {str: "a text", int: "an integer from 0", bool: "true or false", list: "a list", dict: "a table of texts"}
"""The types of values, with the words of a message for each."""

Value = TypeVar("Value")


def blocks_of(path: Path) -> dict[str, Any]:
    """The blocks of a data file by name, in the order of the file.

    Raises:
        BadConfig: the file is missing, or is not TOML.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadConfig(f"{path.name}: cannot be read as TOML ({error})") from None


def check_keys(
    where: str, block: Any, required: Collection[str], optional: Collection[str], **kinds: type[object]
) -> None:
    """Refuse a block with an unknown key, without a required one, or with a value of the wrong type.

    Args:
        where: the file and the name of the block, for an error.
        block: the block as TOML gives it.
        required: keys that the block must have.
        optional: keys that it may have.
        kinds: by key, the type of a value that is not a text; `object` leaves the check to the caller.

    Raises:
        BadConfig: the block is such a one, or no block at all; the message names the key.
    """
    if not isinstance(block, dict):
        raise BadConfig(f"{where}: is {quote(block)}; write keys and values")
    for key, value in block.items():
        if key not in required and key not in optional:
            raise BadConfig(
                f"{where}: unknown key {label(key)} = {quote(value)}; {suggestion(key, [*required, *optional])}"
            )
        kind = kinds.get(key, str)
        unusable = not value.strip() if isinstance(value, str) else value in ([], {}) or (kind is int and value < 0)
        # Not `isinstance`, for which true is an integer.
        if kind is not object and (type(value) is not kind or unusable):
            raise BadConfig(f"{where}: {key} is {quote(value)}; write {KINDS[kind]}")
    for key in required:
        if key not in block:
            raise BadConfig(f"{where}: {key} is missing; write it")


def check_choice(where: str, key: str, value: Any, choices: Collection[str]) -> None:
    """Refuse a value that is not one of the choices.

    Raises:
        BadConfig: it is not; the message proposes the nearest.
    """
    if value not in choices:
        raise BadConfig(f"{where}: {key} is {quote(value)}; {suggestion(str(value), choices)}")


def check_date(where: str, value: str) -> None:
    """Refuse a text that is not a date.

    Raises:
        BadConfig: it is not a date written as YYYY-MM-DD.
    """
    try:
        date.fromisoformat(value)
    except ValueError:
        raise BadConfig(f"{where}: accessed is {quote(value)}; write a date as YYYY-MM-DD") from None


def lookup(where: str, find: Callable[[str], Value], name: str) -> Value:
    """`find(name)`, with an unknown name reported as an error of the block at `where`.

    Raises:
        BadConfig: there is nothing of that name.
    """
    try:
        return find(name)
    except CountingError as error:
        raise BadConfig(f"{where}: {error}") from None


def frozen(block: Mapping[str, Any]) -> dict[str, Any]:
    """The block with immutable values: lists as tuples, and tables as tuples of pairs."""
    return {key: _frozen(value) for key, value in block.items()}


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return tuple(value.items())
    return tuple(value) if isinstance(value, list) else value
