"""JSON schemas of files in `data/`.

The fields of these files are an interface for external programs. An object may therefore have only the fields
that its schema lists, unless its keys are arbitrary names. The TypeScript types against which the scripts are
checked are generated from the schema of the exported table (`tests/scripts/table_type.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from macros.counting import ARCHITECTURES, BERT, Architecture, every_flag
from macros.counting.architecture import SWITCHES
from macros.counting.changes.methods import rules
from macros.counting.changes.optimisers import load_optimisers
from macros.counting.deviations import KINDS
from macros.counting.messages import MESSAGES
from macros.counting.models import RELATIVE, load_groups
from macros.counting.search.known_numbers import search_data
from macros.counting.training import DTYPES, KERNELS, RESERVE

from ..components import pages
from ..components.words import PHRASES, WATERFALL

DIALECT = "https://json-schema.org/draft/2020-12/schema"
"""The version of JSON Schema that the schemas use."""


def _object(properties: dict[str, Any], **overrides: Any) -> dict[str, Any]:
    """The schema of an object with exactly these properties; all are required, unless `overrides` says otherwise."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
        **overrides,
    }


# Names of parts of schemas begin with an underscore; names of whole schemas end with `_SCHEMA`.
_NUMBER = {"type": "integer", "minimum": 0}
_INDICES = {"type": "array", "items": _NUMBER}
_COST = {"type": "number", "minimum": 0}
_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_SHAPE = {"type": "array", "items": {"type": "integer", "minimum": 1}}


def _name(subject: str) -> dict[str, Any]:
    """The schema of a name in a library; null if the library lacks the tensor."""
    return {"type": ["string", "null"], "description": f"{subject}, null if it has none"}


def _names_of(architecture: Architecture) -> list[str]:
    """The names of the classes of an architecture."""
    return [model_class.name for model_class in architecture.classes]


_CLASS = {"enum": [name for architecture in ARCHITECTURES.values() for name in _names_of(architecture)]}

