"""The schemas are strict: they reject numbers below the minimum, missing keys and additional keys."""

import io
import json
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout
from copy import copy
from functools import cache
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from macros.counting.__main__ import main
from macros.rendering.files import downloads
from macros.rendering.files.schemas import SCHEMAS

JsonPath = tuple[str | int, ...]
"""The keys and indices that lead to a value in a JSON document."""

FILES = {
    "totals": "data/totals.json",
    "ledger": "data/bert-base-uncased/BertForPreTraining.json",
    "names": "data/names.json",
    "table": "data/table.json",
}
FRAMEWORKS = ("transformers", "keras-bert")
COMMANDS: list[list[str]] = [
    [],
    ["--change", "lora:8:query", "--change", "int8"],
    ["--tokens", "8"],
    ["bert-base-cased"],
]
"""Additional command-line arguments for BERT base: each list yields a ledger or, with a second model, two of them."""


@cache
def documents() -> dict[str, list[Any]]:
    """Valid documents by the name of their schema."""
    addresses = {*FILES.values(), *(f"data/bert-base-uncased/listings/{framework}.json" for framework in FRAMEWORKS)}
    texts = {address: make() for address, make in downloads.makers() if address in addresses}
    contents = {address: json.loads(text) for address, text in texts.items()}
    documents_by_schema = {name: [contents[address]] for name, address in FILES.items()}
    documents_by_schema["ledger"] += map(printed_object, COMMANDS)
    return {**documents_by_schema, "listing": [item for address, item in contents.items() if "/listings/" in address]}


def printed_object(options: list[str]) -> Any:
    """The JSON value that the command line prints for BERT base."""
    with redirect_stdout(io.StringIO()) as out:
        assert 0 == main(["bert-base-uncased", "--json", *options])
    return json.loads(out.getvalue())


def values_with_paths(value: Any, path: JsonPath = ()) -> Iterator[tuple[JsonPath, Any]]:
    """Every value in a document with its path; of each list, only the first item."""
    yield path, value
    members: Iterable[tuple[str | int, Any]] = ()
    if isinstance(value, dict):
        members = value.items()
    elif isinstance(value, list):
        members = enumerate(value[:1])
    for key, member in members:
        yield from values_with_paths(member, (*path, key))


def with_value(document: Any, path: JsonPath, value: Any) -> Any:
    """A copy of a document with a different value at a path."""
    if not path:
        return value
    result = copy(document)
    result[path[0]] = with_value(document[path[0]], path[1:], value)
    return result


def accepted_paths(name: str, change: Any) -> list[str]:
    """The paths at which the schema accepts a changed value. `change` returns None for values to skip."""
    validator = Draft202012Validator(SCHEMAS[name])
    paths = []
    for document in documents()[name]:
        assert validator.is_valid(document)
        for path, value in values_with_paths(document):
            changed_value = change(path, value)
            if changed_value is not None and validator.is_valid(with_value(document, path, changed_value)):
                paths.append("/".join(map(str, path)))
    return paths


PATHS_OF_OPTIONAL_KEYS = {"totals": [""], "ledger": [], "names": [], "listing": []}
"""By schema, the paths of objects whose keys are arbitrary names, so that no particular entry is required."""


@pytest.mark.parametrize("name", [*PATHS_OF_OPTIONAL_KEYS, "table"])
def test_slightly_wrong_values_are_invalid(name: str) -> None:
    """A schema rejects a number below the minimum; all but that of the table also reject missing and additional keys.

    There are two exceptions: keys that are names can be missing, and the count of a tied tensor is 0.
    """
    assert [] == accepted_paths(name, lambda _, value: -1 if type(value) is int else None)
    assert (name == "names") == (not accepted_paths(name, lambda _, value: 0 if type(value) is int else None))
    if name in PATHS_OF_OPTIONAL_KEYS:
        assert [] == accepted_paths(name, lambda _, value: {**value, "more": 1} if isinstance(value, dict) else None)
        optional_keys = accepted_paths(
            name, lambda _, value: dict([*value.items()][1:]) if value and isinstance(value, dict) else None
        )
        assert PATHS_OF_OPTIONAL_KEYS[name] == optional_keys


def properties(schema: Any) -> Iterator[tuple[str, Any]]:
    """Every property in a schema, at any depth, with its own schema."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {}).items()
        for inner in schema.values():
            yield from properties(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from properties(inner)


def test_a_field_of_bytes_is_described_by_its_data_type() -> None:
    """The description of `bytes_float16`, for example, must not be "in float32"."""
    descriptions = {
        name: property_schema["description"]
        for schema in SCHEMAS.values()
        for name, property_schema in properties(schema)
        if "description" in property_schema
    }
    float_descriptions = {name: text for name, text in descriptions.items() if name.startswith("bytes_float")}
    assert {"bytes_float16"} <= float_descriptions.keys()
    assert {} == {name: text for name, text in float_descriptions.items() if name.removeprefix("bytes_") not in text}
