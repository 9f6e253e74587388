"""Changed models: what each change trains and leaves, what it adds where, and how that grows with what one chooses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from html import escape

from macros.counting import Changed
from macros.counting.changes.methods import rules
from macros.counting.changes.mistakes import load_mistakes

from ..elements import changes, formulas, numbers, words
from ..elements.asking import BASE, SHORT
from ..elements.changes import changed_model, counted
from ..elements.permalinks import permalink
from ..elements.tables import NUMERIC, PROSE, Column, code, numeric, table

SIZES = {
    "r": (1, 2, 4, 8, 16, 32, 64, 128),
    "t": (1, 5, 10, 20, 50, 100),
    "m": (8, 16, 24, 48, 96, 192),
    "k": (1, 2, 4, 6, 8, 10),
    "h": (1, 12, 24, 48, 96),
}
"""What tables go through, by the letter of what one chooses."""

CHOSEN = "#"
"""Stands for it in changes."""

KIN = ("lora:8:query,value", "rslora:8:query,value", "dora:8:query,value", "ia3", "nf4-double lora:8:query,value")
"""LoRA and what is like it, in the order of the page about them."""


def compared(name: str) -> str:
    """Every change of base: what it trains, as a share of all that there is then, and the bytes of the weights."""
    columns = [Column("change"), *numeric("trained", "share", "all", "stored bytes")]
    rows = [
        [_called(changed_model(each)), *(counted(each, what) for what in ("trained", "share", "all", "bytes"))]
        for each in rules()["compared"]
    ]
    caption = "BERT base with two labels, changed, with weights in float32 where nothing else is said"
    return unsearched(table(name, caption, columns, rows))


def unsearched(shown: str) -> str:
    """What the search leaves out: it finds the page by its sentences."""
    return f"<div data-search-exclude>{shown}</div>"


def _beside(make: Callable[[str], str]) -> Callable[[str], str]:
    """A table that means little without the text around it, so that it cannot be embedded by itself."""
    return lambda name: f'<div class="bc-beside">{make(name)}</div>'


def _called(changed: Changed) -> str:
    """What is done, in words and as on the command line."""
    titles = " and ".join(dict.fromkeys(escape(each.method.title) for each in changed.changes))
    return f"{titles}: {', '.join(code(str(each)) for each in changed.changes)}"


def added(method: str, name: str) -> str:
    """What is trained with a method, tensor by tensor: where, with which shape, how often, and how many in base."""
    given = changes.first(method)
    changed = changed_model(given)
    rows = [
        [code(row.full_name), changes.shape(row), changes.of_row(row, given)] for row in changed.rows if row.trained
    ]
    foot = [words.TOTAL.line, formulas.inline(changed.trained), counted(given)]
    columns = [Column("tensor"), Column("shape"), *numeric("in base")]
    caption = f"What is trained with {changed.changes[0].method.title}, in BERT base with two labels"
    return unsearched(table(name, caption, columns, rows, foot))


def by_size(letter: str, ways: Mapping[str, str], caption: str, name: str) -> str:
    """What is trained in base and large, by one number that is chosen; several ways are side by side."""
    meaning = rules()["letters"][letter]
    heads = [f"{short}, {way}" if way else short for way in ways for short in SHORT.values()]
    columns = [Column(f"{meaning} ({letter})", NUMERIC), *numeric(*heads)]
    rows = []
    for size in SIZES[letter]:
        given = numbers.in_full(size, meaning, kind="given", given=size)
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
        f'<p class="bc-beside" id="{name}-large">{other} {link}</p>{formula}</div>'
    )


def side_by_side(chosen: tuple[str, ...], caption: str, name: str) -> str:
    """Several changes: the formula of what each trains, in base and in large, and the bytes of all in base."""
    columns = [Column("method"), Column("trained"), *numeric(*SHORT.values(), "bytes in base")]
    rows = [
        [
            _called(changed_model(each)),
            formulas.inline(changed_model(each).trained),
            *(counted(each, model=model) for model in SHORT),
            counted(each, "bytes"),
        ]
        for each in chosen
    ]
    return unsearched(table(name, caption, columns, rows))


def mistakes(family: str, name: str) -> str:
    """The mistakes of a family of changes: what comes out for base, how far off that is, and why."""
    chosen = [each for each in load_mistakes().values() if each.family == family]
    columns = [Column("mistake"), *numeric("you would get", "off by"), Column("why", PROSE)]
    rows = [[escape(each.title), changes.wrong(each), changes.off(each), escape(each.why)] for each in chosen]
    return unsearched(table(name, "What these mistakes lead to in BERT base with two labels", columns, rows))


def tables() -> dict[str, Callable[[str], str]]:
    """The tables by the names that pages give them."""
    ranks = {"query and value": "lora:#:query,value", "all dense layers": "lora:#:all-linear"}
    return {
        "changes-compared": compared,
        "lora-added": partial(added, "lora"),
        "lora-worked": partial(worked, "lora"),
        "lora-by-size": partial(by_size, "r", ranks, "What LoRA trains by its rank, with a classifier of two labels"),
        "lora-kin": _beside(partial(side_by_side, KIN, "LoRA and its kin, with a classifier of two labels")),
        "lora-mistakes": _beside(partial(mistakes, "lora")),
        "ia3-added": _beside(partial(added, "ia3")),
        "prompt-by-size": partial(by_size, "t", {"": "prompt:#"}, "What prompt tuning trains, with two labels"),
        "prefix-by-size": partial(by_size, "t", {"": "prefix:#"}, "What prefix tuning trains, with two labels"),
        "p-tuning-added": partial(added, "p-tuning"),
        "houlsby-added": partial(added, "houlsby"),
        "houlsby-by-size": partial(by_size, "m", {"": "houlsby:#"}, "What adapters of Houlsby train, with two labels"),
        "frozen-by-size": partial(by_size, "k", {"": "frozen:#"}, "What is trained if the first layers are frozen"),
    }
