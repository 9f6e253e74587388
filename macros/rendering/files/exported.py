"""The exported table: everything that is declared in `macros/counting`, as scripts in the browser read it.

Rule 1: the build and the browser share data, not logic. The table is exported; the
rules that count with it are written twice, in Python and in JavaScript.
Rule 2: nothing is exported that can be counted from the rest, unless counting it takes
too long in a browser.
Rule 3: a sentence that both say is exported with the table, and typed once.
Rule 4: whatever is written twice has a test that asks both sides the same questions. What
counts, reads configs or searches also has a test that a difference would be noticed.

What is exported
----------------
`data/table.js`, which is also `data/table.json` for readers, with a schema in
`schemas.py`: the rows of every architecture, classes, models, deviations, config keys,
what each change does to which rows, labels, phrases and messages. Whoever reads it can
count any model. Rows are named by their place in `rows`. What only the page for typed
numbers needs is under `explanations`, costs and limits from `search.toml` among them.
`data/known-numbers.js`: the totals, entries and lines of `macros/counting/search`. They
could be counted in the browser, but there are 14,500 ways to totals alone, so the build
counts them; `known_numbers.py` here explains the form in which they are packed.
`data/operations.js`: what each row computes, by the place of the row, and the prices of
profilers; `operations_of_rows.py` explains the fields.
The exercises and the levels of the map have files of their own, and rooms of their own.

What is written twice
---------------------
| in `docs/assets` | in `macros` | held together by |
|---|---|---|
| `counting/engine.js` | `counting/question.py`, `deviations.py` | `tests/scripts/test_counting.py` |
| `counting/polynomials.js`, `sum-lines.js` | `counting/polynomials.py`, `sum_lines.py` | `test_changes.py` |
| `counting/bridge.js` | `counting/published/bridges.py` | `test_counting.py`, `test_changes.py` |
| `counting/changes.js` | `counting/changes/` | `test_changes.py`, also with recordings |
| `counting/configuration.js` | `counting/config.py` | `test_configs.py`, also with recordings |
| `counting/operations.js` | `counting/operations.py` | `test_operations.py` |
| `explaining/read.js` | `counting/published/printed.py` | `test_counting.py` |
| `explaining/known-numbers.js` | `cost_together` in `counting/search/known_numbers.py` | `test_search.py` |
| `drawing/` | `rendering/figures/tiling.py`, `levels.py` | `test_drawing.py` |
| `answering/waterfall.js` | `rendering/components/waterfalls.py` | `tests/docs/test_waterfall_in_browser.py` |
| `exercises/` | `teaching/` | `test_exercises.py` |

The search itself, from windows to "likely", is in JavaScript alone: no page needs it
when the site is built. Its data are Python's, and the head of `macros/counting/search`
explains both.

These tests run the scripts in Node.js, without a browser (`tests/scripts/running.py`).
Most draw thousands of questions at random from a fixed seed. The tests that begin with
`test_another_table` break the table in one place and expect answers to differ.
`test_said_once.py` finds a sentence that is typed in both languages. The types of the table in TypeScript are made
from its schema (`tests/scripts/table_type.py`), so a field that a script asks for and
the table lacks fails `make lint`.

Doubts and limits
-----------------
The twins are compared where the drawn questions lead. A rule for a combination that no
drawing reaches may differ unseen.
Numbers in a script are exact up to 2^53. That is why the engine accepts no larger size,
and why scripts refuse a total beyond it, which Python counts.
`read.js` understands more forms than `printed.py`, such as Chinese figures; only what
both read is compared.
A new rule in Python changes nothing in the browser until its twin follows. The tests
fail until then; nothing else notices.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache, lru_cache
from typing import Any

from macros.counting import (
    ARCHITECTURES,
    BERT,
    USUAL,
    BadChange,
    Changed,
    Choices,
    ModelClass,
    Question,
    Row,
    config,
    load_models,
    load_relatives,
)
from macros.counting.architecture import Architecture, Setting, Symbol, carries, lies_under
from macros.counting.changes.methods import ALL_LINEAR, Method, load_methods, rules
from macros.counting.changes.rows import ORIGINAL, TRAINED, ChangedRow, Storage
from macros.counting.changes.selecting import is_adapted
from macros.counting.deviations import LEFT_OUT, WITHOUT, Deviation, load_deviations
from macros.counting.frameworks.names import body_prefix, transformers_name, transformers_shape
from macros.counting.memory import BYTES
from macros.counting.messages import MESSAGES
from macros.counting.models import Model, model_named
from macros.counting.published.bridges import bridge
from macros.counting.published.claims import known_totals, load_claims
from macros.counting.published.printed import BYTES_IN, COUNTS
from macros.counting.question import class_shown
from macros.counting.search.entries import quoted_totals
from macros.counting.search.known_numbers import deviations, load_search, search_rules
from macros.counting.search.parts import parts

from ..calculator import METHODS, OF_PROMPTS, STORAGES
from ..components import pages, words
from ..components.asking import BASE, title_of


@lru_cache(maxsize=1)
def table() -> dict[str, Any]:
    """Everything as JSON can hold it; fields that say nothing are left out."""
    rows = list(dict.fromkeys(row for each in ARCHITECTURES.values() for row in each.rows))
    return {
        "symbols": _symbols(),
        "choices": USUAL._asdict(),
        "rows": [_row(each) for each in rows],
        "blocks": {
            name: {"title": title, "page": pages.BLOCKS[name], "words": words.BLOCK_LABELS[name].in_all}
            for name, title in words.BLOCKS.items()
        },
        "labels": words.exported(),
        "phrases": words.PHRASES,
        "waterfall": words.WATERFALL,
        "messages": MESSAGES,
        "architectures": [_architecture(each, rows) for each in ARCHITECTURES.values()],
        "models": [_model(each) for each in [*load_models().values(), *load_relatives().values()]],
        "deviations": [_deviation(each) for each in load_deviations().values()],
        "configs": _configs(),
        "changes": _changes(rows),
        "dtypes": BYTES,
        "units": {"counts": COUNTS, "bytes": BYTES_IN},
        "explanations": _explanations(),
    }


def _symbols() -> list[dict[str, Any]]:
    """Every letter once, in the order of reading; an architecture's own keys stand with it."""
    found: dict[str, Symbol] = {}
    # The architecture with the most letters has all of them in order.
    for each in sorted(ARCHITECTURES.values(), key=lambda each: len(each.symbols), reverse=True):
        for symbol in each.symbols:
            found.setdefault(symbol.letter, symbol)
    last = BERT.symbols[-1].letter  # of every architecture
    found[last] = found.pop(last)
    own = {symbol.letter: symbol for symbol in BERT.symbols}
    return [own.get(letter, symbol)._asdict() for letter, symbol in found.items()]


