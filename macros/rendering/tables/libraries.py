"""Rows about other libraries: the names and shapes of their tensors, and the counts of their summaries and classes.

`macros/counting/frameworks/` defines the names and summaries; this module puts them into rows.
"""

from __future__ import annotations

from macros.counting import BERT, Question, model_named
from macros.counting.architecture import ONE_LAYER, Row, lies_under
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
"""The rows of each library's Keras summary, one per Keras layer."""


def summary_rows(framework: str, model: str) -> str:
    """Rows for every distinct row of a Keras summary: layer, parameters, type, formula and tensors.

    A row that occurs in every layer of the model is listed and counted once.

    Raises:
        CountingError: there is no summary with that name.
    """
    return lines(_summary_row(entry, model) for entry in entry_of(SUMMARIES, "summary", framework))


def _summary_row(entry: SummaryEntry, model: str) -> list[str]:
    """The cells of one row of a summary; a layer without weights counts 0 and has no formula."""
    if not entry.weights:
        return [code(entry.name), "0", entry.kind, "", "none"]
    question = _question(entry, model)
    # The paths omit the layer, because the name of the row includes it.
    paths = ", ".join(code(prefix.split("layer_*/")[-1]) for prefix in entry.weights)
    return [code(entry.name), numbers.parameters(question), entry.kind, formulas.inline(question.polynomial), paths]


def _question(entry: SummaryEntry, model: str) -> Question:
    """The question whose answer is in a row of the summary, for one layer if the row occurs in every layer."""
    parts = [part.replace("layer_*", "layer_0") for part in entry.weights]
    if len(parts) == 1:
        return ask(parts[0], "", model, PRETRAINING)
    # A row with several paths comprises one whole block of a layer.
    block = next(row.block for row in BERT.rows if lies_under(row.path, entry.weights))
    return ask(ONE_LAYER, block, model, PRETRAINING)


def keras_hub(keras_hub_class: str, model: str = BASE) -> str:
    """The parameters of a KerasHub class: `keras_hub("BertMaskedLM", model=large)`.

    Raises:
        CountingError: KerasHub has no class with that name.
    """
    entry_of(HEADS, "class", keras_hub_class)
    polynomial = keras_hub_size(keras_hub_class)
    sizes = model_named(model).sizes
    working = numbers.working_of(polynomial, sizes)
    return numbers.in_full(polynomial.value(sizes), working, kind="keras-hub", class_=keras_hub_class, model=model)


def weight_rows(library: str) -> str:
    """Rows for every tensor of a library's model: name, parameters in BERT base, shape.

    For `"keras-hub"` the model is KerasHub's masked-LM model, and for `"flax"` it is the pre-training model in Flax. A
    tensor that occurs in every layer is listed and counted once.

    Raises:
        CountingError: `library` is neither of these.
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
"""The tensors of each library, each as our row with the library's name and shape."""


def name_rows() -> str:
    """Rows for the tensors of the pre-training model: the name in each library, and Google's shape.

    Only the tied tensors of the decoder are left out, because the Keras libraries do not build them.
    """
    return lines(
        [*(code(name).replace("_", "_<wbr>") for name in _names_of(row).values()), _shape(row)]
        for row in _rows_in_keras()
    )


def _shape(row: Row) -> str:
    """A symbolic shape, with the shapes in BERT base and BERT large, which `assets/pages/names.js` searches."""
    models = (model_named(model).sizes for model in (BASE, LARGE))
    shapes = ",".join(" ".join(str(sizes.get(axis, axis)) for axis in row.shape.split()) for sizes in models)
    return f'<span data-sizes="{shapes}">{formulas.shape(row.shape)}</span>'


def _rows_in_keras() -> list[Row]:
    """The tensors of the pre-training model that the Keras libraries build."""
    return [row for row in BERT.rows_of(PRETRAINING) if row.path in KERAS_NAMES]


def _names_of(row: Row) -> dict[str, str | None]:
    """The name of a tensor in each library; None if the library does not have the tensor."""
    return {
        "google_bert": google_name(row),
        "transformers": transformers_name(row, BERT, PRETRAINING),
        **KERAS_NAMES[row.path]._asdict(),
        "flax": flax_name(row, PRETRAINING),
    }


def all_names() -> list[dict[str, str | None]]:
    """The names of each tensor in `name_rows`, by library; None if a library does not have the tensor."""
    return list(map(_names_of, _rows_in_keras()))
