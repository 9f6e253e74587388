"""The search's words for a size fit the meaning of its letter."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from macros.counting import BERT
from macros.counting.search import known_numbers

SETTINGS = tomllib.loads(
    (Path(known_numbers.__file__).parents[1] / "data" / "search.toml").read_text(encoding="utf-8")
)["settings"]


def is_described(letters: list[str], words: str) -> bool:
    """Return whether `words` end with the letters of a size and, if there is only one letter, contain its meaning.

    The meaning may be in the words of the symbol or in those of the config key.
    """
    if not words.endswith(f" ({' / '.join(letters)})"):
        return False
    symbol = next(symbol for symbol in BERT.symbols if symbol.letter == letters[0])
    meaning = symbol.meaning.split(", ")[0].split(" (")[0]
    return len(letters) > 1 or any(
        name in words for name in (meaning, meaning.split()[-1], symbol.key.replace("_", " "))
    )


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: "/".join(setting["letters"]))
def test_the_words_for_a_size_fit_its_letters(setting: dict[str, Any]) -> None:
    assert is_described(setting["letters"], setting["words"])


def test_a_wrong_meaning_is_noticed() -> None:
    assert not is_described(["S"], "the number of positions (S)")
    assert not is_described(["S"], "the number of segments (P)")
