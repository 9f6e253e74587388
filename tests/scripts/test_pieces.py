"""The browser splits texts into the same pieces as a real tokenizer, with the vocabulary of the site."""

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
    """Texts, each with its token ids from the tokenizers library."""
    recording: dict[str, Any] = json.loads(RECORDING.read_text(encoding="utf-8"))
    return recording["pieces"]  # type: ignore[no-any-return]


def test_the_vocabulary_is_that_of_bert_base() -> None:
    text = gzip.decompress(VOCABULARY.read_bytes())
    assert DIGEST == sha256(text).hexdigest()
    entries = text.decode().splitlines()
    assert 30_522 == len(entries)  # Source: vocab_size of bert-base-uncased
    assert [token.text for token in example().tokens] == [entries[token.id] for token in example().tokens]


def test_entries_regain_the_spelling_of_bert() -> None:
    """The npm package marks the beginnings of words with ▁; BERT's vocabulary marks continuations with ## instead."""
    assert ["cat", "##ing", "[SEP]", "[unused0]", "["] == list(map(spelling, ("▁cat", "ing", "[SEP]", "▁", "▁[")))


def test_all_texts_are_recorded(recorded_pieces: list[tuple[str, list[int]]]) -> None:
    assert [*TEXTS, *random_texts()] == [text for text, _ in recorded_pieces]
    assert RANDOM_TEXTS + len(TEXTS) == len(recorded_pieces)


def test_texts_are_split_as_by_a_real_tokenizer(scripts: Scripts, recorded_pieces: list[tuple[str, list[int]]]) -> None:
    vocabulary = gzip.decompress(VOCABULARY.read_bytes()).decode()
    ids = scripts.call("idsOfPieces", vocabulary, [text for text, _ in recorded_pieces])
    assert [] == [
        (text, recorded_ids, script_ids)
        for (text, recorded_ids), script_ids in zip(recorded_pieces, ids, strict=True)
        if script_ids != recorded_ids
    ]
