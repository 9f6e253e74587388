"""Longformer, defined by its differences from RoBERTa: two sets of projections for query, key and value in every layer.

The first set serves attention within a window, the second that of a few tokens which
attend to the whole text. The width of the window affects no tensor, but how much a model
computes depends on it, and on how many tokens attend to the whole text.

Source: transformers 5.23, models/longformer/modeling_longformer.py and
configuration_longformer.py.
"""

from collections.abc import Mapping
from typing import Any

from ..architecture import LAYER, Choices, ModelClass, Pairs, bare_class, dense
from ..errors import BadChoice, quote
from .bert import activation_setting
from .roberta import NO_POOLER, ROBERTA, WITH_POOLER

PROJECTIONS = ("query", "key", "value", "query_global", "key_global", "value_global")

WINDOW = "attention_window"

CLASSIFIES = "LongformerForSequenceClassification"
"""The class in which the first token attends to the whole text, unless the caller chooses other tokens."""

QUESTION = (
    "where the question in a text ends, because its tokens attend to the whole text; count LongformerModel instead, "
    "in which none does unless the caller chooses it"
)


def pairs(attention: Mapping[str, Any], _: Choices, model_class: str, tokens: int) -> Pairs:
    """The extent of attention for one text, which is filled up to a multiple of the window.

    A window of w tokens is computed in chunks: the scores in overlapping ones of w tokens each, of which every next one
    starts half a window later; the context from each half window and the three half windows around it.

    Raises:
        BadChoice: the window is not the same even number in all layers.
    """
    window = attention[WINDOW]
    widths = window if isinstance(window, list) and window else [window]
    width = widths[0]
    if type(width) is not int or width < 2 or width % 2 or any(other != width for other in widths):
        raise BadChoice(
            f"{WINDOW} is {quote(window)}; operations are counted for an even number, such as 512, or a list with the "
            "same one for each layer"
        )
    filled = -(-tokens // width) * width
    to_all = 1 if model_class == CLASSIFIES else 0
    # Each token also attends to those that attend to the whole text, and they to it.
    both_ways = 2 * to_all * filled
    scores, context = (2 * filled - width) * width, filled * 3 * width // 2
    return Pairs(
        filled,
        scores + both_ways,
        filled * (width + 1) + both_ways,
        context + both_ways,
        to_all,
    )


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
        ModelClass("LongformerForMaskedLM", "filling in masked tokens", ("cls/predictions",), NO_POOLER),
        ModelClass(CLASSIFIES, "a label for a text", ("sequence_classifier",), NO_POOLER),
        ModelClass("LongformerForQuestionAnswering", "start and end of an answer", ("cls/squad",), NO_POOLER),
        ModelClass("LongformerForTokenClassification", "a label for each token", ("token_classifier",), NO_POOLER),
        ModelClass("LongformerForMultipleChoice", "a score for each choice", ("multiple_choice",), WITH_POOLER),
    ),
    modules={"bert": "longformer", LAYER: "longformer.encoder.layer.*"},
    buffers=lambda _sizes, _release: [],
    sparse_attention=pairs,
    attention={WINDOW: 512},
    for_whole_text=tuple(f"{LAYER}/attention/self/{name}" for name in PROJECTIONS if name.endswith("_global")),
    operations_depend_on=dict.fromkeys(("LongformerForQuestionAnswering", "LongformerForMultipleChoice"), QUESTION),
    settings=(activation_setting("hidden_act"),),
)
