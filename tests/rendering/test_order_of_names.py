"""Texts that name two things twice, such as a scale and a shift by `gamma` and `beta`, keep their order."""

import re
from collections.abc import Iterator
from itertools import combinations

import pytest

from tests.rendering.test_order_words import LINK_MARKUP, texts

THINGS = (
    ("scale", "gamma", "weight"),
    ("shift", "beta", "bias"),
    ("layers", "L"),
    ("hidden size", "H"),
    ("heads", "A"),
    ("inner width", "F"),
    ("vocabulary", "V"),
    ("positions", "P"),
    ("segments", "S"),
)
"""The names of things that texts list together: words, and names in formulas or in code."""

KEYS = {name: (thing, kind) for thing, names in enumerate(THINGS) for kind, name in enumerate(names)}
"""The thing that each name means, and the place of the name among those of the thing."""

NAME = re.compile(rf"(?<![\w.-])(?:{'|'.join(KEYS)})(?![\w-])")
END_OF_SENTENCE = re.compile(r"(?<=[.;:])\s|\n|\|")


def order_of_pairs(sentence: str) -> Iterator[tuple[str, str, bool]]:
    """Pairs of things of which a sentence has two kinds of names, once each, and whether both have the same order."""
    names = NAME.findall(sentence)
    places = {KEYS[name]: place for place, name in enumerate(names) if names.count(name) == 1}
    for first, second in combinations(range(len(THINGS)), 2):
        orders = [
            places[first, kind] < places[second, kind]
            for kind in range(len(THINGS[first]))
            if (first, kind) in places and (second, kind) in places
        ]
        if len(orders) > 1:
            yield THINGS[first][0], THINGS[second][0], len({*orders}) == 1


def swapped_names(text: str) -> Iterator[str]:
    """The sentences with two kinds of names for two things, in different orders."""
    for sentence in END_OF_SENTENCE.split(LINK_MARKUP.sub("", text)):
        yield from (
            f"{first}, {second}: {sentence}"
            for first, second, is_same_order in order_of_pairs(sentence)
            if not is_same_order
        )


def test_names_of_things_are_in_the_same_order() -> None:
    assert [] == [sentence for text in texts() for sentence in swapped_names(text)]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("The scale and the shift are `gamma` and `beta`", "The scale and the shift are `beta` and `gamma`"),
        ("a scale, gamma, and a shift, beta", "a scale, beta, and a shift, gamma"),
    ],
)
def test_swapped_names_are_found(right: str, wrong: str) -> None:
    text = next(text for text in texts() if right in text)
    assert [*swapped_names(text.replace(right, wrong))]


@pytest.mark.parametrize(
    ("sentence", "is_wrong"),
    [
        ("A model with L layers and a hidden size of H", False),
        ("The hidden size and the layers are H and L", False),
        ("The layers and the hidden size are H and L", True),
        ("The layers and the hidden size, H, are L and H", False),
    ],
)
def test_a_name_that_occurs_twice_has_no_order(sentence: str, is_wrong: bool) -> None:
    assert is_wrong == bool([*swapped_names(sentence)])