_ROW = _object(
    {
        "transformers": {
            "type": "string",
            "description": "name in named_parameters(), in the library that makes the change",
        },
        "google_bert": {
            "type": ["string", "null"],
            "description": "variable of google-research/bert, null if it has none",
        },
        "shape": _SHAPE,
        "formula": {"type": "string", "description": "number of elements of the tensor, as a formula"},
        "count": {**_NUMBER, "description": "parameters that the tensor adds to the total; 0 while it is tied"},
        "running_total": _NUMBER,
        "tied_to": {"type": ["string", "null"], "description": "the tensor that owns the weights, while they are tied"},
        "block": {**_TEXT, "description": "the part of the model, or the change, in which its weights are counted"},
    }
)
_CHANGED_ROW = {
    **_ROW,
    "properties": {**_ROW["properties"], "trained": {"type": "boolean", "description": "in changed models only"}},
}
_OPERATION = _object(
    {
        "kind": {**_TEXT, "description": "the kind of operations"},
        "path": {**_TEXT, "description": "the tensor, or the product of attention, that they belong to"},
        "block": _TEXT,
        "formula": {**_TEXT, "description": "number of operations, as a formula"},
        "count": {**_NUMBER, "description": "operations in all layers; the total has only those of matrix products"},
    }
)
_BLOCK_TOTAL = _object(
    {
        "block": {**_TEXT, "description": "a part of the model, or a change that adds parameters"},
        "formula": {**_TEXT, "description": "what it adds to the total, as a formula"},
        "count": {**_NUMBER, "description": "what it adds to the total"},
    }
)
# The next groups of fields occur only in some ledgers; `dependentRequired` in `_LEDGER` defines their combinations.
_OF_COMMAND_LINE = {
    "changes": {**_TEXTS, "description": "the changes that were made to the model, as the command line takes them"},
    "blocks": {"type": "array", "items": _BLOCK_TOTAL, "description": "the blocks, which add up to the total"},
}
_OF_TRAINING = {
    "bytes": {**_NUMBER, "description": "bytes of the weights in float32, except those that a change packs"},
    "bytes_float16": {**_NUMBER, "description": "the same in float16"},
    "bytes_adam": {
        **_NUMBER,
        "description": "bytes of the weights in float32, and of gradients and both moments for what Adam trains",
    },
    "trainable": {**_NUMBER, "description": "parameters that are trained"},
    "elements": {**_NUMBER, "description": "the sum of numel(), in which one element may hold two weights"},
    "buffers": {**_NUMBER, "description": "bytes of the buffers, which are stored with the parameters"},
}
_OF_OPERATIONS = {
    "tokens": {"type": "integer", "minimum": 1, "description": "tokens of each text"},
    "batch": {"type": "integer", "minimum": 1, "description": "texts in the batch"},
    "multiply_adds": {**_NUMBER, "description": "multiply-adds of the matrix products in the forward pass"},
    "operations": {
        "type": "array",
        "items": _OPERATION,
        "description": "the operations of the forward pass, by kind and path",
    },
}
_OF_SPARSE_ATTENTION = {
    "global_tokens": {**_NUMBER, "description": "tokens of each text that attend to the whole text, if they are given"},
}
_OF_BACKWARD_PASS = {
    "backward": {**_NUMBER, "description": "operations of the backward pass; missing if a change freezes anything"},
    "step": {**_NUMBER, "description": "both passes together"},
}
_PART_OF_STEP = _object(
    {
        "part": {**_TEXT, "description": "weights, gradients, and so on"},
        "bytes": {**_NUMBER, "description": "its bytes"},
    }
)
_STEP = _object(
    {
        "texts": {"type": "integer", "minimum": 1, "description": "examples in the batch"},
        "tokens": {"type": "integer", "minimum": 1, "description": "tokens of each text"},
        "dtype": {
            "enum": [*DTYPES],
            "description": "bf16 and fp16 are autocast; in pure-bf16, the weights have 16 bits, too",
        },
        "attention": {"enum": [*KERNELS], "description": "how attention is computed"},
        "dropout": {"type": "boolean"},
        "padded": {"type": "boolean", "description": "whether attention reads a mask"},
        "checkpointing": {"type": "boolean", "description": "whether layers are computed again in the backward pass"},
        "optimiser": {"enum": [*load_optimisers()]},
        "parts": {"type": "array", "items": _PART_OF_STEP, "description": "what is in memory during a step"},
        "bytes_per_text": {**_NUMBER, "description": "bytes that one more example adds at the peak"},
        "largest_batch_with_reserve": {
            **_NUMBER,
            "description": f"the most examples that fit in the memory asked about, with {RESERVE}% of it in reserve",
        },
        "largest_batch": {**_NUMBER, "description": "the most examples that fit in all of the memory"},
    }
)
# These two are computed only for a GPU whose memory the question gives.
for _optional in ("largest_batch_with_reserve", "largest_batch"):
    _STEP["required"].remove(_optional)
_ACTIVATION = _object(
    {
        "path": {**_TEXT, "description": "the module that keeps it"},
        "what": {**_TEXT, "description": "its contents"},
        "formula": {**_TEXT, "description": "its bytes in all layers, as a formula"},
        "count": {**_NUMBER, "description": "its bytes in all layers"},
    }
)
_OF_STEP = {
    "training": _STEP,
    "activations": {
        "type": "array",
        "items": _ACTIVATION,
        "description": "every tensor that the forward pass keeps for the backward pass",
    },
}
_PARAMETERS = {"parameters": {"type": "array", "items": _CHANGED_ROW, "description": "every tensor, by its name"}}
_LEDGER = _object(
    {
        "model": _TEXT,
        "model_class": _CLASS,
        "note": {**_TEXT, "description": "a note on the number"},
        "total": {
            **_NUMBER,
            "description": "all parameters, tied ones once; or the operations of the matrix products in the forward "
            "pass, two per multiply-add; or the most bytes that a training step has in memory at once",
        },
        **_OF_COMMAND_LINE,
        **_OF_TRAINING,
        **_PARAMETERS,
        **_OF_OPERATIONS,
        **_OF_SPARSE_ATTENTION,
        **_OF_BACKWARD_PASS,
        **_OF_STEP,
    },
    required=["model", "model_class", "total"],
    # A ledger has either parameters, operations or activations, and only the fields that belong to them.
    oneOf=[{"required": [rows]} for rows in ("parameters", "operations", "activations")],
    dependentRequired={
        "blocks": list(_OF_COMMAND_LINE),
        **{key: [*_OF_COMMAND_LINE, *_OF_TRAINING, *_PARAMETERS] for key in _OF_TRAINING},
        **{key: [*_OF_COMMAND_LINE, *_OF_OPERATIONS] for key in _OF_OPERATIONS},
        **{key: [*_OF_OPERATIONS] for key in _OF_SPARSE_ATTENTION},
        **{key: ["changes", *_OF_STEP] for key in _OF_STEP},
        **{key: [*_OF_OPERATIONS, *_OF_BACKWARD_PASS] for key in _OF_BACKWARD_PASS},
    },
)

