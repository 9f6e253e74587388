"""The heads of the classes and their losses, written as the operations of `Forward`.

A class has the heads for which it has parameters, so the functions here look for
paths and not for names of classes. They follow transformers 5.23, models/bert and its relatives.
"""

from __future__ import annotations

from collections.abc import Callable

from ..errors import BadChoice
from .forward import Forward
from .tensors import INTEGER, Tensor

FIRST = "B H"
"""The symbolic shape of the first token's vector in every text."""

Heads = Callable[[Forward, Tensor, Tensor | None, str], None]
"""A function that runs the heads of a class; its arguments are those of `run_heads`."""


ON_POOLER = ("cls/seq_relationship", "sequence_classifier", "multiple_choice")
"""The paths of heads that read the output of the pooler, unless they have a dense layer of their own."""


def reads_pooler(forward: Forward, class_name: str) -> bool:
    """Whether the pooler takes part in a step: a head reads its output, or a bare model returns it."""
    has = forward.parameters
    is_bare = class_name.endswith("Model") and not class_name.endswith("LMHeadModel")
    return is_bare or any(path in has and f"{path}/dense" not in has for path in ON_POOLER)


def run_heads(forward: Forward, vectors: Tensor, pooled: Tensor | None, class_name: str) -> None:
    """Every head that the class has, with its loss.

    Args:
        forward: the forward pass.
        vectors: the output of the last layer.
        pooled: the output of the pooler; None if the class has none, or if no head reads it.
        class_name: the class in transformers.
    """
    has = forward.parameters
    if "cls/predictions/transform/dense" in has:
        predictions(forward, vectors, class_name)
    if "discriminator_predictions" in has:
        discriminator(forward, vectors)
    for before, path in MODERNBERT.items():
        if f"{before}/dense" in has:
            modernbert_head(forward, vectors, before, path)
            return
    of_texts(forward, vectors, pooled, class_name)
    if "token_classifier" in has:
        labels(forward, forward.dropout(vectors, "token_classifier"), "token_classifier", "B T", "the correct labels")
    if "cls/squad" in has:
        # DistilBERT alone has dropout before this head.
        inputs = forward.dropout(vectors, "cls/squad") if class_name.startswith("DistilBert") else vectors
        spans(forward, inputs, "cls/squad")


def of_texts(forward: Forward, vectors: Tensor, pooled: Tensor | None, class_name: str) -> None:
    """The heads that say something about whole texts; the arguments are those of `run_heads`.

    They read the output of the pooler, or have a dense layer of their own.
    """
    has = forward.parameters
    if "sequence_classifier/dense" in has:
        deep_classifier(forward, vectors, class_name)
    if "multiple_choice/dense" in has:
        inputs = deep_choice(forward, vectors, class_name)
        labels(forward, inputs, "multiple_choice", "N", "the correct choices")
    if pooled is None:
        return
    if "cls/seq_relationship" in has:
        # ALBERT's head for the order of two sentences has dropout. Its path is the same, its number of labels is not.
        inputs = forward.dropout(pooled, "cls/seq_relationship") if class_name.startswith("Albert") else pooled
        labels(forward, inputs, "cls/seq_relationship", "N", "the correct labels")
    if "sequence_classifier" in has and "sequence_classifier/dense" not in has:
        one_label(forward, forward.dropout(pooled, "sequence_classifier"), "sequence_classifier")
    if "multiple_choice" in has and "multiple_choice/dense" not in has:
        labels(forward, forward.dropout(pooled, "multiple_choice"), "multiple_choice", "N", "the correct choices")


def predictions(forward: Forward, vectors: Tensor, class_name: str) -> None:
    """The head that predicts tokens, masked ones or the next ones."""
    is_causal = class_name.endswith(("LMHeadModel", "ForCausalLM"))
    path = "cls/predictions"
    hidden_vectors = forward.activation(forward.dense(vectors, f"{path}/transform/dense"), f"{path}/transform")
    if f"{path}/transform/LayerNorm" in forward.parameters:
        hidden_vectors = forward.norm(hidden_vectors, f"{path}/transform/LayerNorm")
    if f"{path}/dense" in forward.parameters:
        logits = joint_decoder(forward, hidden_vectors, path)
    else:
        logits = forward.dense(hidden_vectors, f"{path}/decoder")
    # Every class reads the bias, and asking for it says so, even where nothing is kept of it.
    bias = forward.bias(path)
    if class_name.startswith("Esm"):
        # The bias is added outside of the dense layer, and is in 32 bits under autocast.
        logits = forward.add(logits, bias)
    if is_causal or class_name == "ModernBertForMaskedLM":
        # The loss functions of transformers, which these classes call, cast the logits to float32.
        logits = forward.in_full(logits)
    # A causal loss shifts the labels by one token. The labels of several texts are copied then; those of a single text
    # stay in memory with the room of one more.
    is_view = is_causal and forward.texts == 1
    forward.cross_entropy(logits, "Y" if is_view else "B T", path, "the correct tokens")


