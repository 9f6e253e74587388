"""The source of a checkpoint names the checkpoint itself, not a similar one."""

import re

import pytest

from macros.counting import Model, load_models, load_relatives

REPOSITORY = re.compile(r"[\w.-]+/([\w.-]+) on the Hugging Face hub")
"""Matches a source that is a repository on the hub. The group is the repository's name without its owner."""


def has_foreign_source(model: Model) -> bool:
    """Return whether a model's source is a repository whose name does not begin with the model's name."""
    match = REPOSITORY.match(model.source)
    return match is not None and not normalise(match[1]).startswith(normalise(model.name))


def normalise(name: str) -> str:
    """A name without the differences in spelling between model hubs."""
    return name.lower().replace("_", "-")


MODELS = {**load_models(), **load_relatives()}


def test_sources_name_their_models() -> None:
    assert sum(bool(REPOSITORY.match(model.source)) for model in MODELS.values()) > 40
    assert [] == [(name, model.source) for name, model in MODELS.items() if has_foreign_source(model)]


@pytest.mark.parametrize("name", [name for name, model in MODELS.items() if REPOSITORY.match(model.source)])
def test_the_source_of_another_model_is_noticed(name: str) -> None:
    sources = {model.source for other, model in MODELS.items() if not normalise(other).startswith(normalise(name))}
    foreign_sources = [source for source in sources if REPOSITORY.match(source)]
    assert [] == [source for source in foreign_sources if not has_foreign_source(MODELS[name]._replace(source=source))]
