"""Exports the declarations in `macros/counting` as a table for the scripts in the browser.

Rule 1: the build and the browser share data, not logic. The table is exported; the
rules that count with it are written twice, in Python and in JavaScript.
Rule 2: data that can be derived from the rest are not exported, unless deriving them
would take too long in a browser.
Rule 3: a sentence that both sides show is exported with the table, so that it is typed
only once.
Rule 4: for everything that is written twice, a test asks both sides the same questions.
For code that counts, reads configs or searches, another test proves that differences
are detected.

What is exported
----------------
`data/table.js`, which is also published as `data/table.json`, with a schema in
`schemas.py`: the rows of every architecture, classes, models, deviations, config keys,
the effects of each change on rows, labels, phrases and messages. This is enough to
count any model. Rows are identified by their index in `rows`. Data that only the page
"I got a different number" needs are under `explanations`, including costs and limits from
`search.toml`.
`data/known-numbers.js`: the totals, entries and lines of `macros/counting/search`. They
could be computed in the browser, but the totals alone can be reached in more than ten
thousand ways, so the build computes them; `known_numbers.py` explains how they are packed.
`data/operations.js`: the operations of each row, by the index of the row, and counting
conventions; `operations_of_rows.py` explains the fields.
`data/training.js`: the bytes that training steps keep, as polynomials in the sizes; see
`training.py`.
`data/reading.js`: the vocabulary of each reader of pasted texts; see `reading.py`.
The exercises, the levels of the map and the texts to try have separate files, which
`teaching`, `figures` and `texts_to_try.py` generate.

What is written twice
---------------------
| in `docs/assets` | in `macros` | compared by |
|---|---|---|
| `counting/engine.js` | `counting/question.py`, `deviations.py` | `tests/scripts/test_counting.py` |
| `counting/polynomials.js`, `sum-lines.js` | `counting/polynomials.py`, `sum_lines.py` | `test_changes.py` |
| `counting/bridge.js` | `counting/published/bridges.py` | `test_counting.py`, `test_changes.py` |
| `counting/changes.js` | `counting/changes/` | `test_changes.py`, also with recordings |
| `counting/configuration.js` | `counting/config.py` | `test_configs.py`, also with recordings |
| `counting/config-keys.js` | `counting/config_keys.py` | `test_configs.py` |
| `counting/files.js` | `counting/frameworks/files.py` | `test_drawing.py` |
| `counting/training.js`, `trained-model.js` | `counting/training/step.py` | `test_training.py` |
| `counting/operations.js` | `counting/operations.py` | `test_operations.py` |
| `explaining/read.js` | `counting/published/printed_numbers.py` | `test_counting.py` |
| `explaining/known-numbers.js` | `cost_together` in `counting/search/known_numbers.py` | `test_search.py` |
| `drawing/levels.js` | `rendering/figures/area_map.py`, `tiling.py` | `test_drawing.py` |
| `drawing/html.js` | `publish/apostrophes.py`, `line_ends.py` | `tests/publish` |
| `answering/waterfall.js` | `rendering/components/waterfalls.py` | `tests/docs/test_waterfall_in_browser.py` |
| `exercises/` | `teaching/` | `test_exercises.py` |
| `site-search/compounds.js` | `publish/search.py` | `test_index_queries.py` |

The search for explanations of a number and the readers of pasted texts exist only in
JavaScript, because no page needs them when the site is built. The data of the search
come from Python. The head of `macros/counting/search` explains both the search and its
data; the head of `docs/assets/reading/account.js` explains the readers.

The tests in `tests/scripts` run the scripts in Node.js, without a browser (`running.py`).
Many of them draw random questions from a fixed seed. Tests whose names
begin with `test_a_faulty_table` break the table in one place and expect the answers to
differ. `test_repeated_sentences.py` finds sentences that are typed in both languages. The
TypeScript types of the table are generated from its schema
(`tests/scripts/table_type.py`), so `make lint` fails if a script uses a field that the
table lacks.

Limits
------
The two sides are compared only on the questions that are drawn. If a combination is
never drawn, a difference in the rule for it remains undetected.
Numbers in scripts are exact only up to 2^53. This is why the engine accepts no larger
size, and why scripts reject larger totals, which Python can count.
`read.js` understands more forms than `printed_numbers.py`, such as Chinese figures. Only the
forms that both understand are compared.
A new rule in Python has no effect in the browser until it is also written in JavaScript.
Until then the tests fail, but nothing else detects the difference.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache, lru_cache
from itertools import product
from typing import Any

from macros.counting import (
    ARCHITECTURES,
    BERT,
    DEFAULT_CHOICES,
    BadChange,
    ChangedModel,
    ModelClass,
    Question,
    Row,
    config,
    every_flag,
    load_models,
    load_relatives,
)
from macros.counting.architecture import Architecture, Setting, Symbol, carries, lies_under
from macros.counting.changes.methods import ALL_LINEAR, Method, load_methods, rules
from macros.counting.changes.modules import TRAINED_COPY
from macros.counting.changes.rows import ORIGINAL, ChangedRow, StorageFormat
from macros.counting.changes.targets import is_adapted
from macros.counting.config_keys import KEY_DATA
from macros.counting.deviations import RARITY_LEFT_OUT, WITHOUT_PREFIX, Deviation, load_deviations
from macros.counting.frameworks.names import body_prefix, transformers_name, transformers_shape
from macros.counting.memory import BYTES
from macros.counting.messages import MESSAGES
from macros.counting.model_names import reasons_against_types
from macros.counting.models import Model, model_named
from macros.counting.published.bridges import bridge
from macros.counting.published.claims import known_totals, load_claims
from macros.counting.published.printed_numbers import COUNT_UNITS, MEMORY_UNITS
from macros.counting.question import class_on_pages
from macros.counting.search.entries import quoted_totals
from macros.counting.search.known_numbers import combinable_deviations, load_search_rules, search_data
from macros.counting.search.parts import parts

from ..calculator import METHODS, PROMPT_ARGUMENTS, STORAGES, all_rows_of, choices_for_all_rows, offered_fields
from ..components import pages, words
from ..components.asking import BASE, title_of


@lru_cache(maxsize=1)
def table() -> dict[str, Any]:
    """The whole table, in a form that JSON can represent."""
    rows = list(dict.fromkeys(row for architecture in ARCHITECTURES.values() for row in architecture.rows))
    return {
        "symbols": _symbols(),
        "choices": DEFAULT_CHOICES.by_name(every_flag()),
        "rows": [_row(row) for row in rows],
        "blocks": {
            name: {"title": title, "page": pages.BLOCKS[name], "words": words.BLOCK_LABELS[name].in_all}
            for name, title in words.BLOCKS.items()
        },
        "labels": words.exported_labels(),
        "phrases": words.PHRASES,
        "waterfall": words.WATERFALL,
        "messages": MESSAGES,
        "architectures": [_architecture(architecture, rows) for architecture in ARCHITECTURES.values()],
        "models": [_model(model) for model in [*load_models().values(), *load_relatives().values()]],
        "deviations": [_deviation(deviation) for deviation in load_deviations().values()],
        "configs": _configs(),
        "changes": _changes(rows),
        "dtypes": BYTES,
        "units": {"counts": COUNT_UNITS, "bytes": MEMORY_UNITS},
        "explanations": _explanations(),
    }


def _symbols() -> list[dict[str, Any]]:
    """The symbol of every letter, in the order in which the sizes are read.

    A letter that BERT has is described as in BERT. Differing keys, minima and defaults are exported with their
    architecture.
    """
    symbols_by_letter: dict[str, Symbol] = {}
    # The architecture with the most letters comes first, because it has nearly all of them in the right order.
    for architecture in sorted(ARCHITECTURES.values(), key=lambda candidate: len(candidate.symbols), reverse=True):
        for symbol in architecture.symbols:
            symbols_by_letter.setdefault(symbol.letter, symbol)
    last_letter = BERT.symbols[-1].letter  # the last letter in every architecture
    symbols_by_letter[last_letter] = symbols_by_letter.pop(last_letter)
    bert_symbols = {symbol.letter: symbol for symbol in BERT.symbols}
    return [bert_symbols.get(letter, symbol)._asdict() for letter, symbol in symbols_by_letter.items()]


def _row(row: Row) -> dict[str, Any]:
    """A row. Its block and the components of its path are implicit tags, so they are omitted from its tags."""
    tags = row.tags - {row.block, *row.path.split("/")}
    is_transposed = transformers_shape(row) != row.shape
    return (
        _without_empty(row) | ({"tags": sorted(tags)} if tags else {}) | ({"transposed": True} if is_transposed else {})
    )


def _without_empty(record: Any) -> dict[str, Any]:
    """The fields of a named tuple whose values are not empty, false or zero."""
    return {key: value for key, value in record._asdict().items() if value not in ("", (), False)}


def _architecture(architecture: Architecture, rows: list[Row]) -> dict[str, Any]:
    """The declarations of an architecture that the scripts need."""
    settings = _settings()
    exported_symbols = {symbol["letter"]: symbol for symbol in _symbols()}

    def overrides(key: str) -> dict[str, Any]:
        """A field of the architecture's symbols, by letter, where it differs from that of the exported symbol."""
        return {
            symbol.letter: getattr(symbol, key)
            for symbol in architecture.symbols
            if getattr(symbol, key) != exported_symbols[symbol.letter][key]
        }

    return {
        "name": architecture.model_type,
        "title": architecture.name,
        "config": architecture.config_class,
        "keys": {symbol.letter: symbol.key for symbol in architecture.symbols},
        "instead": architecture.second_keys,
        "minimum": overrides("minimum"),
        "default": overrides("default"),
        "choices": architecture.default_choices.by_name(architecture.flags),
        "flags": list(architecture.flags),
        "padded": list(architecture.padded_letters),
        "heads_share": architecture.letter_of_shared_width,
        "differences": [list(pair) for pair in architecture.differences],
        "padding": architecture.padding_id,
        "rounds_heads": architecture.rounds_heads,
        "pairs_features": architecture.pairs_features,
        "settings": [settings.index(setting) for setting in (*architecture.settings, config.PER_LAYER_SETTING)],
        "layers": list(architecture.layers),
        "names": {
            str(rows.index(row)): transformers_name(row, architecture, architecture.classes[-1].name)
            for row in architecture.rows
        },
        "prefix": body_prefix(architecture, architecture.classes[-1].name),
        "classes": [_class(architecture, model_class, rows) for model_class in architecture.classes],
    }


