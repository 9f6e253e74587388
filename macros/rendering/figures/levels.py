"""The levels of the map, from the whole model down to single tensors, and the blocks of each level.

The levels are declared here as data, along with the functions that count their blocks,
and `area_map.py` draws them. Below these levels, a script draws tensors down to single
parameters, using the data of `tensors()`, which the build puts on the page as JSON.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any, NamedTuple

from macros.counting import Question, count
from macros.counting.architecture import ONE_LAYER
from macros.counting.frameworks.listing import tensors as tensors_of
from macros.example import toy

from ..components import pages
from ..components.asking import ask
from ..components.example import example
from .tiling import COLUMNS, ROWS, BlockKind

ATTENTION_NORM = f"{ONE_LAYER}/attention/output/LayerNorm"
QUERY = f"{ONE_LAYER}/attention/self/query"

QUERY_KEY_VALUE = tuple((name, f"{ONE_LAYER}/attention/self/{name}") for name in ("query", "key", "value"))
NORMS = (("after attention", ATTENTION_NORM), ("after the feed-forward network", f"{ONE_LAYER}/output/LayerNorm"))
"""The projections and the LayerNorms that share a picture, each as its name and the path of its part."""

OF_HEAD = "feature ~ of head @"
"""The wording for a row or column that belongs to a head; `CellWording` explains `~` and `@`."""

NO_LIMIT = 999
"""The default number of blocks that can be side by side, which is in effect no limit."""


class CellWording(NamedTuple):
    """The wording for a tensor and its parameters, which a script draws.

    Attributes:
        title: the name of the tensor, or of all tensors that share the picture.
        words: the description of one parameter. `{0}` is replaced with the description of its row, or of its position
            in a vector, `{1}` with that of its column, and `{tensor}` with the name of its tensor among those that
            share the picture.
        axes: the descriptions of a row and a column, or of a position in a vector. `#` is replaced with its index, `@`
            with the head that it belongs to, and `~` with its index within that head.
        variants: the tensors that share the picture, each with its name and its part; empty if there is only one.
    """

    title: str
    words: str
    axes: tuple[str, ...]
    variants: tuple[tuple[str, str], ...] = ()


class Block(NamedTuple):
    """A kind of block on a level.

    Attributes:
        label: the name of the kind, as in the sum.
        style: the class of its colour.
        part, tag: the part and tag of the `Question` whose count, after division by `divisor`, is that of one block.
        divisor: the letter of the size that divides the count; empty if the count is not divided.
        times: the number of blocks, as digits, a letter or a quotient of two letters such as `H/A`.
        max_side_by_side: the maximum number of blocks that can be side by side.
        names: the names of the blocks; a single name is shared and followed by the index of the block. If empty, each
            block is named by the label.
        leads_to: the path of the level that it links to; empty if it links to a page.
        page: the page that it links to, if it does not link to a level.
        cell_wording: the wording for the tensor, if the block is a tensor or part of one.
    """

    label: str
    style: str
    part: str = ""
    tag: str = ""
    divisor: str = ""
    times: str = "1"
    max_side_by_side: int = NO_LIMIT
    names: tuple[str, ...] = ()
    leads_to: str = ""
    page: str = ""
    cell_wording: CellWording | None = None


class Level(NamedTuple):
    """One picture of the map.

    Attributes:
        path: its path below the model.
        title: its title.
        split: the way in which it is divided, `COLUMNS` or `ROWS`.
        blocks: its kinds of blocks.
        aliases: further paths that lead to it.
        model_class: the class in which it is counted; empty for the bare model.
    """

    path: str
    title: str
    split: str
    blocks: tuple[Block, ...]
    aliases: tuple[str, ...] = ()
    model_class: str = ""


def _dense_level(
    path: str,
    title: str,
    style: str,
    part: str,
    page: str,
    *,
    layer_name: str,
    prefix: str = "",
    axes: tuple[str, str] = ("feature #", "feature #"),
) -> Level:
    """The level of a dense layer: its matrix, and its bias as one more row.

    `layer_name` is the name of the layer in the titles of both tensors, `prefix` begins the description of a parameter,
    and `axes` are the descriptions of a row and a column.
    """
    weight, bias = (f"{prefix} {name}".strip() for name in ("weight from {0} to {1}", "bias of {0}"))
    matrix_wording = CellWording(f"The weight matrix of {layer_name}", weight, axes)
    bias_wording = CellWording(f"The bias of {layer_name}", bias, axes[1:])
    blocks = (
        Block("weights", style, part, "kernel", page=page, cell_wording=matrix_wording),
        Block("bias", style, part, "bias", page=page, cell_wording=bias_wording),
    )
    return Level(path, title, ROWS, blocks)


def _norm_level(path: str, title: str, part: str, variants: tuple[tuple[str, str], ...] = ()) -> Level:
    """The level of a LayerNorm, with gamma above beta; `variants` are the LayerNorms that share the picture."""
    ending = " {tensor}" if variants else ""
    blocks = (
        Block(
            vector,
            "encoder-norms",
            part,
            vector,
            page=pages.LAYER_NORM,
            cell_wording=CellWording(f"{title}: {vector}", f"{vector} of {{0}}{ending}", ("feature #",), variants),
        )
        for vector in ("gamma", "beta")
    )
    return Level(path, title, ROWS, tuple(blocks))


LEVELS = (
    Level(
        "",
        "The whole model",
        COLUMNS,
        (
            Block("embeddings", "embeddings", "bert/embeddings", leads_to="embeddings"),
            Block("layers", "layer", ONE_LAYER, times="L", max_side_by_side=4, names=("layer",), leads_to="layer"),
            Block("pooler", "pooler", "bert/pooler", leads_to="pooler"),
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
                    cell_wording=CellWording(
                        f"The table of {kind} embeddings", "{1} of {0}", (f"{row} #", "feature #")
                    ),
                )
                for kind, part, row in (
                    ("word", "word", "row"),
                    ("position", "position", "position"),
                    ("segment", "token_type", "segment"),
                )
            ),
            Block("LayerNorm", "encoder-norms", "bert/embeddings/LayerNorm", leads_to="embeddings/layer-norm"),
        ),
    ),
    _norm_level("embeddings/layer-norm", "The embeddings' LayerNorm", "bert/embeddings/LayerNorm"),
    Level(
        "layer",
        "One encoder layer",
        ROWS,
        (
            Block("attention", "self-attention", ONE_LAYER, "self-attention", leads_to="layer/attention"),
            Block("feed-forward", "feed-forward", ONE_LAYER, "feed-forward", leads_to="layer/feed-forward"),
            Block("LayerNorms", "encoder-norms", ATTENTION_NORM, times="2", leads_to="layer/layer-norm"),
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
                leads_to="layer/attention/query",
            ),
            Block("output", "self-attention", f"{ONE_LAYER}/attention/output/dense", leads_to="layer/attention/output"),
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
                divisor="A",
                times="A",
                names=("head",),
                leads_to="layer/attention/query/head",
            ),
            Block(
                "bias",
                "self-attention",
                QUERY,
                "bias",
                page=f"{pages.ATTENTION_HEADS}#one-head",
                cell_wording=CellWording(
                    "The bias of a query, key or value projection", "{tensor} bias of {0}", (OF_HEAD,), QUERY_KEY_VALUE
                ),
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
                divisor="H",
                times="H/A",
                page=f"{pages.ATTENTION_HEADS}#one-head",
                cell_wording=CellWording(
                    "The whole query, key or value matrix",
                    "{tensor} weight from {0} to {1}",
                    ("feature #", OF_HEAD),
                    QUERY_KEY_VALUE,
                ),
            ),
        ),
    ),
    _dense_level(
        "layer/attention/output",
        "The output projection of attention",
        "self-attention",
        f"{ONE_LAYER}/attention/output/dense",
        f"{pages.ATTENTION}#what-for",
        layer_name="the output projection",
        prefix="output",
        axes=(OF_HEAD, "feature #"),
    ),
    Level(
        "layer/feed-forward",
        "The feed-forward network of one layer",
        COLUMNS,
        tuple(
            Block(label, "feed-forward", f"{ONE_LAYER}/{label}/dense", leads_to=f"layer/feed-forward/{label}")
            for label in ("intermediate", "output")
        ),
    ),
    _dense_level(
        "layer/feed-forward/intermediate",
        "The first dense layer of the feed-forward network",
        "feed-forward",
        f"{ONE_LAYER}/intermediate/dense",
        pages.FEED_FORWARD,
        layer_name="the first dense layer",
        axes=("feature #", "inner feature #"),
    ),
    _dense_level(
        "layer/feed-forward/output",
        "The second dense layer of the feed-forward network",
        "feed-forward",
        f"{ONE_LAYER}/output/dense",
        pages.FEED_FORWARD,
        layer_name="the second dense layer",
        axes=("inner feature #", "feature #"),
    ),
    _norm_level("layer/layer-norm", "One LayerNorm of a layer", ATTENTION_NORM, NORMS),
    _dense_level(
        "pooler",
        "The pooler",
        "pooler",
        "bert/pooler",
        f"{pages.HEADS}#pooler",
        layer_name="the pooler",
        prefix="pooler",
    ),
)
"""The levels of the bare model, each before the levels below it; `levels_above` relies on this order."""

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
"""The pooler and the pre-training heads. The decoder is left out because it is tied to the embeddings."""


@cache
def level_at(path: str) -> Level:
    """The level in `LEVELS` with this path, which must exist."""
    return next(level for level in LEVELS if level.path == path)


def times_of(block: Block, question: Question) -> int:
    """The number of blocks of a kind that the model has."""
    dividend, _, divisor = block.times.partition("/")
    number = question.sizes[dividend] if dividend in question.sizes else int(dividend)
    return number // question.sizes[divisor] if divisor else number


def parameters_of(block: Block, question: Question) -> int:
    """The parameters of one block of a kind."""
    number = count(question.model, block.part, block.tag, model_class=question.model_class)
    return number // question.sizes[block.divisor] if block.divisor else number


@lru_cache(maxsize=1_000)  # enough for every level of all models on the map; several sums need each of them
def block_kinds(level: Level, question: Question) -> tuple[BlockKind, ...]:
    """The kinds of blocks that divide a level's area, in the level's order."""
    return tuple(
        BlockKind(parameters_of(block, question), times_of(block, question), block.max_side_by_side)
        for block in level.blocks
    )


def total_of(level: Level, question: Question) -> int:
    """The parameters of all blocks of a level."""
    return sum(kind.value * kind.times for kind in block_kinds(level, question))


def levels_above(level: Level) -> Iterator[tuple[Level, Block]]:
    """Yield the levels above a level, from the whole model down, each with the block that leads towards the level."""
    for upper in LEVELS:
        for block in upper.blocks:
            if block.leads_to and (block.leads_to == level.path or level.path.startswith(f"{block.leads_to}/")):
                yield upper, block


def path_below(level: Level, block: Block) -> str:
    """The path of a block's tensor within the block's level; only scripts draw tensors."""
    return f"{level.path}/{block.label.replace(' ', '-')}"


def tensors() -> list[dict[str, Any]]:
    """The tensors that a script draws below the levels, as data for the page.

    Each has its path and title, its symbolic shape, the wording for its axes, its style, the page that explains it, the
    title of the level above, and the tensors that it represents. `kernel` is true for the matrix of a dense layer,
    which is drawn as (in, out). The word table also has tokens for its rows.
    """
    return [
        {
            "path": path_below(level, block),
            "title": block.cell_wording.title,
            "axes": block.cell_wording.axes,
            "shape": ask(block.part, block.tag).rows[0].shape.split(),
            "style": block.style,
            "page": block.page,
            "above": level.title,
            "kernel": block.tag == "kernel",
            "copies": _variants(block, block.cell_wording),
            **_tokens(block),
        }
        for level in LEVELS
        for block in level.blocks
        if block.cell_wording
    ]


def _variants(block: Block, wording: CellWording) -> list[dict[str, str]]:
    """The tensors that a block on the map represents.

    Each has its name among them, the wording for one of its parameters, its path, and its name in transformers' files,
    in which `*` replaces the index of the layer.
    """
    variants = []
    for name, part in wording.variants or (("", block.part),):
        tensor = next(tensors_of(ask(part, block.tag)))
        name_in_file = tensor.transformers.replace(".layer.0.", ".layer.*.")
        variants.append(
            {"name": name, "words": wording.words.replace("{tensor}", name), "path": tensor.path, "file": name_in_file}
        )
    return variants


def _tokens(block: Block) -> dict[str, Any]:
    """The tokens of rows, for BERT base and the toy model, if the block is the word table; otherwise empty.

    They apply to models whose table has `rows` rows; `start` is the first row shown.
    """
    if block.part != "bert/embeddings/word_embeddings":
        return {}
    sample = example()
    toy_model = toy()
    texts: dict[int, str] = {}
    for token in sample.tokens:
        texts |= {token.id - 1: token.before, token.id: token.text, token.id + 1: token.after}
    toy_tokens = dict(enumerate(toy_model.vocabulary))
    start = toy_model.vocabulary.index(toy_model.followed_word)
    return {
        "tokens": [
            {"rows": sample.vocabulary_size, "start": sample.tokens[sample.followed_index].id, "texts": texts},
            {"rows": len(toy_tokens), "start": start, "texts": toy_tokens},
        ]
    }


def values_of_toy() -> dict[str, list[Any]]:
    """The values of every tensor in the bare toy model, by path: a list for a vector, a list of rows for a matrix."""
    weights = toy()
    values: dict[str, list[Any]] = {}
    for tensor in tensors_of(Question(weights.model)):
        if tensor.path in weights.vectors:
            values[tensor.path] = list(map(float, weights.vectors[tensor.path]))
        else:
            values[tensor.path] = [list(map(float, row)) for row in weights.matrices[tensor.path]]
    return values
