"""DeBERTa-v2 and v3, defined by their differences from BERT: relative instead of absolute positions, and no segments.

The table of relative positions has one row for each bucket of distances before a
token, and one for each bucket after it. It goes through the query and key
projections of every layer, as the tokens do, so the layers need no further
parameters for it. transformers has one implementation for versions 2 and 3;
version 2 also has a convolution over the embeddings, whose output is added to that
of the first layer. Operations include both products with positions, since
every published config has `pos_att_type` "p2c|c2p"; a config without that key is
counted in the same way.

Source: transformers 5.23, models/deberta_v2/modeling_deberta_v2.py and
configuration_deberta_v2.py.
"""

from functools import partial

from ..architecture import LAYER, ModelClass, Row, Setting, Symbol, bare_class, dense, norm, output
from .bert import BERT, NO_POOLER, activation_setting, head_width_setting, published_setting, symbols_in
from .mpnet import RELATIVE_POSITIONS

CONFIG = "configuration_deberta_v2.py, DebertaV2Config"

# P occurs in no parameter's shape: it is the maximum text length for which the model was designed.
*COMMON_SYMBOLS, C = symbols_in(CONFIG, without="S", P=512)
MODELING = "modeling_deberta_v2.py"
R = Symbol("R", "position_buckets", "buckets of relative positions in each direction", MODELING)
Z = Symbol("Z", "conv_kernel_size", "successive tokens that a convolution reads", MODELING, default=0, minimum=0)


fixed_setting = partial(published_setting, "every published DeBERTa")
"""A setting that accepts only the value of published models; arguments are as for `published_setting`."""


def width_setting(key: str) -> Setting:
    """The setting of a width that has to be the hidden size."""
    why = "only the width of the layers is counted here, so leave it out"
    return Setting(key, None, why, same_as="hidden_size")


CONVOLUTION = "bert/encoder/convolution"
"""The path prefix shared by the convolution that runs in parallel with the first layer and the LayerNorm after it."""

SETTINGS = (
    fixed_setting("relative_attention", True, False, "it decides whether there are relative positions"),
    fixed_setting("share_att_key", True, False, "without it every layer has two more projections, for positions"),
    fixed_setting("norm_rel_ebd", "layer_norm", "none", "it adds the LayerNorm of the table of relative positions"),
    fixed_setting("position_biased_input", False, True, "it adds a table of absolute positions"),
    fixed_setting("type_vocab_size", 0, 0, "it adds a table of segments"),
    fixed_setting("conv_groups", 1, 1, "it makes the kernel of the convolution smaller"),
    fixed_setting("legacy", True, True, "it decides which head fills in masked tokens"),
    Setting(
        "pos_att_type",
        None,
        "only operations of both products with positions are counted here",
        (None, "p2c|c2p", "c2p|p2c"),
    ),
    # With buckets, this key affects no tensor, but transformers builds no model unless it is a number.
    Setting(
        "max_relative_positions",
        -1,
        "only the value that published models have is counted here, so leave it out",
        (-1, 512),
    ),
    width_setting("embedding_size"),
    head_width_setting("attention_head_size"),
    width_setting("pooler_hidden_size"),
    activation_setting("hidden_act"),
    activation_setting("pooler_hidden_act"),
)

DEBERTA_V2 = BERT.variant(
    name="DeBERTa-v2/v3",
    model_type="deberta-v2",
    symbols=(*COMMON_SYMBOLS, R, Z, C),
    shared_with_positions=(f"{LAYER}/attention/self/query", f"{LAYER}/attention/self/key"),
    rows={
        "bert/embeddings": (Row("bert/embeddings/word_embeddings", "V H"), *norm("bert/embeddings/LayerNorm")),
        f"{LAYER}/crossattention": (),
        "bert/pooler": (
            Row(f"{RELATIVE_POSITIONS}/relative_embeddings", "2R H"),
            *norm(f"{RELATIVE_POSITIONS}/LayerNorm"),
            Row(f"{CONVOLUTION}/dense/kernel", "Z H H", when="Z≠0"),
            Row(f"{CONVOLUTION}/dense/bias", "H", when="Z≠0"),
            *norm(f"{CONVOLUTION}/LayerNorm", when="Z≠0"),
        ),
        "cls/seq_relationship": (),
        "sequence_classifier": (*dense("sequence_head/dense", "H H"), *output("sequence_classifier", "C")),
        "multiple_choice": (*dense("multiple_choice_head/dense", "H H"), *output("multiple_choice", "1")),
    },
    classes=(
        bare_class("DebertaV2Model", NO_POOLER),
        ModelClass("DebertaV2ForMaskedLM", "filling in masked tokens", ("cls/predictions",), NO_POOLER),
        ModelClass(
            "DebertaV2ForSequenceClassification",
            "a label for a text",
            ("sequence_head", "sequence_classifier"),
            NO_POOLER,
        ),
        ModelClass(
            "DebertaV2ForMultipleChoice",
            "a score for each choice",
            ("multiple_choice_head", "multiple_choice"),
            NO_POOLER,
        ),
        ModelClass("DebertaV2ForTokenClassification", "a label for each token", ("token_classifier",), NO_POOLER),
        ModelClass("DebertaV2ForQuestionAnswering", "start and end of an answer", ("cls/squad",), NO_POOLER),
    ),
    modules={
        "bert": "deberta",
        LAYER: "deberta.encoder.layer.*",
        **{
            f"{LAYER}/attention/self/{name}": f"deberta.encoder.layer.*.attention.self.{name}_proj"
            for name in ("query", "key", "value")
        },
        f"{RELATIVE_POSITIONS}/relative_embeddings": "deberta.encoder.rel_embeddings",
        f"{RELATIVE_POSITIONS}/LayerNorm": "deberta.encoder.LayerNorm",
        f"{CONVOLUTION}/dense": "deberta.encoder.conv.conv",
        f"{CONVOLUTION}/LayerNorm": "deberta.encoder.conv.LayerNorm",
        "sequence_head/dense": "pooler.dense",
        "multiple_choice_head/dense": "pooler.dense",
    },
    settings=SETTINGS,
    blocks={**BERT.blocks, "convolution": (CONVOLUTION,)},
)
