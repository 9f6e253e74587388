"""The model classes of transformers on pages: which have a pooler, and what their heads add."""

from __future__ import annotations

from macros.counting import BERT, Polynomial
from macros.counting.architecture import ALWAYS, NEVER, OPTIONAL

from ..components import formulas
from ..components.asking import ask

HEAD_BLOCKS = ("mlm-head", "nsp-head", "task-head")

POOLER_WORDS = {ALWAYS: "yes", OPTIONAL: "yes, or left out", NEVER: "no"}


def pooler(model_class: str) -> str:
    """Whether a class of BERT has a pooler, in words."""
    return POOLER_WORDS[ask(model_class=model_class).chosen.pooler]


def head(model_class: str) -> str:
    """What the heads of a class of BERT add, in letters; "none" where there are none."""
    items = ask(model_class=model_class).items
    letters = Polynomial.total(item.letters for item in items if item.block in HEAD_BLOCKS and not item.factors)
    return formulas.inline(letters) if letters.terms else "none"


TOPIC: dict[str, object] = {"each": BERT.classes, "pooler": pooler, "head": head}
"""What pages with the classes of BERT call as `classes.head("BertForMaskedLM")`; `each` goes through all of them."""
