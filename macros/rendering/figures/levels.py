"""The levels of the map, from the whole model down to single tensors, and the blocks of each level.

The levels are declared here as data, with the functions that count their blocks;
`area_map.py` draws them. Below the last level, a script draws a tensor down to one
parameter, from the data of `tensors()`, which the build writes on the page as JSON.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from macros.counting import Question, count

from ..components import pages
from ..components.asking import ask
from ..components.example import example
from .tiling import COLUMNS, ROWS, Share

ONE_LAYER = "bert/encoder/layer_0"
NORM = f"{ONE_LAYER}/attention/output/LayerNorm"
QUERY = f"{ONE_LAYER}/attention/self/query"

SIDE_BY_SIDE = 999
"""The default for how many blocks may stand side by side: no limit in effect, as no model has this many heads."""


class Block(NamedTuple):
    """A kind of block on a level.

    Attributes:
        label: the name of the kind, as in the sum.
        style: the class of its colour.
        part, tag: what one block counts, as for a `Question`.
        per: a letter; its size divides the count.
        times: how many blocks there are: digits, a letter, or a quotient of two letters such as `H/A`.
        most: how many may stand side by side.
        names: a name for each block; or one for all, which is followed by the block's index; or none, in which case
            each block has the label.
        to: the path of the level that it leads to, if there is one.
        page: the page that it leads to otherwise.
        cells: for a block that is a tensor or part of one, the tensor's title, then words for a row and for a column,
            or for the element of a vector. `#` stands for its number, `@` for the head it belongs to.
    """

    label: str
    style: str
    part: str = ""
    tag: str = ""
    per: str = ""
    times: str = "1"
    most: int = SIDE_BY_SIDE
    names: tuple[str, ...] = ()
    to: str = ""
    page: str = ""
    cells: tuple[str, ...] = ()


class Level(NamedTuple):
    """One picture of the map: its path below the model, its title, how it is cut, and its blocks.

    `aliases` are further paths that lead to it; `model_class` is the class to count in, if not the bare model.
    """

    path: str
    title: str
    split: str
    blocks: tuple[Block, ...]
    aliases: tuple[str, ...] = ()
    model_class: str = ""


def _dense(
    path: str,
    title: str,
    style: str,
    part: str,
    page: str,
    *,
    of: str,
    ends: tuple[str, str] = ("input feature #", "output feature #"),
) -> Level:
    """The level of a dense layer: its matrix, and its bias as one more row. `ends` names a row and a column."""
    matrix = Block("weights", style, part, "kernel", page=page, cells=(f"The weight matrix of {of}", *ends))
    bias = Block("bias", style, part, "bias", page=page, cells=(f"The bias of {of}", ends[1]))
    return Level(path, title, ROWS, (matrix, bias))


def _norm(path: str, title: str, part: str) -> Level:
    """The level of a LayerNorm: gamma and beta, one below the other."""
    blocks = (
        Block(vector, "encoder-norms", part, vector, page=pages.LAYER_NORM, cells=(f"{title}: {vector}", "feature #"))
        for vector in ("gamma", "beta")
    )
    return Level(path, title, ROWS, tuple(blocks))


LEVELS = (
    Level(
        "",
        "The whole model",
        COLUMNS,
        (
            Block("embeddings", "embeddings", "bert/embeddings", to="embeddings"),
            Block("layers", "layer", ONE_LAYER, times="L", most=4, names=("layer",), to="layer"),
            Block("pooler", "pooler", "bert/pooler", to="pooler"),
        ),
    ),
    Level(
        "embeddings",
        "The embeddings",
        ROWS,
        (
            *(
                Block(
                    f"{kind} embeddings",
                    "embeddings",
                    f"bert/embeddings/{part}_embeddings",
                    page=f"{pages.EMBEDDINGS}#rows",
                    cells=(f"The table of {kind} embeddings", f"{row} #", "feature #"),
                )
                for kind, part, row in (
                    ("word", "word", "row"),
                    ("position", "position", "position"),
                    ("segment", "token_type", "segment"),
                )
            ),
            Block("LayerNorm", "encoder-norms", "bert/embeddings/LayerNorm", to="embeddings/layer-norm"),
        ),
    ),
    _norm("embeddings/layer-norm", "The embeddings' LayerNorm", "bert/embeddings/LayerNorm"),
    Level(
        "layer",
        "One encoder layer",
        ROWS,
        (
            Block("attention", "self-attention", ONE_LAYER, "self-attention", to="layer/attention"),
            Block("feed-forward", "feed-forward", ONE_LAYER, "feed-forward", to="layer/feed-forward"),
            Block("LayerNorms", "encoder-norms", NORM, times="2", to="layer/layer-norm"),
        ),
    ),
    Level(
        "layer/attention",
        "Self-attention in one layer",
        COLUMNS,
        (
            Block(
                "query, key, value",
                "self-attention",
                QUERY,
                times="3",
                names=("query", "key", "value"),
                to="layer/attention/query",
            ),
            Block("output", "self-attention", f"{ONE_LAYER}/attention/output/dense", to="layer/attention/output"),
        ),
    ),
    Level(
        "layer/attention/query",
        "The query, key or value projection",
        ROWS,
        (
            Block(
                "heads",
                "self-attention",
                QUERY,
                "kernel",
                per="A",
                times="A",
                names=("head",),
                to="layer/attention/query/head",
            ),
            Block(
                "bias",
                "self-attention",
                QUERY,
                "bias",
                page=f"{pages.ATTENTION_HEADS}#one-head",
                cells=("The bias of a query, key or value projection", "output #, head @"),
            ),
        ),
        aliases=("layer/attention/key", "layer/attention/value"),
    ),
    Level(
        "layer/attention/query/head",
        "The slice of one head in the query, key or value matrix",
        COLUMNS,
        (
            Block(
                "columns",
                "self-attention",
                QUERY,
                "kernel",
                per="H",
                times="H/A",
                page=f"{pages.ATTENTION_HEADS}#one-head",
                cells=("The whole query, key or value matrix", "input feature #", "output #, head @"),
            ),
        ),
    ),
    _dense(
        "layer/attention/output",
        "The output projection of attention",
        "self-attention",
        f"{ONE_LAYER}/attention/output/dense",
        f"{pages.ATTENTION}#what-for",
        of="the output projection",
        ends=("input #, head @", "output feature #"),
    ),
    Level(
        "layer/feed-forward",
        "The feed-forward network of one layer",
        COLUMNS,
        tuple(
            Block(label, "feed-forward", f"{ONE_LAYER}/{label}/dense", to=f"layer/feed-forward/{label}")
            for label in ("intermediate", "output")
        ),
    ),
    _dense(
        "layer/feed-forward/intermediate",
        "The first dense layer of the feed-forward network",
        "feed-forward",
        f"{ONE_LAYER}/intermediate/dense",
        pages.FEED_FORWARD,
        of="the first dense layer",
        ends=("input feature #", "inner feature #"),
    ),
    _dense(
        "layer/feed-forward/output",
        "The second dense layer of the feed-forward network",
        "feed-forward",
        f"{ONE_LAYER}/output/dense",
        pages.FEED_FORWARD,
        of="the second dense layer",
        ends=("inner feature #", "output feature #"),
    ),
    _norm("layer/layer-norm", "One LayerNorm of a layer", NORM),
    _dense("pooler", "The pooler", "pooler", "bert/pooler", f"{pages.HEADS}#pooler", of="the pooler"),
)
"""All levels; a level comes before those below it, which `above` relies on."""

PRETRAINING = Level(
    "",
    "The model with its pre-training heads",
    COLUMNS,
    (
        *LEVELS[0].blocks,
        Block("masked-LM head", "mlm-head", "cls/predictions", page=f"{pages.HEADS}#masked-lm"),
        Block("next-sentence head", "nsp-head", "cls/seq_relationship", page=f"{pages.HEADS}#next-sentence"),
    ),
    model_class="BertForPreTraining",
)
"""The whole model with the pre-training heads."""

HEADS_AND_POOLER = Level(
    "heads",
    "What comes after the encoder in pre-training",
    COLUMNS,
    (
        Block("pooler", "pooler", "bert/pooler", page=f"{pages.HEADS}#pooler"),
        *(
            Block(label, "mlm-head", f"cls/predictions/{part}", page=f"{pages.HEADS}#masked-lm")
            for label, part in (
                ("masked-LM dense", "transform/dense"),
                ("masked-LM LayerNorm", "transform/LayerNorm"),
                ("prediction bias", "output_bias"),
            )
        ),
        Block("next-sentence head", "nsp-head", "cls/seq_relationship", page=f"{pages.HEADS}#next-sentence"),
    ),
    model_class="BertForPreTraining",
)
"""The pooler and the pre-training heads. The decoder is left out: it is tied, so it counts with the embeddings."""


@cache
def level_at(path: str) -> Level:
    """The level of `LEVELS` at a path, which must exist."""
    return next(level for level in LEVELS if level.path == path)


def times_of(block: Block, question: Question) -> int:
    """The number of blocks of a kind that the model has."""
    dividend, _, divisor = block.times.partition("/")
    number = question.sizes[dividend] if dividend in question.sizes else int(dividend)
    return number // question.sizes[divisor] if divisor else number


def parameters_of(block: Block, question: Question) -> int:
    """The parameters of one block of a kind."""
    number = count(question.model, block.part, block.tag, model_class=question.model_class)
    return number // question.sizes[block.per] if block.per else number


def shares_of(level: Level, question: Question) -> list[Share]:
    """The shares of a level's area, one for each kind of block, in the level's order."""
    return [Share(parameters_of(block, question), times_of(block, question), block.most) for block in level.blocks]


def total_of(level: Level, question: Question) -> int:
    """The parameters of all blocks of a level."""
    return sum(share.number * share.times for share in shares_of(level, question))


def above(level: Level) -> Iterator[tuple[Level, Block]]:
    """The levels above a level, the whole model first, each with the block that leads on towards it."""
    for upper in LEVELS:
        for block in upper.blocks:
            if block.to and (block.to == level.path or level.path.startswith(f"{block.to}/")):
                yield upper, block


def path_below(level: Level, block: Block) -> str:
    """The path of a block's tensor, below the block's level; only scripts show anything there."""
    return f"{level.path}/{block.label.replace(' ', '-')}"


def tensors() -> list[dict[str, Any]]:
    """The tensors that a script draws below the last levels, as data for the page.

    Each has its path and title, its symbolic shape, words for its axes, its style, the page that explains it and the
    title of the level above. `kernel` says whether it is a matrix, drawn as (in, out).
    """
    return [
        {
            "path": path_below(level, block),
            "title": block.cells[0],
            "axes": block.cells[1:],
            "shape": ask(block.part, block.tag).rows[0].shape.split(),
            "style": block.style,
            "page": block.page,
            "above": level.title,
            "kernel": block.tag == "kernel",
            **_tokens(block),
        }
        for level in LEVELS
        for block in level.blocks
        if block.cells
    ]


def _tokens(block: Block) -> dict[str, Any]:
    """The real tokens of some rows of the word table, which hold for models whose table has `rows` rows.

    Empty for all other tensors.
    """
    if block.part != "bert/embeddings/word_embeddings":
        return {}
    sample = example()
    texts: dict[int, str] = {}
    for token in sample.tokens:
        texts |= {token.id - 1: token.before, token.id: token.text, token.id + 1: token.after}
    return {"tokens": {"rows": sample.entries, "start": sample.tokens[sample.chosen].id, "texts": texts}}
