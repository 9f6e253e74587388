"""The forward pass of EuroBERT: RMSNorm before blocks, rotated queries and keys, and a gated feed-forward network.

There may be fewer key-value heads than query heads. For a product that needs equal
numbers of both, each key and each value is copied for every query head that reads it.

Source: transformers 5.23, models/eurobert/modeling_eurobert.py and integrations/sdpa_attention.py.
"""

from __future__ import annotations

from functools import partial

from ..architecture import LAYER
from .encoders import ATTENTION, EMBEDDINGS, ENCODER, SELF, projections
from .forward import FLASH, Forward
from .heads import run_labels, run_text_label_loss
from .tensors import INTEGER, Tensor


def run_eurobert(forward: Forward, class_name: str) -> None:
    """Run EuroBERT, in any of its classes."""
    vectors = forward.run_layers(forward.input_embedding(f"{EMBEDDINGS}/word_embeddings"), partial(layer, forward))
    vectors = rms_norm(forward, vectors, f"{ENCODER}/LayerNorm")
    if class_name.endswith("MaskedLM"):
        run_prediction_head(forward, vectors)
    elif class_name.endswith("SequenceClassification"):
        run_text_classifier(forward, vectors)
    elif class_name.endswith("TokenClassification"):
        run_labels(forward, vectors, "token_classifier", "B T", "the target labels")


def rms_norm(forward: Forward, vectors: Tensor, path: str) -> Tensor:
    """The output of RMSNorm, which scales vectors and does not shift them."""
    kept_tensors = {"the input": forward.in_full(vectors)}
    return forward.norm_in_steps(vectors, path, kept_tensors, "inverse root mean square", "gamma")


def layer(forward: Forward, inputs: Tensor) -> Tensor:
    """The output of a layer: attention and a feed-forward network, each after RMSNorm, with residual connections."""
    norm_output = rms_norm(forward, inputs, f"{ATTENTION}/LayerNorm")
    vectors_between = forward.add(forward.dense(attention(forward, norm_output), f"{ATTENTION}/output/dense"), inputs)
    norm_output = rms_norm(forward, vectors_between, f"{LAYER}/intermediate/LayerNorm")
    gate, inner_vectors = (forward.dense(norm_output, f"{LAYER}/intermediate/{name}") for name in ("gate", "dense"))
    gate_output = forward.gate(inner_vectors, gate, f"{LAYER}/intermediate")
    return forward.add(forward.dense(gate_output, f"{LAYER}/output/dense"), vectors_between)


def attention(forward: Forward, inputs: Tensor) -> Tensor:
    """The output of attention.

    If there are fewer key-value heads than query heads, only the flash kernel reads them as they are. The other kernels
    get a copy of each key and each value for every query head that reads it.
    """
    query, key, value = projections(forward, inputs)
    query, key = (rotate(forward, tensor) for tensor in (query, key))
    if forward.sizes["M"] != forward.sizes["A"] and forward.settings.kernel != FLASH:
        key, value = (tensor.with_last_dimension("AD") for tensor in (key, value))
    return forward.attention(query, key, value, SELF, in_full=True)


def rotate(forward: Forward, tensor: Tensor) -> Tensor:
    """Rotated queries or keys, which have the type of the cosines and sines even under autocast."""
    return forward.rotate(tensor, SELF).copy(forward.element_size)


def run_prediction_head(forward: Forward, vectors: Tensor) -> None:
    """Run the head that predicts masked tokens: only a decoder, whose output the loss reads in 32 bits."""
    logits = forward.dense(vectors, "cls/predictions/decoder")
    forward.cross_entropy(forward.in_full(logits), "B T", "cls/predictions", "the correct tokens")


def run_text_classifier(forward: Forward, vectors: Tensor) -> None:
    """Run the head for sequence classification, which takes the mean of a text's predictions for its tokens.

    This assumes that `classifier_pooling` is "late" in the config, or missing.
    """
    hidden_vectors = forward.activation(forward.dense(vectors, "sequence_head/dense"), "sequence_head")
    path = "sequence_classifier"
    token_logits = forward.dense(hidden_vectors, path)
    element_size = token_logits.element_size
    if forward.settings.padded:
        if token_logits.needs_gradient:
            forward.keep(Tensor.new("B T", INTEGER), path, "whether a token is padding")
            forward.keep(Tensor.new("B", INTEGER), path, "the number of tokens in each text, without padding")
        element_size = max(element_size, forward.element_size)  # autocast takes sums in 32 bits
    run_text_label_loss(forward, Tensor.new("B C", element_size, token_logits.needs_gradient), path)
