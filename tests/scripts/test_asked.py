"""Tests of how text typed into the site's search box becomes a query for its index."""

import tomllib
from pathlib import Path

from tests.scripts.running import Scripts

QUERIES = tomllib.loads(Path(__file__).with_name("asked.toml").read_text(encoding="utf-8"))
"""The query that each search text becomes."""


def test_searches_become_queries_in_the_words_of_the_index(scripts: Scripts) -> None:
    """Numbers get commas, matrices become one word, and Greek letters become their names.

    Filler words are dropped unless the text has no other words.
    """
    assert [*QUERIES.values()] == scripts.call("indexQueries", [*QUERIES])


def test_unknown_words_may_differ_by_as_many_letters_as_their_length_allows(scripts: Scripts) -> None:
    """Unknown words of five letters or more may differ by one letter, and those of eight or more by two.

    Shorter words, numbers and words of the index are matched exactly.
    """
    queries = {"poole": "poole~1", "pooolre": "pooolre~1", "embedings": "embedings~2", "maks": None, "768a9": None}
    queries |= {"heads": None, "poolre heads": "poolre~1 heads", "maks poolre": "maks poolre~1"}
    assert [*queries.values()] == scripts.call("queriesForMisspellings", [*queries], ["heads"])
