"""What real implementations built, and where the engine differs from it.

A recording is made by a script of `tests/oracles` that runs one
implementation and writes down every tensor or layer. Here it is read again
and compared with the engine, which must say the same.
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

LISTS = ("parameters", "trainable", "layers")
"""Under which key a recorded model lists what it holds."""

KERAS_BERT_KEYS = {
    "vocab_size": "token_num",
    "max_position_embeddings": "pos_num",
    "hidden_size": "embed_dim",
    "intermediate_size": "feed_forward_dim",
    "num_hidden_layers": "transformer_num",
    "num_attention_heads": "head_num",
}
"""What keras-bert's `get_model` calls the sizes; it always has two segments."""


class Comparison(NamedTuple):
    """One recording compared with the engine.

    `title` is what pages call the implementation; `classes` counts the kinds
    of models, 1 where the library has one builder; `compared` is what the
    recording holds: tensors or layers.
    """

    implementation: str
    title: str
    recorded: str
    script: str
    holds: str
    versions: Mapping[str, str]
    classes: int
    models: int
    compared: int
    differences: tuple[str, ...]


@cache
def recordings() -> Mapping[str, Mapping[str, str]]:
    """Every recording by name: what was run, when and by which script, what it recorded, and how it is compared.

    Raises:
        BadConfig: a recording names a comparison that does not exist.
    """
    found = blocks_of(FOLDER / "index.toml")
    for name, about in found.items():
        check_choice(f"index.toml, {name}", "compared_by", about.get("compared_by"), COMPARERS)
    return found


@cache
def recording(name: str) -> Mapping[str, Any]:
    """A whole recording by the name of its implementation."""
    found: Mapping[str, Any] = json.loads(gzip.decompress((FOLDER / f"{name}.json.gz").read_bytes()))
    return found


@cache
def comparison(name: str) -> Comparison:
    """Every model of a recording, compared with the engine."""
    about = dict(recordings()[name])
    compare = COMPARERS[about.pop("compared_by")]
    found = recording(name)
    differences = [f"{model['name']}: {each}" for model in found["models"] for each in compare(model)]
    compared = sum(len(model[key]) for model in found["models"] for key in LISTS if key in model)
    return Comparison(
        name,
        **about,
        versions=found["versions"],
        classes=len({each.get("class") for each in found["models"]}),
        models=len(found["models"]),
        compared=compared,
        differences=tuple(differences),
    )


def differs_from_transformers(recorded: Mapping[str, Any]) -> Iterator[str]:
    """Names, shapes, order, ties and total of one model, against `named_parameters()`."""
    asked = _question(recorded)
    ours = [[each.transformers, list(each.shape), each.tied_to] for each in tensors(asked)]
    yield from _diff(recorded["parameters"], ours)
    yield from _diff([recorded["total"]], [asked.number])
    yield from _diff([shape for _, shape in recorded["buffers"]], [[*each.shape] for each in buffers_of(asked.model)])


def _question(recorded: Mapping[str, Any]) -> Question:
    """A recorded model, class and choice of a pooler as the question that it answers."""
    model = model_of_config(recorded["name"], recorded["config"])
    return Question(model, recorded["class"], choices=Choices(pooler=recorded["pooler"]))


def differs_from_transformers4(recorded: Mapping[str, Any]) -> Iterator[str]:
    """The same for release 4, with its two differences undone.

    It leaves the decoder's bias tied where release 5 unties weight and bias,
    and takes `id2label` where a config gives `num_labels` as well.
    """
    config = dict(recorded["config"])
    if "id2label" in config:
        config.pop("num_labels", None)
    rows = [list(row) for row in recorded["parameters"]]
    untied = 0
    for row in rows:
        if row[0] == "cls.predictions.decoder.bias" and not config["tie_word_embeddings"]:
            untied, row[2] = prod(row[1]), None
    total = recorded["total"] + untied
    yield from differs_from_transformers({**recorded, "config": config, "parameters": rows, "total": total})


def differs_from_google(recorded: Mapping[str, Any]) -> Iterator[str]:
    """The trainable variables of pre-training in order, and the size of a training checkpoint."""
    model = model_of_config(recorded["name"], recorded["config"])
    ours = [[each.google_bert, list(each.google_shape)] for each in google_variables(model)]
    yield from _diff(recorded["trainable"], ours)
    total = count(model, model_class="BertForPreTraining")
    yield from _diff([recorded["total"]], [total])
    if recorded["checkpoint"]:
        # Two moments beside each parameter, and the step.
        yield from _diff([sum(prod(shape) for _, shape, _ in recorded["checkpoint"])], [3 * total + 1])


def differs_from_keras_bert(recorded: Mapping[str, Any]) -> Iterator[str]:
    """Layers, types, shapes, counts, connections and weights of one model, against its summary."""
    given = recorded["config"]
    config = {key: given[theirs] for key, theirs in KERAS_BERT_KEYS.items()}
    model = model_of_config(recorded["name"], {**config, "type_vocab_size": 2})
    ours = keras_bert(
        model, given["seq_len"], dropout=bool(given["dropout_rate"]), training=given.get("training", True)
    )
    yield from _diff([recorded["totals"]["total"]], [sum(row.parameters for row in ours)])
    yield from _layer_diff(recorded, ours, 0, model)


