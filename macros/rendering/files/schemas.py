"""JSON schemas of the files below `data/`.

The fields of the files are an interface that other people's programs use, so no object may have a field that its schema
does not list, unless the schema says that its keys are names. The schema of the exported table is also the source of
the TypeScript types that the scripts are checked with (`tests/scripts/table_type.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from macros.counting import ARCHITECTURES, BERT, USUAL, Architecture
from macros.counting.changes.methods import rules
from macros.counting.deviations import KINDS
from macros.counting.messages import MESSAGES
from macros.counting.models import RELATIVE, load_groups
from macros.counting.search.known_numbers import search_rules

from ..components import pages
from ..components.words import PHRASES, WATERFALL

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def _object(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    """An object with exactly these properties, all of them required unless `more` says otherwise."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
        **more,
    }


_NUMBER = {"type": "integer", "minimum": 0}
_PLACES = {"type": "array", "items": _NUMBER}
_COST = {"type": "number", "minimum": 0}
_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_SHAPE = {"type": "array", "items": {"type": "integer", "minimum": 1}}


def _name(where: str) -> dict[str, Any]:
    """A name, which a library may lack."""
    return {"type": ["string", "null"], "description": f"{where}, null where it has none"}


def _names_of(architecture: Architecture) -> list[str]:
    return [model_class.name for model_class in architecture.classes]


_CLASS = {"enum": [name for architecture in ARCHITECTURES.values() for name in _names_of(architecture)]}

_ROW = _object(
    {
        "transformers": {
            "type": "string",
            "description": "name in named_parameters(), as the library of a change has it",
        },
        "google_bert": {
            "type": ["string", "null"],
            "description": "variable of google-research/bert, null where it has none",
        },
        "shape": _SHAPE,
        "formula": {"type": "string", "description": "elements of the tensor in letters"},
        "count": {**_NUMBER, "description": "parameters added to the total; none while tied"},
        "running_total": _NUMBER,
        "tied_to": {"type": ["string", "null"], "description": "owner of the weights while tied"},
    }
)
_CHANGED_ROW = {
    **_ROW,
    "properties": {**_ROW["properties"], "trained": {"type": "boolean", "description": "in changed models alone"}},
}
_OPERATION = _object({"kind": _TEXT, "path": _TEXT, "block": _TEXT, "operations": _NUMBER})
_OF_OPERATIONS = {
    "tokens": {"type": "integer", "minimum": 1, "description": "tokens of each text"},
    "batch": {"type": "integer", "minimum": 1, "description": "texts at once"},
    "multiply_adds": {**_NUMBER, "description": "of the matrix products in the forward pass"},
    "forward": {**_NUMBER, "description": "operations of the matrix products, two per multiply-add"},
    "backward": {**_NUMBER, "description": "the same in the backward pass, if all parameters are trained"},
    "step": {**_NUMBER, "description": "both passes together"},
    "operations": {"type": "array", "items": _OPERATION, "description": "of the forward pass, by kind and place"},
}
_OF_PARAMETERS = {
    "total": {**_NUMBER, "description": "all parameters; tied ones once"},
    "parameters": {"type": "array", "items": _CHANGED_ROW},
}
_BYTES = {
    "bytes": {**_NUMBER, "description": "bytes of the weights in float32, but for those that a change packs"},
    "bytes_float16": {**_NUMBER, "description": "the same in float16"},
    "bytes_adam": {
        **_NUMBER,
        "description": "bytes of the weights in float32, and of the gradients and both moments of what Adam trains",
    },
}
_AFTER_CHANGES = {
    "changes": {**_TEXTS, "description": "what was done to the model, as the command line takes it"},
    "trainable": {**_NUMBER, "description": "parameters that are trained"},
    "elements": {**_NUMBER, "description": "the sum of numel(), where one element may hold two weights"},
    "buffers": {**_NUMBER, "description": "bytes of what is kept beside the parameters"},
}
_LEDGER = _object(
    {
        "model": _TEXT,
        "model_class": _CLASS,
        "note": {**_TEXT, "description": "what is to be said about the number"},
        **_OF_PARAMETERS,
        **_BYTES,
        **_AFTER_CHANGES,
        **_OF_OPERATIONS,
    },
    required=["model", "model_class"],
)

