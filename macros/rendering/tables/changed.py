"""Changed models: what each change trains and leaves, what it adds where, and how that grows with what one chooses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from html import escape

from macros.counting import Changed, Polynomial
from macros.counting.changes.methods import rules
from macros.counting.changes.mistakes import load_mistakes
from macros.counting.memory import BYTES
from macros.counting.sum_lines import in_numbers

from ..elements import changes, formulas, numbers, pages, words
from ..elements.asking import BASE, SHORT
from ..elements.changes import changed_model, counted
from ..elements.permalinks import permalink
from ..elements.tables import NUMERIC, PROSE, Column, code, numeric, table

SIZES = {
    "r": (1, 2, 4, 8, 16, 32, 64, 128),
    "t": (1, 5, 10, 20, 50, 100),
    "m": (8, 16, 24, 48, 96, 192),
    "k": (1, 2, 4, 6, 8, 10),
}
"""What tables go through, by the letter of what one chooses."""

CHOSEN = "#"
"""Stands for it in changes."""

KIN = (
    "lora:8:query,value",
    "rslora:8:query,value",
    "dora:8:query,value",
    "ia3",
    "nf4-double:classifier lora:8:query,value",
)
"""LoRA and what is like it, in the order of the page about them."""

PROMPTS = ("prompt:20", "prefix:20", "p-tuning:20:128", "p-tuning-lstm:20:128")
IN_PART = ("head", "bitfit", "layernorm", "norms", "embeddings")
STRUCTURE = ("pruned", "layers", "vocabulary", "positions", "cross-attention")
STORED = ("", "int8", "int4", "nf4-double")
"""The changes, or methods, that other pages set side by side."""


def compared(name: str) -> str:
    """Every change of base: what it trains, as a share of all that there is then, and the bytes of the weights."""
    columns = [Column("change"), *numeric("trained", "share trained", "all", "stored bytes")]
    rows = [
        [
            _called(changed_model(each), linked=True),
            *(counted(each, what) for what in ("trained", "share", "all", "bytes")),
        ]
        for each in rules()["compared"]
    ]
    caption = "BERT base with two labels, changed; weights are in float32 unless the change says otherwise"
    return unsearched(table(name, caption, columns, rows))


def unsearched(shown: str) -> str:
    """What the search leaves out: it finds the page by its sentences."""
    return f"<div data-search-exclude>{shown}</div>"


def _beside(make: Callable[[str], str]) -> Callable[[str], str]:
    """A table that means little without the text of its page, so that it cannot be embedded by itself."""
    return lambda name: f'<div class="bc-beside">{make(name)}</div>'


def _called(changed: Changed, *, linked: bool = False) -> str:
    """What is done, in words and as on the command line; a link leads to the page about it."""
    titles = {each.method.name: escape(each.method.title) for each in changed.changes}
    if linked:
        titles = {name: f'<a href="{pages.ROOT}{pages.CHANGES[name]}">{title}</a>' for name, title in titles.items()}
    return f"{' and '.join(titles.values())}: {', '.join(code(str(each)) for each in changed.changes)}"


def added(method: str, name: str) -> str:
    """What is trained with a method, tensor by tensor: where, with which shape, how often, and how many in base."""
    given = changes.first(method)
    changed = changed_model(given)
    layer = f".{changed.question.architecture.layer_name}."
    rows = [
        [code(row.full_name.rpartition(layer)[2]), changes.shape(row), changes.of_row(row, given)]
        for row in changed.rows
        if row.trained
    ]
    foot = [words.TOTAL.line, "", counted(given)]
    columns = [Column("tensor"), Column("shape"), *numeric("in base")]
    title = changed.changes[0].method.title
    caption = (
        f"What is trained with {title}, in BERT base with two labels; names of what every layer has begin in the layer"
    )
    return unsearched(table(name, caption, columns, rows, foot))


def by_size(letter: str, ways: Mapping[str, str], caption: str, name: str) -> str:
    """What is trained in base and large, by one number that is chosen; several ways are side by side."""
    meaning = rules()["letters"][letter]
    heads = [f"{short}, {way}" if way else short for way in ways for short in SHORT.values()]
    columns = [Column(f"{meaning} ({letter})", NUMERIC), *numeric(*heads)]
    rows = []
    for size in SIZES[letter]:
        given = numbers.example(size, meaning)
        found = [counted(way.replace(CHOSEN, str(size)), model=model) for way in ways.values() for model in SHORT]
        rows.append([given, *found])
    return unsearched(table(name, caption, columns, rows))


def worked(method: str, name: str) -> str:
    """What a method trains in base, line by line, the last line for large, and the formula."""
    given = changes.first(method)
    large = next(model for model in SHORT if model != BASE)
    head = f'<p id="{name}">BERT base, line by line:&nbsp;{permalink(name, "sum")}</p>'
    other = f"The last line for BERT large: {changes.sum_in_one_line(given, large)}."
    link = permalink(f"{name}-large", "sum")
    formula = formulas.alone(changed_model(given).trained)
    return unsearched(
        f'<div class="bc-worked">{head}{changes.sum_in_lines(given)}'
        f'<p id="{name}-large">{other} {link}</p>{formula}</div>'
    )


def side_by_side(chosen: tuple[str, ...], last: tuple[str, str], caption: str, name: str) -> str:
    """Several changes: the formula of what each trains, in base and in large, and a last number of base, headed so."""
    heading, what = last
    columns = [Column("method"), Column("trained"), *numeric(*SHORT.values(), heading)]
    rows = [
        [
            _called(changed_model(each)),
            formulas.inline(changed_model(each).trained),
            *(counted(each, model=model) for model in SHORT),
            counted(each, what),
        ]
        for each in chosen
    ]
    return unsearched(table(name, caption, columns, rows))


def steps(methods: tuple[str, ...], name: str) -> str:
    """Changes of the structure that pages compare: the formula of what each adds, in base and in large."""
    chosen = [each for each in rules()["compared"] if changed_model(each).changes[0].method.name in methods]
    columns = [Column("change"), Column("what it adds"), *numeric(*SHORT.values())]
    rows = [
        [
            _called(changed_model(each)),
            formulas.text(_in_letters(changed_model(each))),
            *(changes.step(each, model) for model in SHORT),
        ]
        for each in chosen
    ]
    return unsearched(
        table(name, "What changes of the structure add to the total or take from it, with two labels", columns, rows)
    )


def _in_letters(changed: Changed) -> str:
    """What the last change adds, for any model: a size that changes has a letter before and after, not two numbers.

    >>> _in_letters(changed_model("layers:6")), _in_letters(changed_model("pruned:12"))
    ('(L′ − L)·(4·H² + 2·H·F + 9·H + F)', '−h·(4·H·D + 3·D)')
    >>> _in_letters(changed_model("vocabulary:31000", "bert-large-uncased"))
    '(V′ − V)·H'
    """
    formula = changed.bridge[-1].formula
    old = changed.asked.sizes
    for letter, now in changed.changes[-1].sizes.items():
        if letter in old:
            formula = formula.replace(f"({now:,} − {old[letter]:,})·", f"({letter}′ − {letter})·")
    return changes.sign_first(re.sub(r"·\((\w)\)", r"·\1", formula))


def stored(chosen: tuple[str, ...], name: str) -> str:
    """Several ways to store base: its parameters, the elements they are packed in, and the bytes of both."""
    columns = [Column("stored"), *numeric("parameters", "numel()", "bytes of weights", "bytes of scales", "all bytes")]
    what = ("all", "elements", "bytes of weights", "bytes of scales", "bytes")
    rows = [
        [_called(changed_model(each)) if each else "float32", *(counted(each, of) for of in what)] for each in chosen
    ]
    return unsearched(table(name, "BERT base with two labels, by how its weights are stored", columns, rows))


def stored_worked(given: str, name: str) -> str:
    """The bytes of packed weights, line by line."""
    changed = changed_model(given)
    packed = [row for row in changed.rows if row.stored.per > 1]
    matrices = Polynomial(tuple(term for row in packed for term in row.all)).simplified()
    weights = matrices.value(changed.sizes)
    per, width = packed[0].stored.per, BYTES["float32"]
    rest = changed.number - weights
    parts = weights // per, rest * width, changed.scales_bytes
    shown = [numbers.whole(each) for each in parts]
    (block, bytes_each), *_ = packed[0].stored.scales
    each_block = f"scales, one of {bytes_each} bytes for each block of {block} weights"
    lines = {
        "the weights in matrices": f"{matrices.working(changed.sizes)} = {numbers.whole(weights)}",
        "all other parameters": str(in_numbers(changed.number, -weights)),
        "the bytes of the matrices, packed": f"{numbers.whole(weights)} ÷ {per} = {shown[0]}",
        "the bytes of all others, in float32": str(in_numbers((rest, width))),
        each_block: f"{numbers.whole(weights)} ÷ {block} × {bytes_each} = {shown[2]}",
        "the total": str(in_numbers(*parts)),
    }
    return _in_bytes(changed, "in bytes", lines, given, "bytes", name)


def scales_worked(given: str, name: str) -> str:
    """The bytes of scales that have scales themselves, line by line: in a matrix the last block may be smaller."""
    changed = changed_model(given)
    packed = [row for row in changed.rows if row.stored.offset]
    stored, layers = packed[0].stored, changed.sizes["L"]
    (block, _), (larger, each) = stored.scales
    sizes = [Polynomial((row.one,)).value(changed.sizes) for row in packed]
    blocks = [-(-size // larger) for size in sizes]
    within, beside = (
        [many for row, many in zip(packed, blocks, strict=True) if bool(row.layers) is in_layer]
        for in_layer in (True, False)
    )
    weights = Polynomial(tuple(term for row in packed for term in row.all)).value(changed.sizes)
    seconds, matrices = layers * sum(within) + sum(beside), layers * len(within) + len(beside)
    parts = weights // block, seconds * each, matrices * stored.offset
    shown = [numbers.whole(part) for part in parts]
    lines = {f"scales, a byte for each block of {block} weights": f"{numbers.whole(weights)} ÷ {block} = {shown[0]}"}
    for size, many in dict(zip(sizes, blocks, strict=True)).items():
        rounded, result = (
            ("", f"= {many}") if size % larger == 0 else (f", rounded up to {many}", f"≈ {size / larger:.2g}")
        )
        lines[f"blocks of {larger // block} scales in a matrix of {numbers.whole(size)} weights{rounded}"] = (
            f"{numbers.whole(size)} ÷ {numbers.whole(larger)} {result}"
        )
    lines |= {
        "such blocks in all matrices": (
            f"{layers} × ({_summed(within)}) + {_summed(beside)} = {numbers.whole(seconds)}"
        ),
        f"second scales, {each} bytes for each of these": str(in_numbers((seconds, each))),
        f"offsets, {stored.offset} bytes for each matrix": (
            f"({layers} × {len(within)} + {len(beside)}) × {stored.offset} = {shown[2]}"
        ),
        "all scales": str(in_numbers(*parts)),
    }
    return _in_bytes(changed, "the bytes of the scales", lines, given, "bytes of scales", name)


def _summed(some: Sequence[int]) -> str:
    """Numbers as a sum, in which those that are alike are counted."""
    return " + ".join(f"{many} × {each}" if many > 1 else str(each) for each, many in Counter(some).items())


def _in_bytes(changed: Changed, what: str, lines: Mapping[str, str], given: str, number: str, name: str) -> str:
    """A sum of bytes under what it is of."""
    title = escape(changed.changes[0].method.title)
    head = f'<p id="{name}">BERT base in {title}, {what}: {permalink(name, "sum")}</p>'
    asked = f'data-model="{BASE}" data-change="{escape(given)}" data-what="{number}"'
    return unsearched(f'<div class="bc-worked">{head}{numbers.steps(lines, asked)}</div>')


def mistakes(family: str, name: str) -> str:
    """The mistakes of a family of changes: what comes out for base, how far off that is, and why."""
    chosen = [each for each in load_mistakes().values() if each.family == family]
    columns = [Column("mistake"), *numeric("you would get", "off by"), Column("why", PROSE)]
    rows = [[escape(each.title), changes.wrong(each), changes.off(each), escape(each.why)] for each in chosen]
    return unsearched(table(name, "What these mistakes lead to in BERT base with two labels", columns, rows))


def tables() -> dict[str, Callable[[str], str]]:
    """The tables by the names that pages give them."""
    ranks = {"query and value": "lora:#:query,value", "all dense layers": "lora:#:all-linear"}
    widths = {"Houlsby": "houlsby:#", "Pfeiffer": "pfeiffer:#"}
    tokens = {"prompt tuning": "prompt:#", "prefix tuning": "prefix:#"}
    kin = "LoRA and similar methods, with a classifier of two labels"
    on_pages: dict[str, Callable[[str], str]] = {
        "lora-added": partial(added, "lora"),
        "lora-worked": partial(worked, "lora"),
        "lora-by-size": partial(by_size, "r", ranks, "What LoRA trains by its rank, with a classifier of two labels"),
        "lora-kin": partial(side_by_side, KIN, ("bytes in base", "bytes"), kin),
        "lora-mistakes": partial(mistakes, "lora"),
        "ia3-added": partial(added, "ia3"),
        "houlsby-added": partial(added, "houlsby"),
        "houlsby-worked": partial(worked, "houlsby"),
        "houlsby-by-size": partial(by_size, "m", widths, "What adapters train by their width, with two labels"),
        "prompts-compared": partial(
            side_by_side, PROMPTS, ("share in base", "share"), "Prompts, with a classifier of two labels"
        ),
        "prompts-by-size": partial(by_size, "t", tokens, "What prompts train by their length, with two labels"),
        "p-tuning-worked": partial(worked, "p-tuning"),
        "adapters-mistakes": partial(mistakes, "adapters"),
        "in-part": partial(
            side_by_side, IN_PART, ("share in base", "share"), "Trained in part, with a classifier of two labels"
        ),
        "bitfit-worked": partial(worked, "bitfit"),
        "frozen-by-size": partial(by_size, "k", {"": "frozen:#"}, "What is trained above frozen layers"),
        "structure": partial(steps, STRUCTURE),
        "structure-mistakes": partial(mistakes, "structure"),
        "stored": partial(stored, STORED),
        "stored-worked": partial(stored_worked, "int4"),
        "scales-worked": partial(scales_worked, "nf4-double"),
        "storage-mistakes": partial(mistakes, "storage"),
    }
    return {"changes-compared": compared, **{name: _beside(make) for name, make in on_pages.items()}}
