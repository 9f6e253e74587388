"""JSON schemas of the files that readers download: their fields are an interface."""

from __future__ import annotations

from typing import Any

from macros.counting import BLOCKS, MODEL_CLASSES, SYMBOLS
from macros.counting.mistakes import KINDS
from macros.counting.models import GROUPS

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

_WORDS = {"type": "string", "minLength": 1}
_LETTER = {"enum": [each.letter for each in SYMBOLS]}
_NAMES = {"type": "array", "items": _WORDS}
_SIZES = {"type": "object", "propertyNames": _LETTER, "additionalProperties": _NUMBER}
_PAGE = {**_WORDS, "description": "an address from the top of the site"}


def _list_of(properties: dict[str, Any], **optional: Any) -> dict[str, Any]:
    """A list of objects with these properties, and perhaps the optional ones."""
    item = _object({**properties, **optional}, required=list(properties))
    return {"type": "array", "items": item, "minItems": 1}


def _by_name(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": item, "minProperties": 1}


def _said(says: str, of: dict[str, Any]) -> dict[str, Any]:
    return {**of, "description": says}


TABLE_SCHEMA = {
    "$schema": DIALECT,
    "title": "The table of BERT's tensors, and the lists that the site counts with",
    **_object(
        {
            "symbols": _list_of(
                {
                    "letter": _LETTER,
                    "key": _WORDS,
                    "meaning": _WORDS,
                    "source": _WORDS,
                    "smallest": _NUMBER,
                    "needed": {"type": "boolean"},
                }
            ),
            "rows": _list_of(
                {
                    "path": _said("as google-research/bert spells it; layer_* is one in every layer", _WORDS),
                    "shape": _said("letters and numbers, in google-research/bert's order", _WORDS),
                    "block": {"enum": list(BLOCKS)},
                },
                tags=_said("beside its block and the components of its path", _NAMES),
                tied_to=_said("the path that owns the weights; the row adds nothing", _WORDS),
            ),
            "blocks": _by_name(_object({"title": _WORDS, "page": _PAGE})),
            "classes": _list_of(
                {
                    "name": {"enum": list(MODEL_CLASSES)},
                    "purpose": _WORDS,
                    "pooler": _WORDS,
                    "rows": _said("places in rows, from zero", {"type": "array", "items": _NUMBER}),
                }
            ),
            "models": _list_of(
                {"name": _WORDS, "title": _WORDS, "group": {"enum": list(GROUPS)}, "sizes": _SIZES, "page": _PAGE}
            ),
            "mistakes": _list_of(
                {
                    "name": _WORDS,
                    "kind": {"enum": list(KINDS)},
                    "usual": {"enum": [1, 2, 3]},
                    "title": _WORDS,
                    "why": _WORDS,
                    "notice": _WORDS,
                    "model_class": _said("the class in which pages show it", {"enum": list(MODEL_CLASSES)}),
                },
                effect=_said("what it changes in base in this class, in letters", _WORDS),
                part=_said(
                    "the rows it touches: those under this path, or under one of several with commas between them",
                    _WORDS,
                ),
                tag=_said("the rows it touches: those that carry these tags", _WORDS),
                factor=_said("what their size is multiplied by", _WORDS),
                unties=_said("whether tied rows are counted", {"const": True}),
                adds=_said("shapes that are counted besides", _WORDS),
                resized=_said("a letter, and what stands in its place", _WORDS),
                instead=_said("shapes that are counted instead of everything", _WORDS),
                same_as=_said("the mistakes it amounts to where F is four times H", _NAMES),
                classes=_said("the classes in which it is made; all where it is missing", _NAMES),
            ),
            "dtypes": _said("bytes a number", _by_name(_NUMBER)),
            "units": _object({"counts": _by_name(_NUMBER), "bytes": _by_name(_NUMBER)}),
            "explanations": _object(
                {
                    "parts": _list_of(
                        {"path": {"type": "string"}, "class": _WORDS, "words": _WORDS, "page": _PAGE},
                        tag=_WORDS,
                        share=_said("whether it is the part of one head", {"const": True}),
                    ),
                    "known": _list_of({"model": _WORDS, "class": _WORDS, "mistakes": _NAMES, "printed_in": _NAMES}),
                    "sources": _by_name(_object({"title": _WORDS, "url": {"type": "string"}})),
                    "costs": _by_name(_by_name(_NUMBER)),
                    "limits": _by_name(_NUMBER),
                    "twins": _by_name(_NUMBER),
                    "order": _said("the letters in the order of reading", _WORDS),
                    "pages": _by_name(_PAGE),
                }
            ),
        }
    ),
}

SCHEMAS = {
    "totals": TOTALS_SCHEMA,
    "ledger": LEDGER_SCHEMA,
    "listing": LISTING_SCHEMA,
    "names": NAMES_SCHEMA,
    "table": TABLE_SCHEMA,
}
"""Every schema by the name of its file."""
