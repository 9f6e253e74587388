"""The letters that stand for sizes: one row each, with config key and meaning.

A shape such as `"V H"` is written in these letters. `A` is a size of every
config and yet occurs in no shape: that is why heads do not change the count.
"""

from __future__ import annotations

from typing import NamedTuple


class Symbol(NamedTuple):
    """One letter, the config key it stands for, and what it counts.

    `needed` says whether every config must give the key; `smallest` is the
    least value transformers builds a usable model for.
    """

    letter: str
    key: str
    meaning: str
    source: str
    needed: bool = True
    smallest: int = 1


SYMBOLS = (
    Symbol("V", "vocab_size", "tokens in the vocabulary", "modeling.py, BertConfig"),
    Symbol("P", "max_position_embeddings", "positions with a row of their own", "modeling.py, BertConfig"),
    Symbol("S", "type_vocab_size", "segments (token types)", "modeling.py, BertConfig"),
    Symbol("H", "hidden_size", "width of every token vector", "modeling.py, BertConfig"),
    Symbol("F", "intermediate_size", "width inside the feed-forward network", "modeling.py, BertConfig"),
    Symbol("L", "num_hidden_layers", "encoder layers", "modeling.py, BertConfig", smallest=0),
    Symbol("A", "num_attention_heads", "attention heads in a layer", "modeling.py, BertConfig"),
    Symbol(
        "C",
        "num_labels",
        "labels of a classification head",
        "configuration_utils.py, PreTrainedConfig",
        needed=False,
    ),
)

LETTER_OF_KEY = {symbol.key: symbol.letter for symbol in SYMBOLS}
"""Config key to letter: `LETTER_OF_KEY["hidden_size"]` is `"H"`."""
