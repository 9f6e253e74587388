"""NomicBERT, defined by its differences from BERT: rotary positions, gated feed-forward networks, few biases.

Queries and keys are rotated, so there is no table of positions; the table of
segments is BERT's. The first layer of a feed-forward network and its gate are two
matrices, unlike ModernBERT's. LayerNorms come after blocks, as in BERT, and only
they, the pooler and the heads have biases.

Models with custom code (`auto_map`) have the same `model_type` but other keys (n_embd,
n_layer, …); their configs are refused.

Source: transformers 5.23, models/nomic_bert/modeling_nomic_bert.py and
configuration_nomic_bert.py.
"""

from collections.abc import Mapping

from ..architecture import LAYER, Architecture, Buffer, Choices, ModelClass, Row, bare_class, kernel, norm
from .bert import (
    BERT,
    NO_POOLER,
    WITH_POOLER,
    activation_setting,
    embedding_buffers,
    head_width_setting,
    symbols_in,
)
from .modernbert import frequencies

HEAD_WIDTH = head_width_setting("head_dim")

PROJECTIONS = {
    f"{LAYER}/attention/self/query": "self_attn.q_proj",
    f"{LAYER}/attention/self/key": "self_attn.k_proj",
    f"{LAYER}/attention/self/value": "self_attn.v_proj",
    f"{LAYER}/attention/output/dense": "self_attn.o_proj",
}
"""The names of attention's projections within a layer in transformers, by path."""

MODULES_IN_LAYER = {
    **PROJECTIONS,
    f"{LAYER}/attention/output/LayerNorm": "post_attention_layernorm",
    f"{LAYER}/intermediate/gate": "mlp.gate_proj",
    f"{LAYER}/intermediate/dense": "mlp.up_proj",
    f"{LAYER}/output/dense": "mlp.down_proj",
    f"{LAYER}/output/LayerNorm": "post_mlp_layernorm",
}
"""The names of all modules within a layer in transformers, by path."""


def modules_of(model: str, names_in_layer: Mapping[str, str] = MODULES_IN_LAYER) -> dict[str, str]:
    """The names of modules in transformers, by path prefix, of a model whose layers are built like NomicBERT's.

    Args:
        model: the name of the bare model within the other classes.
        names_in_layer: the names of the modules within a layer, by path.
    """
    layers = f"{model}.layers.*"
    return {"bert": model, LAYER: layers, **{path: f"{layers}.{name}" for path, name in names_in_layer.items()}}


def names_in_files(attention: str, other_names: Mapping[str, str]) -> dict[str, str]:
    """The value of `Architecture.saved_names` for files that keep the tensor names of the models' own code.

    Args:
        attention: the module of attention in files, where query, key and value are one matrix.
        other_names: further parts of names, each with its replacement.
    """
    return {
        "layers.": "encoder.layers.",
        **dict.fromkeys(("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"), f"{attention}.Wqkv"),
        "self_attn.o_proj": f"{attention}.out_proj",
        "post_attention_layernorm": "norm1",
        "post_mlp_layernorm": "norm2",
        **other_names,
    }


def buffers(sizes: Mapping[str, int], release: int) -> list[Buffer]:
    """The buffers of the embeddings, and the frequencies of rotary positions, which transformers keeps twice."""
    return [*embedding_buffers(sizes, release), *[frequencies(sizes)] * 2]


NOMIC_BERT: Architecture = BERT.variant(
    name="NomicBERT",
    model_type="nomic_bert",
    saved_names=names_in_files(
        "attn",
        {"embeddings.LayerNorm": "emb_ln", "up_proj": "fc11", "gate_proj": "fc12", "down_proj": "fc2"},
    ),
    # P occurs in no parameter's shape: it is the maximum text length for which the model was designed.
    symbols=symbols_in("configuration_nomic_bert.py, NomicBertConfig", P=2048),
    default_choices=Choices(pooler=False),
    rounds_heads=True,
    pairs_features=True,
    rows={
        "bert/pooler": (),
        "bert/embeddings": (
            Row("bert/embeddings/word_embeddings", "V H"),
            Row("bert/embeddings/token_type_embeddings", "S H"),
            *norm("bert/embeddings/LayerNorm"),
            *(row for row in BERT.rows if row.block == "pooler"),
        ),
        LAYER: (
            *norm(f"{LAYER}/attention/output/LayerNorm"),
            kernel(f"{LAYER}/intermediate/gate", "H F"),
            kernel(f"{LAYER}/intermediate/dense", "H F"),
            kernel(f"{LAYER}/output/dense", "F H"),
            *(kernel(path, "H H") for path in PROJECTIONS),
            *norm(f"{LAYER}/output/LayerNorm"),
        ),
        "cls/seq_relationship": (),
        "multiple_choice": (),
        "cls/squad": (),
    },
    classes=(
        bare_class("NomicBertModel", default_choices=NO_POOLER),
        ModelClass("NomicBertForMaskedLM", "filling in masked tokens", ("cls/predictions",), NO_POOLER),
        ModelClass("NomicBertForSequenceClassification", "a label for a text", ("sequence_classifier",), WITH_POOLER),
        ModelClass("NomicBertForTokenClassification", "a label for each token", ("token_classifier",), NO_POOLER),
    ),
    modules={**modules_of("nomic_bert"), "cls/predictions/transform/LayerNorm": "cls.predictions.transform.layer_norm"},
    buffers=buffers,
    settings=(HEAD_WIDTH, activation_setting("hidden_act")),
)
