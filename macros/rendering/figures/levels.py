"""What the map shows: its levels from the whole model down to one tensor, and the blocks on each.

The build writes the tensors into the page as JSON too, so that the script
draws each of them down to one parameter.
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
"""So many blocks may stand side by side where nothing else is said; no model has as many heads."""


class Block(NamedTuple):
    """A kind of block on a level.

    `part` and `tag` are those of a `Question`, `per` a letter that divides its
    count. `times` says how many there are: digits, a letter, or two letters
    with a stroke between them. It leads to the level `to`, or else to `page`.

    A block that is one tensor, or lies in one, has `cells`: what the tensor is
    called, and what is said of a row and a column, or of the one element of a
    vector. "#" stands for the number of it, "@" for the head that it belongs to.
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
    """A picture of the map: its path below the model, what it is, how it is cut, and its blocks."""

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
    """A matrix and its bias, which is one more row; `ends` are what a row and a column are."""
    matrix = Block("weights", style, part, "kernel", page=page, cells=(f"The weight matrix of {of}", *ends))
    bias = Block("bias", style, part, "bias", page=page, cells=(f"The bias of {of}", ends[1]))
    return Level(path, title, ROWS, (matrix, bias))


def _norm(path: str, title: str, part: str) -> Level:
    blocks = (
        Block(each, "encoder-norms", part, each, page=pages.LAYER_NORM, cells=(f"{title}: {each}", "feature #"))
        for each in ("gamma", "beta")
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
    _norm("embeddings/layer-norm", "The LayerNorm of the embeddings", "bert/embeddings/LayerNorm"),
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
"""Every level, a level before those below it."""

PRETRAINING = Level(
    "",
    "The model with both heads of pre-training",
    COLUMNS,
    (
        *LEVELS[0].blocks,
        Block("masked-LM head", "mlm-head", "cls/predictions", page=f"{pages.HEADS}#masked-lm"),
        Block("next-sentence head", "nsp-head", "cls/seq_relationship", page=f"{pages.HEADS}#next-sentence"),
    ),
    model_class="BertForPreTraining",
)
"""The whole model with what pre-training adds."""

BEHIND_ENCODER = Level(
    "heads",
    "What pre-training adds behind the encoder",
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
"""The pooler and the heads of pre-training; the decoder is tied, and counted among the embeddings."""


@cache
def level_at(path: str) -> Level:
    """The level of a path that is among `LEVELS`."""
    return next(each for each in LEVELS if each.path == path)


def times_of(block: Block, asked: Question) -> int:
    """How many blocks of a kind the model has."""
    above, _, below = block.times.partition("/")
    many = asked.sizes[above] if above in asked.sizes else int(above)
    return many // asked.sizes[below] if below else many


def each_of(block: Block, asked: Question) -> int:
    """What one block of a kind counts."""
    number = count(asked.model, block.part, block.tag, model_class=asked.model_class)
    return number // asked.sizes[block.per] if block.per else number


def shares_of(level: Level, asked: Question) -> list[Share]:
    """The blocks of a level as they share its area, in their order."""
    return [Share(each_of(block, asked), times_of(block, asked), block.most) for block in level.blocks]


def total_of(level: Level, asked: Question) -> int:
    """What all blocks of a level count."""
    return sum(share.each * share.times for share in shares_of(level, asked))


def above(level: Level) -> Iterator[tuple[Level, Block]]:
    """The levels above one, the whole model first, each with the block that leads on towards it."""
    for upper in LEVELS:
        for block in upper.blocks:
            if block.to and (block.to == level.path or level.path.startswith(f"{block.to}/")):
                yield upper, block


def path_below(level: Level, block: Block) -> str:
    """The path of the tensor that a block is, or lies in, which scripts show below its level."""
    return f"{level.path}/{block.label.replace(' ', '-')}"


def tensors() -> list[dict[str, Any]]:
    """Every tensor that scripts draw below a level: its path, what it is called, its shape in letters, its axes."""
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
    """Real names of some rows of the word table, and how many rows it has where they are true."""
    if block.part != "bert/embeddings/word_embeddings":
        return {}
    known = example()
    texts: dict[int, str] = {}
    for token in known.tokens:
        texts |= {token.id - 1: token.before, token.id: token.text, token.id + 1: token.after}
    return {"tokens": {"rows": known.entries, "start": known.tokens[known.chosen].id, "texts": texts}}