def _settings() -> list[Setting]:
    """The distinct settings that determine whether a config can be counted."""
    settings = (
        setting
        for architecture in ARCHITECTURES.values()
        for setting in (*architecture.settings, config.PER_LAYER_SETTING)
    )
    return list(dict.fromkeys(settings))


def _reasons_against_types() -> list[dict[str, Any]]:
    """The model types that are not counted, grouped by reason, because many types share a reason."""
    types_by_reason: dict[str, list[str]] = {}
    for model_type, why in reasons_against_types().items():
        types_by_reason.setdefault(why, []).append(model_type)
    return [{"types": types, "why": why} for why, types in types_by_reason.items()]


def _configs() -> dict[str, Any]:
    """The rules for reading a config of any architecture."""
    return {
        "flags": config.FLAGS,
        "foreign": list(config.FOREIGN_KEYS),
        "keys": KEY_DATA,
        "uncounted": _reasons_against_types(),
        "settings": [{"default": setting.default} | _without_empty(setting) for setting in _settings()],
        "name_it": config.TYPE_REMEDY,
        "most_bytes": config.MAX_BYTES,
        "largest_odd_width": config.MAX_UNCHECKED_WIDTH,
    }


def _changes(rows: list[Row]) -> dict[str, Any]:
    """The calculator's methods and storage formats, the rows that they affect, and the blocks of changed models."""
    architectures = reversed([*ARCHITECTURES.values()])
    blocks = dict.fromkeys(block for architecture in architectures for block in architecture.blocks)
    change_rules = rules()
    modules = [*change_rules["adapted"], ALL_LINEAR]
    prefixes_by_name = {
        "copied": change_rules["copied"],
        "embeddings": [change_rules["embeddings"]],
        "all_but_head": [change_rules["body"]],
    }
    # The calculator's snippets name modules individually, but never a module in a head that PEFT copies.
    model_rows = [row for row in rows if not lies_under(row.path, tuple(change_rules["copied"]))]
    selected_rows = {name: [row for row in model_rows if is_adapted(row.path, name)] for name in modules}
    selected_rows |= {
        name: [row for row in rows if lies_under(row.path, tuple(prefixes))]
        for name, prefixes in prefixes_by_name.items()
    }
    selected_rows["LayerNorm"] = [row for row in rows if carries(row, "LayerNorm")]
    decoder = (change_rules["decoder"],)
    selected_rows["decoder"] = [row for row in rows if lies_under(row.path, decoder) and carries(row, "kernel")]
    selected_rows |= {name: _rows_where(rows, name, _is_still_trained) for name in METHODS}
    selected_rows["packed"] = _rows_where(rows, ANY_STORAGE, lambda row: bool(row.storage.width))
    return {
        "all_linear": ALL_LINEAR,
        "modules": modules,
        "selected": {name: [rows.index(row) for row in selection] for name, selection in selected_rows.items()},
        "tasks": change_rules["tasks"],
        "heads": change_rules["heads"],
        "of_prompts": list(PROMPT_ARGUMENTS),
        "methods": [_method(load_methods()[name]) for name in METHODS],
        "unpacked": [name for name in ARCHITECTURES if not _changed_models(ANY_STORAGE, name)],
        "storages": [_storage(load_methods()[name], description) for name, description in STORAGES.items()],
        **_pruning(rows),
        "on_transformers_4": [method.name for method in load_methods().values() if method.release == 4],
        "head_bias": change_rules["head_bias"],
        "blocks": [_changed_block(name) for name in (*blocks, *ADDED_BLOCKS)],
    }