LEDGER_SCHEMA: dict[str, Any] = {
    "$schema": DIALECT,
    "title": "Every tensor of a model in one class, or every operation on a batch of texts; or a list of such ledgers",
    "$defs": {"ledger": _LEDGER},
    "if": {"type": "array"},
    "then": {"items": {"$ref": "#/$defs/ledger"}},
    "else": {"$ref": "#/$defs/ledger"},
}
"""The schema of published ledgers and of the command line's JSON.

The command line's JSON has more fields and, for several models, is a list.
"""

_MODEL: dict[str, Any] = {
    "title": {"type": "string"},
    "config": _object({symbol.key: _NUMBER for symbol in BERT.symbols if symbol.is_required}),
    "source": {"type": "string"},
    "accessed": {"type": "string", "format": "date"},
    "totals": _object(dict.fromkeys(_names_of(BERT), _NUMBER)),
}
_CHANGED_FIELDS = {
    "trainable": {**_NUMBER, "description": "parameters that are trained"},
    "all": {**_NUMBER, "description": "all parameters; a classifier that is copied counts twice"},
    "elements": {**_NUMBER, "description": "the sum of numel(), in which one element may hold two weights"},
    "bytes": {
        **_NUMBER,
        "description": "bytes of the weights, in float32 unless they are packed, and of the scales of packed ones",
    },
}
_CHANGES = _object(
    dict.fromkeys(rules()["compared"], _object(_CHANGED_FIELDS)),
    description="a classifier with two labels, by the change made to it; for BERT base and BERT large",
)

TOTALS_SCHEMA = {
    "$schema": DIALECT,
    "title": "The totals of BERT models in every class, and of BERT base and BERT large after changes",
    "type": "object",
    "additionalProperties": {**_object({**_MODEL, "changed": _CHANGES}), "required": list(_MODEL)},
}


def _listing(frameworks: list[str], fields: dict[str, Any]) -> dict[str, Any]:
    """A print-out whose rows have the given fields between the number of the row and the running total."""
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
    "title": "The print-out of one model by one framework: tensors, or layers of Keras",
    "oneOf": [
        _listing(["transformers", "google-bert"], {"name": _TEXT, "shape": _SHAPE, "parameters": _NUMBER}),
        _listing(
            ["keras-bert", "bert4keras"],
            {
                "name": _TEXT,
                "type": _TEXT,
                "output_shape": _TEXT,
                "parameters": _NUMBER,
                "inputs": {**_TEXTS, "description": "the layers it reads from, each with node and tensor"},
                "tensors": {
                    **_TEXTS,
                    "description": "the variables of google-research/bert that its weights correspond to",
                },
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
                    "keras_bert": _name("layer and weight of keras-bert, whose layers are counted from one"),
                    "bert4keras": _name("layer and weight of bert4keras"),
                    "keras_hub": _name("layer and weight of KerasHub"),
                    "flax": _name("leaf of the params of Flax"),
                }
            ),
        },
    },
    **{
        "$schema": DIALECT,
        "title": "The names of each tensor of pre-training, with a star for the number of the layer",
    },
)

