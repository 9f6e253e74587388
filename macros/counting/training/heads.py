"""The heads of the classes with their losses, as sequences of the operations of `Forward`.

A class has the heads for which it has parameters, so `run_heads` looks for paths of
parameters. The name of the class decides only details, such as an activation function.
Functions that run a head also run its loss, if there is one, and return nothing, because
only the tensors that `Forward` keeps matter.

Source: transformers 5.23, the modeling files of BERT and its relatives.
"""

from __future__ import annotations

from collections.abc import Callable

from ..errors import BadChoice
from .forward import Forward
from .tensors import INTEGER, Tensor

FIRST_TOKENS = "B H"
"""The symbolic shape of the vectors of the first token of every text."""

Heads = Callable[[Forward, Tensor, Tensor | None, str], None]
"""A function that runs the heads of a class; it takes the arguments of `run_heads`."""

POOLER_HEADS = ("cls/seq_relationship", "sequence_classifier", "multiple_choice")
"""The paths of heads that read the output of the pooler, unless they have a dense layer of their own."""


def reads_pooler(forward: Forward, class_name: str) -> bool:
    """Whether the pooler takes part in a step: a head reads its output, or a bare model returns it."""
    parameters = forward.parameters
    is_bare = class_name.endswith("Model") and not class_name.endswith("LMHeadModel")
    return is_bare or any(path in parameters and f"{path}/dense" not in parameters for path in POOLER_HEADS)


def run_heads(forward: Forward, vectors: Tensor, pooler_output: Tensor | None, class_name: str) -> None:
    """Run every head that the class has, with its loss.

    Args:
        forward: the forward pass.
        vectors: the output of the last layer.
        pooler_output: the output of the pooler; None if the class has no pooler, or if the step does not run it.
        class_name: the class in transformers.
    """
    parameters = forward.parameters
    if "cls/predictions/transform/dense" in parameters:
        run_prediction_head(forward, vectors, class_name)
    if "discriminator_predictions" in parameters:
        run_discriminator(forward, vectors)
    for path_before, path in MODERNBERT_OUTPUTS.items():
        if f"{path_before}/dense" in parameters:
            run_modernbert_head(forward, vectors, path_before, path)
            return
    run_heads_for_texts(forward, vectors, pooler_output, class_name)
    if "token_classifier" in parameters:
        inputs = forward.dropout(vectors, "token_classifier")
        run_labels(forward, inputs, "token_classifier", "B T", "the target labels")
    if "cls/squad" in parameters:
        # DistilBERT has dropout before this head.
        inputs = forward.dropout(vectors, "cls/squad") if class_name.startswith("DistilBert") else vectors
        run_spans(forward, inputs, "cls/squad")


def run_heads_for_texts(forward: Forward, vectors: Tensor, pooler_output: Tensor | None, class_name: str) -> None:
    """Run the heads that predict something about a whole text; arguments are as for `run_heads`.

    They read the output of the pooler, or have a dense layer of their own.
    """
    parameters = forward.parameters
    if "sequence_classifier/dense" in parameters:
        run_deep_classifier(forward, vectors, class_name)
    if "multiple_choice/dense" in parameters:
        inputs = multiple_choice_input(forward, vectors, class_name)
        run_labels(forward, inputs, "multiple_choice", "N", "the correct choices")
    if pooler_output is None:
        return
    if "cls/seq_relationship" in parameters:
        # ALBERT's head for the order of two sentences has the same path as BERT's, but begins with dropout.
        is_albert = class_name.startswith("Albert")
        inputs = forward.dropout(pooler_output, "cls/seq_relationship") if is_albert else pooler_output
        run_labels(forward, inputs, "cls/seq_relationship", "N", "the target labels")
    if "sequence_classifier" in parameters and "sequence_classifier/dense" not in parameters:
        run_text_label(forward, forward.dropout(pooler_output, "sequence_classifier"), "sequence_classifier")
    if "multiple_choice" in parameters and "multiple_choice/dense" not in parameters:
        inputs = forward.dropout(pooler_output, "multiple_choice")
        run_labels(forward, inputs, "multiple_choice", "N", "the correct choices")