ANY_STORAGE = next(iter(STORAGES))
"""One of the formats of packed weights. All of them pack the same rows."""

ADDED_BLOCKS = ("lora", "added", "copied-head")
"""The blocks to which methods add tensors."""

FORM_FIELDS = {
    "r": "rank",
    "t": "rank",
    "m": "rank",
    "n": "width",
    "modules": "modules",
    "feedforward": "feedforward",
}
"""The field of the form for each option of a method. A method has at most one of the options that share a field."""

REQUESTS_FOR_SIZES = {"r": "the rank of {}", "t": "the number of virtual tokens", "m": "the width of an adapter"}
"""The wording of the request for a method's size, by letter; the braces are replaced with the method's title."""

IMPORTS = {
    "PEFT": "from peft import {}, get_peft_model",
    "adapters": "import adapters  # needs transformers 4",
}
"""The import in a snippet, by library; braces are replaced with the class of the configuration."""


def _questions(architecture: Architecture) -> Iterator[Question]:
    """Yield a question about each class of an architecture, for a published model, with every row of the class.

    If a row exists only if a size is 0, or only if it is not 0, there are also questions about the opposite case.
    """
    models = (*load_models().values(), *load_relatives().values())
    model = next(candidate for candidate in models if candidate.architecture is architecture)
    # The rows that a class can have include those that exist only if a size is not 0.
    letters_of_rows = {row.when[0] for row in architecture.rows if row.when.endswith("≠0")}
    nonzero_sizes = {letter: size or 1 for letter, size in model.sizes.items() if letter in letters_of_rows}
    model = model._replace(sizes={**model.sizes, **nonzero_sizes})
    has_cross_attention = any(row.when == "cross_attention" for row in architecture.rows)
    choices = choices_for_all_rows(architecture)
    if not has_cross_attention:
        choices = choices._replace(cross_attention=None)
    letters = {row.when[0] for row in architecture.rows if row.when.endswith(("≠0", "=0"))}
    further_models = [model.resized(**{letter: 0 if model.sizes[letter] else 1}) for letter in sorted(letters)]
    for variant, model_class in product([model, *further_models], architecture.classes):
        yield Question(variant, model_class.name, choices=model_class.fixed_choices.with_defaults(choices))


