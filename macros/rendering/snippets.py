"""Code a reader can run to check a page against transformers itself.

Each snippet builds the model from its sizes, so nothing is downloaded, and
prints numbers; what it must print is computed by the engine beside it.
"""

from __future__ import annotations

from typing import NamedTuple

from macros.counting import SYMBOLS, CountingError
from macros.counting.errors import shown, suggestion

from .asked import BASE, LARGE, Asked

ONE_LAYER = "bert/encoder/layer_0"


class Snippet(NamedTuple):
    """A model to build, and expressions over it with what each must count; `given` is a line before them."""

    model: str
    model_class: str
    prints: tuple[tuple[str, Asked], ...]
    given: str = ""


SNIPPETS = {
    "embeddings": Snippet(BASE, "BertModel", (("model.embeddings", Asked("bert/embeddings")),)),
    "attention": Snippet(
        BASE,
        "BertModel",
        (
            ("attention.self.query", Asked(f"{ONE_LAYER}/attention/self/query")),
            ("attention.self, attention.output.dense", Asked(ONE_LAYER, "self-attention")),
        ),
        given="attention = model.encoder.layer[0].attention",
    ),
    "feed-forward": Snippet(
        BASE,
        "BertModel",
        (
            ("layer.intermediate", Asked(f"{ONE_LAYER}/intermediate")),
            ("layer.intermediate, layer.output.dense", Asked(ONE_LAYER, "feed-forward")),
        ),
        given="layer = model.encoder.layer[0]",
    ),
    "layer-norm": Snippet(
        BASE,
        "BertModel",
        (
            ("model.embeddings.LayerNorm", Asked("bert/embeddings/LayerNorm")),
            ('*(m for n, m in model.named_modules() if n.endswith("LayerNorm"))', Asked("", "LayerNorm")),
        ),
    ),
    "encoder-layer": Snippet(
        BASE,
        "BertModel",
        (("model.encoder.layer[0]", Asked(ONE_LAYER)), ("model.encoder", Asked("bert/encoder"))),
    ),
    "heads": Snippet(
        BASE,
        "BertForPreTraining",
        (
            ("model.bert.pooler", Asked("bert/pooler", model_class="BertForPreTraining")),
            ("model.cls.predictions.transform", Asked("cls/predictions/transform", model_class="BertForPreTraining")),
            ("model.cls.seq_relationship", Asked("cls/seq_relationship", model_class="BertForPreTraining")),
            ("model", Asked(model_class="BertForPreTraining")),
        ),
    ),
    "base": Snippet(BASE, "BertModel", (("model", Asked()),)),
    "large": Snippet(LARGE, "BertModel", (("model", Asked(model=LARGE)),)),
}
"""Every snippet by name."""


def snippet(name: str) -> str:
    """The snippet of that name and what it prints, as two fenced blocks of Markdown.

    Raises:
        CountingError: no snippet of that name.
    """
    if name not in SNIPPETS:
        raise CountingError(f"no snippet {shown(name)}; {suggestion(name, SNIPPETS)}")
    chosen = SNIPPETS[name]
    given = f"{chosen.given}\n" if chosen.given else ""
    lines = given + "\n".join(f"print(count({expression}))" for expression, _ in chosen.prints)
    printed = "\n".join(str(asked.number) for _, asked in chosen.prints)
    return (
        f"```python\n{_built(chosen)}\n\n\ndef count(*modules):\n"
        "    return sum(p.numel() for module in modules for p in module.parameters())\n\n\n"
        f"{lines}\n```\n\nIt prints:\n\n```text\n{printed}\n```"
    )


def _built(chosen: Snippet) -> str:
    sizes = chosen.prints[0][1].of.sizes
    keys = "\n".join(f"    {each.key}={sizes[each.letter]}," for each in SYMBOLS if each.needed)
    return (
        f"from transformers import BertConfig, {chosen.model_class}\n\n"
        f"config = BertConfig(\n{keys}\n)\nmodel = {chosen.model_class}(config)"
    )