LEDGER_SCHEMA = {
    "$schema": DIALECT,
    "title": "Every tensor of one model in one class, or every operation on a batch of texts",
    **_LEDGER,
    # A ledger has either parameters or operations, and only fields that belong to them.
    "oneOf": [{"required": list(fields)} for fields in (_OF_PARAMETERS, _OF_OPERATIONS)],
    "dependentRequired": {
        **{key: [*_OF_PARAMETERS, *group] for group in (_BYTES, _AFTER_CHANGES) for key in group},
        **{key: list(_OF_PARAMETERS) for key in _OF_PARAMETERS},
        **{key: list(_OF_OPERATIONS) for key in _OF_OPERATIONS},
    },
}
"""The schema of ledgers: those among the files, and the JSON of the command line, which may have bytes, changes or
operations.
"""

_MODEL: dict[str, Any] = {
    "title": {"type": "string"},
    "config": _object({symbol.key: _NUMBER for symbol in BERT.symbols if symbol.needed}),
    "source": {"type": "string"},
    "accessed": {"type": "string", "format": "date"},
    "totals": _object(dict.fromkeys(_names_of(BERT), _NUMBER)),
}
_CHANGED = {
    "trainable": {**_NUMBER, "description": "parameters that are trained"},
    "all": {**_NUMBER, "description": "parameters in all, a copied classifier twice"},
    "elements": {**_NUMBER, "description": "the sum of numel(), where one element may hold two weights"},
    "bytes": {
        **_NUMBER,
        "description": "bytes of the weights, float32 where not packed, with the scales of packed ones",
    },
}
_CHANGES = _object(
    dict.fromkeys(rules()["compared"], _object(_CHANGED)),
    description="a classifier of two labels after a change, by the change as on the command line; of base and large",
)

TOTALS_SCHEMA = {
    "$schema": DIALECT,
    "title": "The total of every model in every class, and of base and large after changes",
    "type": "object",
    "additionalProperties": {**_object({**_MODEL, "changed": _CHANGES}), "required": list(_MODEL)},
}


def _listing(frameworks: list[str], fields: dict[str, Any]) -> dict[str, Any]:
    """A print-out whose rows have these fields, between the number of the row and the running total."""
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
_LETTER = {"enum": list(dict.fromkeys(symbol.letter for entry in ARCHITECTURES.values() for symbol in entry.symbols))}
_NAMES = {"type": "array", "items": _WORDS}
_CHOICES = _object({choice: {"type": "boolean"} for choice in USUAL._fields})
_SOME_CHOICES = {**_CHOICES, "required": []}
_PLAIN = {"type": ["string", "boolean", "integer", "null"]}
_BLOCK = {
    "enum": list(dict.fromkeys(block for architecture in ARCHITECTURES.values() for block in architecture.blocks))
}
_NAME_OF_LETTER = {"type": "object", "propertyNames": _LETTER, "additionalProperties": _WORDS}
_SIZES = {"type": "object", "propertyNames": _LETTER, "additionalProperties": _NUMBER}
_PAGE = {**_WORDS, "description": "an address from the top of the site"}


def _list_of(properties: dict[str, Any], **optional: Any) -> dict[str, Any]:
    """A non-empty list of objects that have these properties and may have the optional ones."""
    item = _object({**properties, **optional}, required=list(properties))
    return {"type": "array", "items": item, "minItems": 1}


def _any_of(item: dict[str, Any]) -> dict[str, Any]:
    """An object whose keys are names; it may be empty."""
    return {"type": "object", "additionalProperties": item}


def _by_name(item: dict[str, Any]) -> dict[str, Any]:
    """An object whose keys are names; it has at least one."""
    return _any_of(item) | {"minProperties": 1}


