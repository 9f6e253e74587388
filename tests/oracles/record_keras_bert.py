"""Record what keras-bert builds, layer by layer, as Keras summarizes it.

Run by hand, in the environment that README.md beside this file gives:

    TF_USE_LEGACY_KERAS=1 TF_KERAS=1 python -m tests.oracles.record_keras_bert

It builds models with random weights from the arguments of `get_model`, and
writes layers, weights, totals and summaries to `keras-bert.json.gz`.
"""

from typing import Any

import keras_bert
import tensorflow as tf

from macros.counting.frameworks.recordings import KERAS_BERT_KEYS

from . import recording
from .keras_layers import recorded
from .recording import versions_of, write


def arguments(sizes: dict[str, int], length: int) -> dict[str, Any]:
    """What `get_model` takes for some sizes and a length of inputs."""
    return {ours: sizes[key] for key, ours in KERAS_BERT_KEYS.items()} | {"seq_len": length, "dropout_rate": 0.1}


BASE, LARGE, SMALL = (
    arguments(*each) for each in ((recording.BASE, 512), (recording.LARGE, 512), (recording.SMALL, 11))
)
CONFIGS: dict[str, dict[str, Any]] = {
    "30000 tokens": {**BASE, "token_num": 30000, "dropout_rate": 0.05},
    "30000 tokens, two layers": {
        **BASE,
        "token_num": 30000,
        "transformer_num": 2,
        "seq_len": 500,
        "dropout_rate": 0.05,
    },
    "base": BASE,
    "large": LARGE,
    "base, Chinese": {**BASE, "token_num": 21128},
    "odd sizes": SMALL,
    "one token": {**SMALL, "token_num": 1},
    "long positions": {**SMALL, "pos_num": 4096},
    "F less than H": {**SMALL, "feed_forward_dim": 7},
    "one head": {**SMALL, "head_num": 1},
    "as many heads as H": {**SMALL, "head_num": 20},
    "one layer": {**SMALL, "transformer_num": 1},
    "no layers": {**SMALL, "transformer_num": 0},
    "any length": {**SMALL, "seq_len": None},
    "no dropout": {**SMALL, "dropout_rate": 0.0},
    "without heads": {**SMALL, "training": False},
    "without heads, trainable": {**SMALL, "training": False, "trainable": True},
    "without heads, no dropout": {**SMALL, "training": False, "trainable": True, "dropout_rate": 0.0},
}


def build(arguments: dict[str, Any]) -> Any:
    """One model; where `get_model` gives inputs and an output, the model between them."""
    # Names are numbered within a session: each model gets those of the first.
    tf.keras.backend.clear_session()
    made = keras_bert.get_model(**arguments)
    return tf.keras.models.Model(*made) if isinstance(made, tuple) else made


def main() -> None:
    """Build everything and write the recording."""
    models = [{"name": name, "config": config, **recorded(build(config))} for name, config in CONFIGS.items()]
    write("keras-bert.json.gz", versions_of("keras-bert", "tensorflow", "tf_keras"), models=models)


if __name__ == "__main__":
    main()
