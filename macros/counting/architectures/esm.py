"""ESM-2, defined by its differences from RoBERTa: rotary positions, LayerNorm before blocks, and a contact head.

It reads proteins, whose tokens are amino acids, so its vocabulary is tiny. Queries
and keys are rotated, so there is no table of positions. One more LayerNorm follows
the last layer. The contact head has one weight for each attention head of the whole
model. Every class has it, but only `predict_contacts` runs it, so no operations are
counted for it.

ESM-1b and ESM-1v have the same `model_type`, but absolute positions; their configs
are refused.

Source: transformers 5.23, models/esm/modeling_esm.py and configuration_esm.py.
"""

from collections.abc import Mapping

from ..architecture import (
    LAYER,
    Buffer,
    ModelClass,
    Row,
    Setting,
    attention,
    attention_projections,
    bare_class,
    dense,
    norm,
)
from .bert import BERT, NO_POOLER, embedding_buffers, symbols_in
from .modernbert import frequencies
from .roberta import ROBERTA

CONTACT_HEAD = "bert/contact_head"
"""The path of the head that predicts which amino acids touch each other."""

SAVED_FREQUENCIES = "esm.encoder.layer.*.attention.self.rotary_embeddings.inv_freq"
"""The name of the rotary frequencies in files. Older files have them in every layer, newer ones once for all layers."""


def buffers(sizes: Mapping[str, int], release: int) -> list[Buffer]:
    """The buffers: every position id, and the rotary frequencies, which transformers 4 keeps once per layer."""
    rotary = frequencies(sizes)._replace(module="rotary_embeddings", saved_name=SAVED_FREQUENCIES)
    return [*embedding_buffers(sizes, release), *[rotary] * (sizes["L"] if release == 4 else 1)]


ESM = ROBERTA.variant(
    name="ESM-2",
    model_type="esm",
    saved_names={"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"},
    # P occurs in no parameter's shape: it is the maximum text length for which the model was designed.
    symbols=symbols_in("configuration_esm.py, EsmConfig", without="S", P=1026),
    padded_letters=("V",),
    first_position=0,
    rows={
        "bert/embeddings": (Row("bert/embeddings/word_embeddings", "V H"),),
        LAYER: (
            *attention_projections(f"{LAYER}/attention"),
            *norm(f"{LAYER}/attention/LayerNorm"),
            *attention(f"{LAYER}/crossattention", when="cross_attention"),
            *dense(f"{LAYER}/intermediate/dense", "H F"),
            *dense(f"{LAYER}/output/dense", "F H"),
            *norm(f"{LAYER}/intermediate/LayerNorm"),
        ),
        "bert/pooler": (
            *norm("bert/encoder/LayerNorm"),
            *(row for row in BERT.rows if row.block == "pooler"),
            *dense(f"{CONTACT_HEAD}/regression", "LA 1"),
        ),
        "cls/predictions/decoder/bias": (),
        "multiple_choice": (),
        "cls/squad": (),
    },
    blocks={**BERT.blocks, "contact-head": (CONTACT_HEAD,)},
    idle_layers=(CONTACT_HEAD,),
    classes=(
        bare_class("EsmModel"),
        ModelClass("EsmForMaskedLM", "filling in masked tokens", ("cls/predictions",), NO_POOLER),
        ModelClass("EsmForSequenceClassification", "a label for a text", ("sequence_classifier",), NO_POOLER),
        ModelClass("EsmForTokenClassification", "a label for each token", ("token_classifier",), NO_POOLER),
    ),
    modules={
        "bert": "esm",
        LAYER: "esm.encoder.layer.*",
        f"{LAYER}/crossattention/output/LayerNorm": "esm.encoder.layer.*.crossattention.LayerNorm",
        f"{LAYER}/intermediate/LayerNorm": "esm.encoder.layer.*.LayerNorm",
        "bert/encoder/LayerNorm": "esm.encoder.emb_layer_norm_after",
    },
    buffers=buffers,
    settings=(
        Setting(
            "position_embedding_type",
            "absolute",
            "absolute positions add a table, as in ESM-1b and ESM-1v, so only ESM-2's positions are counted here; "
            'if this is an ESM-2, write "rotary"',
            ("rotary",),
        ),
        Setting(
            "emb_layer_norm_before",
            None,
            "it adds a LayerNorm after the embeddings, as in ESM-1b, so only ESM-2's value, false, is counted here",
            empty=True,
        ),
        Setting("is_folding_model", False, "it makes this an ESMFold, which is another model", empty=True),
    ),
)