def joint_decoder(forward: Forward, vectors: Tensor, path: str) -> Tensor:
    """MobileBERT's decoder, whose matrix is joined from the word embeddings and from a matrix of its own."""
    matrices = [forward.parameters.module(f"{path}/{name}", 0) for name in ("decoder", "dense")]
    is_trained = any(matrix.trains_weight for matrix in matrices)
    joint = Tensor.new("H V", forward.width, is_trained)
    return forward.product(forward.cast(vectors), forward.cast(joint), "B T V", path, ("the input", "the joint matrix"))


def discriminator(forward: Forward, vectors: Tensor) -> None:
    """ELECTRA's head, which says of every token whether it is original."""
    path = "discriminator_predictions"
    logits = forward.dense(forward.activation(forward.dense(vectors, f"{path}/dense"), path), path)
    forward.binary_cross_entropy(logits, path)


MODERNBERT = {
    "sequence_head": "sequence_classifier",
    "multiple_choice_head": "multiple_choice",
    "token_head": "token_classifier",
    "answer_head": "answers",
}
"""By the path of the layers before a head's output layer in ModernBERT, the path of the output layer."""


def modernbert_head(forward: Forward, vectors: Tensor, path_before: str, path: str) -> None:
    """A dense layer, GELU, LayerNorm and dropout before an output layer, for the first token or for every token."""
    inputs = vectors if path in ("token_classifier", "answers") else vectors.part(FIRST)
    hidden_vectors = forward.activation(forward.dense(inputs, f"{path_before}/dense"), path_before)
    hidden_vectors = forward.dropout(forward.norm(hidden_vectors, f"{path_before}/LayerNorm"), path)
    if path == "answers":
        spans(forward, hidden_vectors, path)
    elif path == "sequence_classifier":
        one_label(forward, hidden_vectors, path)
    else:
        labels(forward, hidden_vectors, path, "B T" if path == "token_classifier" else "N", "the correct labels")


def labels(forward: Forward, vectors: Tensor, path: str, shape: str, what: str) -> None:
    """A dense layer that predicts labels."""
    forward.cross_entropy(forward.dense(vectors, path), shape, path, what)


def one_label(forward: Forward, vectors: Tensor, path: str) -> None:
    """The last layer of a head for sequence classification, and its loss."""
    label_loss(forward, forward.dense(vectors, path), path)


def label_loss(forward: Forward, logits: Tensor, path: str) -> None:
    """The loss of a head for sequence classification: with one label it predicts a number."""
    if forward.labels == 1:
        forward.squared_error(logits, path)
    else:
        forward.cross_entropy(logits, "N", path)


def deep_classifier(forward: Forward, vectors: Tensor, class_name: str) -> None:
    """A head for sequence classification with a dense layer of its own, which reads the first token of each text."""
    path = "sequence_classifier"
    first = vectors.part(FIRST)
    if class_name.startswith("DistilBert"):
        hidden_vectors = forward.relu(forward.dense(first, f"{path}/dense"), path)
    else:
        first = forward.dropout(first, path, "dropout mask of the first token")
        dense = forward.dense(first, f"{path}/dense")
        activation = forward.activation if class_name.startswith(("Electra", "RemBert", "BigBird")) else forward.tanh
        hidden_vectors = activation(dense, path)
    one_label(forward, forward.dropout(hidden_vectors, path), path)


def deep_choice(forward: Forward, vectors: Tensor, class_name: str) -> Tensor:
    """The input of the last layer of a multiple-choice head that has a dense layer before it."""
    path = "multiple_choice"
    dense = forward.dense(vectors.part(FIRST), f"{path}/dense")
    activation = forward.relu if class_name.startswith("DistilBert") else forward.activation
    return forward.dropout(activation(dense, path), path)


def spans(forward: Forward, vectors: Tensor, path: str) -> None:
    """A head for question answering: a start and an end among the tokens."""
    edge_losses(forward, forward.dense(vectors, path), path)


def edge_losses(forward: Forward, logits: Tensor, path: str) -> None:
    """The losses of the start and of the end, of which every token has one number each."""
    for edge in ("start", "end"):
        of_edge = Tensor.new("B T", logits.width, logits.needs_gradient)
        forward.cross_entropy(of_edge, "N", path, f"the correct {edge}s", f" of the {edge}")


def picked_label(forward: Forward, vectors: Tensor, path: str) -> None:
    """The last layer of DeBERTa's head for sequence classification, whose loss picks the texts that have a label."""
    logits = forward.dense(vectors, path)
    if logits.needs_gradient and forward.labels > 1:
        forward.keep(Tensor.new("N", INTEGER), path, "which texts have a label")
        forward.keep(logits, path, "the logits")
    if forward.labels == 1:
        forward.squared_error(forward.in_full(logits), path)
    else:
        forward.cross_entropy(forward.in_full(logits), "N", path)


def passage_heads(forward: Forward, vectors: Tensor, _pooled: Tensor | None, _class_name: str) -> None:
    """DPR's projection of the first token, or the two output layers of its reader; transformers has no loss for them.

    Raises:
        BadChoice: a reader has a projection, with which transformers cannot run it.
    """
    has = forward.parameters
    if "answers_of_projection" in has:
        raise BadChoice("transformers cannot run DPR's reader with a projection; leave out projection_dim")
    if "bert/projection/dense" in has:
        forward.dense(vectors.part(FIRST), "bert/projection/dense")
    if "answers" in has:
        forward.dense(vectors, "answers")
        forward.dense(vectors.part(FIRST), "relevance")
