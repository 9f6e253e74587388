"""Tables about KerasHub and Flax: which classes they have, and how they call and shape each tensor."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from macros.counting import BERT, Row, model_named
from macros.counting.disagreements.conditions import says
from macros.counting.frameworks.keras_hub import (
    HEADS,
    PRESETS,
    keras_hub_name,
    keras_hub_rows,
    keras_hub_shape,
    keras_hub_size,
)
from macros.counting.frameworks.keras_layers import PRETRAINING
from macros.counting.frameworks.names import flax_class, flax_name, flax_shape

from ..elements import formulas, numbers
from ..elements.asking import SHORT, ask, of_both
from ..elements.tables import BASE_AND_LARGE, NUMERIC, Column, code, table
from .classes import POOLER_WORDS

STAR = "counted for one layer, with a star for its number; kernels are (in, out)"

COUNTERPARTS = {
    "BertBackbone": "BertModel, the same",
    "BertMaskedLM": "BertForMaskedLM, without pooler",
    "BertTextClassifier": "BertForSequenceClassification, the same",
}
"""Each class of KerasHub beside the class of transformers for the same purpose."""


def keras_hub_classes(name: str) -> str:
    """The classes of KerasHub with the totals of base and large."""
    columns = [Column("class"), *BASE_AND_LARGE, Column("in transformers")]
    rows = []
    for each in HEADS:
        letters = keras_hub_size(each)
        totals = []
        for model in SHORT:
            sizes = model_named(model).sizes
            how = numbers.worked_out(letters, sizes)
            totals.append(numbers.in_full(letters.value(sizes), how, kind="keras-hub", class_=each, model=model))
        rows.append([code(each), *totals, COUNTERPARTS[each]])
    return table(name, f"Classes of KerasHub, the classifier with {says('two labels', 'C == 2')}", columns, rows)


def keras_hub_presets(name: str) -> str:
    """The presets of Google's checkpoints, each with its count."""
    columns = [Column("preset"), Column("parameters", NUMERIC), Column("configuration")]
    rows = [[code(preset), numbers.counted(ask(model=ours)), code(ours)] for preset, ours in PRESETS.items()]
    return table(name, "KerasHub's presets of the google-research/bert checkpoints", columns, rows)


def keras_hub_weights(name: str) -> str:
    """Every weight of the masked-LM model, with its shape in KerasHub."""
    caption = f"The weights of BertMaskedLM in KerasHub, base, {STAR}"
    return _weights(name, caption, keras_hub_rows("BertMaskedLM"), keras_hub_name, keras_hub_shape)


def flax_classes(name: str) -> str:
    """The Flax classes of transformers 4 with the totals of base and large."""
    columns = [Column("class"), *BASE_AND_LARGE, Column("arrays in base", NUMERIC), Column("pooler")]
    rows = []
    for each in BERT.classes:
        asked = ask(model_class=each.name)
        totals = [*map(numbers.counted, of_both(asked)), numbers.tensor_count(asked)]
        rows.append([code(flax_class(each.name)), *totals, POOLER_WORDS[each.pooler]])
    return table(
        name,
        f"Flax classes of transformers, with {says('two labels', 'C == 2')} where a class has labels",
        columns,
        rows,
    )


def flax_leaves(name: str) -> str:
    """Every array in the parameters of the Flax pre-training model."""
    caption = f"The arrays of FlaxBertForPreTraining, base, {STAR}"
    rows = [row for row in BERT.rows_of(PRETRAINING) if not row.tied_to]
    return _weights(name, caption, rows, lambda row: flax_name(row, PRETRAINING), flax_shape)


def _weights(
    name: str,
    caption: str,
    rows: Iterable[Row],
    name_of: Callable[[Row], str | None],
    shape_of: Callable[[Row], str],
) -> str:
    """A framework's own names and shapes; what stands in every layer is counted for one."""
    columns = [Column("name"), Column("parameters", NUMERIC), Column("shape")]
    body = [
        [
            code(name_of(row)),
            numbers.counted(ask(row.path.replace("layer_*", "layer_0"), model_class=PRETRAINING)),
            formulas.shape(shape_of(row)),
        ]
        for row in rows
    ]
    return table(name, caption, columns, body)
