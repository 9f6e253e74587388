"""DistilBERT, defined by its differences from BERT: no segments, no pooler, and one more dense layer in two heads.

Source: transformers 5.23, models/distilbert/modeling_distilbert.py and
configuration_distilbert.py.
"""

from ..architecture import LAYER, ModelClass, Row, bare_class, dense, norm, output
from .bert import BERT, NO_POOLER, PRUNED_HEADS, SINGLE_DECODER_BIAS, activation_setting, symbols_in

KEYS = {"H": "dim", "F": "hidden_dim", "L": "n_layers", "A": "n_heads"}
"""The config keys that differ from BERT's, by letter."""

SYMBOLS = tuple(
    symbol._replace(key=KEYS.get(symbol.letter, symbol.key))
    for symbol in symbols_in("configuration_distilbert.py, DistilBertConfig", without="S")
)

DISTILBERT = BERT.variant(
    name="DistilBERT",
    model_type="distilbert",
    symbols=SYMBOLS,
    # configuration_distilbert.py, `attribute_map`: BERT's keys override DistilBERT's. F is not in that map.
    second_keys={symbol.letter: symbol.key for symbol in BERT.symbols if symbol.letter in "HLA"},
    rows={
        "bert/embeddings/token_type_embeddings": (),
        f"{LAYER}/crossattention": (),
        "bert/pooler": (),
        "cls/predictions": (
            *dense("cls/predictions/transform/dense", "H H"),
            *norm("cls/predictions/transform/LayerNorm"),
            Row("cls/predictions/decoder/kernel", "H V", tied_to="bert/embeddings/word_embeddings"),
            SINGLE_DECODER_BIAS,
        ),
        "cls/seq_relationship": (),
        "sequence_classifier": (*dense("sequence_classifier/dense", "H H"), *output("sequence_classifier", "C")),
        "multiple_choice": (*dense("multiple_choice/dense", "H H"), *output("multiple_choice", "1")),
    },
    classes=(
        bare_class("DistilBertModel", NO_POOLER),
        ModelClass("DistilBertForMaskedLM", "filling in masked tokens", ("cls/predictions",), NO_POOLER),
        ModelClass("DistilBertForSequenceClassification", "a label for a text", ("sequence_classifier",), NO_POOLER),
        ModelClass("DistilBertForMultipleChoice", "a score for each choice", ("multiple_choice",), NO_POOLER),
        ModelClass("DistilBertForTokenClassification", "a label for each token", ("token_classifier",), NO_POOLER),
        ModelClass(
            "DistilBertForQuestionAnswering", "start and end of an answer", ("cls/squad",), NO_POOLER, required_labels=2
        ),
    ),
    modules={
        "bert": "distilbert",
        LAYER: "distilbert.transformer.layer.*",
        f"{LAYER}/attention/self/query": "distilbert.transformer.layer.*.attention.q_lin",
        f"{LAYER}/attention/self/key": "distilbert.transformer.layer.*.attention.k_lin",
        f"{LAYER}/attention/self/value": "distilbert.transformer.layer.*.attention.v_lin",
        f"{LAYER}/attention/output/dense": "distilbert.transformer.layer.*.attention.out_lin",
        f"{LAYER}/attention/output/LayerNorm": "distilbert.transformer.layer.*.sa_layer_norm",
        f"{LAYER}/intermediate/dense": "distilbert.transformer.layer.*.ffn.lin1",
        f"{LAYER}/output/dense": "distilbert.transformer.layer.*.ffn.lin2",
        f"{LAYER}/output/LayerNorm": "distilbert.transformer.layer.*.output_layer_norm",
        "cls/predictions": "vocab_projector",
        "cls/predictions/decoder": "vocab_projector",
        "cls/predictions/transform/dense": "vocab_transform",
        "cls/predictions/transform/LayerNorm": "vocab_layer_norm",
        "sequence_classifier/dense": "pre_classifier",
        "multiple_choice/dense": "pre_classifier",
    },
    settings=(PRUNED_HEADS, activation_setting("activation")),
)
