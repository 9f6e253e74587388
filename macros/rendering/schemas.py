"""JSON schemas of the files that readers download: their fields are an interface."""

from __future__ import annotations

from typing import Any

from macros.counting import MODEL_CLASSES, SYMBOLS

DIALECT = "https://json-schema.org/draft/2020-12/schema"


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
_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_SHAPE = {"type": "array", "items": {"type": "integer", "minimum": 1}}


def _name(where: str) -> dict[str, Any]:
    """A name that a library may lack."""
    return {"type": ["string", "null"], "description": f"{where}, null where it has none"}


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
    **{"$schema": DIALECT, "title": "Every tensor of one model in one class"},
)

TOTALS_SCHEMA = {
    "$schema": DIALECT,
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


def _listing(frameworks: list[str], fields: dict[str, Any]) -> dict[str, Any]:
    """A print-out whose rows have these fields between their number and the running total."""
    row = {"number": {"type": "integer", "minimum": 1}, **fields, "running_total": _NUMBER}
    return _object(
        {
            "model": _TEXT,
            "framework": {"enum": frameworks},
            "total": _NUMBER,
            "rows": {"type": "array", "items": _object(row)},
        }
    )


LISTING_SCHEMA = {
    "$schema": DIALECT,
    "title": "What one framework prints of one model: tensors, or layers of Keras",
    "oneOf": [
        _listing(["transformers", "google-bert"], {"name": _TEXT, "shape": _SHAPE, "parameters": _NUMBER}),
        _listing(
            ["keras-bert", "bert4keras"],
            {
                "name": _TEXT,
                "type": _TEXT,
                "output_shape": _TEXT,
                "parameters": _NUMBER,
                "inputs": {**_TEXTS, "description": "layers it reads from, with node and tensor"},
                "tensors": {**_TEXTS, "description": "variables of google-research/bert that its weights are"},
            },
        ),
    ],
}

NAMES_SCHEMA = _object(
    {
        "model_class": {"const": "BertForPreTraining"},
        "rows": {
            "type": "array",
            "items": _object(
                {
                    "google_bert": _name("variable of google-research/bert"),
                    "transformers": _TEXT,
                    "keras_bert": _name("layer and weight of keras-bert, layers from one"),
                    "bert4keras": _name("layer and weight of bert4keras"),
                    "keras_hub": _name("layer and weight of KerasHub"),
                    "flax": _name("leaf of the params of Flax"),
                }
            ),
        },
    },
    **{"$schema": DIALECT, "title": "Every tensor under all its names, a star for the number of the layer"},
)

SCHEMAS = {"totals": TOTALS_SCHEMA, "ledger": LEDGER_SCHEMA, "listing": LISTING_SCHEMA, "names": NAMES_SCHEMA}
"""Every schema by the name of its file."""