@cache
def _changed_models(name: str, model_type: str) -> list[ChangedModel]:
    """The models after a method for all `_questions` about an architecture.

    The list is empty if the engine does not support this combination.
    """
    method = load_methods()[name]
    # Only the rows matter here, so every size is 1.
    options = [f"{letter}=1" for letter in method.required]
    # With a task type, PEFT cannot adapt all dense layers of some classes, because it copies one of them.
    if "modules" in method.options:
        options += [f"modules={ALL_LINEAR}", "task=none"]
    change = ":".join([name, *options])
    try:
        return [ChangedModel.build(question, [change]) for question in _questions(ARCHITECTURES[model_type])]
    except BadChange:
        return []


def _is_still_trained(row: ChangedRow) -> bool:
    """Whether a row belongs to the unchanged model and is trained after the change."""
    return row.is_trained and not row.addition


def _rows_where(rows: list[Row], method_name: str, condition: Callable[[ChangedRow], bool]) -> list[Row]:
    """The rows of the unchanged model that satisfy a condition after the method, in any architecture."""
    models = (model for model_type in ARCHITECTURES for model in _changed_models(method_name, model_type))
    paths = {row.path for model in models for row in model.rows if condition(row)}
    return [row for row in rows if row.path in paths]


def _pruning(rows: list[Row]) -> dict[str, Any]:
    """The shape that a pruned head removes from each row, and the reasons why architectures cannot be pruned."""
    shapes: dict[str, str] = {}
    refusals = {
        name: f"transformers 4 prunes no heads of {ARCHITECTURES[name].name}; leave this field empty"
        for name in load_methods()["pruned"].refused_types
    }
    for name, architecture in ARCHITECTURES.items():
        indices = {row.path: str(rows.index(row)) for row in architecture.rows}
        try:
            for question in _questions(architecture):
                pruned_rows = (row for row in ChangedModel.build(question, ["pruned:1"]).rows if row.is_removed)
                shapes |= {indices[row.path]: row.shape for row in pruned_rows}
        except BadChange as error:
            # The message has the form "change: reason; advice", but this field has its own advice.
            _, _, reason = str(error).partition(": ")
            refusals.setdefault(name, f"{reason.partition(';')[0]}; leave this field empty")
    return {"pruned": shapes, "unpruned": refusals}


