"""The one table of BERT's trainable tensors, and who has which of its rows.

Rule 1: a row is a path as google-research/bert spells it and a symbolic shape
in that library's order, (in, out). `layer_*` stands for each of `L` layers.
Rule 2: a row holds only what cannot be derived. Its size, its name and shape
in transformers, its block and its tags all follow from path and shape.
Rule 3: a row that shares another row's weights names their owner in
`tied_to`; while tied it counts nothing.
Rule 4: the order is that of transformers' `named_parameters()`.
Rule 5: a model class is a choice of path prefixes, so a total is always a sum
of rows of this table and of nothing else.

Sources: google-research/bert, modeling.py, run_pretraining.py,
run_classifier.py, run_squad.py; transformers, models/bert/modeling_bert.py.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from .errors import BadChoice, UnknownModelClass, shown, suggestion
from .polynomials import Polynomial


class Row(NamedTuple):
    """One tensor, or with `layer_*` in its path one tensor a layer.

    `shape` is in the order of google-research/bert, kernels (in, out).
    `tied_to` is the path whose weights this row shares while tied.
    """

    path: str
    shape: str
    tied_to: str = ""

    @property
    def tags(self) -> frozenset[str]:
        """The components of the path, the name of the row's block, `embedding-table` and `vector` by what it is."""
        return _tags(self)

    @property
    def block(self) -> str:
        """The entry of `BLOCKS` that the row belongs to."""
        return next(block for block, prefixes in BLOCKS.items() if lies_under(self.path, prefixes))

    @property
    def repeated(self) -> bool:
        """Whether the row stands once in every layer."""
        return "layer_*" in self.path

    @property
    def size(self) -> Polynomial:
        """Elements of all the tensors the row stands for, ties ignored."""
        one = Polynomial.of_shape(self.shape)
        return one.in_each_layer() if self.repeated else one


LAYER = "bert/encoder/layer_*"

ROWS = (
    Row("bert/embeddings/word_embeddings", "V H"),
    Row("bert/embeddings/position_embeddings", "P H"),
    Row("bert/embeddings/token_type_embeddings", "S H"),
    Row("bert/embeddings/LayerNorm/gamma", "H"),
    Row("bert/embeddings/LayerNorm/beta", "H"),
    Row(f"{LAYER}/attention/self/query/kernel", "H H"),
    Row(f"{LAYER}/attention/self/query/bias", "H"),
    Row(f"{LAYER}/attention/self/key/kernel", "H H"),
    Row(f"{LAYER}/attention/self/key/bias", "H"),
    Row(f"{LAYER}/attention/self/value/kernel", "H H"),
    Row(f"{LAYER}/attention/self/value/bias", "H"),
    Row(f"{LAYER}/attention/output/dense/kernel", "H H"),
    Row(f"{LAYER}/attention/output/dense/bias", "H"),
    Row(f"{LAYER}/attention/output/LayerNorm/gamma", "H"),
    Row(f"{LAYER}/attention/output/LayerNorm/beta", "H"),
    Row(f"{LAYER}/crossattention/self/query/kernel", "H H"),
    Row(f"{LAYER}/crossattention/self/query/bias", "H"),
    Row(f"{LAYER}/crossattention/self/key/kernel", "H H"),
    Row(f"{LAYER}/crossattention/self/key/bias", "H"),
    Row(f"{LAYER}/crossattention/self/value/kernel", "H H"),
    Row(f"{LAYER}/crossattention/self/value/bias", "H"),
    Row(f"{LAYER}/crossattention/output/dense/kernel", "H H"),
    Row(f"{LAYER}/crossattention/output/dense/bias", "H"),
    Row(f"{LAYER}/crossattention/output/LayerNorm/gamma", "H"),
    Row(f"{LAYER}/crossattention/output/LayerNorm/beta", "H"),
    Row(f"{LAYER}/intermediate/dense/kernel", "H F"),
    Row(f"{LAYER}/intermediate/dense/bias", "F"),
    Row(f"{LAYER}/output/dense/kernel", "F H"),
    Row(f"{LAYER}/output/dense/bias", "H"),
    Row(f"{LAYER}/output/LayerNorm/gamma", "H"),
    Row(f"{LAYER}/output/LayerNorm/beta", "H"),
    Row("bert/pooler/dense/kernel", "H H"),
    Row("bert/pooler/dense/bias", "H"),
    Row("cls/predictions/output_bias", "V"),
    Row("cls/predictions/transform/dense/kernel", "H H"),
    Row("cls/predictions/transform/dense/bias", "H"),
    Row("cls/predictions/transform/LayerNorm/gamma", "H"),
    Row("cls/predictions/transform/LayerNorm/beta", "H"),
    Row("cls/predictions/decoder/kernel", "H V", tied_to="bert/embeddings/word_embeddings"),
    Row("cls/predictions/decoder/bias", "V", tied_to="cls/predictions/output_bias"),
    Row("cls/seq_relationship/output_weights", "2 H"),
    Row("cls/seq_relationship/output_bias", "2"),
    Row("sequence_classifier/output_weights", "C H"),
    Row("sequence_classifier/output_bias", "C"),
    Row("multiple_choice/output_weights", "1 H"),
    Row("multiple_choice/output_bias", "1"),
    Row("token_classifier/output_weights", "C H"),
    Row("token_classifier/output_bias", "C"),
    Row("cls/squad/output_weights", "C H"),
    Row("cls/squad/output_bias", "C"),
)

