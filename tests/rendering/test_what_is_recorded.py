"""The page about verification describes what each recording contains."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from macros.counting.frameworks.recordings import recording, recordings
from tests.docs.building import ROOT

PAGE = (ROOT / "docs/about/verification.md").read_text(encoding="utf-8")

ITEM = re.compile(r"^- \*\*([\w/-]+)\*\*: (.+)$", re.MULTILINE)
"""An item of the list on the page; its groups are the implementation and the description of its recording."""

Recording = Mapping[str, Any]

CONDITIONS: dict[str, Callable[[Recording], bool]] = {
    "class": lambda contents: len({model.get("class") for model in contents["models"]}) > 1,
    "tied and untied": lambda contents: (
        {True, False} == {model["config"].get("tie_word_embeddings", True) for model in contents["models"]}
    ),
}
"""Conditions on a recording, by the words that an item must contain if and only if the condition is true."""


def recorded_contents(implementation: str) -> list[Recording]:
    """The contents of the recordings of an implementation of BERT, such as those of transformers 5 and 4."""
    titles = {name: block["title"] for name, block in recordings().items()}
    return [recording(name) for name, title in titles.items() if re.fullmatch(rf"{implementation}( [^,]+)?", title)]


def wrong_words(page: str) -> Iterator[str]:
    """Words that an item contains although their condition is false of a recording, or lacks although it is true."""
    for implementation, text in ITEM.findall(page):
        for words, is_true in CONDITIONS.items():
            if {words in text} != {is_true(contents) for contents in recorded_contents(implementation)}:
                yield f"{implementation}: {words}"


def test_each_item_fits_its_recording() -> None:
    assert [] == [*wrong_words(PAGE)]
    implementations = {implementation for implementation, _ in ITEM.findall(PAGE)}
    assert {"transformers", "google-research/bert", "Flax", "keras-bert", "KerasHub", "bert4keras"} == implementations


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("every array of every class", "every array"),
        ("every trainable variable of pre-training", "every trainable variable of every class"),
        ("every array of every class, tied and untied", "every array of every class"),
    ],
)
def test_an_item_with_wrong_or_missing_words_is_found(old: str, new: str) -> None:
    assert old in PAGE
    assert [*wrong_words(PAGE.replace(old, new))]
