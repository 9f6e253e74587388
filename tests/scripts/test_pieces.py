"""The browser cuts texts as a real tokenizer does, with the vocabulary that the site ships."""

import gzip
import json
from hashlib import sha256
from typing import Any

import pytest

from macros.rendering.components.example import example
from tests.scripts.running import Scripts
from tests.vocabulary.make import DIGEST, RANDOM_TEXTS, RECORDING, TEXTS, VOCABULARY, random_texts, spelling


@pytest.fixture(scope="module")
def recorded_pieces() -> list[tuple[str, list[int]]]:
    """Texts, each with the ids that the library tokenizers gives it."""
    recording: dict[str, Any] = json.loads(RECORDING.read_text(encoding="utf-8"))
    return recording["pieces"]  # type: ignore[no-any-return]


def test_the_vocabulary_is_that_of_bert_base() -> None:
    """The file is google-research/bert's list to the byte, and has the tokens of the example under their ids."""
    text = gzip.decompress(VOCABULARY.read_bytes())
    assert DIGEST == sha256(text).hexdigest()
    entries = text.decode().splitlines()
    assert 30_522 == len(entries)  # Source: vocab_size of bert-base-uncased
    assert [token.text for token in example().tokens] == [entries[token.id] for token in example().tokens]


def test_entries_get_their_spelling_back() -> None:
    """The file marks the beginnings of words with ▁; the vocabulary marks their continuations with ## instead."""
    assert ["cat", "##ing", "[SEP]", "[unused0]", "["] == list(map(spelling, ("▁cat", "ing", "[SEP]", "▁", "▁[")))


def test_everything_that_is_drawn_is_recorded(recorded_pieces: list[tuple[str, list[int]]]) -> None:
    """The recording was made from these texts."""
    assert [*TEXTS, *random_texts()] == [text for text, _ in recorded_pieces]
    assert RANDOM_TEXTS + len(TEXTS) == len(recorded_pieces)


def test_texts_are_cut_as_by_a_real_tokenizer(scripts: Scripts, recorded_pieces: list[tuple[str, list[int]]]) -> None:
    """Accents, scripts, signs, control characters, long words, and hundreds of texts at random give the same ids."""
    vocabulary = gzip.decompress(VOCABULARY.read_bytes()).decode()
    ids = scripts.call("idsOfPieces", vocabulary, [text for text, _ in recorded_pieces])
    assert [] == [
        (text, recorded_ids, script_ids)
        for (text, recorded_ids), script_ids in zip(recorded_pieces, ids, strict=True)
        if script_ids != recorded_ids
    ]
