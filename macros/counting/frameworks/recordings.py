"""Recordings of models that real implementations have built, compared with the engine tensor by tensor.

Rule 1: a recording is made by running a library, never by the engine. A script
in `tests/oracles` builds models and writes down every tensor or layer that the
library reports, and the library's own total.
Rule 2: a recording is a file in the repository, which names the versions that
made it, so the tests need no library to read it. Recording again with the same
versions gives the same bytes, so any change shows in `git diff`.
Rule 3: the engine is given the recorded config, class and options, and has to
produce the same list. A comparer yields every difference, and the tests fail if
there is any.
Rule 4: if a library is known to differ, its comparer undoes the difference in
code and gives the reason. There is no list of exceptions.

How a recording is made. `make verify` installs locked versions of the libraries
into separate environments, runs the recorders there, and then runs the tests on
the new recordings; CI does so once a week. Each recorder builds released sizes
(`tests/oracles/sizes.toml`) and odd ones that no release has: dimensions
without a common divisor, one token, one head, no layers, F smaller than H. With
released sizes alone, an engine that confuses two letters could pass because
their sizes are equal; with the odd ones it fails. `data/recordings/index.toml`
gives, for each file, the script that made it, the date, and the comparer that
reads it.

The models that are built, and the properties that are compared:

- Every architecture that the engine counts, in transformers 5 (NEZHA in
  transformers 4, the last release that has it), and BERT in transformers 4 as
  well. Every class is built tied and untied, with different numbers of labels and, if
  it can have cross-attention, as a decoder. All are built on the meta device,
  which allocates no weights; one per architecture is also built with weights.
  Compared: the name, shape and order of every parameter of `named_parameters()`,
  the name that a tied one shares, the total, and the shapes of the buffers.
- google-research/bert at one commit, through its own `model_fn` of
  pre-training. Compared: name, shape and order of every trainable variable, the
  total, and, for models that were trained for a step and saved, the number of
  elements in the checkpoint. It holds every parameter, two moments of Adam for
  each, and the step.
- keras-bert and bert4keras, as Keras models. Compared: each layer of the
  summary with its type, output shape, parameters and inputs, the names and
  shapes of the weights, and the total. For a bert4keras model with options,
  such as a pooler, only the total is compared.
- KerasHub's three classes. Compared: path and shape of every weight, the total,
  and the row of the masked-LM head in the summary.
- The Flax classes of transformers 4. Compared: path, shape and order of every
  leaf of `params`, and the total.

The limits of this proof:

- It does not cover values. No published checkpoint is loaded: a recording shows
  the model that code builds from a config, and not the contents of a file on a
  hub.
- It does not cover sizes that are not recorded. That the formula holds for all
  sizes is an inference from the odd sizes for which it holds. A library whose
  code branches at another size would go unnoticed, and so would a newer version
  until the locked versions are updated.
- It covers google-research/bert less well than the others. That library was
  written for TensorFlow 1, and `record_google_bert.py` replaces the functions
  that no longer exist. LayerNorm is one of these, so the order of beta and gamma
  in its recording is that of the script.
- It does not prove the order of the weights in the Keras libraries. They are
  sorted before the comparison, because each library has its own order of beta
  and gamma.

Another test shows that the comparison can fail:
`tests/counting/frameworks/test_recordings.py` alters each recording in one
respect at a time, and every alteration has to be noticed. The test also counts
models and tensors, so a recording cannot shrink unnoticed. Recordings that only tests need, such as those
of configs and operations, are stored and compared next to those tests.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from math import prod
from typing import Any, NamedTuple

from ..architecture import Choices, Row
from ..architectures.bert import BERT
from ..blocks import DATA, blocks_of, check_choice
from ..config import model_of_config
from ..memory import buffers_of
from ..models import Model
from ..question import Question, count
from .keras_hub import keras_hub_name, keras_hub_rows, keras_hub_shape, keras_hub_size
from .keras_layers import SummaryRow, bert4keras, keras_bert
from .keras_names import KERAS_NAMES, keras_bert_shape
from .listing import google_variables, tensors
from .names import flax_class, flax_name, flax_shape

FOLDER = DATA / "recordings"
"""The folder of the recordings and of their index."""

LIST_KEYS = ("parameters", "trainable", "layers")
"""The keys under which a recorded model may list its tensors or layers."""

KERAS_BERT_KEYS = {
    "vocab_size": "token_num",
    "max_position_embeddings": "pos_num",
    "hidden_size": "embed_dim",
    "intermediate_size": "feed_forward_dim",
    "num_hidden_layers": "transformer_num",
    "num_attention_heads": "head_num",
}
"""The arguments of keras-bert's `get_model`, by config key. The number of segments is always two."""


