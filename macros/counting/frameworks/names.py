"""The name of each row in several frameworks, and the order of its dimensions there.

The names in transformers follow from the modules that an architecture lists;
names in google-research/bert and in Flax are given for BERT only.

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
"""The last component of a name in transformers, by the last component of our path."""

_FLAX_WEIGHTS = {"kernel": "kernel", "output_weights": "kernel", "gamma": "scale"}
"""Flax's name for a tensor that transformers calls `weight`, by the last component of our path.

The weight of an embedding table, which is not listed here, is called `embedding`.
"""

_NOT_IN_GOOGLE = (
    # Google's code multiplies by the word embeddings and adds output_bias, so its decoder has no variables.
    "cls/predictions/decoder",
    # Google has published no code for these two heads.
    "multiple_choice",
    "token_classifier",
)
"""Paths of rows that google-research/bert does not have."""


@cache
def transformers_name(row: Row, architecture: Architecture, model_class: str) -> str:
    """The name of a row's parameter in `named_parameters()`, with `layer_name` in place of the layer number.

    >>> transformers_name(BERT.rows[0], BERT, "BertForMaskedLM")
    'bert.embeddings.word_embeddings.weight'
    >>> transformers_name(BERT.rows[0], BERT, "BertModel")
    'embeddings.word_embeddings.weight'
    """
    module, _, leaf = row.path.rpartition("/")
    if leaf not in _LEAVES:
        # An embedding table is a module in transformers, with `weight` as its parameter.
        name = f"{module_name(row.path, architecture)}.weight"
    elif row.path in architecture.modules:
        # A parameter with a name of its own, such as `q_bias`, is listed under its full path.
        name = architecture.modules[row.path]
    else:
        name = ".".join(filter(None, [module_name(module, architecture), _LEAVES[leaf]]))
    return name_in_class(name, architecture, model_class)


def name_in_class(name: str, architecture: Architecture, model_class: str) -> str:
    """The name of a tensor or module in one class, given the name that it has in a class with a head."""
    listed_prefix = body_prefix(architecture, architecture.classes[-1].name)
    if name.startswith(listed_prefix):
        return body_prefix(architecture, model_class) + name.removeprefix(listed_prefix)
    return name


def module_name(path: str, architecture: Architecture) -> str:
    """The name of the module at one of our paths, in every class but the bare model.

    >>> module_name("bert/pooler", BERT)
    'bert.pooler'
    """
    prefixes = (prefix for prefix in architecture.modules if f"{path}/".startswith(f"{prefix}/"))
    prefix = max(prefixes, key=len, default="")
    subpath = path.removeprefix(prefix).strip("/").split("/")
    return ".".join(filter(None, [architecture.modules.get(prefix, ""), *subpath]))


def body_prefix(architecture: Architecture, model_class: str) -> str:
    """The prefix that the parameters of the model without its head have in a class; usually empty in the bare model.

    >>> body_prefix(BERT, "BertForMaskedLM"), body_prefix(BERT, "BertModel")
    ('bert.', '')
    """
    if architecture.bodies:
        return f"{architecture.bodies[model_class]}."
    return "" if model_class == architecture.classes[0].name else f"{architecture.modules.get('bert', 'bert')}."


@cache
def google_name(row: Row) -> str | None:
    """The name of a BERT row's variable in google-research/bert; None if it has no such variable."""
    if "/crossattention/" in row.path or lies_under(row.path, _NOT_IN_GOOGLE):
        return None
    return row.path.removeprefix("sequence_classifier/")


def google_order(rows: Sequence[Row]) -> list[Row]:
    """The rows that google-research/bert has, in the order in which its code creates the variables.

    The order differs from that of transformers in three respects: segments come
    before positions, beta before gamma, and the bias of the masked-LM head
    after its transform.

    >>> [row.path.rsplit("/", 1)[1] for row in google_order(BERT.rows[:5])][1:]
    ['token_type_embeddings', 'position_embeddings', 'beta', 'gamma']
    """
    google_rows = [row for row in rows if google_name(row) is not None]
    return [row for _, row in sorted((index + _shift(row), row) for index, row in enumerate(google_rows))]


def _shift(row: Row) -> float:
    """The number of positions by which a row moves down in Google's order.

    A shift by 1.5 moves a row past the next one, which stays where it is. The bias of the masked-LM head moves past
    four rows, and its fraction is larger because one of these, a gamma, is shifted too.
    """
    if row.path.endswith("/gamma"):
        return 1.5
    return {"bert/embeddings/position_embeddings": 1.5, "cls/predictions/output_bias": 4.75}.get(row.path, 0.0)


@cache
def transformers_shape(row: Row) -> str:
    """The symbolic shape in transformers, where the weight of a dense layer is (out, in).

    >>> transformers_shape(Row("bert/encoder/layer_*/intermediate/dense/kernel", "H F"))
    'F H'
    """
    if row.path.endswith("/kernel"):
        return " ".join(reversed(row.shape.split()))
    return row.shape


def flax_name(row: Row, model_class: str) -> str | None:
    """The path of a row's leaf in the `params` of a Flax model; None if there is no such leaf.

    Modules have the same names as in PyTorch; leaves have Flax's own names.

    >>> flax_name(BERT.rows[0], "BertModel"), flax_name(BERT.rows[3], "BertModel")
    ('embeddings/word_embeddings/embedding', 'embeddings/LayerNorm/scale')
    """
    if row.path == "cls/predictions/decoder/bias":
        return None  # Flax's decoder has only a kernel; `cls/predictions/bias` is added to its output
    *modules, leaf = transformers_name(row, BERT, model_class).split(".")
    if leaf == "weight":
        leaf = _FLAX_WEIGHTS.get(row.path.rsplit("/", 1)[1], "embedding")
    return "/".join([*modules, leaf])


def flax_class(model_class: str) -> str:
    """The name of the Flax class for the same task, in transformers 4.

    >>> flax_class("BertModel")
    'FlaxBertModel'
    """
    return "FlaxBertForCausalLM" if model_class == "BertLMHeadModel" else f"Flax{model_class}"


def flax_shape(row: Row) -> str:
    """The symbolic shape in Flax, where every kernel is (in, out), even that of a head's output layer.

    >>> flax_shape(Row("cls/seq_relationship/output_weights", "2 H"))
    'H 2'
    """
    return " ".join(reversed(row.shape.split())) if row.path.endswith("/output_weights") else row.shape
