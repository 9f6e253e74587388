"""Addresses within the site, and the address of the site itself.

A macro has no access to the page that calls it, so it writes an address relative to the top of the site, prefixed
with `ROOT`. `relative` makes these addresses relative to the page, so that the site works in any folder of a
server.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from macros.counting import BERT, Model, Question, load_relatives
from macros.counting.architecture import LAYER, lies_under
from macros.counting.changes.methods import rules
from macros.counting.deviations import deviation_named
from macros.counting.search.parts import Part

from .asking import BASE, FAMILIES, FURTHER_FAMILIES, LARGE, SHORT_NAMES

ROOT = "site-root:"
"""The prefix of an address that is relative to the top of the site."""

UNKNOWN_SITE = "https://SITE/"
"""A placeholder for the address of the site if it is unknown to the build; `assets/pages/address.js` fills it in."""


def site_address(environment: Mapping[str, str] = os.environ) -> str:
    """The address of the site with a trailing slash; `UNKNOWN_SITE` if the environment does not specify it."""
    address = environment.get("SITE_URL", "")
    return f"{address.rstrip('/')}/" if address else UNKNOWN_SITE


NOTATION = "notation.html"
I_GOT = "disagreements/i-got.html"
MAP = "map.html"
BASE_TOTAL = "totals/base.html"
LARGE_TOTAL = "totals/base.html#large"
CHECKPOINTS = "totals/checkpoints.html"
RELATIVES = "totals/relatives.html"
FURTHER_RELATIVES = "totals/further-relatives.html"
EMBEDDINGS = "parts/embeddings.html"
ATTENTION = "parts/attention.html"
ATTENTION_HEADS = "parts/attention-heads.html"
FEED_FORWARD = "parts/feed-forward.html"
LAYER_NORM = "parts/layer-norm.html"
ENCODER_LAYER = "parts/encoder-layer.html"
HEADS = "parts/heads.html"
TOY_MODEL = "parts/toy-model.html"
EXERCISES = "try/exercises.html"
CALCULATOR = "try/calculator.html"

BLOCKS = {
    "embeddings": EMBEDDINGS,
    "self-attention": ATTENTION,
    "feed-forward": FEED_FORWARD,
    "encoder-norms": LAYER_NORM,
    "pooler": f"{HEADS}#pooler",
    "mlm-head": f"{HEADS}#masked-lm",
    "nsp-head": f"{HEADS}#next-sentence",
    "task-head": f"{HEADS}#task-heads",
}
"""The page that explains each block."""

CHANGES = {method: f"changed/{family}.html" for family, methods in rules()["families"].items() for method in methods}
"""The page that explains each method of changing a model."""

PAGES_BY_TOPIC = {
    "memory": "totals/memory.html",
    "tensors": "listings/transformers.html",
    "operations": "run/operations.html",
    "claims": "disagreements/published-claims.html",
    "rounded": "disagreements/why-110m.html",
    "convention": "disagreements/conventions.html",
    "mistake": "disagreements/mistakes.html",
    "other": f"{RELATIVES}#others",
}
"""The pages that the explanation of a number links to, by topic."""

EMBEDS = "embed"
"""The folder of pages for frames. Each has the same address within this folder as its source page on the site."""

DOWNLOADS = "data"
"""The folder of downloads."""

FIGURES = "figures"
"""The folder of figure files."""


PRINTED_IN_TEXTS = {
    "bert-base-chinese": "keras-bert",
    "bert-large-chinese": "bert4keras",
    "keras-bert-article": "keras-bert",
    "keras-bert-notebook": "keras-bert",
}
"""The models in texts that the page of published claims discusses, each with the framework that printed it."""


def has_ledgers(model: Model) -> bool:
    """Whether ledgers of a model are available as downloads.

    Only BERT base and BERT large have ledgers; the calculator exports the tensors of any other model.
    """
    return model.name in SHORT_NAMES


def has_print_out(model: Model, framework: str) -> bool:
    """Whether a framework's print-out of a model is available as a download."""
    return model.name in SHORT_NAMES or PRINTED_IN_TEXTS.get(model.name) == framework


