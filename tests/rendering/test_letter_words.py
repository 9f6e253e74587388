"""A letter before a noun is the right one: L layers, A heads, P rows in the position table."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from macros.counting import BERT
from macros.counting.operations import OTHER_TOKENS, TEXTS, TOKENS
from tests.docs.building import ROOT

FOLDERS = ("macros/teaching", "macros/rendering")
"""Folders whose data files contain texts for readers."""

LETTERS_BY_NOUN = {
    "layers": {"L"},
    "heads": {"A"},
    "labels": {"C"},
    "features": {"H", "F"},
    "segments": {"S"},
    "positions": {"P"},
    "tokens": {"V", TOKENS, OTHER_TOKENS},
    "texts": {TEXTS},
}
"""The letters that can precede each noun."""

TABLES = {
    r"positions?": "bert/embeddings/position_embeddings",
    r"segments?": "bert/embeddings/token_type_embeddings",
    r"vocabulary|word embeddings": "bert/embeddings/word_embeddings",
}
"""The path of each embedding table, by a pattern for words that identify it.

"Token" is left out because it does not identify a table: texts mention a token's row in every table.
"""

LETTER = r"(?<![·×/*+−=-] )(?<![\w·×/*−-])([A-Z])(?: = \S+)? "
"""A letter, with or without its value, but not at the end of a formula, where a noun belongs to the whole formula."""


def texts_in(value: Any) -> Iterator[str]:
    """Every string nested in a value of a data file."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for member in value.values() if isinstance(value, Mapping) else value:
            yield from texts_in(member)


@cache
def texts() -> tuple[str, ...]:
    """The lines of all pages and every string in the data files of `FOLDERS`, with macro calls replaced by `{}`."""
    pages = [line for path in sorted((ROOT / "docs").rglob("*.md")) for line in path.read_text("utf-8").splitlines()]
    files = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.toml"))]
    data_strings = [text for path in files for text in texts_in(tomllib.loads(path.read_text("utf-8")))]
    return tuple(re.sub(r"\{\{.*?\}\}", "{}", text).replace("&nbsp;", " ") for text in [*pages, *data_strings])


def wrong_letters(text: str) -> list[str]:
    """Letters in the text that precede a noun they do not belong to, each with the noun."""
    return [
        match[0]
        for match in re.finditer(rf"{LETTER}(?:(?:encoder|attention|virtual) )?({'|'.join(LETTERS_BY_NOUN)})\b", text)
        if match[1] not in LETTERS_BY_NOUN[match[2]]
    ]


def letter_of(words: str) -> str:
    """The letter for the number of rows of the table mentioned last in `words`; empty if no table is mentioned."""
    matches = [
        (match.start(), path) for name, path in TABLES.items() for match in re.finditer(rf"\b(?:{name})\b", words)
    ]
    shapes = {row.path: row.shape for row in BERT.rows}
    return shapes[max(matches)[1]].split()[0] if matches else ""


def wrong_rows(text: str) -> list[str]:
    """Letters before "rows" that do not fit the table mentioned in the same sentence."""
    faults = []
    for match in re.finditer(rf"{LETTER}rows\b", text):
        words_after = re.match(r" (?:of|for|in)\b[^.,;:]*", text[match.end() :])
        words_before = re.split(r"[.;:] ", text[: match.start()])[-1]
        expected = letter_of(words_after[0] if words_after else "") or letter_of(words_before)
        if expected not in ("", match[1]):
            faults.append(match[0])
    return faults


def test_letters_are_those_of_their_nouns() -> None:
    assert {} == {text: faults for text in texts() if (faults := [*wrong_letters(text), *wrong_rows(text)])}


def test_texts_have_letters_before_several_nouns_and_before_rows() -> None:
    """The test above does not pass for lack of input."""
    nouns = {noun for text in texts() for noun in LETTERS_BY_NOUN if re.search(rf"{LETTER}{noun}\b", text)}
    assert len(nouns) > 3
    assert sum(bool(re.search(rf"{LETTER}rows\b", text)) for text in texts()) > 1


@pytest.mark.parametrize("letter", "VPSHFLAC")
def test_a_letter_is_reported_before_exactly_the_nouns_of_other_letters(letter: str) -> None:
    for noun, letters in LETTERS_BY_NOUN.items():
        assert (letter in letters) == (not wrong_letters(f"In each of the {letter} {noun}, there is one."))


def test_the_letter_of_another_table_is_found_before_and_after_its_name() -> None:
    for letter in "VPS":
        assert ("P" == letter) == (not wrong_rows(f"a vector for the position, from a table with {letter} rows"))
        assert ("S" == letter) == (not wrong_rows(f"up to {letter} = 2 rows of the table of segments; a position"))
    assert not wrong_rows("A matrix with V rows")
