"""ERNIE, defined by its differences from BERT: versions 2 and 3 have a table of task types.

The config key `use_task_id` decides whether the table exists. Without the key it
does not, as in version 1, which has BERT's tensors.

Source: transformers 5.23, models/ernie/modeling_ernie.py and
configuration_ernie.py.
"""

from ..architecture import LAYER, Row, Symbol, norm
from .bert import BERT

*COMMON_SYMBOLS, C = BERT.symbols
K = Symbol(
    "K",
    "task_type_vocab_size",
    "task types",
    "configuration_ernie.py, ErnieConfig",
    default=3,
    only_if="use_task_id",
)

ERNIE = BERT.variant(
    name="ERNIE",
    model_type="ernie",
    symbols=(*COMMON_SYMBOLS, K, C),
    rows={
        "bert/embeddings/LayerNorm": (
            *norm("bert/embeddings/LayerNorm"),
            Row("bert/embeddings/task_type_embeddings", "K H", when="K≠0"),
        ),
    },
    classes=tuple(
        bert_class._replace(name=bert_class.name.replace("LMHeadModel", "ForCausalLM").replace("Bert", "Ernie"))
        for bert_class in BERT.classes
    ),
    modules={"bert": "ernie", LAYER: "ernie.encoder.layer.*"},
)
