"""LayoutLM, defined by its differences from BERT: tables for the position on the page, and a pooler in every class.

Four tables have one row for each coordinate: the left and right edges of a word
share the first, its upper and lower edges the second, and its height and width
have a table each.

Source: transformers 5.23, models/layoutlm/modeling_layoutlm.py and
configuration_layoutlm.py.
"""

from ..architecture import LAYER, ModelClass, Row, Symbol, bare_class, norm
from .bert import BERT, WITH_POOLER, activation_setting, position_buffer, symbols_in

CONFIG = "configuration_layoutlm.py, LayoutLMConfig"

*COMMON_SYMBOLS, C = symbols_in(CONFIG)
X = Symbol("X", "max_2d_position_embeddings", "coordinates on a page, in each direction", CONFIG)


LAYOUTLM = BERT.variant(
    name="LayoutLM",
    model_type="layoutlm",
    symbols=(*COMMON_SYMBOLS, X, C),
    rows={
        "bert/embeddings": (
            Row("bert/embeddings/word_embeddings", "V H"),
            Row("bert/embeddings/position_embeddings", "P H"),
            *(Row(f"bert/embeddings/{axis}_position_embeddings", "X H") for axis in "xyhw"),
            Row("bert/embeddings/token_type_embeddings", "S H"),
            *norm("bert/embeddings/LayerNorm"),
        ),
        f"{LAYER}/crossattention": (),
        "cls/seq_relationship": (),
        "multiple_choice": (),
    },
    classes=(
        bare_class("LayoutLMModel", WITH_POOLER),
        ModelClass("LayoutLMForMaskedLM", "filling in masked tokens", ("cls/predictions",), WITH_POOLER),
        ModelClass("LayoutLMForSequenceClassification", "a label for a text", ("sequence_classifier",), WITH_POOLER),
        ModelClass("LayoutLMForTokenClassification", "a label for each token", ("token_classifier",), WITH_POOLER),
        ModelClass("LayoutLMForQuestionAnswering", "start and end of an answer", ("cls/squad",), WITH_POOLER),
    ),
    modules={"bert": "layoutlm", LAYER: "layoutlm.encoder.layer.*"},
    buffers=position_buffer,
    settings=(activation_setting("hidden_act"),),
)
