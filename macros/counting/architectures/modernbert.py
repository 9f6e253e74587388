"""ModernBERT, defined by its differences from BERT: gated feed-forward networks, LayerNorm before blocks, few biases.

A config may enable more biases, or disable the decoder's. The model has no table of
segments, and none of positions, because queries and keys are rotated instead. The
first layer reads embeddings that are already normalised, so it has no LayerNorm
before attention; one more LayerNorm follows the last layer. Query, key and value are
one matrix, and so are the first layer of the feed-forward network and its gate.

Source: transformers 5.23, models/modernbert/modeling_modernbert.py and
configuration_modernbert.py.
"""

from collections.abc import Mapping

from ..architecture import LAYER, Buffer, ModelClass, Row, bare_class, kernel, output
from ..rounding import quotient_rounded_up
from .bert import BERT, FLOAT32_BYTES, NO_POOLER, SINGLE_DECODER_BIAS, activation_setting, symbols_in

# P occurs in no parameter's shape: it is the maximum text length for which the model was designed.
SYMBOLS = tuple(
    symbol._replace(minimum=1)
    for symbol in symbols_in("configuration_modernbert.py, ModernBertConfig", without="S", P=8192)
)
"""BERT's sizes without the number of segments, as ModernBERT's config has them. None of them can be 0."""

FLAGS = {
    "attention_bias": False,
    "mlp_bias": False,
    "norm_bias": False,
    "classifier_bias": False,
    "decoder_bias": True,
}
"""The flags that decide which layers have biases, with their defaults."""


def dense_with_flag(path: str, shape: str, flag: str) -> tuple[Row, Row]:
    """The rows of a dense layer, whose bias exists only if the flag is true; the shape is (in, out), such as `H 2F`."""
    return kernel(path, shape), Row(f"{path}/bias", shape.split()[1], when=flag)


def norm(path: str, skips_first_layer: bool = False) -> tuple[Row, Row]:
    """The rows of a LayerNorm, whose shift exists only if the flag `norm_bias` is true."""
    return (
        Row(f"{path}/gamma", "H", skips_first_layer=skips_first_layer),
        Row(f"{path}/beta", "H", when="norm_bias", skips_first_layer=skips_first_layer),
    )


HEADS = {
    "sequence_classifier": ("sequence_head", "C"),
    "multiple_choice": ("multiple_choice_head", "1"),
    "token_classifier": ("token_head", "C"),
    # In other architectures this path is cls/squad. PEFT copies the rows under cls/squad, but not this output layer.
    "answers": ("answer_head", "C"),
}
"""By the path of a head's output layer: the path of the layers before it, and the letter or number of its labels."""


def head(path: str) -> tuple[Row, ...]:
    """The rows of a head whose output layer is at `path`: a dense layer, a LayerNorm, and the output layer."""
    path_before, labels = HEADS[path]
    return (
        *dense_with_flag(f"{path_before}/dense", "H H", "classifier_bias"),
        *norm(f"{path_before}/LayerNorm"),
        *output(path, labels),
    )


def class_with_head(name: str, purpose: str, path: str) -> ModelClass:
    """The class `ModernBertFor…`, whose name ends with `name`, and whose head has its output layer at `path`."""
    return ModelClass(f"ModernBertFor{name}", purpose, (HEADS[path][0], path), NO_POOLER)


def frequencies(sizes: Mapping[str, int]) -> Buffer:
    """A buffer with the frequencies at which queries and keys are rotated, one for every two features of a head."""
    return Buffer((quotient_rounded_up(sizes["H"], 2 * sizes["A"]),), FLOAT32_BYTES, "bert")


def rotation_buffers(sizes: Mapping[str, int], release: int) -> list[Buffer]:
    """The buffers with the frequencies of rotations: one per layer in transformers 4, two per kind of layer later."""
    # There are two kinds of layers: those that attend to the whole text, such as the first, and those that do not.
    kinds = min(sizes["L"], 2)
    return [frequencies(sizes)] * (sizes["L"] if release == 4 else 2 * kinds)


MODERNBERT = BERT.variant(
    name="ModernBERT",
    model_type="modernbert",
    symbols=SYMBOLS,
    padding_id=50_283,
    rows={
        "bert/embeddings": (Row("bert/embeddings/word_embeddings", "V H"), *norm("bert/embeddings/LayerNorm")),
        LAYER: (
            *norm(f"{LAYER}/attention/LayerNorm", skips_first_layer=True),
            *dense_with_flag(f"{LAYER}/attention/self/query_key_value", "H 3H", "attention_bias"),
            *dense_with_flag(f"{LAYER}/attention/output/dense", "H H", "attention_bias"),
            *norm(f"{LAYER}/intermediate/LayerNorm"),
            *dense_with_flag(f"{LAYER}/intermediate/dense", "H 2F", "mlp_bias"),
            *dense_with_flag(f"{LAYER}/output/dense", "F H", "mlp_bias"),
        ),
        "bert/pooler": norm("bert/encoder/LayerNorm"),
        "cls/predictions": (
            *dense_with_flag("cls/predictions/transform/dense", "H H", "classifier_bias"),
            *norm("cls/predictions/transform/LayerNorm"),
            Row("cls/predictions/decoder/kernel", "H V", tied_to="bert/embeddings/word_embeddings"),
            SINGLE_DECODER_BIAS._replace(when="decoder_bias"),
        ),
        "cls/seq_relationship": (),
        **{path: head(path) for path in HEADS if path != "answers"},
        "cls/squad": head("answers"),
    },
    classes=(
        bare_class("ModernBertModel", NO_POOLER),
        ModelClass("ModernBertForMaskedLM", "filling in masked tokens", ("cls/predictions",), NO_POOLER),
        class_with_head("SequenceClassification", "a label for a text", "sequence_classifier"),
        class_with_head("MultipleChoice", "a score for each choice", "multiple_choice"),
        class_with_head("TokenClassification", "a label for each token", "token_classifier"),
        class_with_head("QuestionAnswering", "start and end of an answer", "answers"),
    ),
    modules={
        "bert": "model",
        "bert/embeddings/word_embeddings": "model.embeddings.tok_embeddings",
        "bert/embeddings/LayerNorm": "model.embeddings.norm",
        LAYER: "model.layers.*",
        f"{LAYER}/attention/LayerNorm": "model.layers.*.attn_norm",
        f"{LAYER}/attention/self/query_key_value": "model.layers.*.attn.Wqkv",
        f"{LAYER}/attention/output/dense": "model.layers.*.attn.Wo",
        f"{LAYER}/intermediate/LayerNorm": "model.layers.*.mlp_norm",
        f"{LAYER}/intermediate/dense": "model.layers.*.mlp.Wi",
        f"{LAYER}/output/dense": "model.layers.*.mlp.Wo",
        "bert/encoder/LayerNorm": "model.final_norm",
        "cls/predictions": "decoder",
        "cls/predictions/decoder": "decoder",
        "cls/predictions/transform/dense": "head.dense",
        "cls/predictions/transform/LayerNorm": "head.norm",
        **dict.fromkeys(HEADS, "classifier"),
        **{f"{path_before}/dense": "head.dense" for path_before, _ in HEADS.values()},
        **{f"{path_before}/LayerNorm": "head.norm" for path_before, _ in HEADS.values()},
    },
    buffers=rotation_buffers,
    flags=FLAGS,
    settings=(activation_setting("hidden_activation"), activation_setting("classifier_activation")),
)
