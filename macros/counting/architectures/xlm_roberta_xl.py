"""XLM-RoBERTa XL, defined by its differences from RoBERTa: LayerNorm before blocks.

The embeddings have no LayerNorm. Each layer has one before every attention block
and one before its feed-forward network, and there is one more after the last layer.

Source: transformers 5.23, models/xlm_roberta_xl/modeling_xlm_roberta_xl.py.
"""

from ..architecture import LAYER, Row, attention_projections, dense, norm
from .roberta import ROBERTA


def attention_with_norm_last(path: str, when: str = "") -> tuple[Row, ...]:
    """The rows of one attention block, in transformers' order: its LayerNorm runs first, but is registered last."""
    return (*attention_projections(path, when), *norm(f"{path}/LayerNorm", when=when))


XLM_ROBERTA_XL = ROBERTA.variant(
    name="XLM-RoBERTa XL",
    model_type="xlm-roberta-xl",
    rows={
        "bert/embeddings/LayerNorm": (),
        LAYER: (
            *attention_with_norm_last(f"{LAYER}/attention"),
            *attention_with_norm_last(f"{LAYER}/crossattention", when="cross_attention"),
            *dense(f"{LAYER}/intermediate/dense", "H F"),
            *dense(f"{LAYER}/output/dense", "F H"),
            *norm(f"{LAYER}/intermediate/LayerNorm"),
        ),
        "bert/pooler": (*norm("bert/encoder/LayerNorm"), *dense("bert/pooler/dense", "H H", when="pooler")),
    },
    classes=tuple(
        model_class._replace(name=model_class.name.replace("Roberta", "XLMRobertaXL"))
        for model_class in ROBERTA.classes
    ),
    modules={
        f"{LAYER}/attention/LayerNorm": "roberta.encoder.layer.*.attention.self_attn_layer_norm",
        f"{LAYER}/crossattention/LayerNorm": "roberta.encoder.layer.*.crossattention.self_attn_layer_norm",
        f"{LAYER}/intermediate/LayerNorm": "roberta.encoder.layer.*.LayerNorm",
    },
)
