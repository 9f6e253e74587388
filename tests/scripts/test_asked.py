"""Tests of how the text typed into the site's search becomes a query of its index."""

import tomllib
from pathlib import Path

from tests.scripts.running import Scripts

QUERIES = tomllib.loads(Path(__file__).with_name("asked.toml").read_text(encoding="utf-8"))
"""The query that each text becomes."""


def test_questions_are_asked_in_the_words_of_the_index(scripts: Scripts) -> None:
    """A text becomes a query in the words of the index.

    Numbers get commas, matrices are one word, Greek letters have names, and words that say nothing are left out if
    there are others.
    """
    assert [*QUERIES.values()] == scripts.call("askedOfIndex", [*QUERIES])


def test_unknown_words_may_differ_by_as_many_letters_as_their_length_allows(scripts: Scripts) -> None:
    """An unknown word may differ by one letter from five letters on, and by two from eight on.

    Short words, numbers and known words stay as they are.
    """
    words = {"poole": "poole~1", "pooolre": "pooolre~1", "embedings": "embedings~2", "maks": None, "768a9": None}
    words |= {"heads": None, "poolre heads": "poolre~1 heads", "maks poolre": "maks poolre~1"}
    assert [*words.values()] == scripts.call("meantOfIndex", [*words], ["heads"])
