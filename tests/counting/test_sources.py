"""The source of a checkpoint names the checkpoint itself, and not a similar one."""

import re

import pytest

from macros.counting import Model, load_models, load_relatives

REPOSITORY = re.compile(r"[\w.-]+/([\w.-]+) on the Hugging Face hub")
"""A source that is a repository on the hub; the group is the name of the repository without its owner."""


def is_of_another(model: Model) -> bool:
    """Whether the source of a model is the repository of another: one whose name does not begin with the model's."""
    match = REPOSITORY.match(model.source)
    return match is not None and not normalised(match[1]).startswith(normalised(model.name))


def normalised(name: str) -> str:
    """A name without the differences in spelling between model hubs."""
    return name.lower().replace("_", "-")


MODELS = {**load_models(), **load_relatives()}


def test_sources_name_their_models() -> None:
    """Every repository that is named as a source has the name of its model."""
    assert sum(bool(REPOSITORY.match(model.source)) for model in MODELS.values()) > 40
    assert [] == [(name, model.source) for name, model in MODELS.items() if is_of_another(model)]


@pytest.mark.parametrize("name", [name for name, model in MODELS.items() if REPOSITORY.match(model.source)])
def test_the_source_of_another_model_is_found(name: str) -> None:
    """The source of another model is noticed, unless that model is named after this one."""
    sources = {model.source for other, model in MODELS.items() if not normalised(other).startswith(normalised(name))}
    planted_sources = [source for source in sources if REPOSITORY.match(source)]
    assert [] == [source for source in planted_sources if not is_of_another(MODELS[name]._replace(source=source))]
