"""MobileBERT, defined by its differences from BERT: layers that are narrow inside, with four feed-forward networks.

Bottlenecks lead into each layer and out of it, and most matrices between them have
the smaller width W. The word embeddings have a width of their own, E, and for each token a
dense layer reads those of the token and its two neighbours. NoNorm, which has the same parameters
in another order, replaces most LayerNorms. The decoder shares E of its H columns with
the word embeddings; the head for masked tokens has a matrix for the rest.

Source: transformers 5.23, models/mobilebert/modeling_mobilebert.py and
configuration_mobilebert.py.
"""

from functools import partial

from ..architecture import LAYER, ModelClass, Row, Symbol, bare_class, dense, kernel, norm
from .albert import E
from .bert import BERT, NO_POOLER, activation_setting, position_buffer, published_setting, symbols_in

CONFIG = "configuration_mobilebert.py, MobileBertConfig"
V, P, S, H, F, L, A, C = symbols_in(CONFIG)
W = Symbol("W", "intra_bottleneck_size", "width within the bottlenecks of a layer", CONFIG)

EARLIER_NETWORKS = tuple(f"{LAYER}/feed_forward_{number}" for number in range(3))
"""The paths of the feed-forward networks before the last one."""

PROJECTION = "bert/embeddings/project"
"""The path of the dense layer that reads the word embeddings. Unlike ALBERT's, it is a part of the embeddings."""

BOTTLENECKS = (f"{LAYER}/output/bottleneck", f"{LAYER}/bottleneck")
"""The paths of the bottlenecks: the one that leads out of a layer, and those that lead into it."""


def no_norm(path: str, width: str = "W") -> tuple[Row, Row]:
    """The rows of a NoNorm, which only shifts and scales; unlike in a LayerNorm, the shift comes first."""
    return Row(f"{path}/beta", width), Row(f"{path}/gamma", width)


def bottleneck(path: str) -> tuple[Row, ...]:
    """The rows of a bottleneck that leads into a layer: a dense layer and a NoNorm."""
    return *dense(f"{path}/dense", "H W"), *no_norm(f"{path}/LayerNorm")


def feed_forward(path: str) -> tuple[Row, ...]:
    """The rows of a feed-forward network and the NoNorm after it."""
    return (
        *dense(f"{path}/intermediate/dense", "W F"),
        *dense(f"{path}/output/dense", "F W"),
        *no_norm(f"{path}/output/LayerNorm"),
    )


fixed_setting = partial(published_setting, "the published MobileBERT")
"""A setting that accepts only the value of the published model; arguments are as for `published_setting`."""

MOBILEBERT = BERT.variant(
    name="MobileBERT",
    model_type="mobilebert",
    symbols=(V, P, S, E._replace(source=CONFIG), H, F, L, A, W, C),
    rows={
        "bert/embeddings": (
            Row("bert/embeddings/word_embeddings", "V E"),
            Row("bert/embeddings/position_embeddings", "P H"),
            Row("bert/embeddings/token_type_embeddings", "S H"),
            *dense(PROJECTION, "3E H"),
            *no_norm("bert/embeddings/LayerNorm", "H"),
        ),
        LAYER: (
            *dense(f"{LAYER}/attention/self/query", "W W"),
            *dense(f"{LAYER}/attention/self/key", "W W"),
            *dense(f"{LAYER}/attention/self/value", "H W"),
            *dense(f"{LAYER}/attention/output/dense", "W W"),
            *no_norm(f"{LAYER}/attention/output/LayerNorm"),
            *feed_forward(LAYER),
            *dense(f"{LAYER}/output/bottleneck/dense", "W H"),
            *no_norm(f"{LAYER}/output/bottleneck/LayerNorm", "H"),
            *bottleneck(f"{LAYER}/bottleneck/input"),
            *bottleneck(f"{LAYER}/bottleneck/attention"),
            *(row for path in EARLIER_NETWORKS for row in feed_forward(path)),
        ),
        "bert/pooler": (),
        "cls/predictions": (
            Row("cls/predictions/output_bias", "V"),
            *dense("cls/predictions/transform/dense", "H H"),
            *norm("cls/predictions/transform/LayerNorm"),
            kernel("cls/predictions/dense", "V H−E"),
            Row("cls/predictions/decoder/kernel", "E V", tied_to="bert/embeddings/word_embeddings"),
            Row("cls/predictions/decoder/bias", "V", tied_to="cls/predictions/output_bias"),
        ),
    },
    blocks={
        **BERT.blocks,
        "feed-forward": (
            *BERT.blocks["feed-forward"],
            *(f"{path}/{name}/dense" for path in EARLIER_NETWORKS for name in ("intermediate", "output")),
        ),
        "encoder-norms": (
            *BERT.blocks["encoder-norms"],
            *(f"{path}/output/LayerNorm" for path in EARLIER_NETWORKS),
        ),
        "bottlenecks": BOTTLENECKS,
    },
    classes=(
        bare_class("MobileBertModel", NO_POOLER),
        ModelClass(
            "MobileBertForPreTraining",
            "both pre-training tasks",
            ("cls/predictions", "cls/seq_relationship"),
            NO_POOLER,
        ),
        ModelClass("MobileBertForMaskedLM", "filling in masked tokens", ("cls/predictions",), NO_POOLER),
        ModelClass("MobileBertForNextSentencePrediction", "next sentence or not", ("cls/seq_relationship",), NO_POOLER),
        ModelClass("MobileBertForSequenceClassification", "a label for a text", ("sequence_classifier",), NO_POOLER),
        ModelClass("MobileBertForQuestionAnswering", "start and end of an answer", ("cls/squad",), NO_POOLER),
        ModelClass("MobileBertForMultipleChoice", "a score for each choice", ("multiple_choice",), NO_POOLER),
        ModelClass("MobileBertForTokenClassification", "a label for each token", ("token_classifier",), NO_POOLER),
    ),
    modules={
        "bert": "mobilebert",
        PROJECTION: "mobilebert.embeddings.embedding_transformation",
        LAYER: "mobilebert.encoder.layer.*",
        **{path: f"mobilebert.encoder.layer.*.ffn.{number}" for number, path in enumerate(EARLIER_NETWORKS)},
    },
    buffers=position_buffer,
    letter_of_shared_width="W",
    settings=(
        fixed_setting("classifier_activation", False, True, "it adds a pooler"),
        fixed_setting("trigram_input", True, True, "it decides how many embeddings the first dense layer reads"),
        fixed_setting("use_bottleneck", True, True, "it adds the bottlenecks"),
        fixed_setting("use_bottleneck_attention", False, False, "it decides what the value projection reads"),
        fixed_setting("key_query_shared_bottleneck", True, True, "it adds the bottleneck before queries and keys"),
        fixed_setting("num_feedforward_networks", 4, 4, "it is the number of feed-forward networks in each layer"),
        fixed_setting("normalization_type", "no_norm", "no_norm", "it decides which normalisation the layers have"),
        activation_setting("hidden_act"),
    ),
)
