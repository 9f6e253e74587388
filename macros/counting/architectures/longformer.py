"""Longformer, defined by its differences from RoBERTa: two sets of projections for query, key and value in every layer.

The first set serves attention within a window. The second serves the few tokens that
attend to the whole text. The width of the window affects no tensor, but it decides how
much a model computes, and so does the number of tokens that attend to the whole text.

Source: transformers 5.23, models/longformer/modeling_longformer.py and
configuration_longformer.py.
"""

from collections.abc import Mapping
from typing import Any

from ..architecture import LAYER, Choices, ModelClass, SparseAttention, bare_class, dense
from ..errors import BadChoice, quote
from ..rounding import rounded_up
from .bert import NO_POOLER, WITH_POOLER, activation_setting, symbols_in
from .roberta import ROBERTA

PROJECTIONS = ("query", "key", "value", "query_global", "key_global", "value_global")
"""The projections of attention in every layer; the last three are for global tokens."""

WINDOW = "attention_window"
"""The config key for the width of the window, in tokens."""


def attention_extent(attention: Mapping[str, Any], _: Choices, tokens: int, global_tokens: int) -> SparseAttention:
    """The extent of attention for one text, which is padded to a multiple of the window.

    Attention within a window of w tokens is computed in chunks. The scores come from chunks of w tokens, each of which
    overlaps half of the one before it. The context of every half window comes from three half windows: its own, the
    one before and the one after. Softmax covers what one token attends to: itself and the w tokens around it.

    Raises:
        BadChoice: the window is odd or less than 4, or differs between layers.
    """
    window = attention[WINDOW]
    widths = window if isinstance(window, list) and window else [window]
    width = widths[0]
    # With a window of two tokens, transformers builds the model but cannot run it.
    if type(width) is not int or width < 4 or width % 2 or any(layer_width != width for layer_width in widths):
        raise BadChoice(
            f"{WINDOW} is {quote(window)}; operations are counted for an even number from 4, such as 512, or a list "
            "with the same one for each layer"
        )
    padded_tokens = rounded_up(tokens, width)
    # Every token also attends to every global token, and every global token attends to it.
    pairs_with_global_tokens = 2 * global_tokens * padded_tokens
    return SparseAttention(
        padded_tokens,
        scores=(2 * padded_tokens - width) * width + pairs_with_global_tokens,
        softmax=padded_tokens * (width + 1) + pairs_with_global_tokens,
        context=padded_tokens * 3 * width // 2 + pairs_with_global_tokens,
        global_tokens=global_tokens,
        read_by_global_tokens=padded_tokens if global_tokens else 0,
    )


LONGFORMER = ROBERTA.variant(
    name="Longformer",
    model_type="longformer",
    symbols=symbols_in("configuration_longformer.py, LongformerConfig", symbols=ROBERTA.symbols),
    rows={
        f"{LAYER}/attention/self": tuple(
            row for name in PROJECTIONS for row in dense(f"{LAYER}/attention/self/{name}", "H H")
        ),
        f"{LAYER}/crossattention": (),
    },
    classes=(
        bare_class("LongformerModel"),
        ModelClass("LongformerForMaskedLM", "filling in masked tokens", ("cls/predictions",), NO_POOLER),
        ModelClass("LongformerForSequenceClassification", "a label for a text", ("sequence_classifier",), NO_POOLER),
        ModelClass("LongformerForQuestionAnswering", "start and end of an answer", ("cls/squad",), NO_POOLER),
        ModelClass("LongformerForTokenClassification", "a label for each token", ("token_classifier",), NO_POOLER),
        ModelClass("LongformerForMultipleChoice", "a score for each choice", ("multiple_choice",), WITH_POOLER),
    ),
    modules={"bert": "longformer", LAYER: "longformer.encoder.layer.*"},
    # Unlike RoBERTa, transformers' Longformer keeps no buffers of ids.
    buffers=lambda _sizes, _release: [],
    sparse_attention=attention_extent,
    attention_settings={WINDOW: 512},
    global_projections=tuple(f"{LAYER}/attention/self/{name}" for name in PROJECTIONS if name.endswith("_global")),
    # For sequence classification, the first token attends to the whole text. For question answering and multiple
    # choice, all tokens of a part of the text do.
    default_global_tokens={"LongformerForSequenceClassification": 1},
    global_tokens_depend_on={
        "LongformerForQuestionAnswering": "those of the question",
        "LongformerForMultipleChoice": "those of the choice",
    },
    settings=(activation_setting("hidden_act"),),
)
