"""Unusual sizes that no published model has, for the small models of tests and recordings."""

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
"""The same sizes under the keys of DistilBERT's config, which has no segments."""
