"""What the pages about changed models show: names and formulas of changes, tensors, sums, and mistakes about them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape

from macros.counting import Changed, Polynomial
from macros.counting.changes.methods import rules
from macros.counting.changes.mistakes import Mistake, load_mistakes
from macros.counting.errors import entry_of
from macros.counting.memory import BYTES
from macros.counting.sum_lines import in_numbers

from ..components import changes, formulas, numbers, pages, rows
from ..components.asking import BASE, LARGE
from ..components.changes import changed_model
from ..components.permalinks import permalink
from ..components.tables import code


def name(change: str, linked: bool = False) -> str:
    """What is done, in words and as on the command line; `linked` leads to the page about it."""
    changed = changed_model(change)
    titles = {each.method.name: escape(each.method.title) for each in changed.changes}
    if linked:
        titles = {
            method: f'<a href="{pages.ROOT}{pages.CHANGES[method]}">{title}</a>' for method, title in titles.items()
        }
    return f"{' and '.join(titles.values())}: {', '.join(code(str(each)) for each in changed.changes)}"


def formula(change: str, of: str = "trained") -> str:
    """What a change trains, in letters; with `of="added"` what it adds to the total."""
    changed = changed_model(change)
    written = {
        "trained": lambda: formulas.inline(changed.trained),
        "added": lambda: formulas.text(_in_letters(changed)),
    }
    return entry_of(written, "formula", of)()


def tensors(change: str) -> str:
    """What is trained with a change, tensor by tensor: where, with which shape, how often, and how many in base."""
    changed = changed_model(change)
    layer = f".{changed.question.architecture.layer_name}."
    return rows.lines(
        [code(row.full_name.rpartition(layer)[2]), changes.shape(row), changes.of_row(row, change)]
        for row in changed.rows
        if row.trained
    )


def worked(change: str, name: str) -> str:
    """What a change trains in base, line by line, the last line for large, and the formula."""
    head = f'<p id="{name}">BERT base, line by line:&nbsp;{permalink(name, "sum")}</p>'
    other = f"The last line for BERT large: {changes.sum_in_one_line(change, LARGE)}."
    link = permalink(f"{name}-large", "sum")
    return _beside(
        f'<div class="bc-worked">{head}{changes.sum_in_lines(change)}'
        f'<p id="{name}-large">{other} {link}</p>{formulas.alone(changed_model(change).trained)}</div>'
    )


def unsearched(shown: str) -> str:
    """What the search leaves out: it finds the page by its sentences."""
    return f"<div data-search-exclude>{shown}</div>"


def _beside(shown: str) -> str:
    """A sum that means little without the text of its page, so that it cannot be embedded by itself."""
    return f'<div class="bc-beside">{unsearched(shown)}</div>'


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


def bytes_worked(change: str, name: str, scales: bool = False) -> str:
    """The bytes of packed weights, line by line; with `scales=True` those of the scales alone."""
    return _scales_worked(change, name) if scales else _stored_worked(change, name)


def _stored_worked(given: str, name: str) -> str:
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


def _scales_worked(given: str, name: str) -> str:
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
    return _beside(f'<div class="bc-worked">{head}{numbers.steps(lines, asked)}</div>')


def mistakes(family: str) -> str:
    """The mistakes of a family of changes: what comes out for base, how far off that is, and why."""
    families: dict[str, list[Mistake]] = {}
    for each in load_mistakes().values():
        families.setdefault(each.family, []).append(each)
    return rows.lines(
        [escape(each.title), changes.wrong(each), changes.off(each), escape(each.why)]
        for each in entry_of(families, "family", family)
    )


TOPIC: dict[str, object] = {
    "compared": tuple(rules()["compared"]),
    "name": name,
    "formula": formula,
    "step": changes.step,
    "tensors": tensors,
    "worked": worked,
    "bytes_worked": bytes_worked,
    "mistakes": mistakes,
}
"""What the pages about changed models call as `changed.name("head")`; `compared` are the changes of the first page."""
