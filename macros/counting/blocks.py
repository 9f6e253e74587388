"""Reads data files and checks their blocks.

A block is a top-level table of a TOML file, and describes, for example, a model,
a deviation or a source of claims. It is easy to forget or misspell a key in a
new block, so the modules that read blocks check them with the functions here.
The errors of these checks begin with the file and the name of the block.
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

TYPE_DESCRIPTIONS = {
    str: "a text",
    int: "an integer from 0",
    bool: "true or false",
    list: "a list",
    dict: "a table of texts",
}
"""The types that a value may have, in words for error messages. The callers check the contents of lists and tables."""

Value = TypeVar("Value")


def blocks_of(path: Path, substring: str = "") -> dict[str, Any]:
    """The blocks of a data file by name, in the order of the file.

    Args:
        path: the file.
        substring: a string in lower case; only blocks that contain it, in lower or upper case, are returned. This saves
            most of the time that parsing a long file takes. If it is empty, all blocks are returned.

    Raises:
        BadConfig: the file is missing, or is not TOML.
    """
    try:
        text = path.read_text(encoding="utf-8")
        if substring:
            # The name of a block is in brackets at the start of a line.
            block_texts = (f"[{body}" for body in text.split("\n[")[1:])
            text = "\n".join(block_text for block_text in block_texts if substring in block_text.casefold())
        return tomllib.loads(text)
    except (OSError, ValueError) as error:
        raise BadConfig(f"{path.name}: cannot be read as TOML ({error})") from None


def check_keys(
    location: str, block: Any, required: Collection[str], optional: Collection[str], **types: type[object]
) -> None:
    """Refuse a block with an unknown key, without a required key, or with an empty, negative or wrongly typed value.

    Args:
        location: the file and the name of the block, with which an error begins.
        block: the block as the TOML parser returns it.
        required: keys that the block must have.
        optional: keys that it may have.
        types: by key, the types of values that are not strings; values of type `object` are not checked here.

    Raises:
        BadConfig: the check fails, or the block is not a table.
    """
    if not isinstance(block, dict):
        raise BadConfig(f"{location}: is {quote(block)}; write keys and values")
    for key, value in block.items():
        if key not in required and key not in optional:
            raise BadConfig(
                f"{location}: unknown key {label(key)} = {quote(value)}; {suggestion(key, [*required, *optional])}"
            )
        value_type = types.get(key, str)
        # The types are compared, because `isinstance` would accept true and false as integers.
        if value_type is not object and (type(value) is not value_type or _is_empty_or_negative(value)):
            raise BadConfig(f"{location}: {key} is {quote(value)}; write {TYPE_DESCRIPTIONS[value_type]}")
    for key in required:
        if key not in block:
            raise BadConfig(f"{location}: {key} is missing; write it")


def _is_empty_or_negative(value: Any) -> bool:
    """Whether a value is empty, blank or a negative integer."""
    if isinstance(value, str):
        return not value.strip()
    return value in ([], {}) or (isinstance(value, int) and value < 0)


def check_choice(location: str, key: str, value: Any, choices: Collection[str]) -> None:
    """Refuse a value that is not one of the choices.

    Raises:
        BadConfig: the value is not one of the choices; the message suggests one, or lists some.
    """
    if value not in choices:
        raise BadConfig(f"{location}: {key} is {quote(value)}; {suggestion(str(value), choices)}")


def check_date(location: str, value: str) -> None:
    """Refuse a value of the key `accessed` that is not a date.

    Raises:
        BadConfig: the value is not a date in a form of ISO 8601, such as YYYY-MM-DD.
    """
    try:
        date.fromisoformat(value)
    except ValueError:
        raise BadConfig(f"{location}: accessed is {quote(value)}; write a date as YYYY-MM-DD") from None


def look_up(location: str, find: Callable[[str], Value], name: str) -> Value:
    """The result of `find(name)`, for a name that appears in a block.

    Raises:
        BadConfig: `find` refuses the name. The message begins with `location`, the file and the block.
    """
    try:
        return find(name)
    except CountingError as error:
        raise BadConfig(f"{location}: {error}") from None


def with_immutable_values(block: Mapping[str, Any]) -> dict[str, Any]:
    """The block with tuples in place of lists, and tuples of pairs in place of tables."""
    return {key: _immutable_value(value) for key, value in block.items()}


def _immutable_value(value: Any) -> Any:
    """A list as a tuple, a dictionary as a tuple of its items, and any other value unchanged."""
    if isinstance(value, dict):
        return tuple(value.items())
    return tuple(value) if isinstance(value, list) else value
