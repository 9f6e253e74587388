"""BERT: its letters, the table of its trainable tensors, its blocks, model classes, settings and buffers.

The counts of BERT come from this table; relatives are defined by their
differences from it.

Sources: google-research/bert, modeling.py, run_pretraining.py,
run_classifier.py, run_squad.py; transformers, models/bert/modeling_bert.py
and configuration_utils.py (`PreTrainedConfig`, the number of labels).
"""

from collections.abc import Iterable, Mapping

from ..architecture import (
    LAYER,
    Architecture,
    Buffer,
    Choices,
    ModelClass,
    Row,
    Setting,
    Symbol,
    attention,
    bare_class,
    dense,
    norm,
    output,
)

SYMBOLS = (
    Symbol("V", "vocab_size", "tokens in the vocabulary", "modeling.py, BertConfig"),
    Symbol("P", "max_position_embeddings", "positions, each with a row of its own", "modeling.py, BertConfig"),
    Symbol("S", "type_vocab_size", "segments (token types)", "modeling.py, BertConfig"),
    Symbol("H", "hidden_size", "hidden size (width of every token vector)", "modeling.py, BertConfig"),
    Symbol("F", "intermediate_size", "inner width of the feed-forward network", "modeling.py, BertConfig"),
    Symbol("L", "num_hidden_layers", "encoder layers", "modeling.py, BertConfig", minimum=0),
    # Every config gives A, but it occurs in no shape; so the number of heads does not affect the count.
    Symbol("A", "num_attention_heads", "attention heads per layer", "modeling.py, BertConfig"),
    Symbol("C", "num_labels", "labels of a classification head", "configuration_utils.py, PreTrainedConfig", default=2),
)
"""The letters of the sizes that a config gives. C must stay last, because relatives put their own letters before it."""

ROWS = (
    Row("bert/embeddings/word_embeddings", "V H"),
    Row("bert/embeddings/position_embeddings", "P H"),
    Row("bert/embeddings/token_type_embeddings", "S H"),
    *norm("bert/embeddings/LayerNorm"),
    *attention(f"{LAYER}/attention"),
    *attention(f"{LAYER}/crossattention", when="cross_attention"),
    *dense(f"{LAYER}/intermediate/dense", "H F"),
    *dense(f"{LAYER}/output/dense", "F H"),
    *norm(f"{LAYER}/output/LayerNorm"),
    *dense("bert/pooler/dense", "H H", when="pooler"),
    Row("cls/predictions/output_bias", "V"),
    *dense("cls/predictions/transform/dense", "H H"),
    *norm("cls/predictions/transform/LayerNorm"),
    Row("cls/predictions/decoder/kernel", "H V", tied_to="bert/embeddings/word_embeddings"),
    Row("cls/predictions/decoder/bias", "V", tied_to="cls/predictions/output_bias"),
    *output("cls/seq_relationship", "2"),
    *output("sequence_classifier", "C"),
    *output("multiple_choice", "1"),
    *output("token_classifier", "C"),
    *output("cls/squad", "C"),
)
"""Every trainable tensor of any class, in the order of transformers."""

SINGLE_DECODER_BIAS = Row("cls/predictions/output_bias", "V")
"""The row of the decoder's bias in architectures where, unlike in BERT, it has one name only and hence no tied row."""

BLOCKS = {
    "embeddings": ("bert/embeddings", "bert/embeddings_project", "bert/relative_positions"),
    "self-attention": (f"{LAYER}/attention/self", f"{LAYER}/attention/output/dense"),
    "cross-attention": (f"{LAYER}/crossattention/self", f"{LAYER}/crossattention/output/dense"),
    "feed-forward": (f"{LAYER}/intermediate/gate", f"{LAYER}/intermediate/dense", f"{LAYER}/output/dense"),
    "encoder-norms": (
        f"{LAYER}/attention/output/LayerNorm",
        f"{LAYER}/crossattention/output/LayerNorm",
        f"{LAYER}/output/LayerNorm",
        f"{LAYER}/attention/LayerNorm",
        f"{LAYER}/crossattention/LayerNorm",
        f"{LAYER}/intermediate/LayerNorm",
        "bert/encoder/LayerNorm",
    ),
    "pooler": ("bert/pooler", "bert/projection"),
    "mlm-head": ("cls/predictions",),
    "nsp-head": ("cls/seq_relationship",),
    "task-head": (
        "sequence_classifier",
        "multiple_choice",
        "token_classifier",
        "cls/squad",
        "sequence_head",
        "multiple_choice_head",
        "token_head",
        "answer_head",
        "answers",
        "answers_of_projection",
        "relevance",
        "relevance_of_projection",
    ),
}
"""The blocks of the whole family. An architecture need not have rows in all of them."""

WITH_POOLER, NO_POOLER = Choices(pooler=True), Choices(pooler=False)
"""The choices of classes that always have a pooler, and of those that never have one."""

