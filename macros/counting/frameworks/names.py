"""What each framework calls a row, and in which order it gives the shape.

transformers' names follow from the modules that an architecture lists; those
of google-research/bert and Flax are known only for BERT.

Sources: google-research/bert, modeling.py, run_pretraining.py,
run_classifier.py (`output_weights`), run_squad.py (`cls/squad/...`);
transformers 5.23, the modeling file of each architecture, `named_parameters()`;
transformers 4.57, models/bert/modeling_flax_bert.py, `params`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ..architecture import Architecture, Row, lies_under
from ..architectures.bert import BERT

_LEAVES = {
    "kernel": "weight",
    "bias": "bias",
    "gamma": "weight",
    "beta": "bias",
    "output_weights": "weight",
    "output_bias": "bias",
}
"""What transformers calls the last component of a path."""

_FLAX_WEIGHTS = {"kernel": "kernel", "output_weights": "kernel", "gamma": "scale"}

_NOT_GOOGLES = (
    # Google's code multiplies by the word embeddings, adds output_bias, and
    # has no variable of its own for either side of the decoder.
    "cls/predictions/decoder",
    # It publishes no code for these two heads.
    "multiple_choice",
    "token_classifier",
)
"""Paths of rows that are not in google-research/bert."""


@cache
def transformers_name(row: Row, architecture: Architecture, model_class: str) -> str:
    """The parameter's name in `named_parameters()`; one in every layer has its architecture's `layer_name` there.

    >>> transformers_name(BERT.rows[0], BERT, "BertForMaskedLM")
    'bert.embeddings.word_embeddings.weight'
    >>> transformers_name(BERT.rows[0], BERT, "BertModel")
    'embeddings.word_embeddings.weight'
    """
    module, _, leaf = row.path.rpartition("/")
    if leaf not in _LEAVES:  # an embedding table is a whole module there, and `weight` its only parameter
        module, leaf = row.path, "kernel"
    prefix = max((each for each in architecture.modules if f"{module}/".startswith(f"{each}/")), key=len, default="")
    rest = module.removeprefix(prefix).strip("/").split("/")
    name = ".".join(filter(None, [architecture.modules.get(prefix, ""), *rest, _LEAVES[leaf]]))
    return name.removeprefix(body_prefix(architecture)) if model_class == architecture.classes[0].name else name


def body_prefix(architecture: Architecture) -> str:
    """How the names of the bare model's parameters begin in every other class, which holds one under this name.

    >>> body_prefix(BERT)
    'bert.'
    """
    return f"{architecture.modules.get('bert', 'bert')}."


@cache
def google_name(row: Row) -> str | None:
    """The variable's name in google-research/bert for a row of BERT, or None where it has none."""
    if "/crossattention/" in row.path or lies_under(row.path, _NOT_GOOGLES):
        return None
    return row.path.removeprefix("sequence_classifier/")


def google_order(rows: Sequence[Row]) -> list[Row]:
    """The rows that google-research/bert has, in the order its code creates the variables.

    It differs from transformers' order in three places: segments come before
    positions, beta before gamma, and the MLM head's bias after its transform.

    >>> [row.path.rsplit("/", 1)[1] for row in google_order(BERT.rows[:5])][1:]
    ['token_type_embeddings', 'position_embeddings', 'beta', 'gamma']
    """
    own = [row for row in rows if google_name(row) is not None]
    return [row for _, row in sorted((index + _places_down(row), row) for index, row in enumerate(own))]


def _places_down(row: Row) -> float:
    """How many places further down a row stands there than in the table."""
    if row.path.endswith("/gamma"):
        return 1.5
    return {"bert/embeddings/position_embeddings": 1.5, "cls/predictions/output_bias": 5.0}.get(row.path, 0.0)


@cache
def transformers_shape(row: Row) -> str:
    """The shape as transformers has it: a linear layer's weight is (out, in).

    >>> transformers_shape(Row("bert/encoder/layer_*/intermediate/dense/kernel", "H F"))
    'F H'
    """
    if row.path.endswith("/kernel"):
        return " ".join(reversed(row.shape.split()))
    return row.shape


def flax_name(row: Row, model_class: str) -> str | None:
    """The leaf's path in the `params` of a Flax model, or None where it has none.

    The modules are those of transformers' PyTorch models, and the leaves have Flax's names.

    >>> flax_name(BERT.rows[0], "BertModel"), flax_name(BERT.rows[3], "BertModel")
    ('embeddings/word_embeddings/embedding', 'embeddings/LayerNorm/scale')
    """
    if row.path == "cls/predictions/decoder/bias":
        return None  # the decoder has a kernel alone; the bias added after it is `cls/predictions/bias`
    *modules, leaf = transformers_name(row, BERT, model_class).split(".")
    if leaf == "weight":
        leaf = _FLAX_WEIGHTS.get(row.path.rsplit("/", 1)[1], "embedding")
    return "/".join([*modules, leaf])


def flax_class(model_class: str) -> str:
    """What transformers 4 calls the same class in Flax.

    >>> flax_class("BertModel")
    'FlaxBertModel'
    """
    return "FlaxBertForCausalLM" if model_class == "BertLMHeadModel" else f"Flax{model_class}"


def flax_shape(row: Row) -> str:
    """The shape in Flax, where every kernel is (in, out), those of the heads too.

    >>> flax_shape(Row("cls/seq_relationship/output_weights", "2 H"))
    'H 2'
    """
    return " ".join(reversed(row.shape.split())) if row.path.endswith("/output_weights") else row.shape
