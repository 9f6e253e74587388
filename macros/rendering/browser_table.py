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
from macros.counting.mistakes import Counted, Mistake, load_mistakes
from macros.counting.models import Model, model_named
from macros.counting.printed import BYTES_IN, COUNTS, LONGEST
from macros.counting.search import MOST
from macros.counting.tensors import Row, rows_of

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
    "convention": "disagreements/conventions.html",
    "mistake": "disagreements/mistakes.html",
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
    # The vocabulary of base is no mistake for base: it changes nothing, and stands on no page.
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
        "pages": {name: page for name, page in PAGES.items() if name not in ("", BASE, LARGE)},
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