CLASSES = (
    bare_class("BertModel"),
    ModelClass(
        "BertForPreTraining", "both pre-training tasks", ("cls/predictions", "cls/seq_relationship"), WITH_POOLER
    ),
    ModelClass("BertForMaskedLM", "filling in masked tokens", ("cls/predictions",), NO_POOLER),
    ModelClass("BertLMHeadModel", "predicting the next token", ("cls/predictions",), NO_POOLER),
    ModelClass("BertForNextSentencePrediction", "next sentence or not", ("cls/seq_relationship",), WITH_POOLER),
    ModelClass("BertForSequenceClassification", "a label for a text", ("sequence_classifier",), WITH_POOLER),
    ModelClass("BertForMultipleChoice", "a score for each choice", ("multiple_choice",), WITH_POOLER),
    ModelClass("BertForTokenClassification", "a label for each token", ("token_classifier",), NO_POOLER),
    ModelClass("BertForQuestionAnswering", "start and end of an answer", ("cls/squad",), NO_POOLER),
)

MODULES = {
    LAYER: "bert.encoder.layer.*",
    "sequence_classifier": "classifier",
    "multiple_choice": "classifier",
    "token_classifier": "classifier",
    "cls/squad": "qa_outputs",
}
"""The modules whose names in transformers do not follow from their paths."""

ACTIVATIONS = (
    "gelu",
    "gelu_10",
    "gelu_accurate",
    "gelu_fast",
    "gelu_new",
    "gelu_python",
    "gelu_python_tanh",
    "gelu_pytorch_tanh",
    "hardswish",
    "laplace",
    "leaky_relu",
    "linear",
    "mish",
    "quick_gelu",
    "relu",
    "relu2",
    "relu6",
    "sigmoid",
    "silu",
    "sqrtsoftplus",
    "swish",
    "tanh",
)
"""The activations of transformers 5.23 that have no parameters: all except prelu and xielu. Source: activations.py."""


def activation_setting(key: str) -> Setting:
    """The setting of a key that names an activation; it accepts every name in `ACTIVATIONS`."""
    return Setting(
        key,
        "gelu",
        "either it has parameters of its own, or transformers does not know it; "
        'choose an activation without any, such as "gelu"',
        ACTIVATIONS,
    )


POSITION_TYPE = Setting(
    "position_embedding_type",
    "absolute",
    "relative positions add a table to every layer in transformers 4 and none in transformers 5, and all others, such "
    'as ALiBi, need code of the model\'s own, so only "absolute" is counted here',
    ("absolute",),
)
"""The setting that refuses all positions other than BERT's, which are the rows of a table."""

NEZHA_SETTINGS = tuple(
    Setting(
        key,
        None,
        "it belongs to NEZHA, which has relative positions instead of a position table; "
        'if the model is a NEZHA, write "model_type": "nezha", and otherwise leave this key out',
        empty=True,
    )
    for key in ("use_relative_position", "max_relative_position")
)
"""The settings that refuse a NEZHA whose config has BERT's `model_type`, as NEZHA's own code writes it."""


def published_setting(models: str, key: str, value: object, default: object, effect: str) -> Setting:
    """A setting that accepts only the value that published models have.

    Args:
        models: the models that have this value, such as "every published DeBERTa".
        key: the key in a config.
        value: the value in these models.
        default: the default of transformers.
        effect: a clause about the effect of the setting, for the message about another value.
    """
    return Setting(key, default, f"{effect}, so only the value of {models} is counted here", (value,))


def head_width_setting(key: str) -> Setting:
    """The setting of the width of a head, which has to be the hidden size divided by the number of heads."""
    why = "only heads that share the hidden size are counted here"
    return Setting(key, None, why, same_as="hidden_size", times="num_attention_heads")


PRUNED_HEADS = Setting(
    "pruned_heads",
    None,
    "a pruned model has smaller attention tensors than its sizes say, so only a config without this key is counted "
    "here",
    empty=True,
)
"""The setting that refuses a model from which attention heads have been removed."""

INT64_BYTES, FLOAT32_BYTES = 8, 4
"""The bytes of a number in these data types. Position ids and segment ids are 64-bit integers."""


def embedding_buffers(sizes: Mapping[str, int], _: int) -> list[Buffer]:
    """The buffers of the embeddings: every position id and, if there are segments, segment 0 for every position.

    They are the same in every release of transformers, so the second argument is not used.
    """
    return [Buffer((1, sizes["P"]), INT64_BYTES)] * (2 if "S" in sizes else 1)


def position_buffer(sizes: Mapping[str, int], _: int) -> list[Buffer]:
    """The buffer of embeddings that keep position ids but no segment ids. It is the same in every release."""
    return [Buffer((1, sizes["P"]), INT64_BYTES)]


BERT = Architecture(
    name="BERT",
    model_type="bert",
    symbols=SYMBOLS,
    rows=ROWS,
    blocks=BLOCKS,
    classes=CLASSES,
    modules=MODULES,
    buffers=embedding_buffers,
    settings=(POSITION_TYPE, *NEZHA_SETTINGS, PRUNED_HEADS, activation_setting("hidden_act")),
)


def symbols_in(
    source: str, without: str = "", symbols: Iterable[Symbol] = SYMBOLS, **default_sizes: int
) -> tuple[Symbol, ...]:
    """BERT's letters for another architecture, whose config has the same keys.

    Args:
        source: the file and class that define the keys.
        without: the letters that the architecture lacks.
        symbols: the letters of another architecture to start from, if it is not BERT.
        default_sizes: by letter, the default of a size that a config need not give.
    """
    return tuple(
        symbol._replace(
            source=symbol.source.replace("modeling.py, BertConfig", source),
            default=default_sizes.get(symbol.letter, symbol.default),
        )
        for symbol in symbols
        if symbol.letter not in without
    )
