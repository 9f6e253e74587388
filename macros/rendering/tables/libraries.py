"""How other libraries name and shape each tensor: the rows of the tables on the page about them."""

from __future__ import annotations

from macros.counting import BERT, Question, model_named
from macros.counting.architecture import Row, lies_under
from macros.counting.errors import entry_of
from macros.counting.frameworks.keras_hub import HEADS, keras_hub_name, keras_hub_rows, keras_hub_shape, keras_hub_size
from macros.counting.frameworks.keras_layers import BERT4KERAS, KERAS_BERT, PRETRAINING, Entry
from macros.counting.frameworks.keras_names import KERAS_NAMES
from macros.counting.frameworks.names import flax_name, flax_shape, google_name, transformers_name

from ..components import formulas, numbers
from ..components.asking import BASE, LARGE, ask
from ..components.rows import lines
from ..components.tables import code

SUMMARIES = {"keras-bert": KERAS_BERT, "bert4keras": BERT4KERAS}
"""The libraries that print a Keras layer per row."""


def summary(framework: str, model: str) -> str:
    """Every kind of row of a Keras summary: layer, parameters, type, formula and the tensors it holds.

    What stands in every layer is counted for one.
    """
    return lines(_summary_row(entry, model) for entry in entry_of(SUMMARIES, "summary", framework))


def _summary_row(entry: Entry, model: str) -> list[str]:
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


def keras_hub(keras_hub_class: str, model: str = BASE) -> str:
    """The parameters of a class of KerasHub: `keras_hub("BertMaskedLM", model=large)`."""
    entry_of(HEADS, "class", keras_hub_class)
    letters, sizes = keras_hub_size(keras_hub_class), model_named(model).sizes
    how = numbers.worked_out(letters, sizes)
    return numbers.in_full(letters.value(sizes), how, kind="keras-hub", class_=keras_hub_class, model=model)


def weights(library: str) -> str:
    """Every tensor of a library's own model: name, parameters in base, shape.

    That is the masked-LM model of `"keras-hub"`, and the pre-training model of `"flax"`. What stands in every layer is
    counted for one.
    """
    return lines(
        [
            code(name),
            numbers.counted(ask(row.path.replace("layer_*", "layer_0"), model_class=PRETRAINING)),
            formulas.shape(shape),
        ]
        for row, name, shape in entry_of(WEIGHTS, "library", library)
    )


WEIGHTS = {
    "keras-hub": [(row, keras_hub_name(row), keras_hub_shape(row)) for row in keras_hub_rows("BertMaskedLM")],
    "flax": [
        (row, flax_name(row, PRETRAINING), flax_shape(row)) for row in BERT.rows_of(PRETRAINING) if not row.tied_to
    ],
}
"""The tensors of each library, with its own names and shapes."""


def names() -> str:
    """Every tensor of pre-training under all its names, and its shape in google-research/bert."""
    return lines(
        [*(code(each).replace("_", "_<wbr>") for each in _names_of(row).values()), _shape(row)] for row in _named_rows()
    )


def _shape(row: Row) -> str:
    """A shape in letters, with the sizes that it has in base and in large for `assets/pages/names.js` to find."""
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
