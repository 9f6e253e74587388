"""Sizes that a config may give under a second key: a bad value is refused under either."""

from collections.abc import Iterator
from typing import Any

import pytest

from macros.counting import ARCHITECTURES, BadConfig, load_relatives, model_of_config
from macros.counting.architecture import Architecture

BAD = (-1, 2.5, "20", True, None, 2**53)
"""Values that no size can have."""


def keys() -> Iterator[tuple[Architecture, str, str]]:
    """Every size that may stand under a second key, with both keys."""
    for architecture in ARCHITECTURES.values():
        keys = {symbol.letter: symbol.key for symbol in architecture.symbols}
        for letter, other in architecture.second_keys.items():
            yield architecture, keys[letter], other


def sizes_of(architecture: Architecture) -> dict[str, Any]:
    """The sizes of a published model of an architecture, by key."""
    model = next(model for model in load_relatives().values() if model.architecture is architecture)
    return {symbol.key: model.sizes[symbol.letter] for symbol in architecture.symbols}


def is_refused(architecture: Architecture, sizes: dict[str, Any], key: str) -> bool:
    """Whether a config is refused, with a message that names a key."""
    try:
        model_of_config("a.json", {**sizes, "model_type": architecture.model_type})
    except BadConfig as error:
        return key in str(error)
    return False


@pytest.mark.parametrize("value", BAD)
def test_a_bad_size_is_refused_under_either_key(value: object) -> None:
    """A bad value is refused under one key even if the other key has a good value."""
    assert [] == [
        (architecture.name, bad)
        for architecture, key, other in keys()
        for bad, good in ((key, other), (other, key))
        if not is_refused(architecture, {**sizes_of(architecture), good: sizes_of(architecture)[key], bad: value}, bad)
    ]


def test_good_sizes_are_accepted_under_both_keys() -> None:
    """With good values nothing is refused, so the other test sees the bad value refused, and nothing else."""
    assert [*keys()]
    for architecture, key, other in keys():
        sizes = sizes_of(architecture)
        assert not is_refused(architecture, {**sizes, other: sizes[key]}, ""), other