def _storage(method: Method, description: str) -> dict[str, Any]:
    """The way in which bitsandbytes packs a matrix, from the block of the method in `changes.toml`."""
    (operation,) = method.does
    defaults = {"scales": [], "rows": 0, "offset": 0}
    fields = {key: operation[key] for key in StorageFormat._fields if key in operation}
    return {"title": f"packed in {method.title}", "what": description, **defaults, **fields}


def _usual_size(method: Method) -> str:
    """The size with which pages compare a method, as text for its field; empty if the method is not compared."""
    return next((change.split(":")[1] for change in rules()["compared"] if change.startswith(f"{method.name}:")), "")


def _method(method: Method) -> dict[str, Any]:
    """A method for the calculator: its fields, its additions to modules, and its code in a snippet."""
    takes = {FORM_FIELDS[option]: option for option in method.options if option in FORM_FIELDS}
    calculator_method = METHODS[method.name]
    prefix = ""
    if method.library == "PEFT":
        prefix = "base_model" if method.only_adds_prompts else "base_model.model"
    return {
        "name": method.name,
        "title": method.title,
        "library": "the adapters library" if method.library == "adapters" else method.library,
        "takes": takes,
        "usual": _usual_size(method) if "rank" in takes else "",
        "usual_width": "H" if "n" in method.options and "n" not in method.optional else "",
        "usual_modules": _usual_modules(method, takes.keys() & MODULE_FIELDS),
        "asks": REQUESTS_FOR_SIZES.get(takes.get("rank", ""), "").format(method.title),
        "asks_width": f"the {rules()['letters']['n']}" if "width" in takes else "",
        "lacking": f"Choose at least one module for {method.title}" if "modules" in takes else "",
        "refused": _refusals(method),
        "part": calculator_method.added_tensors,
        "does": f"{calculator_method.added_tensors or method.title}, everything else frozen",
        "block": "lora" if takes.get("rank") == "r" else "added",
        "prefix": prefix,
        "beside": rules()["beside"] if method.library == "adapters" else {},
        "copies": _names_of_copies(method),
        "adds": [_addition(operation) for operation in method.does if _is_offered(operation)],
        "config": calculator_method.config,
        "given": list(calculator_method.arguments),
        "given_width": calculator_method.width_arguments,
        "imports": IMPORTS.get(method.library, "").format(calculator_method.config),
    }


def _refusals(method: Method) -> dict[str, str]:
    """The message for each model type for which the calculator rejects a method."""
    # If a library adds a tensor to one architecture only, the calculator does not support the method there.
    special_types = {operation["of"] for operation in method.does if "of" in operation}
    return {
        name: f"{method.title}: not counted for {architecture.name}; choose another method"
        for name, architecture in ARCHITECTURES.items()
        if name in special_types or not _changed_models(method.name, name)
    }


def _names_of_copies(method: Method) -> dict[str, list[str]]:
    """PEFT's names for a copy and its original, by the selection of rows that the method copies."""
    return {
        operation.get("tag", "copied"): [
            operation.get("name", TRAINED_COPY),
            "base_layer" if "name" in operation else ORIGINAL,
        ]
        for operation in method.does
        if operation["do"] in ("copy", "save")
    }


