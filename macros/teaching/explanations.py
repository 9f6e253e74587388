"""The pages that explain how to answer exercises. A hint of each exercise links to one of these pages."""

from __future__ import annotations

from macros.counting import Question, model_named
from macros.rendering.components import pages

from .sets import BARE, Ask

TITLES = {
    pages.EMBEDDINGS: "Embeddings",
    pages.ATTENTION: "Attention",
    pages.ATTENTION_HEADS: "Attention heads",
    pages.FEED_FORWARD: "Feed-forward",
    pages.LAYER_NORM: "LayerNorm",
    pages.HEADS: "Pooler and output heads",
    pages.ENCODER_LAYER: "Encoder layer",
    pages.BASE_TOTAL: "BERT base and BERT large",
    pages.RELATIVES: "Relatives",
    pages.PAGES_BY_TOPIC["operations"]: "Operations",
    "changed/lora.html": "LoRA and similar methods",
    "changed/adapters.html": "Adapters and prompts",
    pages.PAGES_BY_TOPIC["memory"]: "Memory",
    pages.PAGES_BY_TOPIC["mistake"]: "Mistakes",
}
"""The titles of the explanatory pages, by address without fragment."""


def page_of(ask: Ask) -> str:
    """The address of the page that explains a question, from the top of the site, possibly with a fragment.

    The scripts link to the `page` of a set instead, if the set has one in `exercises.toml`.
    """
    if ask.cost:
        return pages.PAGES_BY_TOPIC["operations"]
    if ask.changes:
        return pages.CHANGES[ask.changes[0].partition(":")[0]]
    if ask.models:
        return pages.RELATIVES
    if ask.tag == "LayerNorm":
        return pages.LAYER_NORM
    blocks = {row.block for row in Question(model_named(ask.example), ask.model_class, ask.part, ask.tag).rows}
    if len(blocks) == 1:
        return pages.BLOCKS[blocks.pop()]
    if ask.part.startswith("bert/encoder"):
        return pages.ENCODER_LAYER
    return pages.BASE_TOTAL if ask.model_class == BARE else pages.HEADS
