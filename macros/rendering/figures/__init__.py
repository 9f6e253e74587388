"""The figures of the site, drawn from the engine each time it is built."""

from __future__ import annotations

from collections.abc import Callable

from macros.counting.errors import entry_of

from . import changes, encoder_layer, example, layers, parameters_and_operations, pieces, shares, story

FIGURES: dict[str, Callable[[str], str]] = {
    "attention": layers.attention,
    "attention-heads": layers.attention_heads,
    "feed-forward": layers.feed_forward,
    "layer-norm": layers.layer_norm,
    "encoder-layer": encoder_layer.encoder_layer,
    "checkpoints": shares.checkpoints,
    "memory": shares.memory,
    "operations": parameters_and_operations.parameters_and_operations,
    "example-rows": example.rows,
    "example-embeddings": example.embeddings,
    "example-attention": example.attention,
    "example-asking": example.asking,
    "example-feed-forward": example.feed_forward,
    "example-layer-norm": example.layer_norm,
    "example-layer": example.layer,
    "example-pooler": example.pooler,
    "relatives": shares.relatives,
    "training": shares.training,
    "story": story.story,
    "lora": changes.lora,
    "adapters": changes.beside(changes.adapters),
    "prompts": changes.beside(changes.prompts),
    "in-part": changes.beside(changes.in_part),
    "stored": changes.beside(changes.stored),
    **pieces.FIGURES,
}
"""Every figure of the site by name."""


def figure(name: str) -> str:
    """The figure of that name.

    Raises:
        CountingError: no figure of that name.
    """
    return entry_of(FIGURES, "figure", name)(f"figure-{name}")
