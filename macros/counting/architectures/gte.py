"""GTE, defined by its differences from NomicBERT: biases in attention and in the last layer of feed-forward networks.

Segments are optional. The head for masked tokens is RoBERTa's, but its decoder's
bias has only one name.

The first published models have custom code (`auto_map`) and the `model_type` "new",
so their configs are refused.

Source: transformers 5.23, models/gte/modeling_gte.py and configuration_gte.py.
"""

from collections.abc import Mapping

from ..architecture import LAYER, Buffer, ModelClass, Row, bare_class, dense, kernel, norm
from .bert import NO_POOLER, SINGLE_DECODER_BIAS, WITH_POOLER, activation_setting, symbols_in
from .modernbert import frequencies
from .nomic_bert import HEAD_WIDTH, NOMIC_BERT, PROJECTIONS, modules_of


def buffers(sizes: Mapping[str, int], _: int) -> list[Buffer]:
    """The frequencies of rotary positions, which transformers keeps twice."""
    return [frequencies(sizes)] * 2


GTE = NOMIC_BERT.variant(
    name="GTE",
    model_type="gte",
    # P occurs in no parameter's shape: it is the maximum text length for which the model was designed.
    symbols=tuple(
        symbol._replace(minimum=0) if symbol.letter == "S" else symbol
        for symbol in symbols_in("configuration_gte.py, GteConfig", P=8192)
    ),
    saved_names={
        "layers.": "encoder.layer.",
        **dict.fromkeys(("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"), "attention.qkv_proj"),
        "self_attn.o_proj": "attention.o_proj",
        **dict.fromkeys(("mlp.up_proj", "mlp.gate_proj"), "mlp.up_gate_proj"),
        "post_attention_layernorm": "attn_ln",
        "post_mlp_layernorm": "mlp_ln",
        "lm_head.layer_norm": "lm_head.norm",
    },
    padding_id=1,
    pairs_features=False,
    rows={
        "bert/embeddings": (
            Row("bert/embeddings/word_embeddings", "V H"),
            Row("bert/embeddings/token_type_embeddings", "S H", when="S≠0"),
            *norm("bert/embeddings/LayerNorm"),
        ),
        LAYER: (
            *norm(f"{LAYER}/attention/output/LayerNorm"),
            kernel(f"{LAYER}/intermediate/gate", "H F"),
            kernel(f"{LAYER}/intermediate/dense", "H F"),
            *dense(f"{LAYER}/output/dense", "F H"),
            *(row for path in PROJECTIONS for row in dense(path, "H H")),
            *norm(f"{LAYER}/output/LayerNorm"),
        ),
        "cls/predictions": (
            *dense("cls/predictions/transform/dense", "H H"),
            *norm("cls/predictions/transform/LayerNorm"),
            Row("cls/predictions/decoder/kernel", "H V", tied_to="bert/embeddings/word_embeddings"),
            SINGLE_DECODER_BIAS,
        ),
    },
    classes=(
        bare_class("GteModel", default_choices=NO_POOLER),
        ModelClass("GteForMaskedLM", "filling in masked tokens", ("cls/predictions",), NO_POOLER),
        ModelClass("GteForSequenceClassification", "a label for a text", ("sequence_classifier",), WITH_POOLER),
        ModelClass("GteForTokenClassification", "a label for each token", ("token_classifier",), NO_POOLER),
    ),
    modules={
        **modules_of("gte"),
        "cls/predictions": "lm_head.decoder",
        "cls/predictions/decoder": "lm_head.decoder",
        "cls/predictions/transform/dense": "lm_head.dense",
        "cls/predictions/transform/LayerNorm": "lm_head.layer_norm",
    },
    buffers=buffers,
    settings=(HEAD_WIDTH, activation_setting("hidden_act")),
)
