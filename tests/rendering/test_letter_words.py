"""A letter is the right one before a noun, such as L layers or A heads, and where a text says what it stands for."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from macros.counting import BERT
from macros.counting.changes.methods import rules
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
    paths_of_pages = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "docs/.tables/keep.jinja"]
    pages = [line for path in paths_of_pages for line in path.read_text("utf-8").splitlines()]
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


MEANINGS = {symbol.letter: symbol.meaning for symbol in BERT.symbols} | dict(rules()["letters"])
"""The size for which each letter stands, including sizes that only changed models have."""


def stems_in(text: str) -> frozenset[str]:
    """The words of at least five letters, in the singular."""
    return frozenset(word.removesuffix("s") for word in re.findall(r"[a-z]{5,}", text.lower()))


STEMS = {letter: stems_in(meaning) for letter, meaning in MEANINGS.items()}

DEFINITION = re.compile(
    r"(?<![\w·])([A-Z]|[b-z](?=,? (?:is )?the\b))(?:,? (?:is|counts|the)\b|\s\()((?:(?! and [A-Za-z] )[^,;.{}])*)"
)
"""A letter and the words that say what it stands for, such as "H is the hidden size"."""

LETTERS_IN_ORDER = re.compile(r"((?:[A-Z], )*[A-Z] and [A-Z])\b([^.;:{}]*)")
"""Several letters, and the rest of the clause."""


def definitions(text: str) -> Iterator[tuple[str, str]]:
    """Letters, each with the words that say what it stands for; "V and P count words and positions" has two pairs."""
    yield from DEFINITION.findall(text)
    for letters, clause in LETTERS_IN_ORDER.findall(text):
        names = re.findall(r"(?:[\w-]+, )*[\w-]+ and [\w-]+", clause)
        for letters_and_names in [(re.split(", | and ", letters), re.split(", | and ", listed)) for listed in names]:
            if len(letters_and_names[0]) == len(letters_and_names[1]):
                yield from zip(*letters_and_names, strict=True)


def wrong_definitions(text: str) -> list[str]:
    """Letters that are said to stand for what another letter does: its meaning has more of these words.

    A lower-case letter on its own is left out, because it may be a vector of a single formula.
    """
    pairs = [(letter, words) for letter, words in definitions(text) if letter in MEANINGS]
    faults = []
    for letter, words in pairs:
        counts = {other: len(stems_in(words) & STEMS[other]) for other in STEMS if other.isupper() == letter.isupper()}
        if counts[letter] < max(counts.values()) and (letter.isupper() or len(pairs) > 1):
            faults.append(f"{letter}: {words.strip()}")
    return faults


PLACES = {
    letter: match.groups()
    for letter, meaning in MEANINGS.items()
    if (match := re.match(r"(\w+) (?:in|of) (?:the|an?) ([\w-]+)", meaning))
}
"""The things that each letter counts, and the place that they are in, as in "tokens in the vocabulary"."""

PLACE = re.compile(r"(?<![\w·])([A-Z]) (\w+) (?:in|of) (?:the|an?) ([\w-]+)")


def wrong_places(text: str) -> list[str]:
    """Letters that are said to count something in another place than they do: "V tokens in the text"."""
    return [
        match[0]
        for match in PLACE.finditer(text)
        if match[1] in PLACES and match[2] == PLACES[match[1]][0] and match[3] != PLACES[match[1]][1]
    ]


def test_every_letter_counts_things_in_the_right_place() -> None:
    assert [] == [fault for text in texts() for fault in wrong_places(text)]
    (text,) = [text for text in texts() if "With V tokens in the vocabulary" in text]
    assert ["V tokens in the text"] == wrong_places(text.replace("in the vocabulary", "in the text"))


def test_no_letter_stands_for_what_another_does() -> None:
    assert {} == {text: faults for text in texts() if (faults := wrong_definitions(text))}


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("V, P and S count", "V, S and P count"),
        ("L the number of layers", "L the hidden size"),
        ("v the length of a vector", "w the length of a vector"),
        ("m the adapter width", "n the adapter width"),
        ("Does A, the number of heads", "Does H, the number of heads"),
    ],
)
def test_a_letter_with_the_meaning_of_another_is_found(right: str, wrong: str) -> None:
    (text, *_) = [text for text in texts() if right in text]
    assert wrong_definitions(text.replace(right, wrong))


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
