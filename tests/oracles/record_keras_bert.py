"""Record what keras-bert builds, layer by layer, as Keras summarises it.

Run by `make verify`, in environment A, described in this folder's README.md:

    TF_USE_LEGACY_KERAS=1 TF_KERAS=1 python -m tests.oracles.record_keras_bert

It builds models with random weights from arguments to `get_model`, and writes their
layers, weights, totals and summaries to `keras-bert.json.gz`.
"""

import tomllib
from pathlib import Path
from typing import Any

import keras_bert
import tensorflow as tf

from macros.counting.frameworks.recordings import KERAS_BERT_KEYS

from . import recording
from .keras_layers import record_of
from .recording import versions_of, write


def arguments_for(sizes: dict[str, int], length: int) -> dict[str, Any]:
    """The arguments to `get_model` for `sizes` and an input length."""
    return {argument: sizes[key] for key, argument in KERAS_BERT_KEYS.items()} | {
        "seq_len": length,
        "dropout_rate": 0.1,
    }


BASIC_ARGUMENTS = {
    "base": arguments_for(recording.BASE, 512),
    "large": arguments_for(recording.LARGE, 512),
    "small": arguments_for(recording.SMALL, 11),
}
"""The arguments for three models. All others are variants of these."""

BLOCKS = tomllib.loads(Path(__file__).with_name("keras_bert.toml").read_text(encoding="utf-8"))
CONFIGS: dict[str, dict[str, Any]] = {
    name: {**BASIC_ARGUMENTS[block["of"]], **{key: value for key, value in block.items() if key != "of"}}
    for name, block in BLOCKS.items()
}
"""The arguments for each model that is built, by its name in the recording."""

CONFIGS["any length"]["seq_len"] = None  # which TOML cannot express


def build(arguments: dict[str, Any]) -> Any:
    """The model from `get_model`, built here if `get_model` returns only its inputs and output."""
    # Layers are numbered within a session, so every model starts a new one.
    tf.keras.backend.clear_session()
    model = keras_bert.get_model(**arguments)
    return tf.keras.models.Model(*model) if isinstance(model, tuple) else model


def main() -> None:
    """Build everything and write the recording."""
    models = [{"name": name, "config": config, **record_of(build(config))} for name, config in CONFIGS.items()]
    write("keras-bert.json.gz", versions_of("keras-bert", "tensorflow", "tf_keras"), models=models)


if __name__ == "__main__":
    main()
