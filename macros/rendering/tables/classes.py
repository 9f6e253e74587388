"""Macros about the model classes in transformers: which have a pooler, and what their heads add."""

from __future__ import annotations

from macros.counting import BERT, Polynomial
from macros.counting.architecture import ALWAYS, NEVER, OPTIONAL

from ..components import formulas
from ..components.asking import ask

HEAD_BLOCKS = ("mlm-head", "nsp-head", "task-head")
"""The blocks that belong to heads."""

POOLER_WORDS = {ALWAYS: "yes", OPTIONAL: "optional", NEVER: "no"}
"""The words for whether a class has a pooler."""


def pooler(model_class: str) -> str:
    """Whether a class has a pooler: "yes", "optional" or "no"."""
    return POOLER_WORDS[ask(model_class=model_class).resolved_class.pooler]


def head(model_class: str) -> str:
    """The formula of what the heads of a class add to the bare model; "none" if it has no heads."""
    items = ask(model_class=model_class).items
    polynomial = Polynomial.total(item.polynomial for item in items if item.block in HEAD_BLOCKS and not item.factors)
    return formulas.inline(polynomial) if polynomial.terms else "none"


TOPIC: dict[str, object] = {"each": BERT.classes, "pooler": pooler, "head": head}
"""The macros of pages that list the classes, as `classes.head("BertForMaskedLM")`; `each` is all classes of BERT."""