def _row(row: Row) -> dict[str, Any]:
    tags = row.tags - {row.block, *row.path.split("/")}
    transposed = transformers_shape(row) != row.shape
    return _said(row) | ({"tags": sorted(tags)} if tags else {}) | ({"transposed": True} if transposed else {})


def _said(entry: Any) -> dict[str, Any]:
    """The fields of an entry that say something."""
    return {key: value for key, value in entry._asdict().items() if value not in ("", (), False)}


def _decided(choices: Choices) -> dict[str, bool]:
    return {name: value for name, value in choices._asdict().items() if value is not None}


def _architecture(each: Architecture, rows: list[Row]) -> dict[str, Any]:
    """An architecture: its config keys by letter, what its config may say, its layers, names and classes."""
    settings, common = _settings(), {each["letter"]: each for each in _symbols()}
    return {
        "name": each.model_type,
        "title": each.name,
        "keys": {symbol.letter: symbol.key for symbol in each.symbols},
        "instead": each.instead,
        **{
            key: {
                symbol.letter: getattr(symbol, key)
                for symbol in each.symbols
                if getattr(symbol, key) != common[symbol.letter][key]
            }
            for key in ("minimum", "usual")
        },
        "choices": _decided(each.usual),
        "padded": list(each.padded),
        "padding": each.padding,
        "settings": [settings.index(setting) for setting in (*each.settings, config.PER_LAYER)],
        "layers": list(each.layers),
        "names": {str(rows.index(row)): transformers_name(row, each, each.classes[-1].name) for row in each.rows},
        "prefix": body_prefix(each),
        "classes": [_class(each, one, rows) for one in each.classes],
    }


def _settings() -> list[Setting]:
    """Every setting of a config that decides whether it is counted, once."""
    found = (setting for each in ARCHITECTURES.values() for setting in (*each.settings, config.PER_LAYER))
    return list(dict.fromkeys(found))


def _configs() -> dict[str, Any]:
    """How a config is read, whatever its architecture."""
    return {
        "flags": config.FLAGS,
        "foreign": list(config.FOREIGN_KEYS),
        "settings": [{"usual": each.usual} | _said(each) for each in _settings()],
        "name_it": config.NAME_IT,
        "most_bytes": config.MOST_BYTES,
    }


