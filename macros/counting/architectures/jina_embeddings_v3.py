"""Jina Embeddings v3, defined by its differences from XLM-RoBERTa: rotary positions instead of a table.

Its modules are named as in NomicBERT. The paper's checkpoint has custom code
(`auto_map`) and adapters for five tasks, so its config is refused. transformers has
the model without these adapters, and this version is counted here.

Source: transformers 5.23, models/jina_embeddings_v3/modeling_jina_embeddings_v3.py and
configuration_jina_embeddings_v3.py.
"""

from ..architecture import LAYER, Row, dense, norm
from .bert import BERT, activation_setting, symbols_in
from .nomic_bert import HEAD_WIDTH, MODULES_IN_LAYER, PROJECTIONS, buffers, modules_of, names_in_files
from .roberta import XLM_ROBERTA

JINA_MODULES_IN_LAYER = {path: name for path, name in MODULES_IN_LAYER.items() if not name.startswith("mlp.")} | {
    f"{LAYER}/intermediate/dense": "mlp.fc1",
    f"{LAYER}/output/dense": "mlp.fc2",
}
"""The names of the modules within a layer in transformers, by path.

They are NomicBERT's, except those of the feed-forward network, which has no gate.
"""

JINA_V3 = XLM_ROBERTA.variant(
    name="Jina Embeddings v3",
    model_type="jina_embeddings_v3",
    saved_names=names_in_files("mixer", {"embeddings.LayerNorm": "emb_ln"}),
    # P occurs in no parameter's shape: it is the maximum text length for which the model was designed.
    symbols=symbols_in("configuration_jina_embeddings_v3.py, JinaEmbeddingsV3Config", P=8194),
    padded_letters=("V",),
    padding_id=1,
    first_position=0,
    rounds_heads=True,
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
            *dense(f"{LAYER}/intermediate/dense", "H F"),
            *dense(f"{LAYER}/output/dense", "F H"),
            *(row for path in PROJECTIONS for row in dense(path, "H H")),
            *norm(f"{LAYER}/output/LayerNorm"),
        ),
        "multiple_choice": (),
    },
    # The classes are XLM-RoBERTa's, except those for causal language modelling and for multiple choice.
    classes=tuple(
        model_class._replace(name=model_class.name.replace("XLMRoberta", "JinaEmbeddingsV3"))
        for model_class in XLM_ROBERTA.classes
        if not model_class.name.endswith(("CausalLM", "MultipleChoice"))
    ),
    modules=modules_of("roberta", JINA_MODULES_IN_LAYER),
    buffers=buffers,
    settings=(HEAD_WIDTH, activation_setting("hidden_act")),
)
