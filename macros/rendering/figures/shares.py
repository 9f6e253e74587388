"""Bars: how much of a model each part is, and how models compare in size."""

from __future__ import annotations

from collections.abc import Callable

from macros.counting import Question, model_named
from macros.counting.memory import BYTES, UNITS, bytes_of

from ..elements import svg, words
from ..elements.asking import BASE, LARGE, SHORT, ask
from ..elements.numbers import percentage, whole


def _stack(model: str) -> list[svg.Segment]:
    """A whole BertModel in the order of computation: tables, layer after layer, pooler."""
    asked = ask(model=model)
    pieces = [_piece("embeddings", "embeddings", ask("bert/embeddings", model=model))]
    for layer in range(asked.sizes["L"]):
        for block in ("self-attention", "feed-forward"):
            one = ask(f"bert/encoder/layer_{layer}", block, model)
            pieces.append(_piece(block, f"layer {layer}, {block}", one))
    # The LayerNorms of one layer would be a thousandth of its width, so all are drawn together.
    norms = _piece("encoder-norms", "LayerNorm in the layers", ask("", "encoder-norms", model))
    return [*pieces, norms, _piece("pooler", "pooler", ask("bert/pooler", model=model))]


def _piece(style: str, what: str, asked: Question) -> svg.Segment:
    return svg.Segment(style, asked.number, f"{what}: {whole(asked.number)}")


def _share(label: str, piece: svg.Segment, of: Question) -> svg.Bar:
    """A bar for a part, with its share of the whole."""
    return svg.Bar(label, f"{whole(piece.value)}  ({percentage(piece.value, of.number)})", [piece])


def _figure(name: str, title: str, drawn: list[svg.Bar], caption: str, full: int | None = None) -> str:
    """A figure of bars, described by their labels and notes."""
    description = "; ".join(f"{bar.label}: {bar.note}" for bar in drawn)
    return svg.figure(name, title, description, svg.bars(drawn, full), caption)


def where(name: str) -> str:
    """Base and large to one scale, layer by layer."""
    drawn = [svg.Bar(f"BERT {short}", whole(ask(model=model).number), _stack(model)) for model, short in SHORT.items()]
    described = "; ".join(f"{bar.label}: {bar.note} parameters" for bar in drawn)
    legend = svg.legend({block: words.BLOCKS[block] for block in words.blocks_of(ask())})
    return svg.figure(
        name,
        "Where the parameters of BERT base and large sit",
        f"Two bars to one scale. {described}. "
        "Each starts with the embeddings; then come attention and feed-forward of layer after layer, then the pooler.",
        svg.bars(drawn),
        f"Both models to one scale, from the input on the left to the output on the right.{legend}",
    )


def one_model(model: str) -> Callable[[str], str]:
    """The figure of one model's parts, each as a share of the whole."""

    def draw(name: str) -> str:
        asked = ask(model=model)
        drawn = [
            _share(words.BLOCKS[block], _piece(block, block, asked.at(tag=block)), asked)
            for block in words.blocks_of(asked)
        ]
        caption = "Each part as a share of the whole, which is the full width."
        return _figure(name, f"The parts of {model}", drawn, caption, full=asked.number)

    return draw


def embeddings(name: str) -> str:
    """The three tables of base, to scale."""
    asked = ask("bert/embeddings")
    drawn = [
        _share(table, _piece("embeddings", table, ask(f"bert/embeddings/{table}")), asked)
        for table in ("word_embeddings", "position_embeddings", "token_type_embeddings", "LayerNorm")
    ]
    caption = "To scale: the segment table and the LayerNorm are narrower than a pixel."
    return _figure(name, "The embedding tables of BERT base, to scale", drawn, caption)


def heads(name: str) -> str:
    """What stands behind the encoder in pre-training, and what is shared with it."""
    parts = {
        "pooler": ("pooler", "bert/pooler"),
        "MLM: dense": ("mlm-head", "cls/predictions/transform/dense"),
        "MLM: LayerNorm": ("mlm-head", "cls/predictions/transform/LayerNorm"),
        "MLM: output bias": ("mlm-head", "cls/predictions/output_bias"),
        "next sentence": ("nsp-head", "cls/seq_relationship"),
    }
    drawn = []
    for label, (style, part) in parts.items():
        asked = ask(part, model_class="BertForPreTraining")
        drawn.append(svg.Bar(label, whole(asked.number), [_piece(style, label, asked)]))
    caption = "To scale. The decoder's weight is not drawn: it is the word-embedding table, and is counted there."
    return _figure(name, "What pre-training adds behind the encoder of BERT base", drawn, caption)


def checkpoints(name: str) -> str:
    """How much of each model its embeddings are."""
    chosen = (
        "bert_uncased_L-2_H-128_A-2",
        "bert_uncased_L-4_H-256_A-4",
        "bert_uncased_L-4_H-512_A-8",
        "bert_uncased_L-8_H-512_A-8",
        "bert-base-chinese",
        BASE,
        "bert-base-multilingual-cased",
        LARGE,
    )
    drawn = []
    for model in chosen:
        tables, rest = ask("bert/embeddings", model=model), ask(model=model)
        others = rest.number - tables.number
        pieces = [
            svg.Segment("embeddings", tables.number, f"embeddings: {whole(tables.number)}"),
            svg.Segment("cell", others, f"the rest: {whole(others)}"),
        ]
        note = f"{percentage(tables.number, rest.number)} of {whole(rest.number)}"
        drawn.append(svg.Bar(model_named(model).title, note, pieces, rest.number))
    legend = svg.legend({"embeddings": "embeddings", "cell": "everything else"})
    return _figure(name, "The embeddings' share of a model", drawn, legend)


def memory(name: str) -> str:
    """The weights of base and large by data type."""
    drawn = []
    for model, short in SHORT.items():
        asked = ask(model=model)
        for dtype in BYTES:
            taken = bytes_of(asked.number, dtype)
            note = f"{taken / UNITS['MB']:,.1f} MB = {taken / UNITS['MiB']:,.1f} MiB"
            piece = svg.Segment("total", taken, f"{whole(taken)} bytes")
            drawn.append(svg.Bar(f"{short}, {dtype}", note, [piece]))
    caption = "To one scale. The count is the same; only the bytes for each number differ."
    return _figure(name, "The weights of base and large by data type", drawn, caption)
