"""The figures of the site, drawn from the engine each time it is built."""

from __future__ import annotations

from collections.abc import Callable

from macros.counting.errors import entry_of

from . import encoder_layer, layers, pieces, shares

FIGURES: dict[str, Callable[[str], str]] = {
    "attention": layers.attention,
    "attention-heads": layers.attention_heads,
    "feed-forward": layers.feed_forward,
    "layer-norm": layers.layer_norm,
    "encoder-layer": encoder_layer.encoder_layer,
    "checkpoints": shares.checkpoints,
    "memory": shares.memory,
    **pieces.FIGURES,
}
"""Every figure of the site by name."""


def figure(name: str) -> str:
    """The figure of that name.

    Raises:
        CountingError: no figure of that name.
    """
    return entry_of(FIGURES, "figure", name)(f"figure-{name}")
