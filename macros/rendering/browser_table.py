"""The one table and the lists beside it, as scripts in the browser read them.

`data/table.json` holds what is declared in `macros/counting`, and nothing
that can be derived from it: whoever reads it can count any model. What the
page for typed numbers needs besides stands under `explanations`.

`data/table.js` holds the same as a script, since a page that is opened from a
folder may load scripts and may not read files.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from macros.counting import MODEL_CLASSES, ROWS, SYMBOLS, load_models
from macros.counting import explanations as found
from macros.counting.bridges import ORDER, bridge
from macros.counting.claims import load_claims
from macros.counting.memory import BYTES
from macros.counting.mistakes import KINDS, Counted, Mistake, load_mistakes
from macros.counting.models import GROUPS, Model, model_named
from macros.counting.printed import BYTES_IN, COUNTS, LONGEST
from macros.counting.search import MOST
from macros.counting.tensors import BLOCKS, Row, rows_of

from .asked import BASE, LARGE
from .part_tables import BLOCK_TITLES
from .part_words import in_words, page_of

SCRIPT_HEAD = "globalThis.bertCounted = { table: "
"""How the script begins: the other scripts of the site find the table, and each other, under this name."""

PAGES = {
    BASE: "totals/base.html",
    LARGE: "totals/large.html",
    "": "totals/checkpoints.html",
    "memory": "totals/memory.html",
    "tensors": "listings/transformers.html",
    "claims": "disagreements/published-claims.html",
}
"""Pages that an answer leads to, from the top of the site; the empty name stands for any other model."""


@lru_cache(maxsize=1)
def table() -> dict[str, Any]:
    """Everything as JSON can hold it; fields that say nothing are left out."""
    return {
        "symbols": [each._asdict() for each in SYMBOLS],
        "rows": [_row(each) for each in ROWS],
        "blocks": {name: {"title": title, "page": page} for name, (title, page) in BLOCK_TITLES.items()},
        "classes": [
            {
                "name": name,
                "purpose": each.purpose,
                "pooler": each.pooler,
                "rows": [ROWS.index(row) for row in rows_of(name)],
            }
            for name, each in MODEL_CLASSES.items()
        ],
        "models": [_model(each) for each in load_models().values()],
        "mistakes": [_mistake(each) for each in load_mistakes().values()],
        "dtypes": BYTES,
        "units": {"counts": COUNTS, "bytes": BYTES_IN},
        "explanations": _explanations(),
    }


def _row(row: Row) -> dict[str, Any]:
    tags = row.tags - {row.block, *row.path.split("/")}
    return {**_told(row), "block": row.block} | ({"tags": sorted(tags)} if tags else {})


def _told(entry: Any) -> dict[str, Any]:
    """The fields of an entry that say something."""
    return {key: value for key, value in entry._asdict().items() if value not in ("", (), False)}


def full_title(model: Model) -> str:
    """A model's title, with its name where others have the same title."""
    alike = sum(each.title == model.title for each in load_models().values())
    return model.title if alike == 1 else f"{model.title}, {model.name}"


def _model(model: Model) -> dict[str, Any]:
    page = PAGES.get(model.name, PAGES[""])
    return {"name": model.name, "title": full_title(model), "group": model.group, "sizes": model.sizes, "page": page}


def _mistake(mistake: Mistake) -> dict[str, Any]:
    """A mistake, the class it is shown in, and what it changes there in letters."""
    base, model_class = model_named(BASE), mistake.model_class
    steps = bridge(Counted(base, model_class), Counted(base, model_class, (mistake.name,)))
    # The vocabulary of base is no mistake for base, and changes nothing.
    effect = {"effect": " ".join(step.formula for step in steps)} if steps else {}
    return {**_told(mistake), "model_class": model_class, **effect}


def _explanations() -> dict[str, Any]:
    """What the search for a number needs: parts, what is in print, what speaks against a way, and how far to look."""
    known = [
        {"model": each.models[0], "class": each.classes[0], "mistakes": each.mistakes, "printed_in": each.printed_in}
        for each in found.known()
    ]
    sources = {name: claims[0].source for name, claims in load_claims().items()}
    printing = dict.fromkeys(name for each in known for name in each["printed_in"])
    return {
        "parts": [
            {"path": part.path, **_told(part), "class": model_class, "words": in_words(part), "page": page_of(part)}
            for model_class, part in found.parts()
        ],
        "known": known,
        "sources": {name: {"title": sources[name].title, "url": sources[name].url} for name in printing},
        "costs": {
            "groups": found.GROUP_COST,
            "classes": found.CLASS_COST,
            "dtypes": found.DTYPE_COST,
            "ways": found.COSTS,
        },
        "limits": {
            "most_mistakes": MOST,
            "largest": found.LARGEST,
            "most_labels": found.MOST_LABELS,
            "many_labels": found.MANY_LABELS,
            "most_near": found.MOST_NEAR,
            "longest": LONGEST,
        },
        "twins": {str(unit): other for unit, other in found.TWIN.items()},
        "order": ORDER,
        "pages": {name: page for name, page in PAGES.items() if name in ("memory", "tensors", "claims")},
    }