def _each(names: Iterable[str], item: dict[str, Any]) -> dict[str, Any]:
    """An object with exactly these names as keys, and values of one kind."""
    return _object(dict.fromkeys(names, item))


def _pair(item: dict[str, Any]) -> dict[str, Any]:
    """A list of exactly two items of one kind."""
    return {"type": "array", "prefixItems": [item, item], "items": False, "minItems": 2}


def _described(description: str, schema: dict[str, Any]) -> dict[str, Any]:
    """A schema with a description."""
    return {**schema, "description": description}


TABLE_SCHEMA = {
    "$schema": DIALECT,
    "title": "The tables of BERT and its relatives, and the lists that the site counts with",
    **_object(
        {
            "symbols": _list_of(
                {
                    "letter": _LETTER,
                    "key": _WORDS,
                    "meaning": _WORDS,
                    "source": _WORDS,
                    "minimum": _NUMBER,
                    "usual": _described(
                        "where a config is silent; null where it must say", {"type": ["integer", "null"]}
                    ),
                }
            ),
            "choices": _described("what decides which rows there are and count, where nothing else does", _CHOICES),
            "rows": _list_of(
                {
                    "path": _described("as google-research/bert spells it; layer_* is one in every layer", _WORDS),
                    "shape": _described("letters and numbers, in google-research/bert's order", _WORDS),
                    "block": _BLOCK,
                },
                when=_described("the choice that brings the row, or two sizes that must differ", _WORDS),
                tags=_described("beside its block and the components of its path", _NAMES),
                but_first=_described("the first layer has none", {"const": True}),
                tied_to=_described("the path that owns the weights; the row adds nothing", _WORDS),
                transposed=_described("transformers has the shape the other way round", {"const": True}),
            ),
            "blocks": _by_name(_object({"title": _WORDS, "page": _PAGE, "words": _WORDS})),
            "labels": _object(
                {
                    "total": _WORDS,
                    "several": _by_name(_WORDS),
                    "leaves": _NAMES,
                    "blocks": _by_name(_WORDS),
                    "ends": _by_name(_WORDS),
                },
                description="what lines of sums count: blocks, and tensors and modules by the end of their path",
            ),
            "phrases": _described("what pages say as well; what stands in braces is filled in", _each(PHRASES, _WORDS)),
            "waterfall": _described("the legend of a figure with steps between two totals", _each(WATERFALL, _WORDS)),
            "messages": _described(
                "what the engine says as well; what stands in braces is filled in", _each(MESSAGES, _WORDS)
            ),
            "architectures": _list_of(
                {
                    "name": _described("the model_type of its config", {"enum": list(ARCHITECTURES)}),
                    "title": _WORDS,
                    "keys": _described("config keys by letter", _NAME_OF_LETTER),
                    "instead": _described("by letter, another key for a size, which wins", _NAME_OF_LETTER),
                    "minimum": _described("sizes that must be larger than is said where letters are", _SIZES),
                    "usual": _described(
                        "sizes where a config is silent, if not as is said where letters are; null where it must say",
                        {"type": "object", "additionalProperties": {"type": ["integer", "null"]}},
                    ),
                    "choices": _described("what it has unasked, where that is not what is said for all", _SOME_CHOICES),
                    "padded": _described(
                        "the letters of the tables that keep a row for the padding token",
                        {"type": "array", "items": _LETTER},
                    ),
                    "padding": _described("the padding token where a config is silent", _NUMBER),
                    "settings": _described(
                        "places in the settings of configs, of those that it reads",
                        {"type": "array", "items": _NUMBER},
                    ),
                    "layers": _described(
                        "their product is the number of layers with weights of their own",
                        {"type": "array", "items": _LETTER},
                    ),
                    "names": _described(
                        "what transformers calls the row at each place, in a class with a head; a star for every layer",
                        _by_name(_WORDS),
                    ),
                    "prefix": _described("what the names of a class without a head lack at their beginning", _WORDS),
                    "classes": _list_of(
                        {
                            "name": _CLASS,
                            "purpose": _WORDS,
                            "fixed": _described("choices that the class does not leave open", _SOME_CHOICES),
                            "labels": _described(
                                "the only number of labels that it takes; null where it takes any",
                                {"type": ["integer", "null"]},
                            ),
                            "rows": _described("places in rows, from zero, of all that it may have", _PLACES),
                            "offers": _described("what it leaves open, and whether it has a head", _NAMES),
                        },
                        in_place=_described(
                            "what becomes of the second bias of its untied head where its vocabulary is resized",
                            {"enum": ["lost", "kept"]},
                        ),
                    ),
                }
            ),
            "models": _list_of(
                {
                    "name": _WORDS,
                    "title": _WORDS,
                    "group": {"enum": [*load_groups(), RELATIVE]},
                    "architecture": {"enum": list(ARCHITECTURES)},
                    "sizes": _SIZES,
                    "page": _described("an address from the top of the site, or nothing", {"type": "string"}),
                },
                also=_described("other checkpoints with these sizes", _NAMES),
            ),
            "deviations": _list_of(
                {
                    "name": _WORDS,
                    "kind": {"enum": list(KINDS)},
                    "usual": {"enum": [1, 2, 3]},
                    "title": _WORDS,
                    "done": _described("the same with the reader as subject", _WORDS),
                    "undo": _described("what puts it right, as an imperative", _WORDS),
                    "why": _WORDS,
                    "notice": _WORDS,
                    "model_class": _described("the class in which pages show it", _CLASS),
                },
                effect=_described("what it changes in base in this class, in letters", _WORDS),
                part=_described(
                    "the rows it touches: those under this path, or under one of several with commas between them",
                    _WORDS,
                ),
                tag=_described("the rows it touches: those that carry these tags", _WORDS),
                factor=_described("what their size is multiplied by", _WORDS),
                unties=_described("whether tied rows are counted", {"const": True}),
                adds=_described("shapes that are counted besides", _WORDS),
                resized=_described("a letter, and what stands in its place", _WORDS),
                instead=_described("shapes that are counted instead of everything", _WORDS),
                same_as=_described("the deviations it amounts to where F is four times H", _NAMES),
                needs=_described("paths under each of which a class must have rows, or under one of several", _NAMES),
                lacks=_described("paths under which a class must have none", _NAMES),
            ),
            "configs": _object(
                {
                    "flags": _described("with what is usual", _by_name({"type": "boolean"})),
                    "foreign": _described("keys of other models than are counted", _NAMES),
                    "settings": _list_of(
                        {"key": _WORDS, "usual": _PLAIN, "why": _WORDS},
                        values=_described("what is counted", {"type": "array", "minItems": 1, "items": _PLAIN}),
                        empty=_described("whether nothing, zero and false are counted", {"const": True}),
                        same_as=_described("another key, whose value is counted, and no value", _WORDS),
                        times=_described("a key whose value it is multiplied by before that", _WORDS),
                        texts_but=_described("which texts are not counted", _NAMES),
                    ),
                    "name_it": _described("what would do where a config could be of several models", _WORDS),
                    "most_bytes": _NUMBER,
                }
            ),
            "changes": _object(
                {
                    "all_linear": _described("the name for all that LoRA may be put on, and heads", _WORDS),
                    "modules": _described("what LoRA may be put on", _NAMES),
                    "selected": _described(
                        "the places of rows that are put under it, copied or frozen", _by_name(_PLACES)
                    ),
                    "methods": _described(
                        "what may be trained instead of all",
                        _list_of(
                            {
                                **dict.fromkeys(("name", "title", "library", "does", "block"), _WORDS),
                                **dict.fromkeys(
                                    ("usual", "usual_width", "asks", "lacking", "part", "prefix", "config"), _TEXT
                                ),
                                **dict.fromkeys(("asks_width", "given_width", "imports"), _TEXT),
                                "takes": _described("the options that a reader fills, by field", _any_of(_WORDS)),
                                "usual_modules": _described(
                                    "by field, of any architecture and of those that have others",
                                    _any_of(_by_name(_WORDS)),
                                ),
                                "refused": _described("why an architecture does not have it", _any_of(_WORDS)),
                                "given": _NAMES,
                                "beside": _any_of(_WORDS),
                                "copies": _described("what a copy and its original are called", _any_of(_pair(_WORDS))),
                                "adds": {
                                    "type": "array",
                                    "items": _object(
                                        {
                                            "name": _WORDS,
                                            "shape": _described("in what goes in and out, and sizes", _WORDS),
                                            "at": _described("the modules, or the field that names them", _WORDS),
                                            "but": _described("the field of those that get none", _WORDS),
                                            "needs": _described("a size with which alone it is there", _WORDS),
                                            "lacks": _described("a size without which alone it is there", _WORDS),
                                        },
                                        required=["name", "shape"],
                                    ),
                                },
                            }
                        ),
                    ),
                    "unpacked": _described("the architectures of which nothing is packed", _NAMES),
                    "storages": _described(
                        "how bitsandbytes packs matrices: so many weights in an element of so many bytes, and scales",
                        _list_of(
                            {
                                **dict.fromkeys(("title", "what"), _WORDS),
                                **dict.fromkeys(("per", "width", "rows", "offset"), _NUMBER),
                                "scales": {"type": "array", "items": _pair(_NUMBER)},
                            }
                        ),
                    ),
                    "pruned": _described("what goes with a head, by the place of a row", _by_name(_WORDS)),
                    "unpruned": _described("why none goes, by architecture", _any_of(_WORDS)),
                    "on_transformers_4": _described("the methods whose libraries run on transformers 4", _NAMES),
                    "head_bias": _described("the path of a decoder's bias, which transformers 4 always shares", _WORDS),
                    "tasks": _described("PEFT's, by how a class's name ends", _by_name(_WORDS)),
                    "of_prompts": _described("what a snippet adds for a method with prompts", _NAMES),
                    "blocks": _list_of(
                        {
                            "name": _WORDS,
                            "title": _WORDS,
                            "page": _described("an address from the top of the site, or nothing", _TEXT),
                        }
                    ),
                }
            ),
            "dtypes": _described("bytes a number", _by_name(_NUMBER)),
            "units": _object({"counts": _by_name(_NUMBER), "bytes": _by_name(_NUMBER)}),
            "explanations": _object(
                {
                    "parts": _list_of(
                        {"path": {"type": "string"}, "class": _WORDS, "words": _WORDS, "page": _PAGE},
                        tag=_WORDS,
                        share=_described("whether it is the part of one head", {"const": True}),
                    ),
                    "left_out": _described(
                        "places of the parts that may be left out, though no deviation is named so",
                        {"type": "array", "items": _NUMBER},
                    ),
                    "rounded": _described("what the paper prints", {"type": "array", "items": _NUMBER}),
                    "sources": _by_name(_object({"title": _WORDS, "url": {"type": "string"}})),
                    "odds": _described("what one more of a cost divides a likelihood by", _NUMBER),
                    "unknown": _described(
                        "how much there is beside what is known", _each(search_rules()["unknown"], _COST)
                    ),
                    "costs": _each(["models", "ways"], _by_name(_COST)),
                    "limits": _each([*search_rules()["limits"], "usual_left_out"], _COST),
                    "stored": _list_of({"dtype": _WORDS, "width": _COST, "cost": _COST, "kept": _TEXT}),
                    "unsaid": _described("units that a bare number may lack", _by_name(_COST)),
                    "words": _described(
                        "what may stand around a number, by what it says", _each(search_rules()["words"], _WORDS)
                    ),
                    "nouns": _described("what there is another number of, by the letter of a size", _by_name(_WORDS)),
                    "twins": _by_name(_NUMBER),
                    "pages": _each(pages.ANSWERS, _PAGE),
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
"""Every schema, by the name of its file."""
