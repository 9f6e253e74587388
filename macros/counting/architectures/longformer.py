"""Longformer, defined by its differences from RoBERTa: two sets of projections for query, key and value in every layer.

The first set serves attention within a window, the second that of a few tokens which
attend to the whole text. The width of the window affects no tensor. How much a model
computes depends on it, and on how many tokens attend to the whole text.

Source: transformers 5.23, models/longformer/modeling_longformer.py and
configuration_longformer.py.
"""

from ..architecture import LAYER, ModelClass, bare_class, dense
from .bert import activation_setting
from .roberta import POOLED, ROBERTA, UNPOOLED

PROJECTIONS = ("query", "key", "value", "query_global", "key_global", "value_global")

LONGFORMER = ROBERTA.variant(
    name="Longformer",
    model_type="longformer",
    symbols=tuple(
        symbol._replace(
            source=symbol.source.replace("modeling.py, BertConfig", "configuration_longformer.py, LongformerConfig")
        )
        for symbol in ROBERTA.symbols
    ),
    rows={
        f"{LAYER}/attention/self": tuple(
            row for name in PROJECTIONS for row in dense(f"{LAYER}/attention/self/{name}", "H H")
        ),
        f"{LAYER}/crossattention": (),
    },
    classes=(
        bare_class("LongformerModel"),
        ModelClass("LongformerForMaskedLM", "filling in masked tokens", ("cls/predictions",), UNPOOLED),
        ModelClass("LongformerForSequenceClassification", "a label for a text", ("sequence_classifier",), UNPOOLED),
        ModelClass("LongformerForQuestionAnswering", "start and end of an answer", ("cls/squad",), UNPOOLED),
        ModelClass("LongformerForTokenClassification", "a label for each token", ("token_classifier",), UNPOOLED),
        ModelClass("LongformerForMultipleChoice", "a score for each choice", ("multiple_choice",), POOLED),
    ),
    modules={"bert": "longformer", LAYER: "longformer.encoder.layer.*"},
    buffers=lambda _sizes, _release: [],
    operations_depend_on="the width of the window, and how many tokens attend to the whole text",
    settings=(activation_setting("hidden_act"),),
)