MODULE_FIELDS = frozenset({"modules", "feedforward"})
"""The fields of the form that contain modules."""


def _usual_modules(method: Method, fields: Collection[str]) -> dict[str, Any]:
    """The default modules of a method by field, under "" for most architectures and by name for all others.

    They are the defaults of the library or, if it has none for an architecture, those for BERT.
    """
    defaults: dict[str, Any] = {}
    if not fields:
        return defaults
    for name, architecture in ARCHITECTURES.items():
        modules = {field: _modules_in(method, field, architecture) for field in sorted(fields)}
        # BERT comes first, so "" has its modules.
        if modules != defaults.setdefault("", modules):
            defaults[name] = modules
    return defaults


def _modules_in(method: Method, option: str, architecture: Architecture) -> str:
    """The default modules of a method in an architecture, where query, key and value may be a single module."""
    default_modules: Mapping[str, str] = getattr(method, option)
    names = (default_modules.get(architecture.model_type) or default_modules[BERT.model_type]).split(",")
    present_names = {name for name in names if any(is_adapted(row.path, name) for row in architecture.rows)}
    return ",".join(dict.fromkeys(name if name in present_names else FUSED_MODULE for name in names))


FUSED_MODULE = "query-key-value"
"""The module that combines query, key and value."""


def _is_offered(operation: Mapping[str, Any]) -> bool:
    """Whether an operation adds a tensor that the calculator can offer.

    It must apply to every architecture, must not add to the embedding tables, and must not depend on the
    size u, because the form has no field for it.
    """
    is_special = "of" in operation or operation.get("needs") == "u"
    return operation["do"] == "add" and operation.get("tag") != "embedding-table" and not is_special


def _addition(operation: Mapping[str, Any]) -> dict[str, Any]:
    """The tensor that an operation adds, from its block in `changes.toml`."""
    fields = {key: operation[key] for key in ("name", "at", "but", "needs", "lacks") if key in operation}
    return fields | {"shape": operation["shape"].replace("*", "")}


def _changed_block(name: str) -> dict[str, str]:
    """A block, with the page that explains it if there is one."""
    return {"name": name, "title": words.ALL_BLOCKS[name], "page": pages.BLOCKS.get(name, "")}


def _class(architecture: Architecture, model_class: ModelClass, rows: list[Row]) -> dict[str, Any]:
    """A class with every row that it can have; a row's `when` determines whether the class has it."""
    class_rows = all_rows_of(architecture, model_class)
    return {
        "name": model_class.name,
        "purpose": model_class.purpose,
        "prefix": body_prefix(architecture, model_class.name),
        "fixed": model_class.fixed_choices.by_name(),
        "labels": model_class.required_labels,
        "rows": [rows.index(row) for row in class_rows],
        "offers": [name for name, is_offered in offered_fields(architecture, model_class).items() if is_offered],
    } | _bias_after_resizing(model_class, class_rows)


def _bias_after_resizing(model_class: ModelClass, class_rows: tuple[Row, ...]) -> dict[str, str]:
    """The effect of resizing the vocabulary in place on the output bias that does not get the new length.

    If an untied head has a second bias, that bias is "lost" or "kept" at its old length. If a head has only one bias,
    which keeps its old length, the effect is called "alone". Empty if every bias gets the new length.
    """
    if model_class.name in rules()["alone"]:
        return {"in_place": "alone"}
    if not any(row.tied_to == rules()["head_bias"] for row in class_rows):
        return {}
    return {"in_place": "lost" if model_class.name in rules()["rebound"] else "kept"}


def _model(model: Model) -> dict[str, Any]:
    """A published model with its sizes and the page with its total."""
    return {
        "name": model.name,
        "title": title_of(model),
        "group": model.group,
        "architecture": model.architecture.model_type,
        "sizes": model.sizes,
        "page": pages.of_model(model.name),
        **({"also": list(model.also)} if model.also else {}),
    }