def run_prediction_head(forward: Forward, vectors: Tensor, class_name: str) -> None:
    """Run the head that predicts tokens: the masked ones, or the next one."""
    is_causal = class_name.endswith(("LMHeadModel", "ForCausalLM"))
    path = "cls/predictions"
    hidden_vectors = forward.activation(forward.dense(vectors, f"{path}/transform/dense"), f"{path}/transform")
    if f"{path}/transform/LayerNorm" in forward.parameters:
        hidden_vectors = forward.norm(hidden_vectors, f"{path}/transform/LayerNorm")
    if f"{path}/dense" in forward.parameters:
        logits = joint_decoder(forward, hidden_vectors, path)
    else:
        logits = forward.dense(hidden_vectors, f"{path}/decoder")
    # Every class reads the bias. The call records that the bias gets a gradient, even if nothing is kept for it.
    bias = forward.bias(path)
    if class_name.startswith("Esm"):
        # ESM-2 adds the bias outside of the dense layer, in 32 bits under autocast.
        logits = forward.add(logits, bias)
    if is_causal or class_name == "ModernBertForMaskedLM":
        # The loss functions of transformers, which these classes call, cast the logits to float32.
        logits = forward.in_full(logits)
    # A causal loss pads the labels by one token and shifts them. This copies the labels of several texts, while the
    # shifted labels of a single text are a view of the padded ones, which stay in memory.
    is_view = is_causal and forward.examples == 1
    forward.cross_entropy(logits, "Y" if is_view else "B T", path, "the correct tokens")


def joint_decoder(forward: Forward, vectors: Tensor, path: str) -> Tensor:
    """The logits of MobileBERT's decoder, whose matrix is the word embeddings next to a matrix of its own."""
    matrices = [forward.parameters.module(f"{path}/{name}", 0) for name in ("decoder", "dense")]
    is_trained = any(matrix.trains_weight for matrix in matrices)
    joint_matrix = Tensor.new("H V", forward.element_size, is_trained)
    names = ("the input", "the joint matrix")
    return forward.product(forward.cast(vectors), forward.cast(joint_matrix), "B T V", path, names)


def run_discriminator(forward: Forward, vectors: Tensor) -> None:
    """Run ELECTRA's head, which predicts for every token whether it is original."""
    path = "discriminator_predictions"
    logits = forward.dense(forward.activation(forward.dense(vectors, f"{path}/dense"), path), path)
    forward.binary_cross_entropy(logits, path)


MODERNBERT_OUTPUTS = {
    "sequence_head": "sequence_classifier",
    "token_head": "token_classifier",
    "answer_head": "answers",
}
"""The path of the output layer of each of ModernBERT's heads, by the path of the layers before it."""


def run_modernbert_head(forward: Forward, vectors: Tensor, path_before: str, path: str) -> None:
    """Run a head of ModernBERT: a dense layer, GELU, LayerNorm, dropout and the output layer.

    It reads every token if it predicts something about tokens, and otherwise the first token of each text. This assumes
    that `classifier_pooling` is "cls" in the config, or missing.
    """
    inputs = vectors if path in ("token_classifier", "answers") else vectors.part(FIRST_TOKENS)
    hidden_vectors = forward.activation(forward.dense(inputs, f"{path_before}/dense"), path_before)
    hidden_vectors = forward.dropout(forward.norm(hidden_vectors, f"{path_before}/LayerNorm"), path)
    if path == "answers":
        run_spans(forward, hidden_vectors, path)
    elif path == "sequence_classifier":
        run_text_label(forward, hidden_vectors, path)
    else:
        run_labels(forward, hidden_vectors, path, "B T", "the target labels")


