"""ALBERT, defined by its differences from BERT: narrow embeddings, and layers that share their weights in groups.

The embeddings have a width of their own, E, and one dense layer widens them to
H. The layers of a group share one set of weights, so the number of layers does
not affect the count. The number of groups does, and so does the number of layers
with weights of their own within a group.

Source: transformers 5.23, models/albert/modeling_albert.py and
configuration_albert.py.
"""

from ..architecture import LAYER, ModelClass, Row, Symbol, attention, bare_class, dense, norm, output
from .bert import BERT, NO_POOLER, POSITION_TYPE, PRUNED_HEADS, WITH_POOLER, activation_setting, symbols_in

CONFIG = "configuration_albert.py, AlbertConfig"
E = Symbol("E", "embedding_size", "width of the embeddings", CONFIG)

V, P, S, H, F, L, A, C = symbols_in(CONFIG)
SYMBOLS = (
    V,
    P,
    S,
    E,
    H,
    F,
    L,
    A,
    Symbol("G", "num_hidden_groups", "groups of layers that share their weights", CONFIG, default=1),
    Symbol("I", "inner_group_num", "layers with weights of their own in a group", CONFIG, default=1),
    C,
)

EMBEDDINGS = (
    Row("bert/embeddings/word_embeddings", "V E"),
    Row("bert/embeddings/position_embeddings", "P E"),
    Row("bert/embeddings/token_type_embeddings", "S E"),
    *norm("bert/embeddings/LayerNorm", "E"),
)
"""The rows of the embeddings; ELECTRA and RemBERT have the same rows."""

LAYER_NAME = "*.albert_layers.*"
"""The end of a layer's name in transformers: the number of its group, then its own number within the group."""

SHARED_LAYER = f"albert.encoder.albert_layer_groups.{LAYER_NAME}"
"""The full name of a layer in transformers."""

ALBERT = BERT.variant(
    name="ALBERT",
    model_type="albert",
    symbols=SYMBOLS,
    rows={
        "bert/embeddings": (*EMBEDDINGS, *dense("bert/embeddings_project", "E H")),
        LAYER: (
            *norm(f"{LAYER}/output/LayerNorm"),
            *attention(f"{LAYER}/attention"),
            *dense(f"{LAYER}/intermediate/dense", "H F"),
            *dense(f"{LAYER}/output/dense", "F H"),
        ),
        "cls/predictions": (
            Row("cls/predictions/output_bias", "V"),
            *norm("cls/predictions/transform/LayerNorm", "E"),
            *dense("cls/predictions/transform/dense", "H E"),
            Row("cls/predictions/decoder/kernel", "E V", tied_to="bert/embeddings/word_embeddings"),
            Row("cls/predictions/decoder/bias", "V", tied_to="cls/predictions/output_bias"),
        ),
        # This head predicts the order of two sentences. Unlike BERT's, its number of labels is set in the config.
        "cls/seq_relationship": output("cls/seq_relationship", "C"),
    },
    classes=(
        bare_class("AlbertModel"),
        ModelClass(
            "AlbertForPreTraining", "both pre-training tasks", ("cls/predictions", "cls/seq_relationship"), WITH_POOLER
        ),
        ModelClass("AlbertForMaskedLM", "filling in masked tokens", ("cls/predictions",), NO_POOLER),
        ModelClass("AlbertForSequenceClassification", "a label for a text", ("sequence_classifier",), WITH_POOLER),
        ModelClass("AlbertForMultipleChoice", "a score for each choice", ("multiple_choice",), WITH_POOLER),
        ModelClass("AlbertForTokenClassification", "a label for each token", ("token_classifier",), NO_POOLER),
        ModelClass("AlbertForQuestionAnswering", "start and end of an answer", ("cls/squad",), NO_POOLER),
    ),
    modules={
        "bert": "albert",
        "bert/embeddings_project": "albert.encoder.embedding_hidden_mapping_in",
        f"{LAYER}/attention/self": f"{SHARED_LAYER}.attention",
        f"{LAYER}/attention/output": f"{SHARED_LAYER}.attention",
        f"{LAYER}/intermediate/dense": f"{SHARED_LAYER}.ffn",
        f"{LAYER}/output/dense": f"{SHARED_LAYER}.ffn_output",
        f"{LAYER}/output/LayerNorm": f"{SHARED_LAYER}.full_layer_layer_norm",
        "bert/pooler/dense": "albert.pooler",
        "cls/predictions": "predictions",
        "cls/predictions/transform": "predictions",
        "cls/seq_relationship": "sop_classifier.classifier",
    },
    layers=("G", "I"),
    # modeling_albert.py, AlbertTransformer: each of the L layers runs all the layers of its group.
    passes=("L", "I"),
    layer_name=LAYER_NAME,
    settings=(POSITION_TYPE, PRUNED_HEADS, activation_setting("hidden_act")),
)
