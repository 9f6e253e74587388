"""The type of the exported table, for the checker of the scripts: what its published schema says, in TypeScript.

Run by `make lint`, which checks the scripts then:

    python -m tests.scripts.table_type
"""

import json
from pathlib import Path
from typing import Any

from macros.rendering.files.schemas import TABLE_SCHEMA

FILE = Path(".cache", "types", "table.d.ts")
"""Where the checker finds it, from the top of the repository."""

NAMES = {"string": "string", "boolean": "boolean", "integer": "number", "number": "number", "null": "null"}
"""What TypeScript calls the plain types of a schema."""

FEW = 3
"""So many texts are told apart by a script; of more it takes any, as it asks for them by name."""


def in_typescript(schema: dict[str, Any]) -> str:
    """The type of what fits a schema."""
    if "const" in schema or "enum" in schema:
        return _one_of(schema.get("enum", [schema.get("const")]))
    if "prefixItems" in schema:
        return f"[{', '.join(map(in_typescript, schema['prefixItems']))}]"
    if schema["type"] == "array":
        item = in_typescript(schema["items"])
        return f"({item})[]" if "|" in item.partition("{")[0] else f"{item}[]"
    if schema["type"] != "object":
        listed = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        return " | ".join(NAMES[each] for each in listed)
    if "properties" not in schema:
        return f"Record<string, {in_typescript(schema['additionalProperties'])}>"
    return f"{{ {'; '.join(_field(name, schema) for name in schema['properties'])} }}"


def _one_of(values: list[Any]) -> str:
    """The type of what is one of some values."""
    if len(values) <= FEW and all(isinstance(each, str) for each in values):
        return " | ".join(map(json.dumps, values))
    return " | ".join(dict.fromkeys({str: "string", bool: "boolean", int: "number"}[type(each)] for each in values))


def _field(name: str, schema: dict[str, Any]) -> str:
    """A property, with what the schema says about it."""
    field = schema["properties"][name]
    says = f"/** {field['description']} */ " if "description" in field else ""
    return f"{says}{json.dumps(name)}{'' if name in schema['required'] else '?'}: {in_typescript(field)}"


def write(root: Path) -> None:
    """Write the type into a copy of the repository."""
    file = root / FILE
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"type Table = {in_typescript(TABLE_SCHEMA)}\n", encoding="utf-8")


if __name__ == "__main__":
    write(Path())
