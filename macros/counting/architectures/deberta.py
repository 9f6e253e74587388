"""DeBERTa-v3, as its differences from BERT: a table of relative positions, and neither segments nor absolute positions.

The table has one row for each bucket of distances before a token and one for
each after it. It goes through the query and key projections of every layer,
which tokens and distances share, so the layers have no parameters for it.
transformers has one implementation for versions 2 and 3; settings that only
version 2 uses are refused. Operations include both products with positions,
since every published config has `pos_att_type` "p2c|c2p"; a config without that
key is counted likewise.

Source: transformers 5.23, models/deberta_v2/modeling_deberta_v2.py and
configuration_deberta_v2.py.
"""

from ..architecture import LAYER, Choices, ModelClass, Row, Setting, Symbol, bare, dense, norm, output
from .bert import BERT, activation
from .mpnet import RELATIVE

UNPOOLED = Choices(pooler=False)

CONFIG = "configuration_deberta_v2.py, DebertaV2Config"

*SIZES, LABELS = (
    symbol._replace(
        source=symbol.source.replace("modeling.py, BertConfig", CONFIG),
        # P sizes no tensor here: it only says how long a text the model was made for.
        usual=512 if symbol.letter == "P" else symbol.usual,
    )
    for symbol in BERT.symbols
    if symbol.letter != "S"
)
BUCKETS = Symbol("R", "position_buckets", "buckets of relative positions in either direction", "modeling_deberta_v2.py")


def needs(key: str, value: object, usual: object, what: str) -> Setting:
    """A setting with one value in every DeBERTa-v3; `what` says what another value would change."""
    return Setting(key, usual, f"{what}, so only DeBERTa-v3's value is counted here", (value,))


def as_wide(key: str) -> Setting:
    """A setting for a width that has to be the hidden size."""
    why = "only the width of the layers is counted here, so leave it out"
    return Setting(key, None, why, same_as="hidden_size")


SETTINGS = (
    needs("relative_attention", True, False, "it decides whether there are relative positions"),
    needs("share_att_key", True, False, "without it every layer has two more projections, for positions"),
    needs("norm_rel_ebd", "layer_norm", "none", "it brings the LayerNorm of the table of relative positions"),
    needs("position_biased_input", False, True, "it brings a table of absolute positions"),
    needs("type_vocab_size", 0, 0, "it brings a table of segments"),
    needs("conv_kernel_size", 0, 0, "it brings a convolution beside the first layer"),
    needs("legacy", True, True, "it decides which head fills in masked tokens"),
    Setting(
        "pos_att_type",
        None,
        "only operations of DeBERTa-v3's two products with positions are counted here",
        (None, "p2c|c2p", "c2p|p2c"),
    ),
    as_wide("embedding_size"),
    Setting(
        "attention_head_size",
        None,
        "only heads that share the hidden size are counted here",
        same_as="hidden_size",
        times="num_attention_heads",
    ),
    as_wide("pooler_hidden_size"),
    activation("hidden_act"),
    activation("pooler_hidden_act"),
)

DEBERTA = BERT.variant(
    name="DeBERTa-v3",
    model_type="deberta-v2",
    symbols=(*SIZES, BUCKETS, LABELS),
    shared_with_positions=(f"{LAYER}/attention/self/query", f"{LAYER}/attention/self/key"),
    rows={
        "bert/embeddings": (Row("bert/embeddings/word_embeddings", "V H"), *norm("bert/embeddings/LayerNorm")),
        f"{LAYER}/crossattention": (),
        "bert/pooler": (Row(f"{RELATIVE}/relative_embeddings", "2R H"), *norm(f"{RELATIVE}/LayerNorm")),
        "cls/seq_relationship": (),
        "sequence_classifier": (*dense("sequence_head/dense", "H H"), *output("sequence_classifier", "C")),
        "multiple_choice": (*dense("multiple_choice_head/dense", "H H"), *output("multiple_choice", "1")),
    },
    classes=(
        bare("DebertaV2Model", UNPOOLED),
        ModelClass("DebertaV2ForMaskedLM", "filling in masked tokens", ("cls/predictions",), UNPOOLED),
        ModelClass(
            "DebertaV2ForSequenceClassification",
            "a label for a text",
            ("sequence_head", "sequence_classifier"),
            UNPOOLED,
        ),
        ModelClass(
            "DebertaV2ForMultipleChoice",
            "a score for each choice",
            ("multiple_choice_head", "multiple_choice"),
            UNPOOLED,
        ),
        ModelClass("DebertaV2ForTokenClassification", "a label for each token", ("token_classifier",), UNPOOLED),
        ModelClass("DebertaV2ForQuestionAnswering", "start and end of an answer", ("cls/squad",), UNPOOLED),
    ),
    modules={
        "bert": "deberta",
        LAYER: "deberta.encoder.layer.*",
        **{
            f"{LAYER}/attention/self/{name}": f"deberta.encoder.layer.*.attention.self.{name}_proj"
            for name in ("query", "key", "value")
        },
        f"{RELATIVE}/relative_embeddings": "deberta.encoder.rel_embeddings",
        f"{RELATIVE}/LayerNorm": "deberta.encoder.LayerNorm",
        "sequence_head/dense": "pooler.dense",
        "multiple_choice_head/dense": "pooler.dense",
    },
    settings=SETTINGS,
)