def _changes(rows: list[Row]) -> dict[str, Any]:
    """What methods add, to which rows, which are frozen, copied, packed or pruned, and every block in order."""
    blocks = dict.fromkeys(block for each in reversed([*ARCHITECTURES.values()]) for block in each.blocks)
    found = rules()
    modules = [*found["adapted"], ALL_LINEAR]
    parts = {"copied": found["copied"], "embeddings": [found["embeddings"]], "all_but_head": [found["body"]]}
    selected = {name: [row for row in rows if is_adapted(row.path, name)] for name in modules}
    selected |= {name: [row for row in rows if lies_under(row.path, tuple(under))] for name, under in parts.items()}
    selected |= {tag: [row for row in rows if carries(row, tag)] for tag in ("LayerNorm",)}
    selected |= {name: _kept(rows, name, _stays_trained) for name in METHODS}
    selected |= {"packed": _kept(rows, next(iter(STORAGES)), lambda row: bool(row.stored.width))}
    return {
        "all_linear": ALL_LINEAR,
        "modules": modules,
        "selected": {name: [rows.index(row) for row in some] for name, some in selected.items()},
        "tasks": found["tasks"],
        "of_prompts": list(OF_PROMPTS),
        "methods": [_method(load_methods()[name]) for name in METHODS],
        "unpacked": [name for name in ARCHITECTURES if not _made(next(iter(STORAGES)), name)],
        "storages": [_storage(load_methods()[name], what) for name, what in STORAGES.items()],
        **_pruning(rows),
        "on_transformers_4": [each.name for each in load_methods().values() if each.release == 4],
        "head_bias": found["head_bias"],
        "blocks": [_changed_block(each) for each in (*blocks, *ADDED_BLOCKS)],
    }


ADDED_BLOCKS = ("lora", "added", "copied-head")
"""The blocks of what methods add."""

FIELDS = {
    **dict.fromkeys("rtm", "rank"),
    "n": "width",
    **{each: each for each in ("modules", "feedforward")},
}
"""The field in which a reader says what an option of a method is."""

ASKS = {"r": "the rank of {}", "t": "the number of virtual tokens", "m": "the width of an adapter"}
"""What a method is asked for, by the letter of its size."""

IMPORTS = {
    "PEFT": "from peft import {}, get_peft_model",
    "adapters": "import adapters  # which needs transformers 4",
}
"""What a snippet imports, by library."""


def _questions(architecture: Architecture) -> Iterator[Question]:
    """A published model of an architecture in each of its classes, with every row that they may have."""
    every = (*load_models().values(), *load_relatives().values())
    model = next(each for each in every if each.architecture is architecture)
    has_cross = any(row.when == "cross_attention" for row in architecture.rows)
    choices = EVERYTHING if has_cross else EVERYTHING._replace(cross_attention=None)
    for each in architecture.classes:
        yield Question(model, each.name, choices=each.fixed.over(choices))


@cache
def _made(name: str, model_type: str) -> list[Changed]:
    """The classes of an architecture, changed by a method; none where the engine refuses it."""
    method = load_methods()[name]
    given = [f"{each}=1" for each in method.letters if each not in method.optional]
    given += [f"modules={ALL_LINEAR}"] * ("modules" in method.options)
    try:
        return [Changed.of(each, [":".join([name, *given])]) for each in _questions(ARCHITECTURES[model_type])]
    except BadChange:
        return []


def _stays_trained(row: ChangedRow) -> bool:
    return row.trained and not row.added


def _kept(rows: list[Row], method: str, is_meant: Callable[[ChangedRow], bool]) -> list[Row]:
    """The rows of the plain model of which something holds in a changed one."""
    made = (each for model_type in ARCHITECTURES for each in _made(method, model_type))
    paths = {row.path for each in made for row in each.rows if is_meant(row)}
    return [row for row in rows if row.path in paths]


