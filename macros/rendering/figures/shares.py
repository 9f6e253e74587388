"""Bars: how much of a model each part is, and how large models are beside each other."""

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
    # The LayerNorms of one layer would be a thousandth of its stretch, so all are drawn together.
    norms = _piece("encoder-norms", "LayerNorm in the layers", ask("", "encoder-norms", model))
    return [*pieces, norms, _piece("pooler", "pooler", ask("bert/pooler", model=model))]


def _piece(style: str, what: str, asked: Question) -> svg.Segment:
    return svg.Segment(style, asked.number, f"{what}: {whole(asked.number)}")


def _blocks_legend(model: str) -> str:
    titles = {block: words.BLOCKS[block] for block in words.blocks_of(ask(model=model))}
    return svg.legend(titles)


def where(name: str) -> str:
    """Base and large to one scale, layer by layer."""
    drawn = [svg.Bar(f"BERT {short}", whole(ask(model=model).number), _stack(model)) for model, short in SHORT.items()]
    described = "; ".join(f"{bar.label}: {bar.note} parameters" for bar in drawn)
    return svg.figure(
        name,
        "Where the parameters of BERT base and large sit",
        f"Two bars to one scale. {described}. "
        "Each starts with the embeddings; then come attention and feed-forward of layer after layer, then the pooler.",
        svg.bars(drawn),
        f"Both models to one scale, from the input on the left to the output on the right.{_blocks_legend(BASE)}",
    )


def one_model(model: str) -> Callable[[str], str]:
    """The figure of one model's parts, each as a share of the whole."""

    def draw(name: str) -> str:
        asked = ask(model=model)
        drawn = []
        for block in words.blocks_of(asked):
            one = ask("", block, model)
            note = f"{whole(one.number)}  ({percentage(one.number, asked.number)})"
            drawn.append(svg.Bar(words.BLOCKS[block], note, [_piece(block, block, one)]))
        return svg.figure(
            name,
            f"The parts of {model}",
            "; ".join(f"{bar.label}: {bar.note}" for bar in drawn),
            svg.bars(drawn, asked.number),
            "Each part as a share of the whole, which is the full width.",
        )

    return draw


def embeddings(name: str) -> str:
    """The three tables of base, to scale."""
    asked = ask("bert/embeddings")
    drawn = []
    for table in ("word_embeddings", "position_embeddings", "token_type_embeddings", "LayerNorm"):
        one = ask(f"bert/embeddings/{table}")
        note = f"{whole(one.number)}  ({percentage(one.number, asked.number)})"
        drawn.append(svg.Bar(table, note, [_piece("embeddings", table, one)]))
    return svg.figure(
        name,
        "The embedding tables of BERT base, to scale",
        "; ".join(f"{bar.label}: {bar.note}" for bar in drawn),
        svg.bars(drawn),
        "To scale: the segment table and the LayerNorm are narrower than a pixel.",
    )


def heads(name: str) -> str:
    """What stands behind the encoder in pre-training, and what is shared with it."""
    chosen = "BertForPreTraining"
    pieces = {
        "pooler": ("pooler", ask("bert/pooler")),
        "MLM: dense": ("mlm-head", ask("cls/predictions/transform/dense", model_class=chosen)),
        "MLM: LayerNorm": ("mlm-head", ask("cls/predictions/transform/LayerNorm", model_class=chosen)),
        "MLM: output bias": ("mlm-head", ask("cls/predictions/output_bias", model_class=chosen)),
        "next sentence": ("nsp-head", ask("cls/seq_relationship", model_class=chosen)),
    }
    drawn = [
        svg.Bar(label, whole(asked.number), [_piece(style, label, asked)]) for label, (style, asked) in pieces.items()
    ]
    return svg.figure(
        name,
        "What pre-training adds behind the encoder of BERT base",
        "; ".join(f"{bar.label}: {bar.note}" for bar in drawn),
        svg.bars(drawn),
        "To scale. The decoder's weight is not drawn: it is the word-embedding table, and is counted there.",
    )


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
        # Every bar is the full width: a thousandth of the model is a thousandth of the bar.
        pieces = [
            svg.Segment("embeddings", 10_000 * tables.number // rest.number, f"embeddings: {whole(tables.number)}"),
            svg.Segment("cell", 10_000 * others // rest.number, f"the rest: {whole(others)}"),
        ]
        note = f"{percentage(tables.number, rest.number)} of {whole(rest.number)}"
        drawn.append(svg.Bar(model_named(model).title, note, pieces))
    return svg.figure(
        name,
        "The embeddings' share of a model",
        "; ".join(f"{bar.label}: {bar.note}" for bar in drawn),
        svg.bars(drawn),
        svg.legend({"embeddings": "embeddings", "cell": "everything else"}),
    )


def memory(name: str) -> str:
    """The weights of base and large by data type."""
    drawn = []
    for model, short in SHORT.items():
        asked = ask(model=model)
        for dtype in BYTES:
            taken = bytes_of(asked.number, dtype)
            note = f"{taken / UNITS['MB']:,.1f} MB = {taken / UNITS['MiB']:,.1f} MiB"
            drawn.append(
                svg.Bar(f"{short}, {dtype}", note, [svg.Segment("embeddings", taken, f"{whole(taken)} bytes")])
            )
    return svg.figure(
        name,
        "The weights of base and large by data type",
        "; ".join(f"{bar.label}: {bar.note}" for bar in drawn),
        svg.bars(drawn),
        "To one scale. The count is the same; only the bytes for each number differ.",
    )
