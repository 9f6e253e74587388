"""DeBERTa, the first version, defined by its differences from the later ones: one projection for query, key and value.

That projection has no bias; queries and values have a bias each, and keys have none. The
table of relative positions has two rows for each position of a text, and no LayerNorm.
It goes through two projections of its own in every layer, one for each product with
positions. A text of T tokens has 2T relative positions, and only their rows are
projected.

Source: transformers 5.23, models/deberta/modeling_deberta.py and
configuration_deberta.py.
"""

from ..architecture import LAYER, ModelClass, Row, Setting, bare_class, dense, kernel
from .bert import BERT, NO_POOLER, activation_setting, symbols_in
from .deberta_v2 import CONVOLUTION, DEBERTA_V2, fixed_setting, width_setting
from .mpnet import RELATIVE_POSITIONS

MEANING_OF_P = "positions; each has two rows in the table of relative positions"

SYMBOLS = tuple(
    symbol._replace(meaning=MEANING_OF_P if symbol.letter == "P" else symbol.meaning)
    for symbol in symbols_in("configuration_deberta.py, DebertaConfig", without="S")
)

ATTENTION = f"{LAYER}/attention/self"
ATTENTION_MODULE = "deberta.encoder.layer.*.attention.self"
"""The path of attention in every layer, and its name in transformers."""

DEBERTA = DEBERTA_V2.variant(
    name="DeBERTa",
    model_type="deberta",
    symbols=SYMBOLS,
    shared_with_positions=(),
    position_projections=(f"{ATTENTION}/position_key", f"{ATTENTION}/position_query"),
    relative_positions="2T",
    rows={
        ATTENTION: (
            Row(f"{ATTENTION}/query/bias", "H"),
            Row(f"{ATTENTION}/value/bias", "H"),
            kernel(f"{ATTENTION}/query_key_value", "H 3H"),
            kernel(f"{ATTENTION}/position_key", "H H"),
            *dense(f"{ATTENTION}/position_query", "H H"),
        ),
        RELATIVE_POSITIONS: (Row(f"{RELATIVE_POSITIONS}/relative_embeddings", "2P H"),),
        CONVOLUTION: (),
        "multiple_choice": (),
        "multiple_choice_head": (),
    },
    classes=(
        bare_class("DebertaModel", NO_POOLER),
        ModelClass("DebertaForMaskedLM", "filling in masked tokens", ("cls/predictions",), NO_POOLER),
        ModelClass(
            "DebertaForSequenceClassification",
            "a label for a text",
            ("sequence_head", "sequence_classifier"),
            NO_POOLER,
        ),
        ModelClass("DebertaForTokenClassification", "a label for each token", ("token_classifier",), NO_POOLER),
        ModelClass("DebertaForQuestionAnswering", "start and end of an answer", ("cls/squad",), NO_POOLER),
    ),
    modules={
        f"{ATTENTION}/query/bias": f"{ATTENTION_MODULE}.q_bias",
        f"{ATTENTION}/value/bias": f"{ATTENTION_MODULE}.v_bias",
        f"{ATTENTION}/query_key_value": f"{ATTENTION_MODULE}.in_proj",
        f"{ATTENTION}/position_key": f"{ATTENTION_MODULE}.pos_proj",
        f"{ATTENTION}/position_query": f"{ATTENTION_MODULE}.pos_q_proj",
    },
    blocks=BERT.blocks,
    settings=(
        fixed_setting("relative_attention", True, False, "it decides whether there are relative positions"),
        fixed_setting("max_relative_positions", -1, -1, "it is the number of relative positions in either direction"),
        fixed_setting("position_biased_input", False, True, "it adds a table of absolute positions"),
        fixed_setting("type_vocab_size", 0, 0, "it adds a table of segments"),
        fixed_setting("legacy", True, True, "it decides which head fills in masked tokens"),
        Setting(
            "pos_att_type",
            None,
            "each product with positions has a projection of its own, and only both together are counted here, "
            'as in every published DeBERTa: "c2p|p2c"',
            ("c2p|p2c", "p2c|c2p"),
        ),
        Setting("talking_head", False, "it adds two projections of the scores, so leave it out", empty=True),
        width_setting("embedding_size"),
        width_setting("pooler_hidden_size"),
        activation_setting("hidden_act"),
        activation_setting("pooler_hidden_act"),
    ),
)