def differs_from_bert4keras(recorded: Mapping[str, Any]) -> Iterator[str]:
    """The layers of one model as built by default, and the total with whatever it was asked for."""
    given, options = recorded["config"], recorded["options"]
    model = model_of_config(recorded["name"], given)
    both = "BertForPreTraining"
    asked = {
        "bert/pooler": options.get("with_pool") or options.get("with_nsp"),
        "cls/seq_relationship": options.get("with_nsp"),
        "cls/predictions": options.get("with_mlm"),
    }
    more = sum(count(model, part, model_class=both) for part, wanted in asked.items() if wanted)
    yield from _diff([recorded["totals"]["total"]], [count(model, pooler=False) + more])
    if not options:
        ours = bert4keras(model, dropout=bool(given["hidden_dropout_prob"]))
        yield from _layer_diff(recorded, ours, 1, model)


def differs_from_keras_hub(recorded: Mapping[str, Any]) -> Iterator[str]:
    """Paths and shapes of all weights, and the total; the summary's row of the masked-LM head."""
    model = model_of_config(recorded["name"], recorded["config"])
    names = ((row, keras_hub_name(row)) for row in keras_hub_rows(recorded["class"]))
    ours = _named_weights(names, _layers(model), model, keras_hub_shape)
    yield from _diff(sorted(recorded["parameters"]), sorted([*each] for each in ours))
    yield from _diff([recorded["total"]], [keras_hub_size(recorded["class"]).value(model.sizes)])
    if recorded["class"] == "BertMaskedLM":
        # The row counts the token embedding once more, which the total does not.
        head = count(model, "cls/predictions", model_class="BertForPreTraining")
        yield from _diff([recorded["head"]], [head + count(model, "bert/embeddings/word_embeddings")])


def differs_from_flax(recorded: Mapping[str, Any]) -> Iterator[str]:
    """Paths and shapes of all leaves of `params`, in JAX's order, and the total.

    A tied decoder has no leaf; an untied one has a kernel and no second bias.
    """
    model_class = next(each.name for each in BERT.classes if flax_class(each.name) == recorded["class"])
    asked = _question({**recorded, "class": model_class})
    model, tied = asked.model, asked.settled.tied
    names = ((row, flax_name(row, model_class)) for row in asked.rows if not (row.tied_to and tied))
    ours = _named_weights(names, _layers(model), model, flax_shape)
    yield from _diff(recorded["parameters"], sorted(([*each] for each in ours), key=lambda leaf: leaf[0].split("/")))
    second_bias = 0 if tied else sum(model.sizes["V"] for row in asked.rows if flax_name(row, model_class) is None)
    yield from _diff([recorded["total"]], [asked.number - second_bias])


def _layer_diff(recorded: Mapping[str, Any], ours: list[SummaryRow], library: int, model: Model) -> Iterator[str]:
    """Layers, types, shapes, counts, connections and weights; `library` is the place of its names in `KerasNames`."""
    theirs = [
        [each["name"], each["class"], _shape(each["output_shape"]), each["parameters"], each["connected_to"]]
        for each in recorded["layers"]
    ]
    yield from _diff(theirs, [[row.name, row.kind, row.output, row.parameters, list(row.inputs)] for row in ours])
    weights = [(name.removesuffix(":0"), shape) for layer in recorded["layers"] for name, shape in layer["weights"]]
    # Sorted, since each library has its own order of beta and gamma.
    yield from _diff(sorted(weights), sorted(_weights(ours, library, model)))


def _weights(ours: list[SummaryRow], library: int, model: Model) -> Iterator[tuple[str, list[int]]]:
    """Names and shapes of the weights of the layers that a summary has."""
    layers = {row.name for row in ours}
    rows = [row for row in BERT.rows_of("BertForPreTraining") if row.path in KERAS_NAMES]
    names = ((row, KERAS_NAMES[row.path][library]) for row in rows)
    named = _named_weights(names, {str(row.layer) for row in ours}, model, keras_bert_shape)
    return (each for each in named if each[0].split("/")[0] in layers)


def _shape(recorded: list[Any]) -> str:
    """A recorded output shape as Keras prints it; a list of shapes stays a list."""
    if any(isinstance(each, list) for each in recorded):
        return f"[{', '.join(map(_shape, recorded))}]"
    return f"({', '.join(map(str, recorded))})"


def _layers(model: Model) -> list[str]:
    return [str(layer) for layer in range(model.sizes["L"])]


def _named_weights(
    names: Iterable[tuple[Row, str | None]], stars: Collection[str], model: Model, shape_of: Callable[[Row], str]
) -> Iterator[tuple[str, list[int]]]:
    """Every weight under its name in a library, with its shape there; a star becomes each of `stars`."""
    sizes = {**model.sizes, "H/A": model.sizes["H"] // model.sizes["A"]}
    for row, name in names:
        if name:
            shape = [sizes[each] if each in sizes else int(each) for each in shape_of(row).split()]
            yield from ((name.replace("*", star), shape) for star in (stars if "*" in name else [""]))


def _diff(theirs: list[Any], ours: list[Any]) -> Iterator[str]:
    if len(theirs) != len(ours):
        yield f"{len(theirs)} there, {len(ours)} here"
    for there, here in zip(theirs, ours, strict=False):
        if there != here:
            yield f"{there} there, {here} here"


COMPARERS: Mapping[str, Callable[[Mapping[str, Any]], Iterator[str]]] = {
    "transformers": differs_from_transformers,
    "transformers4": differs_from_transformers4,
    "google-bert": differs_from_google,
    "keras-bert": differs_from_keras_bert,
    "bert4keras": differs_from_bert4keras,
    "keras-hub": differs_from_keras_hub,
    "flax": differs_from_flax,
}
"""How recordings are compared with the engine."""
