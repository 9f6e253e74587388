"""The wording for a table of relative positions agrees with its shape: a number per head, or a vector."""

import re

from macros.counting import ARCHITECTURES
from macros.rendering.tables.relatives import RELATIVE_TABLES

LETTER_BY_NOUN = {"head": "A", "layer": "L", "feature": "H", "token": "V", "position": "R"}
"""The letter of the size that counts each noun."""


def wrong_nouns(model_type: str, words: str) -> list[str]:
    """The nouns after "each" whose letter does not occur in the shape of the table."""
    rows = [row for row in ARCHITECTURES[model_type].rows if row.path.startswith("bert/relative_positions")]
    letters = {letter for row in rows for letter in re.findall("[A-Z]", row.shape)}
    if any(row.is_per_layer for row in rows):
        letters.add("L")
    return [
        noun
        for noun in re.findall(rf"each ({'|'.join(LETTER_BY_NOUN)})\b", words)
        if LETTER_BY_NOUN[noun] not in letters
    ]


def test_words_have_the_nouns_of_the_shape() -> None:
    """The wording contains "each head", for example, only if the number of heads occurs in the table's shape."""
    assert any("each" in words for words in RELATIVE_TABLES.values())
    assert [] == [noun for item in RELATIVE_TABLES.items() for noun in wrong_nouns(*item)]


def test_wrong_nouns_are_found() -> None:
    """The phrase "for each layer" is always wrong, because no table of relative positions belongs to a layer."""
    assert [] == [name for name in RELATIVE_TABLES if ["layer"] != wrong_nouns(name, "with a number for each layer")]