def table_json(content: dict[str, Any]) -> str:
    """The table as JSON, one entry a line."""
    parts = (f"{json.dumps(key)}: {_lines(value)}" for key, value in content.items())
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _lines(value: Any) -> str:
    if isinstance(value, dict) and any(isinstance(each, dict | list) for each in value.values()):
        return "{\n" + ",\n".join(f"{json.dumps(key)}: {_lines(each)}" for key, each in value.items()) + "\n}"
    if isinstance(value, list):
        return "[\n" + ",\n".join(map(_compact, value)) + "\n]"
    return _compact(value)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def table_script(content: dict[str, Any]) -> str:
    """The table as a script that keeps it under a name of the site's own."""
    return f"{SCRIPT_HEAD}{table_json(content).rstrip()} }}\n"


TEXT = {"type": "string", "minLength": 1}
NUMBER = {"type": "integer", "minimum": 0}
LETTER = {"enum": [each.letter for each in SYMBOLS]}
NAMES = {"type": "array", "items": TEXT}
SIZES = {"type": "object", "propertyNames": LETTER, "additionalProperties": NUMBER}
PAGE = {**TEXT, "description": "an address from the top of the site"}


def _object(properties: dict[str, Any], **optional: Any) -> dict[str, Any]:
    """An object with these properties, and perhaps those named besides."""
    return {
        "type": "object",
        "properties": {**properties, **optional},
        "required": list(properties),
        "additionalProperties": False,
    }


def _list_of(properties: dict[str, Any], **optional: Any) -> dict[str, Any]:
    return {"type": "array", "items": _object(properties, **optional), "minItems": 1}


def _by_name(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": item, "minProperties": 1}


def _said(says: str, of: dict[str, Any]) -> dict[str, Any]:
    return {**of, "description": says}


TABLE_SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "The table of BERT's tensors, and the lists that the site counts with",
    **_object(
        {
            "symbols": _list_of(
                {
                    "letter": LETTER,
                    "key": TEXT,
                    "meaning": TEXT,
                    "source": TEXT,
                    "smallest": NUMBER,
                    "needed": {"type": "boolean"},
                }
            ),
            "rows": _list_of(
                {
                    "path": _said("as google-research/bert spells it; layer_* is one in every layer", TEXT),
                    "shape": _said("letters and numbers, in google-research/bert's order", TEXT),
                    "block": {"enum": list(BLOCKS)},
                },
                tags=_said("beside its block and the components of its path", NAMES),
                tied_to=_said("the path that owns the weights; the row adds nothing", TEXT),
            ),
            "blocks": _by_name(_object({"title": TEXT, "page": PAGE})),
            "classes": _list_of(
                {
                    "name": {"enum": list(MODEL_CLASSES)},
                    "purpose": TEXT,
                    "pooler": TEXT,
                    "rows": _said("places in rows, from zero", {"type": "array", "items": NUMBER}),
                }
            ),
            "models": _list_of(
                {"name": TEXT, "title": TEXT, "group": {"enum": list(GROUPS)}, "sizes": SIZES, "page": PAGE}
            ),
            "mistakes": _list_of(
                {
                    "name": TEXT,
                    "kind": {"enum": list(KINDS)},
                    "usual": {"enum": [1, 2, 3]},
                    "title": TEXT,
                    "why": TEXT,
                    "notice": TEXT,
                    "model_class": _said("the class in which pages show it", {"enum": list(MODEL_CLASSES)}),
                },
                effect=_said("what it changes in base in this class, in letters", TEXT),
                part=_said("the rows it touches: those under this path", TEXT),
                tag=_said("the rows it touches: those that carry these tags", TEXT),
                factor=_said("what their size is multiplied by", TEXT),
                unties=_said("whether tied rows are counted", {"const": True}),
                adds=_said("shapes that are counted besides", TEXT),
                resized=_said("a letter, and what stands in its place", TEXT),
                instead=_said("shapes that are counted instead of everything", TEXT),
                same_as=_said("the mistakes it amounts to where F is four times H", NAMES),
                classes=_said("the classes in which it is made; all where it is missing", NAMES),
            ),
            "dtypes": _said("bytes a number", _by_name(NUMBER)),
            "units": _object({"counts": _by_name(NUMBER), "bytes": _by_name(NUMBER)}),
            "explanations": _object(
                {
                    "parts": _list_of(
                        {"path": {"type": "string"}, "class": TEXT, "words": TEXT, "page": PAGE},
                        tag=TEXT,
                        share=_said("whether it is the part of one head", {"const": True}),
                    ),
                    "known": _list_of({"model": TEXT, "class": TEXT, "mistakes": NAMES, "printed_in": NAMES}),
                    "sources": _by_name(_object({"title": TEXT, "url": {"type": "string"}})),
                    "costs": _by_name(_by_name(NUMBER)),
                    "limits": _by_name(NUMBER),
                    "twins": _by_name(NUMBER),
                    "order": _said("the letters in the order of reading", TEXT),
                    "pages": _by_name(PAGE),
                }
            ),
        }
    ),
}
