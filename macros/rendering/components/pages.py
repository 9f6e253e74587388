"""Addresses within the site, each written here and nowhere else, and made relative for each page."""

from __future__ import annotations

from macros.counting import BERT, Model, Question, load_relatives
from macros.counting.architecture import LAYER, lies_under
from macros.counting.changes.methods import rules
from macros.counting.deviations import deviation_named
from macros.counting.search.parts import Part

from .asking import BASE, FAMILIES, LARGE, SHORT

ROOT = "site-root:"
"""Stands before an address that counts from the top of the site."""

NOTATION, I_GOT, MAP = "notation.html", "disagreements/i-got.html", "map.html"
BASE_TOTAL, LARGE_TOTAL, CHECKPOINTS = "totals/base.html", "totals/base.html#large", "totals/checkpoints.html"
RELATIVES = "totals/relatives.html"
EMBEDDINGS, ATTENTION, ATTENTION_HEADS = "parts/embeddings.html", "parts/attention.html", "parts/attention-heads.html"
FEED_FORWARD, LAYER_NORM, ENCODER_LAYER = "parts/feed-forward.html", "parts/layer-norm.html", "parts/encoder-layer.html"
HEADS = "parts/heads.html"
EXERCISES, CALCULATOR = "try/exercises.html", "try/calculator.html"

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
"""The page that is about each method to change a model."""

ANSWERS = {
    "memory": "totals/memory.html",
    "tensors": "listings/transformers.html",
    "operations": "run/operations.html",
    "claims": "disagreements/published-claims.html",
    "rounded": "disagreements/why-110m.html",
    "convention": "disagreements/conventions.html",
    "mistake": "disagreements/mistakes.html",
    "other": f"{RELATIVES}#others",
}
"""Pages that an answer to a typed number leads to."""

EMBEDS = "embed"
"""Where the things are that can be embedded, each under the address of its page."""

DOWNLOADS = "data"
"""Where the files to download stand, from the top of the site."""

FIGURES = "figures"
"""Where figures stand as files."""


PRINTED_IN_TEXTS = {
    "bert-base-chinese": "keras-bert",
    "bert-large-chinese": "bert4keras",
    "keras-bert-article": "keras-bert",
    "keras-bert-notebook": "keras-bert",
}
"""Models that the texts on the page of published claims count, each with the framework whose print-out it needs."""


def has_ledgers(model: Model) -> bool:
    """Whether every tensor of a model is in files: of base and large alone, as the calculator exports any other."""
    return model.name in SHORT


def has_print_out(model: Model, framework: str) -> bool:
    """Whether what a framework prints of a model is a file."""
    return model.name in SHORT or PRINTED_IN_TEXTS.get(model.name) == framework


def embed(page: str, place: str = "") -> str:
    """A thing as a page of its own, for a frame, by its place on a page; without a place that of a tool."""
    return f"{EMBEDS}/{page.removesuffix('.html')}/{place}.html" if place else f"{EMBEDS}/{page}"


def of_model(name: str) -> str:
    """The page with a model's total; of a relative the section about it, or else its row."""
    if name in load_relatives():
        return _of_relative(load_relatives()[name])
    return {BASE: BASE_TOTAL, LARGE: LARGE_TOTAL}.get(name, CHECKPOINTS)


def _of_relative(model: Model) -> str:
    own = model.architecture.model_type if model.architecture.model_type in FAMILIES else ""
    return f"{RELATIVES}#{own or (MINILM.lower() if model.title.startswith(MINILM) else model.name)}"


MINILM = "MiniLM"
"""How the titles of the relatives begin that are built like BERT and have a section of their own."""


def calculator(model: str) -> str:
    """The calculator with the sizes of a model."""
    return f"{CALCULATOR}?model={model}"


def of_level(model: str, path: str = "") -> str:
    """The place where the map shows a level of base or large."""
    return f"{MAP}#{SHORT[model]}{path and f'/{path}'}"


def of_deviation(name: str) -> str:
    """The place where a deviation is listed."""
    return f"{ANSWERS[deviation_named(name).kind]}#{name}"


def of_symbol(letter: str) -> str:
    """The place where a letter is explained."""
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


def ledger_file(asked: Question) -> str:
    """The address of a ledger from the top of the site, without its ending."""
    return f"{DOWNLOADS}/{asked.model.name}/{asked.chosen.name}"


def listing_file(model: str, framework: str) -> str:
    """The address of a print-out from the top of the site, without its ending."""
    return f"{DOWNLOADS}/{model}/listings/{framework}"


def downloads(address: str) -> str:
    """Links to a file in both its forms.

    Args:
        address: from the top of the site, without the ending.
    """
    pair = " ".join(f'<a href="{ROOT}{address}.{kind}">{kind.upper()}</a>' for kind in ("csv", "json"))
    return f'<span class="bc-files">{pair}</span>'


def relative(html: str, page_url: str) -> str:
    """`html` with every address from the top made relative to one page.

    Args:
        html: what a macro returned.
        page_url: the page's own address from the top, e.g. `parts/heads.html`.

    >>> relative('<a href="site-root:notation.html#symbol-h">', "parts/heads.html")
    '<a href="../notation.html#symbol-h">'
    """
    return html.replace(ROOT, "../" * page_url.count("/"))