class Comparison(NamedTuple):
    """The comparison of one recording with the engine.

    Attributes:
        name: the name of the recording.
        title: the name of the implementation on pages.
        recorded: the date of the recording.
        script: the script in `tests/oracles` that made it.
        unit: the kind of its entries, "tensors" or "layers".
        versions: the versions of the libraries that built the models.
        class_count: the number of classes that were built; 1 if the library
            has one function for all models.
        model_count: the number of models.
        entry_count: the number of tensors or layers that were compared.
        differences: every difference, preceded by the name of the model; empty
            if the engine is correct.
    """

    name: str
    title: str
    recorded: str
    script: str
    unit: str
    versions: Mapping[str, str]
    class_count: int
    model_count: int
    entry_count: int
    differences: tuple[str, ...]


@cache
def recordings() -> Mapping[str, Mapping[str, str]]:
    """The blocks of all recordings in `index.toml`, by name.

    Raises:
        BadConfig: a block names a comparer that does not exist.
    """
    blocks = blocks_of(FOLDER / "index.toml")
    for name, block in blocks.items():
        check_choice(f"index.toml, {name}", "compared_by", block.get("compared_by"), COMPARERS)
    return blocks


@cache
def recording(name: str) -> Mapping[str, Any]:
    """The contents of the recording with this name."""
    contents: Mapping[str, Any] = json.loads(gzip.decompress((FOLDER / f"{name}.json.gz").read_bytes()))
    return contents


@cache
def comparison(name: str) -> Comparison:
    """The comparison of every model of a recording with the engine."""
    block = dict(recordings()[name])
    compare = COMPARERS[block.pop("compared_by")]
    contents = recording(name)
    models = contents["models"]
    differences = [f"{model['name']}: {difference}" for model in models for difference in compare(model)]
    return Comparison(
        name,
        **block,
        versions=contents["versions"],
        class_count=len({model.get("class") for model in models}),
        model_count=len(models),
        entry_count=sum(map(_compared_entries, models)),
        differences=tuple(differences),
    )


def _compared_entries(case: Mapping[str, Any]) -> int:
    """The number of tensors or layers of a recorded model that its comparer compares, besides the total."""
    return 0 if case.get("options") else sum(len(case[key]) for key in LIST_KEYS if key in case)


def differences_from_transformers(case: Mapping[str, Any]) -> Iterator[str]:
    """Differences from `named_parameters()`: names, shapes, order, ties, the total, and the shapes of buffers."""
    question = _question(case)
    engine_rows = [[tensor.transformers, list(tensor.shape), tensor.tied_to] for tensor in tensors(question)]
    yield from _diff(case["parameters"], engine_rows)
    yield from _diff([case["total"]], [question.number])
    buffers = [[*buffer.shape] for buffer in buffers_of(question.model)]
    yield from _diff([shape for _, shape in case["buffers"]], buffers)


def _question(case: Mapping[str, Any]) -> Question:
    """The question whose answer is compared with a recorded model."""
    model = model_of_config(case["name"], case["config"])
    return Question(model, case["class"], choices=Choices(pooler=case["pooler"]))


def differences_from_transformers4(case: Mapping[str, Any]) -> Iterator[str]:
    """Differences from transformers 4, after undoing its two known differences from transformers 5.

    In an untied model, release 4 leaves the decoder's bias tied; release 5
    unties its weight and its bias. If a config has both `id2label` and
    `num_labels`, release 4 uses the first, and release 5 the second.
    """
    config = dict(case["config"])
    if "id2label" in config:
        config.pop("num_labels", None)
    rows = [list(row) for row in case["parameters"]]
    untied_elements = 0
    for row in rows:
        if row[0] == "cls.predictions.decoder.bias" and not config["tie_word_embeddings"]:
            untied_elements = prod(row[1])
            row[2] = None
    total = case["total"] + untied_elements
    yield from differences_from_transformers({**case, "config": config, "parameters": rows, "total": total})


