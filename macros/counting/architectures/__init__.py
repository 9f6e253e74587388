"""The architectures that are counted, one per file. A new one needs a file here and an entry in `ARCHITECTURES`."""

from __future__ import annotations

from collections.abc import Mapping

from ..architecture import Architecture, ModelClass
from ..errors import UnknownModelClass
from .albert import ALBERT
from .bert import BERT
from .bigbird import BIGBIRD
from .deberta import DEBERTA
from .deberta_v2 import DEBERTA_V2
from .distilbert import DISTILBERT
from .dpr import DPR
from .electra import ELECTRA
from .ernie import ERNIE
from .esm import ESM
from .eurobert import EUROBERT
from .gte import GTE
from .jina_embeddings_v3 import JINA_V3
from .layoutlm import LAYOUTLM
from .longformer import LONGFORMER
from .megatron_bert import MEGATRON_BERT
from .mobilebert import MOBILEBERT
from .modernbert import MODERNBERT
from .mpnet import MPNET
from .nezha import NEZHA
from .nomic_bert import NOMIC_BERT
from .rembert import REMBERT
from .roberta import CAMEMBERT, DATA2VEC, ROBERTA, XLM_ROBERTA
from .xlm_roberta_xl import XLM_ROBERTA_XL

ARCHITECTURES: Mapping[str, Architecture] = {
    architecture.model_type: architecture
    for architecture in (
        BERT,
        ROBERTA,
        XLM_ROBERTA,
        DISTILBERT,
        ALBERT,
        ELECTRA,
        MPNET,
        MODERNBERT,
        DEBERTA_V2,
        CAMEMBERT,
        DATA2VEC,
        XLM_ROBERTA_XL,
        ERNIE,
        MEGATRON_BERT,
        REMBERT,
        DPR,
        NEZHA,
        DEBERTA,
        LONGFORMER,
        BIGBIRD,
        MOBILEBERT,
        NOMIC_BERT,
        ESM,
        LAYOUTLM,
        GTE,
        JINA_V3,
        EUROBERT,
    )
}
"""Every architecture by the `model_type` of a `config.json`, in the order in which pages list them."""

ARCHITECTURE_OF_CLASS: Mapping[str, Architecture] = {
    model_class.name: architecture for architecture in ARCHITECTURES.values() for model_class in architecture.classes
}
"""The architecture of every class, by the name of the class. No two architectures have classes of the same name."""


FLAGS = tuple(dict.fromkeys(key for architecture in ARCHITECTURES.values() for key in architecture.flags))
"""The true-or-false config keys on which rows of an architecture depend, each once."""


def class_of(architecture: Architecture, name: str) -> ModelClass:
    """The class of that name in an architecture; the empty name stands for the bare model.

    Raises:
        UnknownModelClass: there is no such class, or it belongs to another
            architecture, which the message then names.
    """
    model_class = architecture.class_by_name.get(name)
    if model_class is not None:
        return model_class
    other = ARCHITECTURE_OF_CLASS.get(name)
    if other is None:
        return architecture.class_named(name)  # raises the error that suggests a name
    known = ", ".join(known_class.name for known_class in architecture.classes)
    raise UnknownModelClass(f"{name} belongs to {other.name}, and this model to {architecture.name}; known: {known}")
