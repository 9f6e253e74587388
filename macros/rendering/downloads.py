"""Files that readers download: the ledger of every model and class, and all totals.

A ledger lists every tensor in transformers' order, tied ones included, with a
running total. Addresses and fields are an interface; the schemas beside the
files describe them.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from macros.counting import MODEL_CLASSES, ROWS, SYMBOLS, Model, Polynomial, count, load_models, tensors
from macros.counting.totals import ONE_LAYER

FOLDER = "data"
"""Where the files stand, from the top of the site."""

SCHEMA = "https://json-schema.org/draft/2020-12/schema"


FORMULAS = {row.path: Polynomial.of_shape(row.shape).formula() for row in ROWS}
"""Elements of one tensor in letters, by path."""


def files() -> Iterator[tuple[str, str]]:
    """Every file as address from the top and text."""
    models = load_models().values()
    yield f"{FOLDER}/totals.json", _json(totals(list(models)))
    yield f"{FOLDER}/totals.schema.json", _json(TOTALS_SCHEMA)
    yield f"{FOLDER}/ledger.schema.json", _json(LEDGER_SCHEMA)
    for model in models:
        for model_class in MODEL_CLASSES:
            found = ledger(model, model_class)
            yield f"{FOLDER}/{model.name}/{model_class}.json", ledger_json(found)
            yield f"{FOLDER}/{model.name}/{model_class}.csv", ledger_csv(found)


def ledger(model: Model, model_class: str) -> dict[str, Any]:
    """Every tensor of one model in one class, with a running total."""
    rows, running = [], 0
    for each in tensors(model, model_class):
        running += each.size
        rows.append(
            {
                "transformers": each.transformers,
                "google_bert": each.google_bert,
                "shape": list(each.shape),
                "formula": FORMULAS[ONE_LAYER.sub("*", each.path)],
                "count": each.size,
                "running_total": running,
                "tied_to": each.tied_to,
            }
        )
    return {"model": model.name, "model_class": model_class, "total": running, "parameters": rows}


def ledger_json(found: dict[str, Any]) -> str:
    """A ledger as JSON, one tensor a line."""
    head = json.dumps({key: value for key, value in found.items() if key != "parameters"})
    rows = ",\n".join(json.dumps(row) for row in found["parameters"])
    return f'{head[:-1]}, "parameters": [\n{rows}\n]}}\n'


def ledger_csv(found: dict[str, Any]) -> str:
    """A ledger as CSV: the same columns, a shape written as 30522x768."""
    out = io.StringIO()
    writer = csv.DictWriter(out, found["parameters"][0], lineterminator="\n")
    writer.writeheader()
    writer.writerows({**row, "shape": "x".join(map(str, row["shape"]))} for row in found["parameters"])
    return out.getvalue()


def totals(models: list[Model]) -> dict[str, Any]:
    """The total of every model in every class, with its sizes and source."""
    return {
        model.name: {
            "title": model.title,
            "config": {each.key: model.sizes[each.letter] for each in SYMBOLS if each.needed},
            "source": model.source,
            "accessed": model.accessed,
            "totals": {name: count(model, model_class=name) for name in MODEL_CLASSES},
        }
        for model in models
    }


def _json(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def _object(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    """An object with exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
        **more,
    }


_NUMBER = {"type": "integer", "minimum": 0}

LEDGER_SCHEMA = _object(
    {
        "model": {"type": "string"},
        "model_class": {"enum": list(MODEL_CLASSES)},
        "total": _NUMBER,
        "parameters": {
            "type": "array",
            "items": _object(
                {
                    "transformers": {"type": "string", "description": "name in named_parameters()"},
                    "google_bert": {
                        "type": ["string", "null"],
                        "description": "variable of google-research/bert, null where it has none",
                    },
                    "shape": {"type": "array", "items": {"type": "integer", "minimum": 1}},
                    "formula": {"type": "string", "description": "elements of the tensor in letters"},
                    "count": {**_NUMBER, "description": "parameters added to the total; none while tied"},
                    "running_total": _NUMBER,
                    "tied_to": {"type": ["string", "null"], "description": "owner of the weights while tied"},
                }
            ),
        },
    },
    **{"$schema": SCHEMA, "title": "Every tensor of one model in one class"},
)

TOTALS_SCHEMA = {
    "$schema": SCHEMA,
    "title": "The total of every model in every class",
    "type": "object",
    "additionalProperties": _object(
        {
            "title": {"type": "string"},
            "config": _object({each.key: _NUMBER for each in SYMBOLS if each.needed}),
            "source": {"type": "string"},
            "accessed": {"type": "string", "format": "date"},
            "totals": _object(dict.fromkeys(MODEL_CLASSES, _NUMBER)),
        }
    ),
}
