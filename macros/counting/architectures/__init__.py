"""The architectures that are counted: BERT, and its relatives as differences from it.

A new architecture needs a file here and an entry in `IMPORT_PATHS`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from importlib import import_module

from ..architecture import Architecture, ModelClass
from ..errors import UnknownModelClass

IMPORT_PATHS: Mapping[str, str] = {
    "bert": "bert.BERT",
    "roberta": "roberta.ROBERTA",
    "xlm-roberta": "roberta.XLM_ROBERTA",
    "distilbert": "distilbert.DISTILBERT",
    "albert": "albert.ALBERT",
    "electra": "electra.ELECTRA",
    "mpnet": "mpnet.MPNET",
    "modernbert": "modernbert.MODERNBERT",
    "deberta-v2": "deberta_v2.DEBERTA_V2",
    "camembert": "roberta.CAMEMBERT",
    "data2vec-text": "roberta.DATA2VEC",
    "xlm-roberta-xl": "xlm_roberta_xl.XLM_ROBERTA_XL",
    "ernie": "ernie.ERNIE",
    "megatron-bert": "megatron_bert.MEGATRON_BERT",
    "rembert": "rembert.REMBERT",
    "dpr": "dpr.DPR",
    "nezha": "nezha.NEZHA",
    "deberta": "deberta.DEBERTA",
    "longformer": "longformer.LONGFORMER",
    "big_bird": "bigbird.BIGBIRD",
    "mobilebert": "mobilebert.MOBILEBERT",
    "nomic_bert": "nomic_bert.NOMIC_BERT",
    "esm": "esm.ESM",
    "layoutlm": "layoutlm.LAYOUTLM",
    "gte": "gte.GTE",
    "jina_embeddings_v3": "jina_embeddings_v3.JINA_V3",
    "eurobert": "eurobert.EUROBERT",
}
"""The module and name of each architecture, by its `model_type`; pages list architectures in this order."""


class _Architectures(Mapping[str, Architecture]):
    """The architectures by model type. Each is imported when it is first looked up; most counts need only one."""

    def __getitem__(self, model_type: str) -> Architecture:
        return _import_architecture(model_type)

    def __iter__(self) -> Iterator[str]:
        return iter(IMPORT_PATHS)

    def __len__(self) -> int:
        return len(IMPORT_PATHS)

    def __contains__(self, model_type: object) -> bool:
        # Without this, Mapping would import the architecture to find out.
        return model_type in IMPORT_PATHS


@cache
def _import_architecture(model_type: str) -> Architecture:
    """The architecture with this `model_type`, whose module is imported at the first call."""
    module, _, name = IMPORT_PATHS[model_type].partition(".")
    architecture: Architecture = getattr(import_module(f".{module}", __name__), name)
    return architecture


class _ArchitectureOfClass(Mapping[str, Architecture]):
    """The architecture of every class, by the name of the class. The first look-up imports all architectures."""

    @cached_property
    def _architectures(self) -> Mapping[str, Architecture]:
        """The mapping itself, computed once."""
        return {
            model_class.name: architecture
            for architecture in ARCHITECTURES.values()
            for model_class in architecture.classes
        }

    def __getitem__(self, name: str) -> Architecture:
        return self._architectures[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._architectures)

    def __len__(self) -> int:
        return len(self._architectures)


ARCHITECTURES: Mapping[str, Architecture] = _Architectures()
"""Every architecture by the `model_type` of a `config.json`, in the order in which pages list them."""

ARCHITECTURE_OF_CLASS: Mapping[str, Architecture] = _ArchitectureOfClass()
"""The architecture of every class, by the name of the class. No two architectures have classes of the same name."""


@cache
def every_flag() -> tuple[str, ...]:
    """The boolean config keys on which rows of any architecture depend, each once."""
    return tuple(dict.fromkeys(key for architecture in ARCHITECTURES.values() for key in architecture.flags))


def class_of(architecture: Architecture, name: str) -> ModelClass:
    """The class of that name in an architecture; the empty name means the bare model.

    Raises:
        UnknownModelClass: there is no such class, or it belongs to another
            architecture, which the message then names.
    """
    model_class = architecture.class_by_name.get(name)
    if model_class is not None:
        return model_class
    other_architecture = ARCHITECTURE_OF_CLASS.get(name)
    if other_architecture is None:
        return architecture.class_named(name)  # raises the error that suggests a name
    class_names = ", ".join(known_class.name for known_class in architecture.classes)
    raise UnknownModelClass(
        f"{name} belongs to {other_architecture.name}, and this model to {architecture.name}; known: {class_names}"
    )
