"""Record the variables that google-research/bert trains and saves.

Run by `make verify`, in environment A, described in this folder's README.md, with the
path of a git checkout of google-research/bert:

    TF_USE_LEGACY_KERAS=1 python -m tests.oracles.record_google_bert ../bert

The repository's own pre-training `model_fn` builds each model as a graph, with its
optimiser. The variables are written to `google-bert.json.gz` in the order of their
creation. Some models are also initialised, trained for one step and saved, and the
variables in their checkpoints are recorded too.

The repository was written for TensorFlow 1. `add_stubs` replaces the parts that
TensorFlow 2 lacks with stubs, which create the same variables as `tf.contrib` did.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import tensorflow

from .recording import BASE, LARGE, ODD, versions_of, write

tf = tensorflow.compat.v1

# Each case has a name, the sizes, and whether the model is also trained for one step and saved.
CASES = (
    ("base", BASE, True),
    ("large", LARGE, False),
    ("base, Chinese", {**BASE, "vocab_size": 21128}, False),
    # Without layers, the repository's code fails, because it takes the output of the last layer.
    *((name, config, True) for name, config in ODD.items() if config["num_hidden_layers"]),
)
BATCH = 2
LENGTH = 8
PREDICTIONS = 3
"""The number of texts in a batch, of tokens per text, and of masked tokens per text."""


def layer_norm(inputs: Any, begin_norm_axis: int, begin_params_axis: int, scope: str | None) -> Any:
    """Layer normalisation over the last axis. It creates the same variables as tf.contrib: beta, then gamma."""
    assert (begin_norm_axis, begin_params_axis) == (-1, -1), "only the last axis is supported here"
    with tf.variable_scope(scope, "LayerNorm", [inputs]):
        shape = inputs.shape[-1:]
        beta = tf.get_variable("beta", shape=shape, initializer=tf.zeros_initializer())
        gamma = tf.get_variable("gamma", shape=shape, initializer=tf.ones_initializer())
        mean, variance = tf.nn.moments(inputs, [-1], keep_dims=True)
        return tf.nn.batch_normalization(inputs, mean, variance, beta, gamma, 1e-12)


def add_stubs() -> None:
    """Add stubs for everything that pre-training needs and TensorFlow 2's copy of version 1 lacks."""
    tf.disable_v2_behavior()
    tf.contrib = SimpleNamespace(
        layers=SimpleNamespace(layer_norm=layer_norm), tpu=SimpleNamespace(TPUEstimatorSpec=SimpleNamespace)
    )
    tf.estimator = SimpleNamespace(ModeKeys=SimpleNamespace(TRAIN="train", EVAL="eval"))


def modules_of(checkout: Path) -> tuple[Any, Any]:
    """The repository's modules `modeling` and `run_pretraining`, for which `tensorflow` is version 1."""
    sys.path.insert(0, str(checkout))
    sys.modules["tensorflow"] = tf
    try:
        import modeling  # type: ignore[import-not-found]
        import run_pretraining  # type: ignore[import-not-found]
    finally:
        sys.modules["tensorflow"] = tensorflow
    return modeling, run_pretraining


def features() -> dict[str, Any]:
    """A batch of inputs for pre-training, whose values do not matter."""
    shapes = {
        "input_ids": [BATCH, LENGTH],
        "input_mask": [BATCH, LENGTH],
        "segment_ids": [BATCH, LENGTH],
        "masked_lm_positions": [BATCH, PREDICTIONS],
        "masked_lm_ids": [BATCH, PREDICTIONS],
        "masked_lm_weights": [BATCH, PREDICTIONS],
        "next_sentence_labels": [BATCH, 1],
    }
    return {
        # Zeros, because 0 is a valid id of a token and of a segment even in the smallest model.
        name: tf.zeros(shape, tf.float32 if name.endswith("weights") else tf.int32)
        for name, shape in shapes.items()
    }


def train_op_of(modeling: Any, run_pretraining: Any, config: dict[str, int]) -> Any:
    """Build the graph of a training step, and return its operation."""
    model_fn = run_pretraining.model_fn_builder(
        bert_config=modeling.BertConfig(**config),
        init_checkpoint=None,
        learning_rate=1e-4,
        num_train_steps=10,
        num_warmup_steps=1,
        use_tpu=False,
        use_one_hot_embeddings=False,
    )
    return model_fn(features(), None, "train", None).train_op


def names_and_shapes(variables: list[Any]) -> list[list[Any]]:
    """The name and shape of each variable, in order."""
    return [[variable.op.name, variable.shape.as_list()] for variable in variables]


def checkpoint(train_op: Any) -> list[list[Any]]:
    """The name, shape and type of every variable in a checkpoint after one training step."""
    with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(train_op)
        reader = tf.train.load_checkpoint(tf.train.Saver().save(session, str(Path(folder, "model.ckpt"))))
    types = reader.get_variable_to_dtype_map()
    return [[name, shape, types[name].name] for name, shape in sorted(reader.get_variable_to_shape_map().items())]


def record_of(modeling: Any, run_pretraining: Any, config: dict[str, int], is_saved: bool) -> dict[str, Any]:
    """The record of a model's variables, with a `checkpoint` of None unless `is_saved`."""
    with tf.Graph().as_default():
        train_op = train_op_of(modeling, run_pretraining, config)
        return {
            "trainable": names_and_shapes(tf.trainable_variables()),
            "variables": names_and_shapes(tf.global_variables()),
            "total": sum(variable.shape.num_elements() for variable in tf.trainable_variables()),
            "checkpoint": checkpoint(train_op) if is_saved else None,
        }


def main() -> None:
    """Build everything and write the recording."""
    checkout = Path(sys.argv[1]).resolve()
    command = ["git", "-C", str(checkout), "rev-parse", "HEAD"]
    commit = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    add_stubs()
    modules = modules_of(checkout)
    models = [
        {"name": name, "config": config, **record_of(*modules, config, is_saved)} for name, config, is_saved in CASES
    ]
    versions = {"google-research/bert": commit, **versions_of("tensorflow", "tf_keras")}
    write("google-bert.json.gz", versions, models=models)


if __name__ == "__main__":
    main()