def _deviation(deviation: Deviation) -> dict[str, Any]:
    """A deviation with the class in which pages show it, and the formula of its effect in this class."""
    model_class = class_on_pages(deviation, BERT)
    base = Question(model_named(BASE), model_class)
    steps = bridge(base, Question(base.model, model_class, deviations=(deviation.name,)))
    # A deviation that takes a size that BERT base has, such as its vocabulary, has no effect on BERT base itself.
    effect = {"effect": " ".join(step.formula for step in steps)} if steps else {}
    fields = {key: value for key, value in _without_empty(deviation).items() if key not in ("shown_in", "holds")}
    return {**fields, "model_class": model_class, **effect}


def _explanations() -> dict[str, Any]:
    """The data that only the search for a number needs, such as parts, published numbers, costs and limits."""
    sources = {name: claims[0].source for name, claims in load_claims().items()}
    source_names = dict.fromkeys(name for total in known_totals() for name in total.sources)
    left_out = {
        (deviation.part, deviation.tag)
        for deviation in combinable_deviations()
        if deviation.name.startswith(WITHOUT_PREFIX)
    }
    return {
        "parts": [
            {
                "path": part.path,
                **_without_empty(part),
                "class": model_class,
                "words": words.in_words(part),
                "page": pages.of_part(part),
            }
            for model_class, part in parts()
        ],
        "left_out": [index for index, (_, part) in enumerate(parts()) if (part.path, part.tag) in left_out],
        "quoted_totals": quoted_totals(),
        "sources": {name: {"title": sources[name].title, "url": sources[name].url} for name in source_names},
        **_ranking(),
        "pages": pages.PAGES_BY_TOPIC,
    }


def _ranking() -> dict[str, Any]:
    """The costs and limits of the search, with the cost of each model derived from the rules."""
    blocks = {
        name: block
        for name, block in search_data().items()
        if name
        not in ("together", "usual_classes", "usual_in_relatives", "settings", "changed", "counts", "operations")
    }
    search_rules = load_search_rules()
    checkpoints = [*load_models().values(), *load_relatives().values()]
    model_costs = {model.name: search_rules.cost_of_model(model) for model in checkpoints}
    return {
        **blocks,
        "costs": {"models": model_costs, "ways": blocks["costs"]["ways"]},
        "limits": {**blocks["limits"], "rarity_left_out": RARITY_LEFT_OUT},
        "stored": [{"kept": ""} | storage for storage in blocks["stored"]],
    }


def table_json(content: dict[str, Any]) -> str:
    """The table as JSON, in which each entry of a list is on a separate line."""
    entries = (f"{json.dumps(key)}: {_lines(value)}" for key, value in content.items())
    return "{\n" + ",\n".join(entries) + "\n}\n"


def _lines(value: Any) -> str:
    """A value as JSON. The entries of a list, or of an object with nested lists or objects, are on separate lines."""
    if isinstance(value, dict) and any(isinstance(member, dict | list) for member in value.values()):
        return "{\n" + ",\n".join(f"{json.dumps(key)}: {_lines(member)}" for key, member in value.items()) + "\n}"
    if isinstance(value, list):
        return "[\n" + ",\n".join(map(_compact, value)) + "\n]"
    return _compact(value)


def _compact(value: Any) -> str:
    """A value as JSON on one line without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def module(content: dict[str, Any]) -> str:
    """A table as a JavaScript module."""
    return f"export default {table_json(content)}"


def module_with_texts_once(content: dict[str, Any]) -> str:
    """A table as a JavaScript module that stores long repeated strings once, in an array to which the table refers.

    Scripts that import the module see the same table as from `module`, but the download is smaller.
    """
    source = table_json(content)
    uses_by_text = Counter(text for text, is_key in JSON_TEXT.findall(source) if not is_key)
    texts = [text for text, uses in uses_by_text.items() if uses > 1 and len(text) >= MIN_SHARED_LENGTH]
    index_of = {text: index for index, text in enumerate(texts)}

    def reference(match: re.Match[str]) -> str:
        """A reference to the array for a string that is in it; any other string, and any key, unchanged."""
        text, is_key = match.groups()
        return f"t[{index_of[text]}]" if text in index_of and not is_key else match[0]

    return f"const t = [{','.join(texts)}]\nexport default {JSON_TEXT.sub(reference, source)}"


JSON_TEXT = re.compile(r'("(?:[^"\\]|\\.)*")(:?)')
"""Matches a JSON string with its quotation marks, and the colon after it if it is a key."""

MIN_SHARED_LENGTH = 8
"""The minimum length of a shared string with its quotation marks; a reference has up to seven characters (t[1200])."""