BLOCKS = {
    "embeddings": ("bert/embeddings",),
    "self-attention": (f"{LAYER}/attention/self", f"{LAYER}/attention/output/dense"),
    "cross-attention": (f"{LAYER}/crossattention/self", f"{LAYER}/crossattention/output/dense"),
    "feed-forward": (f"{LAYER}/intermediate", f"{LAYER}/output/dense"),
    "encoder-norms": (
        f"{LAYER}/attention/output/LayerNorm",
        f"{LAYER}/crossattention/output/LayerNorm",
        f"{LAYER}/output/LayerNorm",
    ),
    "pooler": ("bert/pooler",),
    "mlm-head": ("cls/predictions",),
    "nsp-head": ("cls/seq_relationship",),
    "task-head": ("sequence_classifier", "multiple_choice", "token_classifier", "cls/squad"),
}
"""The blocks a reader thinks in, as path prefixes; every row belongs to exactly one."""

ALWAYS, OPTIONAL, NEVER = "always", "optional", "never"


class ModelClass(NamedTuple):
    """One transformers class: whether it has a pooler, and its head rows.

    `labels` says whether `num_labels` enters a shape. `purpose` is what a
    reader uses the class for.
    """

    name: str
    pooler: str
    heads: tuple[str, ...]
    purpose: str

    @property
    def labels(self) -> bool:
        """Whether `num_labels` sizes the head."""
        return any("C" in row.shape.split() for row in ROWS if lies_under(row.path, self.heads))


MODEL_CLASSES = {
    each.name: each
    for each in (
        ModelClass("BertModel", OPTIONAL, (), "the encoder alone"),
        ModelClass(
            "BertForPreTraining", ALWAYS, ("cls/predictions", "cls/seq_relationship"), "both pre-training tasks"
        ),
        ModelClass("BertForMaskedLM", NEVER, ("cls/predictions",), "filling in masked tokens"),
        ModelClass("BertLMHeadModel", NEVER, ("cls/predictions",), "causal language modelling"),
        ModelClass("BertForNextSentencePrediction", ALWAYS, ("cls/seq_relationship",), "next sentence or not"),
        ModelClass("BertForSequenceClassification", ALWAYS, ("sequence_classifier",), "a label for a text"),
        ModelClass("BertForMultipleChoice", ALWAYS, ("multiple_choice",), "a score for each choice"),
        ModelClass("BertForTokenClassification", NEVER, ("token_classifier",), "a label for each token"),
        ModelClass("BertForQuestionAnswering", NEVER, ("cls/squad",), "start and end of an answer"),
    )
}
"""Every transformers class the engine counts, by name. Source: modeling_bert.py."""


def lies_under(path: str, prefixes: tuple[str, ...]) -> bool:
    """Whether `path` is one of `prefixes` or lies below one, whole components only.

    >>> lies_under("bert/pooler/dense/bias", ("bert/pooler",))
    True
    >>> lies_under("bert/pooler_two/bias", ("bert/pooler",))
    False
    """
    return any(path == prefix or path.startswith(f"{prefix}/") for prefix in prefixes)


@lru_cache(maxsize=256)
def _tags(row: Row) -> frozenset[str]:
    table = ["embedding-table"] if row.path.endswith("_embeddings") else []
    vector = ["vector"] if " " not in row.shape else []
    return frozenset([*row.path.split("/"), row.block, *table, *vector])


def model_class_named(name: str) -> ModelClass:
    """The model class of that name.

    Raises:
        UnknownModelClass: transformers has no such BERT class.
    """
    try:
        return MODEL_CLASSES[name]
    except (KeyError, TypeError):
        raise UnknownModelClass(f"no model class {shown(name)}; {suggestion(str(name), MODEL_CLASSES)}") from None


@lru_cache
def rows_of(model_class: str, pooler: bool | None = None, cross_attention: bool = False) -> tuple[Row, ...]:
    """The rows of the table that one model class has, in transformers' order.

    Args:
        model_class: a transformers class name.
        pooler: whether to build the pooler; None is what transformers does.
        cross_attention: whether layers have cross-attention, as a decoder may.

    Raises:
        UnknownModelClass: transformers has no such BERT class.
        BadChoice: a pooler is asked of a class that has none, or taken from
            one that always has it.
    """
    chosen = model_class_named(model_class)
    built = {ALWAYS: True, NEVER: False}.get(chosen.pooler, pooler)
    if pooler not in (None, built):
        raise BadChoice(
            f"{model_class} {chosen.pooler} has a pooler in transformers, "
            f"so pooler={shown(pooler)} does not fit; leave it out, or use BertModel"
        )
    has_pooler = built in (None, True)
    prefixes = ["bert/embeddings", *chosen.heads]
    prefixes += [f"{LAYER}/{name}" for name in ("attention", "intermediate", "output")]
    prefixes += [f"{LAYER}/crossattention"] * cross_attention + ["bert/pooler"] * has_pooler
    return tuple(row for row in ROWS if lies_under(row.path, tuple(prefixes)))
