"""The page about verification says of each recording what it holds."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from macros.counting.frameworks.recordings import recording, recordings
from tests.docs.building import ROOT

PAGE = (ROOT / "docs/about/verification.md").read_text(encoding="utf-8")

ITEM = re.compile(r"^- \*\*([\w/-]+)\*\*: (.+)$", re.MULTILINE)
"""An item of the list on the page; its groups are the implementation and what its recording holds."""

Recording = Mapping[str, Any]

WORDS: dict[str, Callable[[Recording], bool]] = {
    "class": lambda contents: len({model.get("class") for model in contents["models"]}) > 1,
    "tied and untied": lambda contents: (
        {True, False} == {model["config"].get("tie_word_embeddings", True) for model in contents["models"]}
    ),
}
"""Words that an item must have if and only if the condition is true of its recording."""


def recorded_contents(implementation: str) -> list[Recording]:
    """The contents of the recordings of an implementation of BERT, such as those of transformers 5 and 4."""
    titles = {name: block["title"] for name, block in recordings().items()}
    return [recording(name) for name, title in titles.items() if re.fullmatch(rf"{implementation}( [^,]+)?", title)]


def false_words(page: str) -> Iterator[str]:
    """The words that an item has, although they are not true of its recording, or lacks, although they are."""
    for implementation, text in ITEM.findall(page):
        for words, is_true in WORDS.items():
            if {words in text} != {is_true(contents) for contents in recorded_contents(implementation)}:
                yield f"{implementation}: {words}"


def test_each_item_fits_its_recording() -> None:
    """An item says whether the recording has several classes, and whether it has tied and untied models."""
    assert [] == [*false_words(PAGE)]
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
def test_a_wrong_item_is_noticed(old: str, new: str) -> None:
    """An item that says too much or too little is noticed."""
    assert old in PAGE
    assert [*false_words(PAGE.replace(old, new))]
