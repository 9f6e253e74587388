"""Tables about parts of the model: tensors, results, letters, mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html import escape

from macros.counting import SYMBOLS
from macros.counting.mistakes import mistake_named
from macros.counting.names import transformers_name, transformers_shape
from macros.counting.tensors import Row
from macros.counting.totals import ONE_LAYER, select

from . import formulas, numbers
from .asked import BASE, LARGE, SHORT, Asked
from .links import ROOT
from .tables import NUMERIC, PROSE, Column, table


def tensors(name: str, asked: Asked) -> str:
    """The tensors of a part, with shape and the counts of base and large."""
    rows = select(asked.of, asked.part, asked.tag, model_class=asked.model_class, pooler=asked.pooler)
    columns = [
        Column("tensor"),
        Column("base", NUMERIC),
        Column("large", NUMERIC),
        Column("shape"),
    ]
    body = [_tensor_row(row, asked) for row in rows]
    both = [replace(asked, model=model) for model in SHORT]
    foot = ["total", *map(numbers.counted, both), ""]
    return table(name, f"The tensors of {_part_in_words(asked)}, as transformers names them", columns, body, foot)


def _tensor_row(row: Row, asked: Asked) -> list[str]:
    # One row is a part of its own; asked for one layer, it is that layer's.
    layer = ONE_LAYER.search(asked.part)
    part = row.path.replace("layer_*", f"layer_{layer[0]}") if layer else row.path
    tied = ", tied" if row.tied_to and asked.tied else ""
    return [
        f"<code>{_breakable(transformers_name(row, asked.model_class))}</code>",
        *(numbers.counted(replace(asked, part=part, tag="", model=model)) for model in SHORT),
        f"{formulas.shape(transformers_shape(row))}{tied}",
    ]


def _breakable(dotted: str) -> str:
    """A dotted name that may be broken after a dot, so that a phone can show it."""
    return escape(dotted).replace(".", ".<wbr>")


PART_WORDS = {
    "": "the whole model",
    "bert/embeddings": "the embeddings",
    "bert/embeddings/LayerNorm": "the LayerNorm of the embeddings",
    "bert/encoder/layer_0": "one encoder layer",
    "bert/encoder": "all encoder layers",
    "bert/pooler": "the pooler",
    "cls/predictions": "the masked-LM head",
    "cls/seq_relationship": "the next-sentence head",
    "sequence_classifier": "the sequence-classification head",
}
"""How captions call a part; one that is not here is called by its path."""


def _part_in_words(asked: Asked) -> str:
    where = PART_WORDS.get(asked.part, asked.part)
    return f"{asked.tag} in {where}" if asked.tag else where


def results(name: str, asked: Asked) -> str:
    """The part in base and in large: working, result, share of the whole model."""
    columns = [
        Column("model"),
        Column("parameters", NUMERIC),
        Column("share of model", NUMERIC),
        Column("working", PROSE),
    ]
    rows = []
    for model, short in SHORT.items():
        each = replace(asked, model=model)
        everything = replace(each, part="", tag="")
        working = f'<span class="bc-working">{each.polynomial.working(each.of.sizes)}</span>'
        rows.append([short, numbers.counted(each), numbers.share(each, everything), working])
    return table(name, f"Base and large: {_part_in_words(asked)}, and its share of {asked.model_class}", columns, rows)


def parts(name: str, everything: Asked) -> str:
    """A whole model by block, with formula, count and share, adding up to its total."""
    columns = [Column("part"), Column("parameters", NUMERIC), Column("share", NUMERIC), Column("formula")]
    rows = []
    for block in blocks_of(everything):
        each = replace(everything, tag=block)
        rows.append(
            [
                block_label(block),
                numbers.counted(each),
                numbers.share(each, everything),
                formulas.inline(each.polynomial),
            ]
        )
    foot = ["total", numbers.counted(everything), numbers.share(everything, everything), ""]
    return table(name, f"{everything.where}, part by part", columns, rows, foot)


BLOCK_TITLES = {
    "embeddings": ("embeddings", "parts/embeddings.html"),
    "self-attention": ("self-attention, all layers", "parts/attention.html"),
    "feed-forward": ("feed-forward, all layers", "parts/feed-forward.html"),
    "encoder-norms": ("LayerNorm in the layers", "parts/layer-norm.html"),
    "pooler": ("pooler", "parts/heads.html#pooler"),
    "mlm-head": ("masked-LM head", "parts/heads.html#masked-lm"),
    "nsp-head": ("next-sentence head", "parts/heads.html#next-sentence"),
    "task-head": ("task head", "parts/heads.html#task-heads"),
}
"""How the blocks are called on pages, and the page that explains each."""


def block_label(block: str) -> str:
    """A block's name with its colour, linked to its page."""
    title, page = BLOCK_TITLES[block]
    return f'<span class="bc-key bc-{block}"></span><a href="{ROOT}{page}">{title}</a>'


def blocks_of(asked: Asked) -> list[str]:
    """The blocks that a model class has, in the order of the table."""
    rows = select(asked.of, model_class=asked.model_class, pooler=asked.pooler)
    return list(dict.fromkeys(sorted((row.block for row in rows), key=list(BLOCK_TITLES).index)))


def notation(name: str) -> str:
    """The letters, their config keys, and their numbers in base and large."""
    columns = [
        Column("letter"),
        Column("config key"),
        Column("counts"),
        Column("base", NUMERIC),
        Column("large", NUMERIC),
        Column("source"),
    ]
    rows = [
        [
            formulas.symbol(each.letter),
            f"<code>{each.key}</code>",
            each.meaning,
            numbers.size(each.letter, BASE),
            numbers.size(each.letter, LARGE),
            each.source,
        ]
        for each in SYMBOLS
    ]
    ids = [f"symbol-{each.letter.lower()}" for each in SYMBOLS]
    return table(name, "The letters of every formula", columns, rows, row_ids=ids)


def mistakes(name: str, chosen: Sequence[str]) -> str:
    """Some mistakes with their exact effect on base and on large."""
    columns = [
        Column("what is done"),
        Column("base", NUMERIC),
        Column("large", NUMERIC),
        Column("why the number is another", PROSE),
    ]
    rows = []
    for each in map(mistake_named, chosen):
        effects = [numbers.mistake_effect(each.name, model) for model in SHORT]
        rows.append([escape(each.title), *effects, escape(each.why)])
    totals = " and ".join(dict.fromkeys(mistake_named(each).model_class for each in chosen))
    return table(name, f"Change of the total of {totals}", columns, rows)
