"""Writes the TypeScript type of the exported table, as its published schema describes it.

Run by `make lint`, which then checks the scripts against it:

    python -m tests.scripts.table_type
"""

import json
from pathlib import Path
from typing import Any

from macros.rendering.files.schemas import TABLE_SCHEMA

FILE = Path(".cache", "types", "table.d.ts")
"""Where the checker of the scripts finds the type, from the top of the repository."""

NAMES = {"string": "string", "boolean": "boolean", "integer": "number", "number": "number", "null": "null"}
"""TypeScript's names for the plain types of a schema."""

FEW = 3
"""Up to this many texts, the type lists them; of more, scripts look values up by name, so any text will do."""


def in_typescript(schema: dict[str, Any]) -> str:
    """The TypeScript type of the values that fit a schema."""
    if "const" in schema or "enum" in schema:
        return _one_of(schema.get("enum", [schema.get("const")]))
    if "prefixItems" in schema:
        return f"[{', '.join(map(in_typescript, schema['prefixItems']))}]"
    if schema["type"] == "array":
        item = in_typescript(schema["items"])
        return f"({item})[]" if "|" in item.partition("{")[0] else f"{item}[]"
    if schema["type"] != "object":
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        return " | ".join(NAMES[name] for name in names)
    if "properties" not in schema:
        return f"Record<string, {in_typescript(schema['additionalProperties'])}>"
    return f"{{ {'; '.join(_field(name, schema) for name in schema['properties'])} }}"


def _one_of(values: list[Any]) -> str:
    """The type of a value that is one of some."""
    if len(values) <= FEW and all(isinstance(value, str) for value in values):
        return " | ".join(map(json.dumps, values))
    return " | ".join(dict.fromkeys({str: "string", bool: "boolean", int: "number"}[type(value)] for value in values))


def _field(name: str, schema: dict[str, Any]) -> str:
    """A property with its type, after the schema's description of it."""
    field = schema["properties"][name]
    comment = f"/** {field['description']} */ " if "description" in field else ""
    return f"{comment}{json.dumps(name)}{'' if name in schema['required'] else '?'}: {in_typescript(field)}"


def write(root: Path) -> None:
    """Write the type into a repository, or into a copy of it."""
    file = root / FILE
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"type Table = {in_typescript(TABLE_SCHEMA)}\n", encoding="utf-8")


if __name__ == "__main__":
    write(Path())