def differences_from_google(case: Mapping[str, Any]) -> Iterator[str]:
    """Differences from the trainable variables of pre-training, in order, their total, and the size of a checkpoint."""
    model = model_of_config(case["name"], case["config"])
    engine_rows = [[tensor.google_bert, list(tensor.google_shape)] for tensor in google_variables(model)]
    yield from _diff(case["trainable"], engine_rows)
    total = count(model, model_class="BertForPreTraining")
    yield from _diff([case["total"]], [total])
    if case["checkpoint"]:
        # Adam keeps two moments for each parameter, and the step is one more number.
        yield from _diff([sum(prod(shape) for _, shape, _ in case["checkpoint"])], [3 * total + 1])


def differences_from_keras_bert(case: Mapping[str, Any]) -> Iterator[str]:
    """Differences from one model's summary: the total, and layers with types, shapes, counts, inputs and weights."""
    arguments = case["config"]
    config = {key: arguments[argument] for key, argument in KERAS_BERT_KEYS.items()}
    model = model_of_config(case["name"], {**config, "type_vocab_size": 2})
    has_dropout = bool(arguments["dropout_rate"])
    has_heads = arguments.get("training", True)
    engine_rows = keras_bert(model, arguments["seq_len"], has_dropout=has_dropout, has_heads=has_heads)
    yield from _diff([case["totals"]["total"]], [sum(row.parameters for row in engine_rows)])
    yield from _layer_diff(case, engine_rows, 0, model)


def differences_from_bert4keras(case: Mapping[str, Any]) -> Iterator[str]:
    """Differences from the total of every model, and from the layers of a model without options."""
    config = case["config"]
    options = case["options"]
    model = model_of_config(case["name"], config)
    options_of_part = {
        "bert/pooler": options.get("with_pool") or options.get("with_nsp"),  # NSP implies the pooler
        "cls/seq_relationship": options.get("with_nsp"),
        "cls/predictions": options.get("with_mlm"),
    }
    built_parts = [part for part, is_built in options_of_part.items() if is_built]
    optional_parameters = sum(count(model, part, model_class="BertForPreTraining") for part in built_parts)
    yield from _diff([case["totals"]["total"]], [count(model, pooler=False) + optional_parameters])
    if not options:
        engine_rows = bert4keras(model, has_dropout=bool(config["hidden_dropout_prob"]))
        yield from _layer_diff(case, engine_rows, 1, model)


def differences_from_keras_hub(case: Mapping[str, Any]) -> Iterator[str]:
    """Differences in paths and shapes of all weights, in the total, and in the summary's row of the masked-LM head."""
    model = model_of_config(case["name"], case["config"])
    names = ((row, keras_hub_name(row)) for row in keras_hub_rows(case["class"]))
    weights = _named_weights(names, _layer_numbers(model), model, keras_hub_shape)
    yield from _diff(sorted(case["parameters"]), sorted([*weight] for weight in weights))
    yield from _diff([case["total"]], [keras_hub_size(case["class"]).value(model.sizes)])
    if case["class"] == "BertMaskedLM":
        # KerasHub counts the token embedding again in this row, but not in the total.
        head = count(model, "cls/predictions", model_class="BertForPreTraining")
        yield from _diff([case["head"]], [head + count(model, "bert/embeddings/word_embeddings")])


def differences_from_flax(case: Mapping[str, Any]) -> Iterator[str]:
    """Differences in paths and shapes of all leaves of `params`, in JAX's order, and in the total.

    In Flax, a tied decoder has no leaf; an untied one has a kernel, but no bias of its own.
    """
    model_class = next(bert_class.name for bert_class in BERT.classes if flax_class(bert_class.name) == case["class"])
    question = _question({**case, "class": model_class})
    model = question.model
    is_tied = question.resolved_choices.tied
    names = ((row, flax_name(row, model_class)) for row in question.rows if not (row.tied_to and is_tied))
    weights = _named_weights(names, _layer_numbers(model), model, flax_shape)
    # JAX sorts the keys of each dictionary, so paths are compared component by component.
    yield from _diff(case["parameters"], sorted(([*leaf] for leaf in weights), key=lambda leaf: leaf[0].split("/")))
    second_bias = (
        0 if is_tied else sum(model.sizes["V"] for row in question.rows if flax_name(row, model_class) is None)
    )
    yield from _diff([case["total"]], [question.number - second_bias])


