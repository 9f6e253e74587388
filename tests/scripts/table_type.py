"""Write the TypeScript type of the exported table, derived from its published schema.

`make lint` runs this and then checks the scripts against the type:

    python -m tests.scripts.table_type
"""

import json
from pathlib import Path
from typing import Any

from macros.rendering.files.schemas import TABLE_SCHEMA

FILE = Path(".cache", "types", "table.d.ts")
"""The file in which the type checker finds the type, relative to the root of the repository."""

NAMES = {"string": "string", "boolean": "boolean", "integer": "number", "number": "number", "null": "null"}
"""TypeScript's name for each primitive type of a schema."""

MAX_LITERALS = 3
"""The maximum number of strings that a union lists as literals. Longer enumerations become `string`, because scripts
only use their values as keys."""


def in_typescript(schema: dict[str, Any]) -> str:
    """The TypeScript type of the values that a schema allows."""
    if "const" in schema or "enum" in schema:
        return _union(schema.get("enum", [schema.get("const")]))
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


def _union(values: list[Any]) -> str:
    """The TypeScript type of a value from an enumeration."""
    if len(values) <= MAX_LITERALS and all(isinstance(value, str) for value in values):
        return " | ".join(map(json.dumps, values))
    return " | ".join(dict.fromkeys({str: "string", bool: "boolean", int: "number"}[type(value)] for value in values))


def _field(name: str, schema: dict[str, Any]) -> str:
    """The declaration of a property, preceded by its description from the schema."""
    field = schema["properties"][name]
    comment = f"/** {field['description']} */ " if "description" in field else ""
    return f"{comment}{json.dumps(name)}{'' if name in schema['required'] else '?'}: {in_typescript(field)}"


def write(root: Path) -> None:
    """Write the type below `root`, the root of the repository or of a copy."""
    file = root / FILE
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"type Table = {in_typescript(TABLE_SCHEMA)}\n", encoding="utf-8")


if __name__ == "__main__":
    write(Path())
