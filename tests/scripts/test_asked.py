"""What is typed into the search of the site, as its index is asked for it."""

import tomllib
from pathlib import Path

from tests.scripts.running import Scripts

ASKED = tomllib.loads(Path(__file__).with_name("asked.toml").read_text(encoding="utf-8"))
"""What readers type, in the words of the index."""


def test_questions_are_asked_in_the_words_of_the_index(scripts: Scripts) -> None:
    """Numbers with commas, matrices as one word, Greek letters by name, and no word that says nothing beside others."""
    assert [*ASKED.values()] == scripts.call("askedOfIndex", [*ASKED])


def test_unknown_words_may_differ_by_as_many_letters_as_their_length_allows(scripts: Scripts) -> None:
    """One letter from five on and two from eight on; short words, numbers and known words stay as they are."""
    words = {"poole": "poole~1", "pooolre": "pooolre~1", "embedings": "embedings~2", "maks": None, "768a9": None}
    words |= {"heads": None, "poolre heads": "poolre~1 heads", "maks poolre": "maks poolre~1"}
    assert [*words.values()] == scripts.call("meantOfIndex", [*words], ["heads"])
