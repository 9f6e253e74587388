"""Tables that read a Keras summary row by row: what each row holds of the one table of tensors."""

from __future__ import annotations

from macros.counting.keras_layers import BERT4KERAS, KERAS_BERT, PRETRAINING, Entry
from macros.counting.keras_names import KERAS_NAMES
from macros.counting.names import flax_name, google_name, transformers_name
from macros.counting.tensors import ROWS, lies_under, rows_of

from . import formulas, numbers
from .asked import Asked
from .tables import NUMERIC, PROSE, Column, code, table

ARTICLE, CHINESE_LARGE = "keras-bert-article", "bert-large-chinese"


def keras_bert_rows(name: str) -> str:
    """Every kind of row of keras-bert's summary, counted for the article's configuration."""
    return _rows(name, "Every row of keras-bert's summary, and the tensors it holds", KERAS_BERT, ARTICLE)


def bert4keras_rows(name: str) -> str:
    """Every kind of row of bert4keras's summary, counted for Chinese large."""
    return _rows(name, "Every row of bert4keras's summary, and the tensors it holds", BERT4KERAS, CHINESE_LARGE)


def _rows(name: str, caption: str, entries: tuple[Entry, ...], model: str) -> str:
    columns = [
        Column("layer"),
        Column("parameters", NUMERIC),
        Column("type"),
        Column("formula"),
        Column("tensors", PROSE),
    ]
    return table(name, f"{caption}: {model}", columns, [_row(entry, model) for entry in entries])


def _row(entry: Entry, model: str) -> list[str]:
    named = f"<code>{entry.name}</code>"
    if not entry.holds:
        return [named, "0", entry.kind, "", "none"]
    asked = _asked(entry, model)
    return [
        named,
        numbers.counted(asked),
        entry.kind,
        formulas.inline(asked.polynomial),
        ", ".join(map(_path, entry.holds)),
    ]


def _path(prefix: str) -> str:
    """A path without the layer it stands in, breakable for a phone; a prefix stands for all below it."""
    return code(prefix.split("layer_*/")[-1])


def _asked(entry: Entry, model: str) -> Asked:
    """The question whose answer the row prints: one layer of what stands in every layer."""
    parts = [part.replace("layer_*", "layer_0") for part in entry.holds]
    if len(parts) == 1:
        return Asked(parts[0], "", model, PRETRAINING)
    block = next(row.block for row in ROWS if lies_under(row.path, entry.holds))
    return Asked("bert/encoder/layer_0", block, model, PRETRAINING)


def names(name: str) -> str:
    """Every tensor under all its names; a star is the number of the layer."""
    heads = ("google-research/bert", "transformers", "keras-bert", "bert4keras", "KerasHub", "Flax")
    rows = [[code(each) for each in row.values()] for row in all_names()]
    return table(name, "Every tensor of pre-training, under all its names", [Column(each) for each in heads], rows)


def all_names() -> list[dict[str, str | None]]:
    """What each library calls each tensor of pre-training that the Keras libraries build."""
    return [
        {
            "google_bert": google_name(row),
            "transformers": transformers_name(row, PRETRAINING),
            **KERAS_NAMES[row.path]._asdict(),
            "flax": flax_name(row, PRETRAINING),
        }
        for row in rows_of(PRETRAINING)
        if row.path in KERAS_NAMES
    ]


def tally(name: str) -> str:
    """The walk through Chinese large, step by step, to its total."""
    columns = [Column("step"), Column("parameters", NUMERIC), Column("formula")]
    steps = {
        "word embeddings": Asked("bert/embeddings/word_embeddings", model=CHINESE_LARGE),
        "segments": Asked("bert/embeddings/token_type_embeddings", model=CHINESE_LARGE),
        "positions": Asked("bert/embeddings/position_embeddings", model=CHINESE_LARGE),
        "LayerNorm": Asked("bert/embeddings/LayerNorm", model=CHINESE_LARGE),
        "embeddings together": Asked("bert/embeddings", model=CHINESE_LARGE),
        "attention of one layer": Asked("bert/encoder/layer_0", "self-attention", CHINESE_LARGE),
        "feed-forward of one layer": Asked("bert/encoder/layer_0", "feed-forward", CHINESE_LARGE),
        "two LayerNorms of one layer": Asked("bert/encoder/layer_0", "encoder-norms", CHINESE_LARGE),
        "one layer together": Asked("bert/encoder/layer_0", model=CHINESE_LARGE),
        "all layers": Asked("bert/encoder", model=CHINESE_LARGE),
        "embeddings and all layers": Asked(model=CHINESE_LARGE, pooler=False),
    }
    rows = [[what, numbers.counted(asked), formulas.inline(asked.polynomial)] for what, asked in steps.items()]
    return table(name, f"The tally of {CHINESE_LARGE}, step by step", columns, rows)
