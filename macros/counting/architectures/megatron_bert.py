"""Megatron BERT, defined by its differences from BERT: LayerNorm before blocks.

The embeddings have no LayerNorm. Each layer has one before every attention block
and one before its feed-forward network, and there is one more after the last layer.

Source: transformers 5.23, models/megatron_bert/modeling_megatron_bert.py.
"""

from ..architecture import LAYER, Row, attention_projections, dense, norm
from .bert import BERT, position_buffer


def attention_with_norm_first(path: str, when: str = "") -> tuple[Row, ...]:
    """The rows of one attention block, which begins with its LayerNorm."""
    return (*norm(f"{path}/LayerNorm", when=when), *attention_projections(path, when))


MEGATRON_BERT = BERT.variant(
    name="Megatron BERT",
    model_type="megatron-bert",
    rows={
        "bert/embeddings/LayerNorm": (),
        LAYER: (
            *attention_with_norm_first(f"{LAYER}/attention"),
            *attention_with_norm_first(f"{LAYER}/crossattention", when="cross_attention"),
            *norm(f"{LAYER}/intermediate/LayerNorm"),
            *dense(f"{LAYER}/intermediate/dense", "H F"),
            *dense(f"{LAYER}/output/dense", "F H"),
        ),
        "bert/pooler": (*norm("bert/encoder/LayerNorm"), *dense("bert/pooler/dense", "H H", when="pooler")),
    },
    classes=tuple(
        bert_class._replace(name=f"Megatron{bert_class.name.replace('LMHeadModel', 'ForCausalLM')}")
        for bert_class in BERT.classes
    ),
    modules={
        f"{LAYER}/attention/LayerNorm": "bert.encoder.layer.*.attention.ln",
        f"{LAYER}/crossattention/LayerNorm": "bert.encoder.layer.*.crossattention.ln",
        f"{LAYER}/intermediate/LayerNorm": "bert.encoder.layer.*.ln",
        "bert/encoder/LayerNorm": "bert.encoder.ln",
    },
    buffers=position_buffer,
)
