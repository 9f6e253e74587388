"""A bad value for a size is refused under either of the two keys that a config may use for it."""

from collections.abc import Iterator
from typing import Any

import pytest

from macros.counting import ARCHITECTURES, BadConfig, load_relatives, model_of_config
from macros.counting.architecture import Architecture

BAD_SIZES = (-1, 2.5, "20", True, None, 2**53)
"""Values that no size can have."""


def key_pairs() -> Iterator[tuple[Architecture, str, str]]:
    """The architecture and both keys of every size that has a second key."""
    for architecture in ARCHITECTURES.values():
        first_keys = {symbol.letter: symbol.key for symbol in architecture.symbols}
        for letter, second_key in architecture.second_keys.items():
            yield architecture, first_keys[letter], second_key


def sizes_of(architecture: Architecture) -> dict[str, Any]:
    """The sizes of a published model of an architecture, by key."""
    model = next(model for model in load_relatives().values() if model.architecture is architecture)
    return {symbol.key: model.sizes[symbol.letter] for symbol in architecture.symbols}


def is_refused(architecture: Architecture, sizes: dict[str, Any], key: str) -> bool:
    """Return whether a config is refused with an error that names `key`; with an empty `key`, any error counts."""
    try:
        model_of_config("a.json", {**sizes, "model_type": architecture.model_type})
    except BadConfig as error:
        return key in str(error)
    return False


@pytest.mark.parametrize("value", BAD_SIZES)
def test_a_bad_size_is_refused_under_either_key(value: object) -> None:
    for architecture, key, second_key in key_pairs():
        sizes = sizes_of(architecture)
        for bad_key, good_key in ((key, second_key), (second_key, key)):
            config = {**sizes, good_key: sizes[key], bad_key: value}
            assert is_refused(architecture, config, bad_key), (architecture.name, bad_key)


def test_good_sizes_are_accepted_under_both_keys() -> None:
    """The refusals in the other test are therefore due to the bad value."""
    assert [*key_pairs()]
    for architecture, key, second_key in key_pairs():
        sizes = sizes_of(architecture)
        assert not is_refused(architecture, {**sizes, second_key: sizes[key]}, ""), second_key
