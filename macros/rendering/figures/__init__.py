"""The figures of the site by name, drawn from the engine's numbers in every build.

Each figure has a function that takes its id and returns HTML. `area_map.py` draws the map,
`levels.py` declares its contents, and `tiling.py` divides its areas. `pieces.py` and
`story.py` reuse the map on other pages, and `toy.py` draws the toy model's numbers. The
other modules draw matrices, bars and cells with `components/svg.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from macros.counting.errors import entry_of

from . import changes, encoder_layer, example, layers, parameters_and_operations, pieces, shares, story, toy, tying

FIGURES: dict[str, Callable[[str], str]] = {
    "attention": layers.attention,
    "attention-heads": layers.attention_heads,
    "feed-forward": layers.feed_forward,
    "layer-norm": layers.layer_norm,
    "encoder-layer": encoder_layer.encoder_layer,
    "checkpoints": shares.checkpoints,
    "memory": shares.memory,
    "mistakes": shares.mistakes,
    "operations": parameters_and_operations.parameters_and_operations,
    "example-rows": example.rows,
    "example-feed-forward": example.feed_forward,
    "example-layer": example.layer,
    "relatives": shares.relatives,
    "further-relatives": shares.further_relatives,
    "training": shares.training,
    "story": story.story,
    "tying": tying.tying,
    "lora": changes.lora,
    "adapters": changes.on_its_page_only(changes.adapters),
    "prompts": changes.on_its_page_only(changes.prompts),
    "in-part": changes.on_its_page_only(changes.trained_in_part),
    "stored": changes.on_its_page_only(changes.storage),
    **toy.FIGURES,
    **pieces.FIGURES,
}
"""The functions that draw figures, by the names that pages use."""


def figure(name: str) -> str:
    """The HTML of a figure: `figure("lora")`.

    Raises:
        CountingError: there is no figure with that name.
    """
    return entry_of(FIGURES, "figure", name)(f"figure-{name}")