def embed(page: str, anchor: str = "") -> str:
    """The address of the frame that shows the element with the id `anchor` or, without one, the tool of a page."""
    return f"{EMBEDS}/{page.removesuffix('.html')}/{anchor}.html" if anchor else f"{EMBEDS}/{page}"


def on_its_page_only(html: str) -> str:
    """The HTML in an element that excludes it from frames and, if it is a figure, from the files of figures."""
    return f'<div class="bc-beside">{html}</div>'


def of_model(name: str) -> str:
    """The page with a model's total; for a relative, the section about it or its family, or its row in the table."""
    if name in load_relatives():
        return _of_relative(load_relatives()[name])
    return {BASE: BASE_TOTAL, LARGE: LARGE_TOTAL}.get(name, CHECKPOINTS)


def _of_relative(model: Model) -> str:
    """The section about a relative or its family on one of the pages about relatives, or its row in their table."""
    model_type = model.architecture.model_type
    if model.name in FURTHER_FAMILIES.values():
        return f"{FURTHER_RELATIVES}#{model_type}"
    section = model_type if model_type in FAMILIES else ""
    return f"{RELATIVES}#{section or (MINILM.lower() if model.title.startswith(MINILM) else model.name)}"


MINILM = "MiniLM"
"""The beginning of the titles of MiniLM models, which are built like BERT but have their own section."""


def calculator(model: str) -> str:
    """The address of the calculator with the sizes of a model."""
    return f"{CALCULATOR}?model={model}"


def of_level(model: str, path: str = "") -> str:
    """The address of a level of the map, for BERT base or BERT large."""
    suffix = f"/{path}" if path else ""
    return f"{MAP}#{SHORT_NAMES[model]}{suffix}"


def of_deviation(name: str) -> str:
    """The address of a deviation's row in the table of its kind."""
    return f"{PAGES_BY_TOPIC[deviation_named(name).kind]}#{name}"


def of_symbol(letter: str) -> str:
    """The address of a letter's row on the notation page."""
    return f"{NOTATION}#symbol-{letter.lower()}"


def of_part(part: Part) -> str:
    """The page that explains a part."""
    path, *_ = part.path.replace("layer_0", "layer_*").split(", ")
    if part.share:
        return ATTENTION_HEADS
    if part.tag in BLOCKS:
        return BLOCKS[part.tag]
    if "LayerNorm" in (part.tag, *path.split("/")):
        return LAYER_NORM
    for block, page in BLOCKS.items():
        if part.tag.startswith(f"{block} "):
            return page
    if path in ("bert/encoder", LAYER):
        return ENCODER_LAYER
    if path == "cls":
        return HEADS
    if not path:
        return EMBEDDINGS if part.tag == "embedding-table" else BASE_TOTAL
    return BLOCKS[next(row.block for row in BERT.rows if lies_under(row.path, (path,)))]


def ledger_file(question: Question) -> str:
    """The address of a ledger from the top of the site, without its extension."""
    return f"{DOWNLOADS}/{question.model.name}/{question.resolved_class.name}"


def listing_file(model: str, framework: str) -> str:
    """The address of a print-out from the top of the site, without its extension."""
    return f"{DOWNLOADS}/{model}/listings/{framework}"


def download_links(address: str) -> str:
    """Links to a file as CSV and as JSON.

    Args:
        address: the address from the top of the site, without its extension.
    """
    pair = " ".join(f'<a href="{ROOT}{address}.{kind}">{kind.upper()}</a>' for kind in ("csv", "json"))
    return f'<span class="bc-files">{pair}</span>'


def relative(html: str, page_url: str) -> str:
    """The HTML with every address that begins with `ROOT` made relative to a page.

    Args:
        html: the HTML returned by a macro.
        page_url: the address of the page from the top of the site, such as `parts/heads.html`.

    >>> relative('<a href="site-root:notation.html#symbol-h">', "parts/heads.html")
    '<a href="../notation.html#symbol-h">'
    """
    return html.replace(ROOT, "../" * page_url.count("/"))