# Unlike `_TEXT`, these parts of the schema of the table do not allow an empty string.
_WORDS = {"type": "string", "minLength": 1}
_LETTER = {"enum": list(dict.fromkeys(symbol.letter for entry in ARCHITECTURES.values() for symbol in entry.symbols))}
_NAMES = {"type": "array", "items": _WORDS}
_CHOICES = _object({choice: {"type": "boolean"} for choice in (*SWITCHES, *every_flag())})
_SOME_CHOICES = {**_CHOICES, "required": []}
_PLAIN_VALUE = {"type": ["string", "boolean", "integer", "null"]}
_BLOCK = {
    "enum": list(dict.fromkeys(block for architecture in ARCHITECTURES.values() for block in architecture.blocks))
}
_KEY_BY_LETTER = {"type": "object", "propertyNames": _LETTER, "additionalProperties": _WORDS}
_SIZE_BY_LETTER = {"type": "object", "propertyNames": _LETTER, "additionalProperties": _NUMBER}
_PAGE = {**_WORDS, "description": "an address from the top of the site"}


def _list_of(properties: dict[str, Any], **optional: Any) -> dict[str, Any]:
    """A non-empty list of objects with the given required and optional properties."""
    item = _object({**properties, **optional}, required=list(properties))
    return {"type": "array", "items": item, "minItems": 1}


def _by_name_or_empty(item: dict[str, Any]) -> dict[str, Any]:
    """An object, possibly empty, whose keys are arbitrary names."""
    return {"type": "object", "additionalProperties": item}


def _by_name(item: dict[str, Any]) -> dict[str, Any]:
    """A non-empty object whose keys are arbitrary names."""
    return _by_name_or_empty(item) | {"minProperties": 1}


def _uniform_object(names: Iterable[str], item: dict[str, Any]) -> dict[str, Any]:
    """An object with exactly these keys and values of one kind."""
    return _object(dict.fromkeys(names, item))


def _pair(item: dict[str, Any]) -> dict[str, Any]:
    """A list of exactly two items of one kind."""
    return {"type": "array", "prefixItems": [item, item], "items": False, "minItems": 2}


def _described(description: str, schema: dict[str, Any]) -> dict[str, Any]:
    """A schema with a description."""
    return {**schema, "description": description}


