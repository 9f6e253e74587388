"""Tables about parts of the model: tensors, blocks, mistakes; and the letters of its sizes."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from macros.counting import BERT, Question, Row
from macros.counting.deviations import deviation_named
from macros.counting.errors import entry_of
from macros.counting.frameworks.names import transformers_name, transformers_shape
from macros.counting.question import LAYER_NUMBER, class_shown

from ..components import formulas, numbers, pages, words
from ..components.asking import SHORT, of_both, where
from ..components.tables import BASE_AND_LARGE, PROSE, WORD, Column, code, numeric, table


def tensors(name: str, asked: Question, *, total: bool = True) -> str:
    """The tensors of a part, with the counts of base and large, and the shape of each, so often as it is counted.

    `total` adds them up.
    """
    columns = [Column("tensor"), *BASE_AND_LARGE, Column("shape", WORD)]
    body = [_tensor_row(row, asked) for row in asked.rows]
    foot = ["total", *map(numbers.counted, of_both(asked)), ""] if total else ()
    order = "; dense weights are (out, in)" if any("kernel" in row.tags for row in asked.rows) else ""
    caption = f"The tensors of {words.caption(asked.part, asked.tag)}, as transformers names them{order}"
    return table(name, caption, columns, body, foot, row_parts=[row.path for row in asked.rows])


def _tensor_row(row: Row, asked: Question) -> list[str]:
    # One row is a part of its own; asked for one layer, it is that layer's.
    layer = LAYER_NUMBER.search(asked.part)
    part = row.path.replace("layer_*", f"layer_{layer[0]}") if layer else row.path
    times = f", {formulas.symbol('L')} times" if row.repeated and not layer else ""
    tied = ", tied" if row.tied_to and asked.settled.tied else ""
    return [
        code(transformers_name(row, asked.architecture, asked.chosen.name)),
        *map(numbers.counted, of_both(asked.at(part))),
        f"{formulas.shape(transformers_shape(row))}{times}{tied}",
    ]


def parts(name: str, everything: Question) -> str:
    """A whole model by block, with formula, count and share, adding up to its total."""
    columns = [Column("part"), *numeric("parameters", "rounded share"), Column("formula")]
    blocks = words.blocks_of(everything)
    asked = [everything.at(tag=block) for block in blocks]
    rows = [
        [block_label(block), numbers.counted(each), numbers.share(each, everything), formulas.inline(each.polynomial)]
        for block, each in zip(blocks, asked, strict=True)
    ]
    foot = ["total", numbers.counted(everything), numbers.share(everything, everything), ""]
    return table(name, f"{where(everything)}, part by part", columns, rows, foot)


def block_label(block: str) -> str:
    """A block's name with its colour, linked to its page."""
    link = f'<a href="{pages.ROOT}{pages.BLOCKS[block]}">{words.BLOCKS[block]}</a>'
    return f'<span class="bc-key bc-{block}"></span>{link}'


def deviations(name: str, chosen: Sequence[str]) -> str:
    """Some deviations with their exact effect on base and on large."""
    columns = [Column("what is done differently"), *BASE_AND_LARGE, Column("why the number changes", PROSE)]
    rows = []
    for each in map(deviation_named, chosen):
        effects = [numbers.deviation_effect(each.name, model) for model in SHORT]
        rows.append([escape(each.title), *effects, escape(each.why)])
    totals = " and ".join(dict.fromkeys(class_shown(deviation_named(each), BERT) for each in chosen))
    return table(name, f"How much the total of {totals} changes", columns, rows)


def symbol(letter: str) -> str:
    """The letter of a size of BERT, as mathematics."""
    return formulas.symbol(entry_of({each.letter: each for each in BERT.symbols}, "letter", letter).letter)


NOTATION: dict[str, object] = {"letters": BERT.symbols, "symbol": symbol}
"""What the page about letters calls as `notation.symbol("H")`; `letters` are the sizes of BERT."""