def run_labels(forward: Forward, vectors: Tensor, path: str, shape: str, contents: str) -> None:
    """Run a dense layer that predicts labels, with its loss.

    Args:
        forward: the forward pass.
        vectors: the input of the layer.
        path: the path of the layer.
        shape: the symbolic shape of the target labels.
        contents: the target labels, in words.
    """
    forward.cross_entropy(forward.dense(vectors, path), shape, path, contents)


def run_text_label(forward: Forward, vectors: Tensor, path: str) -> None:
    """Run the last layer of a head for sequence classification, with its loss."""
    run_text_label_loss(forward, forward.dense(vectors, path), path)


def run_text_label_loss(forward: Forward, logits: Tensor, path: str) -> None:
    """Run the loss of a head for sequence classification. A head with a single label predicts a number."""
    if forward.labels == 1:
        forward.squared_error(logits, path)
    else:
        forward.cross_entropy(logits, "N", path)


def run_deep_classifier(forward: Forward, vectors: Tensor, class_name: str) -> None:
    """Run a head for sequence classification with a dense layer of its own, which reads the first token of a text."""
    path = "sequence_classifier"
    first_token = vectors.part(FIRST_TOKENS)
    if class_name.startswith("DistilBert"):
        hidden_vectors = forward.relu(forward.dense(first_token, f"{path}/dense"), path)
    else:
        first_token = forward.dropout(first_token, path, "dropout mask of the first token")
        dense_output = forward.dense(first_token, f"{path}/dense")
        activation = forward.activation if class_name.startswith(("Electra", "RemBert", "BigBird")) else forward.tanh
        hidden_vectors = activation(dense_output, path)
    run_text_label(forward, forward.dropout(hidden_vectors, path), path)


def multiple_choice_input(forward: Forward, vectors: Tensor, class_name: str) -> Tensor:
    """The input of the last layer of a multiple-choice head that has a dense layer before it."""
    path = "multiple_choice"
    dense_output = forward.dense(vectors.part(FIRST_TOKENS), f"{path}/dense")
    activation = forward.relu if class_name.startswith("DistilBert") else forward.activation
    return forward.dropout(activation(dense_output, path), path)


def run_spans(forward: Forward, vectors: Tensor, path: str) -> None:
    """Run a head for question answering, which predicts the start and the end of an answer among the tokens."""
    run_edge_losses(forward, forward.dense(vectors, path), path)


def run_edge_losses(forward: Forward, logits: Tensor, path: str) -> None:
    """Run the losses for the start and for the end of an answer; the logits have two numbers for each token."""
    for edge in ("start", "end"):
        edge_logits = Tensor.new("B T", logits.element_size, logits.needs_gradient)
        forward.cross_entropy(edge_logits, "N", path, f"the correct {edge}s", f" of the {edge}")


def run_labels_of_some_texts(forward: Forward, vectors: Tensor, path: str) -> None:
    """Run the last layer of DeBERTa's head for sequence classification, whose loss selects the texts with a label."""
    logits = forward.dense(vectors, path)
    if logits.needs_gradient and forward.labels > 1:
        forward.keep(Tensor.new("N", INTEGER), path, "which texts have a label")
        forward.keep(logits, path, "the logits")
    if forward.labels == 1:
        forward.squared_error(forward.in_full(logits), path)
    else:
        forward.cross_entropy(forward.in_full(logits), "N", path)


def run_passage_heads(forward: Forward, vectors: Tensor, _pooler_output: Tensor | None, _class_name: str) -> None:
    """Run DPR's projection of the first token, or the output layers of its reader; transformers has no loss for them.

    Raises:
        BadChoice: the model is a reader with a projection, which transformers cannot run.
    """
    parameters = forward.parameters
    if "answers_of_projection" in parameters:
        raise BadChoice("transformers cannot run DPR's reader with a projection; leave out projection_dim")
    if "bert/projection/dense" in parameters:
        forward.dense(vectors.part(FIRST_TOKENS), "bert/projection/dense")
    if "answers" in parameters:
        forward.dense(vectors, "answers")
        forward.dense(vectors.part(FIRST_TOKENS), "relevance")