def _pruning(rows: list[Row]) -> dict[str, Any]:
    """What goes with a head: by the place of a row, the shape; and why in some architectures none can go."""
    found: dict[str, str] = {}
    refused = {
        name: f"transformers 4 prunes no heads of {ARCHITECTURES[name].name}; leave this field empty"
        for name in load_methods()["pruned"].refused
    }
    for name, architecture in ARCHITECTURES.items():
        places = {row.path: str(rows.index(row)) for row in architecture.rows}
        try:
            for asked in _questions(architecture):
                removed = (row for row in Changed.of(asked, ["pruned:1"]).rows if row.removed)
                found |= {places[row.path]: row.shape for row in removed}
        except BadChange as error:
            _, _, why = str(error).partition(": ")
            refused.setdefault(name, f"{why.partition(';')[0]}; leave this field empty")
    return {"pruned": found, "unpruned": refused}


def _storage(method: Method, what: str) -> dict[str, Any]:
    """How bitsandbytes packs a matrix: as `changes.toml` says it."""
    (operation,) = method.does
    plain = {"scales": [], "rows": 0, "offset": 0}
    said = {key: operation[key] for key in Storage._fields if key in operation}
    return {"title": f"packed in {method.title}", "what": what, **plain, **said}


def _usual_size(method: Method) -> str:
    """The size with which pages compare a method, as its field shows it."""
    return next((each.split(":")[1] for each in rules()["compared"] if each.startswith(f"{method.name}:")), "")


def _method(method: Method) -> dict[str, Any]:
    """A method as the calculator offers it: what it adds to which modules, and what it is called in a snippet."""
    takes = {FIELDS[each]: each for each in method.options if each in FIELDS}
    own, in_peft = METHODS[method.name], method.library == "PEFT"
    # What a library adds to one architecture besides, the calculator does not offer.
    apart = {each["of"] for each in method.does if "of" in each}
    refused = [
        each for each in ARCHITECTURES.values() if each.model_type in apart or not _made(method.name, each.model_type)
    ]
    return {
        "name": method.name,
        "title": method.title,
        "library": "the adapters library" if method.library == "adapters" else method.library,
        "takes": takes,
        "usual": _usual_size(method) if "rank" in takes else "",
        "usual_width": "" if "n" in method.optional else "H" * ("n" in method.options),
        "usual_modules": _usual_modules(method, takes.keys() & MODULE_FIELDS),
        "asks": ASKS.get(takes.get("rank", ""), "").format(method.title),
        "asks_width": f"the {rules()['letters']['n']}" if "width" in takes else "",
        "lacking": f"Choose at least one module for {method.title}" * ("modules" in takes),
        "refused": {
            each.model_type: f"{method.title}: not counted for {each.name}; choose another method" for each in refused
        },
        "part": own.part,
        "does": f"{own.part or method.title}, everything else frozen",
        "block": "lora" if takes.get("rank") == "r" else "added",
        "prefix": ("base_model" if method.prompts else "base_model.model") if in_peft else "",
        "beside": rules()["beside"] if method.library == "adapters" else {},
        "copies": {
            "copied" if each.get("at") == "head" else each["tag"]: [
                each.get("name", TRAINED),
                "base_layer" if "name" in each else ORIGINAL,
            ]
            for each in method.does
            if each["do"] == "copy" and each.get("at") != "save"
        },
        "adds": [_addition(each) for each in method.does if _adds(each)],
        "config": own.config,
        "given": list(own.given),
        "given_width": own.given_width,
        "imports": IMPORTS.get(method.library, "").format(own.config),
    }


MODULE_FIELDS = frozenset({"modules", "feedforward"})


def _usual_modules(method: Method, fields: Collection[str]) -> dict[str, Any]:
    """What a method is put on unasked, and by architecture what instead: as its library does it, or as in BERT."""
    found: dict[str, Any] = {}
    for name, architecture in ARCHITECTURES.items() if fields else ():
        own = {each: _modules_in(method, each, architecture) for each in sorted(fields)}
        if own != found.setdefault("", own):
            found[name] = own
    return found


def _modules_in(method: Method, option: str, architecture: Architecture) -> str:
    """What a method is put on in an architecture, where query, key and value may be one."""
    usual: Mapping[str, str] = getattr(method, option)
    names = (usual.get(architecture.model_type) or usual[BERT.model_type]).split(",")
    there = {name for name in names if any(is_adapted(row.path, name) for row in architecture.rows)}
    return ",".join(dict.fromkeys(name if name in there else FUSED for name in names))


FUSED = "query-key-value"
"""The module that stands for query, key and value where these are one."""


def _adds(operation: Mapping[str, Any]) -> bool:
    """Whether an operation adds what the calculator offers: to any architecture, and neither to tables nor tokens."""
    is_apart = "of" in operation or operation.get("needs") == "u"
    return operation["do"] == "add" and operation.get("tag") != "embedding-table" and not is_apart


