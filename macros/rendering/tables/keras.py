"""Tables that read a Keras summary row by row: what each row holds of the one table of tensors."""

from __future__ import annotations

from macros.counting import BERT, Question, model_named
from macros.counting.architecture import Row, lies_under
from macros.counting.frameworks.keras_layers import BERT4KERAS, KERAS_BERT, PRETRAINING, Entry
from macros.counting.frameworks.keras_names import KERAS_NAMES
from macros.counting.frameworks.names import flax_name, google_name, transformers_name

from ..elements import formulas, numbers
from ..elements.asking import BASE, LARGE, ask, title_of
from ..elements.tables import NUMERIC, PROSE, Column, code, table

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
    return table(name, f"{caption}: {title_of(model_named(model))}", columns, [_row(entry, model) for entry in entries])


def _row(entry: Entry, model: str) -> list[str]:
    if not entry.holds:
        return [code(entry.name), "0", entry.kind, "", "none"]
    asked = _asked(entry, model)
    # A path names all tensors below it; the layer is clear from the name of the row.
    paths = ", ".join(code(prefix.split("layer_*/")[-1]) for prefix in entry.holds)
    return [code(entry.name), numbers.counted(asked), entry.kind, formulas.inline(asked.polynomial), paths]


def _asked(entry: Entry, model: str) -> Question:
    """The question whose answer the row prints: one layer of what stands in every layer."""
    parts = [part.replace("layer_*", "layer_0") for part in entry.holds]
    if len(parts) == 1:
        return ask(parts[0], "", model, PRETRAINING)
    block = next(row.block for row in BERT.rows if lies_under(row.path, entry.holds))
    return ask("bert/encoder/layer_0", block, model, PRETRAINING)


def names(name: str) -> str:
    """Every tensor under all its names, and its shape; a script lets readers filter them."""
    heads = ("google-research/bert", "transformers", "keras-bert", "bert4keras", "KerasHub", "Flax", "shape (in, out)")
    rows = [
        [*(code(each).replace("_", "_<wbr>") for each in _names_of(row).values()), _shape(row)] for row in _named_rows()
    ]
    return FILTER + table(name, "Every tensor of pre-training, under all its names", list(map(Column, heads)), rows)


FILTER = (
    '<form class="bc-question" id="names-filter" hidden data-search-exclude><p class="bc-field">'
    '<label for="names-text">Your tensor’s name or shape</label><input id="names-text" name="tensor" type="search"'
    ' autocomplete="off" spellcheck="false" aria-controls="names"></p><output for="names-text"></output></form>'
)
"""The field that docs/assets/pages/names.js answers and shows."""


def _shape(row: Row) -> str:
    """A shape in letters, with the sizes that it has in base and in large for the filter to find."""
    models = (model_named(each).sizes for each in (BASE, LARGE))
    shapes = ",".join(" ".join(str(sizes.get(each, each)) for each in row.shape.split()) for sizes in models)
    return f'<span data-sizes="{shapes}">{formulas.shape(row.shape)}</span>'


def _named_rows() -> list[Row]:
    """The tensors of pre-training that the Keras libraries build."""
    return [row for row in BERT.rows_of(PRETRAINING) if row.path in KERAS_NAMES]


def _names_of(row: Row) -> dict[str, str | None]:
    return {
        "google_bert": google_name(row),
        "transformers": transformers_name(row, BERT, PRETRAINING),
        **KERAS_NAMES[row.path]._asdict(),
        "flax": flax_name(row, PRETRAINING),
    }


def all_names() -> list[dict[str, str | None]]:
    """What each library calls each tensor of pre-training that the Keras libraries build."""
    return list(map(_names_of, _named_rows()))


def tally(name: str) -> str:
    """The walk through Chinese large, step by step, to its total."""
    columns = [Column("step"), Column("parameters", NUMERIC), Column("formula")]
    everything, one = ask(model=CHINESE_LARGE), "bert/encoder/layer_0"
    steps = {
        "word embeddings": everything.at("bert/embeddings/word_embeddings"),
        "segments": everything.at("bert/embeddings/token_type_embeddings"),
        "positions": everything.at("bert/embeddings/position_embeddings"),
        "LayerNorm": everything.at("bert/embeddings/LayerNorm"),
        "all embeddings": everything.at("bert/embeddings"),
        "attention of one layer": everything.at(one, "self-attention"),
        "feed-forward of one layer": everything.at(one, "feed-forward"),
        "LayerNorms of one layer": everything.at(one, "encoder-norms"),
        "one whole layer": everything.at(one),
        "all layers": everything.at("bert/encoder"),
        "embeddings and all layers": ask(model=CHINESE_LARGE, pooler=False),
    }
    rows = [[what, numbers.counted(asked), formulas.inline(asked.polynomial)] for what, asked in steps.items()]
    return table(name, f"The tally of the {title_of(everything.model)}, step by step", columns, rows)
