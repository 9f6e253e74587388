"""Record what bert4keras builds, layer by layer, as Keras summarises it.

Run by `make verify`, in environment A, described in this folder's README.md:

    TF_USE_LEGACY_KERAS=1 TF_KERAS=1 python -m tests.oracles.record_bert4keras

It builds models with random weights from a config file and options, and writes their
layers, weights, totals and summaries to `bert4keras.json.gz`.
"""

import json
import tempfile
from pathlib import Path
from typing import Any

import tensorflow as tf
from bert4keras.models import build_transformer_model

from .keras_layers import record_of
from .recording import BASE, LARGE, ODD, SMALL, versions_of, write

COMMON = {"hidden_act": "gelu", "hidden_dropout_prob": 0.1, "attention_probs_dropout_prob": 0.1}
NO_DROPOUT = {**COMMON, "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
HEADS = {"with_pool": True, "with_nsp": True, "with_mlm": True}

# Each case has a name, the content of the config file, and the options.
CASES: tuple[tuple[str, dict[str, Any], dict[str, Any]], ...] = (
    ("large, Chinese", {**LARGE, **COMMON, "vocab_size": 21128}, {}),
    ("large, Chinese, no dropout", {**LARGE, **NO_DROPOUT, "vocab_size": 21128}, {}),
    ("large, Chinese, every head", {**LARGE, **COMMON, "vocab_size": 21128}, HEADS),
    ("base", {**BASE, **COMMON}, {}),
    ("base, no dropout", {**BASE, **NO_DROPOUT}, {}),
    ("base, every head", {**BASE, **COMMON}, HEADS),
    ("base, Chinese", {**BASE, **COMMON, "vocab_size": 21128}, {}),
    ("base, Chinese, pooler", {**BASE, **COMMON, "vocab_size": 21128}, {"with_pool": True}),
    ("base, Chinese, NSP", {**BASE, **COMMON, "vocab_size": 21128}, {"with_nsp": True}),
    ("base, Chinese, MLM", {**BASE, **COMMON, "vocab_size": 21128}, {"with_mlm": True}),
    ("base, Chinese, every head", {**BASE, **COMMON, "vocab_size": 21128}, HEADS),
    ("odd sizes", {**SMALL, **COMMON}, {}),
    ("odd sizes, no dropout", {**SMALL, **NO_DROPOUT}, {}),
    ("odd sizes, dropout in attention only", {**SMALL, **COMMON, "hidden_dropout_prob": 0.0}, {}),
    ("odd sizes, pooler", {**SMALL, **COMMON}, {"with_pool": True}),
    ("odd sizes, MLM", {**SMALL, **COMMON}, {"with_mlm": True}),
    ("odd sizes, every head", {**SMALL, **COMMON}, HEADS),
    ("odd sizes, every head, no dropout", {**SMALL, **NO_DROPOUT}, HEADS),
    *((name, {**config, **COMMON}, {}) for name, config in ODD.items() if config != SMALL),
    ("odd sizes, fixed length", {**SMALL, **COMMON}, {"sequence_length": 11}),
)


def build(config: dict[str, Any], options: dict[str, Any]) -> Any:
    """The model that bert4keras builds from a temporary config file."""
    # Layers are numbered within a session, so every model starts a new one.
    tf.keras.backend.clear_session()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "bert_config.json")
        path.write_text(json.dumps(config))
        return build_transformer_model(str(path), **options)


def main() -> None:
    """Build everything and write the recording."""
    models = [
        {"name": name, "config": config, "options": options, **record_of(build(config, options))}
        for name, config, options in CASES
    ]
    write("bert4keras.json.gz", versions_of("bert4keras", "tensorflow", "tf_keras"), models=models)


if __name__ == "__main__":
    main()