_CONFIG_KEYS = _object(
    {
        "nothing": _described("keys that size no tensor", _NAMES),
        "widths": _described("keys of a width that is the hidden size", _NAMES),
        "head_widths": _described("keys of the width of a head", _NAMES),
        "input_classes": _described("keys of `auto_map` that name no code of a model", _NAMES),
        "nothing_in": _described("keys that size nothing in one architecture", _by_name(_NAMES)),
        "elsewhere": _described("keys of tensors that are not counted, with the reason", _by_name(_WORDS)),
        "words": _described(
            "words in the names of unknown keys, by what they suggest",
            _uniform_object(("tensors", "training", "without"), _NAMES),
        ),
        "other_names": _described("sizes by names that transformers ignores", _by_name(_WORDS)),
        "defaults": _described(
            "the sizes that transformers assumes if a config has none, by architecture", _by_name(_by_name(_NUMBER))
        ),
    }
)


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
                    "default": _described(
                        "the value if a config has none; null if it must have one", {"type": ["integer", "null"]}
                    ),
                    "only_if": _described(
                        "a true-or-false key without which the size is 0; may be empty", {"type": "string"}
                    ),
                    "otherwise": _described(
                        "the size taken if a config has none, such as A or H/A; may be empty",
                        {"type": "string"},
                    ),
                }
            ),
            "choices": _described(
                "the default choices, which decide which rows there are and which of them count", _CHOICES
            ),
            "rows": _list_of(
                {
                    "path": _described("as google-research/bert spells it; layer_* stands for all layers", _WORDS),
                    "shape": _described("letters and numbers, in google-research/bert's order", _WORDS),
                    "block": _BLOCK,
                },
                when=_described("the choice on which the row depends, or two sizes that must differ", _WORDS),
                tags=_described("further tags, besides its block and the components of its path", _NAMES),
                skips_first_layer=_described("whether the first layer lacks it", {"const": True}),
                tied_to=_described("the path of the row that owns the weights; this one then adds nothing", _WORDS),
                transposed=_described("whether transformers stores the transposed matrix", {"const": True}),
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
                description="labels of the lines of sums: blocks, and tensors and modules by the end of their path",
            ),
            "phrases": _described(
                "sentences that pages share with scripts; names in braces stand for values",
                _uniform_object(PHRASES, _WORDS),
            ),
            "waterfall": _described("the legend of a waterfall", _uniform_object(WATERFALL, _WORDS)),
            "messages": _described(
                "messages that the engine shares with scripts; names in braces stand for values",
                _uniform_object(MESSAGES, _WORDS),
            ),
            "architectures": _list_of(
                {
                    "name": _described("the model_type of its config", {"enum": list(ARCHITECTURES)}),
                    "title": _WORDS,
                    "config": _described("the class of its configs in transformers", _WORDS),
                    "keys": _described("config keys by letter", _KEY_BY_LETTER),
                    "instead": _described(
                        "by letter, another config key for a size, which takes precedence", _KEY_BY_LETTER
                    ),
                    "minimum": _described("as in symbols, by letter, for the sizes that differ", _SIZE_BY_LETTER),
                    "default": _described(
                        "as in symbols, by letter, for the sizes that differ; null if a config must have one",
                        {"type": "object", "additionalProperties": {"type": ["integer", "null"]}},
                    ),
                    "choices": _described("its default choices, where they differ from those of all", _SOME_CHOICES),
                    "flags": _described("the choices that are true-or-false keys of its config", _NAMES),
                    "padded": _described(
                        "the letters of tables that keep a row for the padding token",
                        {"type": "array", "items": _LETTER},
                    ),
                    "heads_share": _described("the letter of the width that the attention heads share", _LETTER),
                    "differences": _described(
                        "the pairs of letters whose difference is a dimension, such as H and E for H−E",
                        {"type": "array", "items": {"type": "array", "items": _LETTER}},
                    ),
                    "padding": _described("the id of the padding token if a config has none", _NUMBER),
                    "pairs_features": _described(
                        "whether transformers refuses heads of an odd width", {"type": "boolean"}
                    ),
                    "rounds_heads": _described(
                        "whether transformers builds narrower matrices if the heads do not divide the hidden size",
                        {"type": "boolean"},
                    ),
                    "settings": _described(
                        "indices in the settings of configs, for those that it reads",
                        {"type": "array", "items": _NUMBER},
                    ),
                    "layers": _described(
                        "the letters whose product is the number of layers with weights of their own",
                        {"type": "array", "items": _LETTER},
                    ),
                    "names": _described(
                        "row names in transformers, by index, in a class with a head; a star stands for every layer",
                        _by_name(_WORDS),
                    ),
                    "prefix": _described("the beginning of the names of all tensors but those of heads", _WORDS),
                    "classes": _list_of(
                        {
                            "name": _CLASS,
                            "purpose": _WORDS,
                            "prefix": _described("what begins these names in the class; empty if nothing", _TEXT),
                            "fixed": _described("the choices that the class does not leave open", _SOME_CHOICES),
                            "labels": _described(
                                "the only number of labels that it can have; null if it can have any",
                                {"type": ["integer", "null"]},
                            ),
                            "rows": _described("indices in rows, from zero, of all rows that it can have", _INDICES),
                            "offers": _described("the choices that it leaves open, and whether it has a head", _NAMES),
                        },
                        in_place=_described(
                            "what becomes of the output bias that does not get the new length of a resized vocabulary: "
                            "the second one of an untied head is lost or kept, and an only one is kept (alone)",
                            {"enum": ["lost", "kept", "alone"]},
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
                    "sizes": _SIZE_BY_LETTER,
                    "page": _described("an address from the top of the site; may be empty", {"type": "string"}),
                },
                also=_described("other checkpoints with these sizes", _NAMES),
            ),
            "deviations": _list_of(
                {
                    "name": _WORDS,
                    "kind": {"enum": list(KINDS)},
                    "rarity": _described("from 1, which many people make, to 3, which few make", {"enum": [1, 2, 3]}),
                    "title": _WORDS,
                    "done": _described('the title as a continuation of "you"', _WORDS),
                    "undo": _described("how to put it right, as an imperative", _WORDS),
                    "why": _WORDS,
                    "notice": _WORDS,
                    "model_class": _described("the class in which pages show it", _CLASS),
                },
                effect=_described("how much it changes the total of BERT base in this class, as a formula", _WORDS),
                part=_described(
                    "the rows it touches: those under this path, or under one of several that are separated by commas",
                    _WORDS,
                ),
                tag=_described("the rows it touches: those that carry these tags", _WORDS),
                factor=_described("the factor by which their numbers are multiplied", _WORDS),
                unties=_described("whether tied rows are counted", {"const": True}),
                adds=_described("shapes that are counted in addition", _WORDS),
                resized=_described("a letter, and the expression in its place", _WORDS),
                instead=_described("shapes that are counted instead of all rows", _WORDS),
                same_as=_described("the deviations that it is equal to if F is four times H", _NAMES),
                needs=_described(
                    "paths under which a class must have rows; of several in one text, one is enough", _NAMES
                ),
                lacks=_described("paths under which a class must have no rows", _NAMES),
            ),
            "configs": _object(
                {
                    "flags": _described("flags of a config, with their defaults", _by_name({"type": "boolean"})),
                    "foreign": _described("keys of models that are not counted", _NAMES),
                    "keys": _described("what is known of the keys that are not counted", _CONFIG_KEYS),
                    "uncounted": _list_of(
                        {
                            "types": _described("types of models, in lower case and without hyphens", _NAMES),
                            "why": _described("why they are not counted", _WORDS),
                        }
                    ),
                    "settings": _list_of(
                        {"key": _WORDS, "default": _PLAIN_VALUE, "why": _WORDS},
                        values=_described(
                            "the values that can be counted", {"type": "array", "minItems": 1, "items": _PLAIN_VALUE}
                        ),
                        empty=_described("whether null, zero and false can be counted", {"const": True}),
                        same_as=_described(
                            "another key: the same value as there can be counted, and so can a missing one", _WORDS
                        ),
                        times=_described("a key by whose value it is multiplied first", _WORDS),
                        texts_but=_described("the texts that cannot be counted", _NAMES),
                    ),
                    "name_it": _described("the advice if a config could be that of several models", _WORDS),
                    "most_bytes": _NUMBER,
                    "largest_odd_width": _NUMBER,
                }
            ),
            "changes": _object(
                {
                    "all_linear": _described("the name for all modules that LoRA can adapt, heads included", _WORDS),
                    "modules": _described("the modules that LoRA can adapt", _NAMES),
                    "selected": _described(
                        "the indices of the rows that are adapted, copied, frozen, trained or packed under each name",
                        _by_name(_INDICES),
                    ),
                    "methods": _described(
                        "the methods that train less than the whole model",
                        _list_of(
                            {
                                "name": _WORDS,
                                "title": _WORDS,
                                "library": _WORDS,
                                "does": _WORDS,
                                "block": _WORDS,
                                "usual": _TEXT,
                                "usual_width": _TEXT,
                                "asks": _TEXT,
                                "lacking": _TEXT,
                                "part": _TEXT,
                                "prefix": _TEXT,
                                "config": _TEXT,
                                "asks_width": _TEXT,
                                "given_width": _TEXT,
                                "imports": _TEXT,
                                "takes": _described("the option of each field", _by_name_or_empty(_WORDS)),
                                "usual_modules": _described(
                                    'by field, the default modules: under "" of most architectures',
                                    _by_name_or_empty(_by_name(_WORDS)),
                                ),
                                "refused": _described(
                                    "why it is not counted, by architecture", _by_name_or_empty(_WORDS)
                                ),
                                "given": _NAMES,
                                "beside": _by_name_or_empty(_WORDS),
                                "copies": _described(
                                    "the names of a copy and of its original", _by_name_or_empty(_pair(_WORDS))
                                ),
                                "adds": {
                                    "type": "array",
                                    "items": _object(
                                        {
                                            "name": _WORDS,
                                            "shape": _described(
                                                "in letters of sizes, and in and out for those of the module", _WORDS
                                            ),
                                            "at": _described(
                                                "the modules it is added to, or the field that names them", _WORDS
                                            ),
                                            "but": _described("the field of modules that it is not added to", _WORDS),
                                            "needs": _described("a size that must be set", _WORDS),
                                            "lacks": _described("a size that must not be set", _WORDS),
                                        },
                                        required=["name", "shape"],
                                    ),
                                },
                            }
                        ),
                    ),
                    "unpacked": _described("the architectures whose matrices are not packed", _NAMES),
                    "storages": _described(
                        "how bitsandbytes packs matrices: weights per element, bytes per element, and scales",
                        _list_of(
                            {
                                "title": _WORDS,
                                "what": _WORDS,
                                "per": _NUMBER,
                                "width": _NUMBER,
                                "rows": _NUMBER,
                                "offset": _NUMBER,
                                "scales": {"type": "array", "items": _pair(_NUMBER)},
                            }
                        ),
                    ),
                    "pruned": _described(
                        "the shape that a pruned head removes from a row, by the index of the row", _by_name(_WORDS)
                    ),
                    "unpruned": _described("why no head can be pruned, by architecture", _by_name_or_empty(_WORDS)),
                    "on_transformers_4": _described("the methods whose libraries need transformers 4", _NAMES),
                    "head_bias": _described(
                        "the path of the decoder's bias, which transformers 4 always shares", _WORDS
                    ),
                    "tasks": _described("PEFT's tasks, by the end of the name of a class", _by_name(_WORDS)),
                    "heads": _described("the ends of the names of modules that PEFT copies, by task", _by_name(_NAMES)),
                    "of_prompts": _described("the further arguments in a snippet for a method with prompts", _NAMES),
                    "blocks": _list_of(
                        {
                            "name": _WORDS,
                            "title": _WORDS,
                            "page": _described("an address from the top of the site; may be empty", _TEXT),
                        }
                    ),
                }
            ),
            "dtypes": _described("bytes per number", _by_name(_NUMBER)),
            "units": _object({"counts": _by_name(_NUMBER), "bytes": _by_name(_NUMBER)}),
            "explanations": _object(
                {
                    "parts": _list_of(
                        {"path": {"type": "string"}, "class": _WORDS, "words": _WORDS, "page": _PAGE},
                        tag=_WORDS,
                        share=_described("whether it is one head's share", {"const": True}),
                    ),
                    "left_out": _described(
                        "indices of the parts that somebody may leave out although no deviation is named after them",
                        {"type": "array", "items": _NUMBER},
                    ),
                    "quoted_totals": _described(
                        "the rounded totals that the paper prints", {"type": "array", "items": _NUMBER}
                    ),
                    "sources": _by_name(_object({"title": _WORDS, "url": {"type": "string"}})),
                    "odds": _described("the factor by which a likelihood is divided for each point of cost", _NUMBER),
                    "unknown": _described(
                        "the weight of meanings that are not listed, relative to one with a cost of zero",
                        _uniform_object(search_data()["unknown"], _COST),
                    ),
                    "costs": _uniform_object(["models", "ways"], _by_name(_COST)),
                    "limits": _uniform_object([*search_data()["limits"], "rarity_left_out"], _COST),
                    "stored": _list_of({"dtype": _WORDS, "width": _COST, "cost": _COST, "kept": _TEXT}),
                    "unsaid": _described("the units that may be missing after a number", _by_name(_COST)),
                    "words": _described(
                        "patterns for the words around a number, by their meaning",
                        _uniform_object(search_data()["words"], _WORDS),
                    ),
                    "nouns": _described(
                        "nouns for another number of something, by the letter of its size", _by_name(_WORDS)
                    ),
                    "twins": _by_name(_NUMBER),
                    "called": _described("rounded totals that publishers give, by model", _by_name(_NUMBER)),
                    "pages": _uniform_object(pages.PAGES_BY_TOPIC, _PAGE),
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
