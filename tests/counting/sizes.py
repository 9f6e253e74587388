"""Odd sizes that no release has, of which tests and recordings make their small models."""

from typing import Any

SIZES: dict[str, Any] = {
    "vocab_size": 101,
    "max_position_embeddings": 37,
    "type_vocab_size": 3,
    "hidden_size": 20,
    "intermediate_size": 50,
    "num_hidden_layers": 2,
    "num_attention_heads": 5,
}

DISTILBERT = {
    "vocab_size": 101,
    "max_position_embeddings": 37,
    "dim": 20,
    "hidden_dim": 50,
    "n_layers": 2,
    "n_heads": 5,
}
"""The same as the config of DistilBERT has them; it has no segments."""