def _layer_diff(
    case: Mapping[str, Any], engine_rows: list[SummaryRow], library_index: int, model: Model
) -> Iterator[str]:
    """Differences in the layers of a summary and their weights.

    `library_index` is the place of the library's name in a `KerasNames`.
    """
    recorded_layers = [
        [layer["name"], layer["class"], _shape(layer["output_shape"]), layer["parameters"], layer["connected_to"]]
        for layer in case["layers"]
    ]
    engine_layers = [[row.name, row.kind, row.output, row.parameters, list(row.inputs)] for row in engine_rows]
    yield from _diff(recorded_layers, engine_layers)
    weights = [(name.removesuffix(":0"), shape) for layer in case["layers"] for name, shape in layer["weights"]]
    # Sorted, because each library has its own order of beta and gamma.
    yield from _diff(sorted(weights), sorted(_weights(engine_rows, library_index, model)))


def _weights(engine_rows: list[SummaryRow], library_index: int, model: Model) -> Iterator[tuple[str, list[int]]]:
    """Names and shapes of the weights of all layers in a summary."""
    layers = {row.name for row in engine_rows}
    rows = [row for row in BERT.rows_of("BertForPreTraining") if row.path in KERAS_NAMES]
    names = ((row, KERAS_NAMES[row.path][library_index]) for row in rows)
    weights = _named_weights(names, {str(row.layer) for row in engine_rows}, model, keras_bert_shape)
    return (weight for weight in weights if weight[0].split("/")[0] in layers)


def _shape(shape: list[Any]) -> str:
    """A recorded output shape, or a list of several, as Keras prints it."""
    if any(isinstance(dimension, list) for dimension in shape):
        return f"[{', '.join(map(_shape, shape))}]"
    return f"({', '.join(map(str, shape))})"


def _layer_numbers(model: Model) -> list[str]:
    """The numbers of a model's layers as text, counted from 0."""
    return [str(layer) for layer in range(model.sizes["L"])]


def _named_weights(
    names: Iterable[tuple[Row, str | None]], layers: Collection[str], model: Model, shape_of: Callable[[Row], str]
) -> Iterator[tuple[str, list[int]]]:
    """The name and shape of every weight that a library has.

    Args:
        names: each row with its name; None if the library has no such weight.
        layers: the numbers of the layers, which replace the star in a name one after another.
        model: the model whose sizes are substituted into shapes.
        shape_of: returns the shape of a row in the library.
    """
    sizes = {**model.sizes, "H/A": model.sizes["H"] // model.sizes["A"]}
    for row, name in names:
        if name:
            shape = [sizes[dimension] if dimension in sizes else int(dimension) for dimension in shape_of(row).split()]
            if "*" in name:
                yield from ((name.replace("*", layer), shape) for layer in layers)
            else:
                yield name, shape


def _diff(recorded_rows: list[Any], engine_rows: list[Any]) -> Iterator[str]:
    """Differences between two lists: in their lengths, and in the entries at each index."""
    if len(recorded_rows) != len(engine_rows):
        yield f"recorded {len(recorded_rows)} entries, computed {len(engine_rows)}"
    # Not strict: after the first line has reported the lengths, the entries of the shorter list are still compared.
    for recorded_row, engine_row in zip(recorded_rows, engine_rows, strict=False):
        if recorded_row != engine_row:
            yield f"recorded {recorded_row}, computed {engine_row}"


COMPARERS: Mapping[str, Callable[[Mapping[str, Any]], Iterator[str]]] = {
    "transformers": differences_from_transformers,
    "transformers4": differences_from_transformers4,
    "google-bert": differences_from_google,
    "keras-bert": differences_from_keras_bert,
    "bert4keras": differences_from_bert4keras,
    "keras-hub": differences_from_keras_hub,
    "flax": differences_from_flax,
}
"""The comparers by name. Each takes one recorded model and yields its differences from the engine."""
