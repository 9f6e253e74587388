"""Rows about other libraries: how they name and shape each tensor, and what their summaries and classes count.

The names and the summaries themselves are those of `macros/counting/frameworks/`; this module puts them into rows.
"""

from __future__ import annotations

from macros.counting import BERT, Question, model_named
from macros.counting.architecture import Row, lies_under
from macros.counting.errors import entry_of
from macros.counting.frameworks.keras_hub import HEADS, keras_hub_name, keras_hub_rows, keras_hub_shape, keras_hub_size
from macros.counting.frameworks.keras_layers import BERT4KERAS, KERAS_BERT, PRETRAINING, SummaryEntry
from macros.counting.frameworks.keras_names import KERAS_NAMES
from macros.counting.frameworks.names import flax_name, flax_shape, google_name, transformers_name

from ..components import formulas, numbers
from ..components.asking import BASE, LARGE, ask
from ..components.rows import lines
from ..components.tables import code

SUMMARIES = {"keras-bert": KERAS_BERT, "bert4keras": BERT4KERAS}
"""The rows that each library's Keras summary prints, one per layer."""


def summary(framework: str, model: str) -> str:
    """Rows for every kind of row in a Keras summary: layer, parameters, type, formula and the tensors it holds.

    A row that is repeated in every layer is counted once.

    Raises:
        CountingError: there is no summary of that name.
    """
    return lines(_summary_row(entry, model) for entry in entry_of(SUMMARIES, "summary", framework))


def _summary_row(entry: SummaryEntry, model: str) -> list[str]:
    """The cells of one row of a summary; a layer without weights counts 0 and has no formula."""
    if not entry.weights:
        return [code(entry.name), "0", entry.kind, "", "none"]
    question = _question(entry, model)
    # Without the layer, which the name of the row says already; a path stands for all tensors below it.
    paths = ", ".join(code(prefix.split("layer_*/")[-1]) for prefix in entry.weights)
    return [code(entry.name), numbers.parameters(question), entry.kind, formulas.inline(question.polynomial), paths]


def _question(entry: SummaryEntry, model: str) -> Question:
    """The question that a row of the summary answers, for one layer if the row is repeated in every layer."""
    parts = [part.replace("layer_*", "layer_0") for part in entry.weights]
    if len(parts) == 1:
        return ask(parts[0], "", model, PRETRAINING)
    # A row with several paths holds one whole block of a layer.
    block = next(row.block for row in BERT.rows if lies_under(row.path, entry.weights))
    return ask("bert/encoder/layer_0", block, model, PRETRAINING)


def keras_hub(keras_hub_class: str, model: str = BASE) -> str:
    """The parameters of a class of KerasHub: `keras_hub("BertMaskedLM", model=large)`.

    Raises:
        CountingError: KerasHub has no class of that name.
    """
    entry_of(HEADS, "class", keras_hub_class)
    polynomial = keras_hub_size(keras_hub_class)
    sizes = model_named(model).sizes
    working = numbers.working_of(polynomial, sizes)
    return numbers.in_full(polynomial.value(sizes), working, kind="keras-hub", class_=keras_hub_class, model=model)


def weights(library: str) -> str:
    """Rows for every tensor of a library's own model: its name, its parameters in BERT base, its shape.

    The model is the masked-LM model of KerasHub for `"keras-hub"`, and the pre-training model of Flax for `"flax"`. A
    tensor that is repeated in every layer is counted once.

    Raises:
        CountingError: `library` is neither.
    """
    return lines(
        [
            code(name),
            numbers.parameters(ask(row.path.replace("layer_*", "layer_0"), model_class=PRETRAINING)),
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
"""The tensors of each library, each as our row and the library's own name and shape."""


def names() -> str:
    """Rows for every tensor of the pre-training model: its name in each library, and Google's shape."""
    return lines(
        [*(code(name).replace("_", "_<wbr>") for name in _names_of(row).values()), _shape(row)]
        for row in _rows_in_keras()
    )


def _shape(row: Row) -> str:
    """A symbolic shape, with its sizes in BERT base and BERT large, by which `assets/pages/names.js` finds it."""
    models = (model_named(model).sizes for model in (BASE, LARGE))
    shapes = ",".join(" ".join(str(sizes.get(axis, axis)) for axis in row.shape.split()) for sizes in models)
    return f'<span data-sizes="{shapes}">{formulas.shape(row.shape)}</span>'


def _rows_in_keras() -> list[Row]:
    """The tensors of the pre-training model that the Keras libraries build."""
    return [row for row in BERT.rows_of(PRETRAINING) if row.path in KERAS_NAMES]


def _names_of(row: Row) -> dict[str, str | None]:
    """The name of a tensor in each library; `None` where the library does not have it."""
    return {
        "google_bert": google_name(row),
        "transformers": transformers_name(row, BERT, PRETRAINING),
        **KERAS_NAMES[row.path]._asdict(),
        "flax": flax_name(row, PRETRAINING),
    }


def all_names() -> list[dict[str, str | None]]:
    """The names of each tensor of the pre-training model, by library."""
    return list(map(_names_of, _rows_in_keras()))
