"""Macros about the model classes in transformers: their poolers and the parameters of their heads.

A name that is not that of a class of BERT raises a `CountingError`.
"""

from __future__ import annotations

from macros.counting import BERT, Polynomial
from macros.counting.architecture import ALWAYS, NEVER, OPTIONAL

from ..components import formulas
from ..components.asking import ask

HEAD_BLOCKS = ("mlm-head", "nsp-head", "task-head")
"""The blocks that belong to heads."""

POOLER_WORDS = {ALWAYS: "yes", OPTIONAL: "optional", NEVER: "no"}
"""The text that states whether a class has a pooler, by its attribute `pooler`."""


def pooler_word(model_class: str) -> str:
    """A word that states whether a class has a pooler: "yes", "optional" or "no"."""
    return POOLER_WORDS[ask(model_class=model_class).resolved_class.pooler]


def head_formula(model_class: str) -> str:
    """The formula of the parameters that a class's heads add to the bare model; "none" if there are none."""
    items = ask(model_class=model_class).items
    polynomial = Polynomial.total(item.polynomial for item in items if item.block in HEAD_BLOCKS and not item.factors)
    return formulas.inline(polynomial) if polynomial.terms else "none"


TOPIC: dict[str, object] = {"each": BERT.classes, "pooler": pooler_word, "head": head_formula}
"""Macros for pages that list classes, such as `classes.head("BertForMaskedLM")`; `each` is every class of BERT."""
