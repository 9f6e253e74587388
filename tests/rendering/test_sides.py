"""A sentence that gives a vector one number per input or per output of a matrix names the right one of the two."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from macros.counting.changes.methods import load_methods
from macros.counting.changes.mistakes import load_mistakes
from macros.rendering.components.terms import terms
from tests.docs.site_texts import all_texts
from tests.rendering.test_every_page import expanded_pages

SIDE = re.compile(r"\b(?:per|for each) (input|output)s?\b(?! feature)")
"""Wording for the length of a vector; the group is the side of the matrix that determines it."""

END_OF_SENTENCE = re.compile(r"[.!?](?=\s|[A-Z])|\n")
"""The end of a sentence. In the text of a page, no space follows it if an element ends there too."""

SIDES = {"in": "input", "out": "output"}
"""The sides of a matrix, by the names of its dimensions in `changes.toml`."""


def sides_of(operations: tuple[Mapping[str, Any], ...]) -> frozenset[str]:
    """The sides that give a method's added vectors their lengths or, without vectors, its matrices their shapes."""
    shapes = [operation["shape"].split() for operation in operations if operation["do"] == "add"]
    vectors = [
        shape for shape in shapes if len([width for width in shape if width != "1"]) == 1 and {*shape} & {*SIDES}
    ]
    return frozenset(SIDES[width] for shape in vectors or shapes for width in shape if width in SIDES)


@cache
def sides_by_name() -> dict[str, frozenset[str]]:
    """The sides that a sentence may mention, by the title of the method or the word "bias"."""
    methods = {method.title: sides_of(method.does) for method in load_methods().values()}
    return {name: sides for name, sides in methods.items() if sides} | {"bias": frozenset({"output"})}


def sentences_with_wrong_side(text: str) -> Iterator[str]:
    """Sentences that count the numbers of a vector by the wrong side of its matrix."""
    for sentence in END_OF_SENTENCE.split(text):
        sides_in_text = {*SIDE.findall(sentence)}
        if not sides_in_text:
            continue
        right_sides = [
            sides
            for name, sides in sides_by_name().items()
            if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", sentence, re.IGNORECASE)
        ]
        if right_sides and not sides_in_text <= frozenset[str]().union(*right_sides):
            yield sentence


def test_no_text_mentions_the_wrong_side() -> None:
    texts = [page.parsed.get_text() for page in expanded_pages().values()]
    texts += [f"{term.title}, {term.short}" for term in terms().values()]
    texts += [mistake.why for mistake in load_mistakes().values()]
    texts += [passage.text for passage in all_texts()]
    assert [] == [sentence for text in texts for sentence in sentences_with_wrong_side(text)]
    assert sum(len(SIDE.findall(text)) for text in texts) > 12


@pytest.mark.parametrize(
    ("right_sentence", "wrong_sentence"),
    [
        ("DoRA also learns a magnitude for each output", "DoRA also learns a magnitude for each input"),
        ("VeRA draws A and B; it trains one for each output", "VeRA draws A and B; it trains one for each input"),
        ("Bias, one number per output", "Bias, one number per input"),
        ("LoRA adds r numbers for each input and each output", "A bias adds a number for each input"),
    ],
)
def test_a_wrong_side_is_found(right_sentence: str, wrong_sentence: str) -> None:
    assert [] == [*sentences_with_wrong_side(right_sentence)]
    assert [wrong_sentence] == [*sentences_with_wrong_side(wrong_sentence)]
