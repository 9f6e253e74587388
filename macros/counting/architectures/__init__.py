"""Every architecture that is counted: one file each. A new one is a file here and an entry in `ARCHITECTURES`."""

from __future__ import annotations

from collections.abc import Mapping

from ..architecture import Architecture, ModelClass
from ..errors import UnknownModelClass
from .albert import ALBERT
from .bert import BERT
from .deberta import DEBERTA
from .distilbert import DISTILBERT
from .electra import ELECTRA
from .modernbert import MODERNBERT
from .mpnet import MPNET
from .roberta import ROBERTA, XLM_ROBERTA

ARCHITECTURES: Mapping[str, Architecture] = {
    each.model_type: each
    for each in (BERT, ROBERTA, XLM_ROBERTA, DISTILBERT, ALBERT, ELECTRA, MPNET, MODERNBERT, DEBERTA)
}
"""By the `model_type` of a `config.json`."""

ARCHITECTURE_OF_CLASS: Mapping[str, Architecture] = {
    model_class.name: each for each in ARCHITECTURES.values() for model_class in each.classes
}
"""By the name of a class; no two have a class of one name."""


def class_of(architecture: Architecture, name: str) -> ModelClass:
    """The class of that name; empty is the bare model.

    Raises:
        UnknownModelClass: there is none, or it is one of another
            architecture; the message then names both.
    """
    found = architecture.class_by_name.get(name)
    if found is not None:
        return found
    other = ARCHITECTURE_OF_CLASS.get(name)
    if other is None:
        return architecture.class_named(name)  # which says what it knows
    known = ", ".join(each.name for each in architecture.classes)
    raise UnknownModelClass(f"{name} belongs to {other.name}, and this model to {architecture.name}; known: {known}")