def _addition(operation: Mapping[str, Any]) -> dict[str, Any]:
    """What is added, as `changes.toml` says it."""
    said = {key: operation[key] for key in ("name", "at", "but", "needs", "lacks") if key in operation}
    return said | {"shape": operation["shape"].replace("*", "")}


def _changed_block(name: str) -> dict[str, str]:
    """A block; the site explains most of them on a page."""
    return {"name": name, "title": words.CHANGED_BLOCKS[name], "page": pages.BLOCKS.get(name, "")}


EVERYTHING = Choices(pooler=True, cross_attention=True)
"""What brings every row that a class may have, over what it fixes."""


def _class(architecture: Architecture, model_class: ModelClass, rows: list[Row]) -> dict[str, Any]:
    """A class with every row that it may have; what a row says in `when` decides."""
    possible = architecture.rows_of(model_class.name, model_class.fixed.over(EVERYTHING))
    return {
        "name": model_class.name,
        "purpose": model_class.purpose,
        "fixed": _decided(model_class.fixed),
        "labels": model_class.labels,
        "rows": [rows.index(row) for row in possible],
        "offers": [name for name, offered in _offers(model_class, possible).items() if offered],
    } | _in_place(model_class, possible)


def _offers(model_class: ModelClass, possible: tuple[Row, ...]) -> dict[str, bool]:
    """Which switches change anything in a class."""
    brought = {row.when for row in possible} - {name for name, fixed in _decided(model_class.fixed).items()}
    return {
        "pooler": "pooler" in brought,
        "tied": any(row.tied_to for row in possible),
        "cross_attention": "cross_attention" in brought,
        "labels": model_class.labels is None and any("C" in row.shape.split() for row in possible),
        "head": any(not lies_under(row.path, (rules()["body"],)) for row in possible),
    }


def _in_place(model_class: ModelClass, possible: tuple[Row, ...]) -> dict[str, str]:
    """What becomes of the second bias of an untied head where the vocabulary is resized in place, if it has two."""
    if not any(row.tied_to == rules()["head_bias"] for row in possible):
        return {}
    return {"in_place": "lost" if model_class.name in rules()["rebound"] else "kept"}


def _model(model: Model) -> dict[str, Any]:
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
    """A deviation, the class it is shown in, and what it changes there in letters."""
    shown = class_shown(deviation, BERT)
    base = Question(model_named(BASE), shown)
    steps = bridge(base, Question(base.model, shown, deviations=(deviation.name,)))
    # The vocabulary of base is no deviation for base: it changes nothing, and stands on no page.
    effect = {"effect": " ".join(step.formula for step in steps)} if steps else {}
    said = {key: value for key, value in _said(deviation).items() if key not in ("shown_in", "holds")}
    return {**said, "model_class": shown, **effect}


def _explanations() -> dict[str, Any]:
    """What the search for a number needs: parts, what is in print, and how to rank and how far to look."""
    sources = {name: claims[0].source for name, claims in load_claims().items()}
    printing = dict.fromkeys(name for each in known_totals() for name in each.sources)
    left_out = {(each.part, each.tag) for each in deviations() if each.name.startswith(WITHOUT)}
    return {
        "parts": [
            {
                "path": part.path,
                **_said(part),
                "class": model_class,
                "words": words.in_words(part),
                "page": pages.of_part(part),
            }
            for model_class, part in parts()
        ],
        "left_out": [place for place, (_, part) in enumerate(parts()) if (part.path, part.tag) in left_out],
        "rounded": quoted_totals(),
        "sources": {name: {"title": sources[name].title, "url": sources[name].url} for name in printing},
        **_ranking(),
        "pages": pages.ANSWERS,
    }


def _ranking() -> dict[str, Any]:
    """How likely things are, for the search: every model, whatever decides what it costs."""
    found = {
        name: block
        for name, block in search_rules().items()
        if name not in ("together", "settings", "changed", "counts", "operations")
    }
    rules, every = load_search(), [*load_models().values(), *load_relatives().values()]
    models = {model.name: rules.of_model(model) for model in every}
    return {
        **found,
        "costs": {"models": models, "ways": found["costs"]["ways"]},
        "limits": {**found["limits"], "usual_left_out": LEFT_OUT},
        "stored": [{"kept": ""} | each for each in found["stored"]],
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


def module(content: dict[str, Any]) -> str:
    """A table as a module."""
    return f"export default {table_json(content)}"
