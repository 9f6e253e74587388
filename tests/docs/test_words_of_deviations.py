"""The numbers, sizes and kinds of tensors that a deviation's texts name are those that it counts."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from macros.counting import BERT, CountingError, Question, model_named
from macros.counting.architecture import Row
from macros.counting.deviations import Deviation, load_deviations
from tests.docs.test_number_words import all_conditional_words, constants_of, numbers_in

DEVIATIONS = load_deviations()

TEXTS = ("title", "done", "undo", "notice")
"""The texts about what somebody has counted; `why` may compare it with other parts, but not with other sizes."""

TENSORS = re.compile(r"tensors\('([^']*)', '([^']*)'\) == \d+")


def tensors_counted(deviation: Deviation, condition: str) -> int | None:
    """The number of tensors in a condition that a deviation counts; None if the condition is not about tensors."""
    match = TENSORS.fullmatch(condition)
    if not match:
        return None
    part, tags = match[1].replace("layer_0", "layer_*"), match[2].split()
    rows = [row for row in BERT.rows if row.path.startswith(part) and not row.when and {*tags} <= row.tags]
    return sum(int(deviation.factor) if deviation.touches(row) else 1 for row in rows)


def wrong_numbers(deviation: Deviation, words: str, condition: str) -> bool:
    """Return whether words have a number that is neither in their condition nor what the deviation makes of it.

    Of "two tables; the printed model has three", the first is what the deviation counts; the last is in the condition.
    """
    *contrast, last = (numbers_in(piece) for piece in words.split(";"))
    return not last <= constants_of(condition) or contrast not in ([], [{tensors_counted(deviation, condition)}])


def test_every_number_is_held() -> None:
    """Each number in the words of a deviation is in the condition, or is worked out from it."""
    claims = [(deviation, *words) for deviation in DEVIATIONS.values() for words in deviation.holds]
    wrong = [(deviation.name, *words) for deviation, *words in claims if wrong_numbers(deviation, *words)]
    assert [] == wrong, "write the number into the condition, as in - V + 2 * V, or leave it out of the words"


def test_every_number_in_other_words_is_held() -> None:
    """On pages, in code and in claims, each number in the words of a condition is in the condition."""
    held_words = {words for deviation in DEVIATIONS.values() for words, _ in deviation.holds}
    claims = [words for words in all_conditional_words() if words.words not in held_words]
    assert len(claims) > 50
    assert [] == [words for words in claims if not numbers_in(words.words) <= constants_of(words.condition)]


@pytest.mark.parametrize(
    ("name", "true_words", "false_words"),
    [
        ("feed-forward-doubled", "four matrices", "three matrices"),
        ("segments-forgotten", "has three", "has two"),
        ("one-matrix-for-all", "two dense layers", "three dense layers"),
        ("third-norm-a-layer", "three LayerNorms", "four LayerNorms"),
    ],
)
def test_wrong_numbers_are_found(name: str, true_words: str, false_words: str) -> None:
    """Another number is found on either side of a contrast, and by itself."""
    words, condition = next(words for words in DEVIATIONS[name].holds if true_words in words[0])
    assert not wrong_numbers(DEVIATIONS[name], words, condition)
    assert wrong_numbers(DEVIATIONS[name], words.replace(true_words, false_words), condition)


LETTERS = {
    r"per token|word embeddings?|word table|vocabulary": "V",
    r"per position|position (?:embeddings|table)|positions": "P",
    r"segment table|segments": "S",
    r"per feature": "H",
    r"(?:per|each|every) head|number of heads": "A",
    r"(?:per|in all) layers?|layer only": "L",
}
"""Words for what tensors have in a certain number, with its letter."""

ELSEWHERE = {
    # One row of this table, so its size does not depend on how many there are.
    ("padding-row-left-out", "V"),
    # It names the parameters that are left, not those that are left out.
    ("one-layer-counted", "V"),
}
"""Deviations that name what they do not change."""


def letters_of(deviation: Deviation) -> set[str]:
    """The letters of all that a deviation counts in another way, replaces or adds."""
    rows = [row for row in BERT.rows if deviation.touches(row) or deviation.replaces(row)]
    return deviation.letters | {letter for row in rows for letter in letters_of_row(row)}


def letters_of_row(row: Row) -> set[str]:
    """The letters in the number of elements of a row, in all layers."""
    return {*re.findall(r"[A-Z]", row.shape)} | ({"L"} if row.is_per_layer else set())


def foreign(deviation: Deviation) -> Iterator[tuple[str, str]]:
    """The letters of sizes that a deviation's texts name and that it has nothing to do with, with each text."""
    letters = letters_of(deviation)
    for key in (*TEXTS, "why"):
        text = getattr(deviation, key)
        for words, letter in LETTERS.items():
            if re.search(words, text) and letter not in letters and (deviation.name, letter) not in ELSEWHERE:
                yield letter, text


def test_named_sizes_are_those_that_matter() -> None:
    """No text of a deviation names a table or a size that does not change with what it counts."""
    assert {} == {name: words for name, deviation in DEVIATIONS.items() if (words := [*foreign(deviation)])}


def test_sizes_that_do_not_matter_are_found() -> None:
    """Every text that names a size is found at a deviation that has nothing to do with it, and so is each exception."""
    texts = [(text, words) for deviation in DEVIATIONS.values() for text in [deviation.notice] for words in LETTERS]
    matches = {words for text, words in texts if re.search(words, text)}
    assert len(matches) > 3
    for words in matches:
        notice = next(text for text, other in texts if other == words and re.search(words, text))
        others = [deviation for deviation in DEVIATIONS.values() if LETTERS[words] not in letters_of(deviation)]
        planted_deviations = [
            other._replace(name="planted", title="", done="", undo="", why="", notice=notice) for other in others
        ]
        assert planted_deviations
        assert [] == [
            deviation for deviation in planted_deviations if (LETTERS[words], notice) not in foreign(deviation)
        ]
    for name, letter in ELSEWHERE:
        assert letter in [other for other, _ in foreign(DEVIATIONS[name]._replace(name="planted"))]


PARTS = {
    r"(?<!word |tion_)embeddings?": "embeddings",
    r"pooler": "pooler",
    r"attention": "self-attention",
    r"feed-forward": "feed-forward",
    r"LayerNorms?": "LayerNorm",
    r"masked-LM head|prediction bias": "mlm-head",
}
"""Words for parts, with the block or the tag of their tensors."""

COMPARED = re.compile(r"\b(?:than|as large as|no|only|without|consist of)\b.*")
"""The end of a text that names what a part is compared with, or what is not there."""


def other_parts(deviation: Deviation) -> Iterator[tuple[str, str]]:
    """The parts that a deviation's texts name and none of whose tensors it counts in another way, with each text."""
    rows = [row for row in BERT.rows if deviation.touches(row) or deviation.replaces(row)]
    parts = {name for row in rows for name in (row.block, *row.tags)}
    for text in (getattr(deviation, key) for key in TEXTS if rows):
        for words, part in PARTS.items():
            if re.search(rf"\b(?:{words})\b", COMPARED.sub("", text)) and part not in parts:
                yield part, text


def test_named_parts_are_those_that_are_counted_otherwise() -> None:
    """No text of a deviation names a part that it leaves as it is."""
    assert {} == {name: words for name, deviation in DEVIATIONS.items() if (words := [*other_parts(deviation)])}


@pytest.mark.parametrize(
    ("name", "key", "text", "part"),
    [
        ("pooler-left-out", "notice", "Your sum ends at the embeddings.", "embeddings"),
        ("transform-forgotten", "undo", "add the dense layer of the pooler", "pooler"),
        ("feed-forward-doubled", "done", "counted attention twice", "self-attention"),
    ],
)
def test_another_part_is_found(name: str, key: str, text: str, part: str) -> None:
    """A part that a deviation leaves as it is is found in each of its texts."""
    changes: dict[str, Any] = {key: text}
    assert [(part, text)] == [*other_parts(DEVIATIONS[name]._replace(**changes))]


HIGHER = re.compile(r"^(?:remove|leave out|take .* away)\b|\bonce$|\bexceeds\b")
LOWER = re.compile(r"^add\b|\b(?:again|twice)$|\bin all layers$|\bseparately$|\bis short by\b")
"""Remedies, and ways to notice, of totals that are too high and of those that are too low."""


def is_said_otherwise(deviation: Deviation, text: str) -> bool:
    """Return whether a text says that a total is too high where it is too low, or the reverse."""
    changes = [change for model_class in BERT.classes if (change := change_of_total(deviation.name, model_class.name))]
    return bool(changes) and bool(
        (HIGHER.search(text) and max(changes) < 0) or (LOWER.search(text) and min(changes) > 0)
    )


@cache
def change_of_total(deviation: str, model_class: str) -> int:
    """The change that a deviation makes to the total of BERT base in a class; 0 if it changes nothing there."""
    base = model_named("bert-base-uncased")
    try:
        return Question(base, model_class, deviations=(deviation,)).number - Question(base, model_class).number
    except CountingError:
        return 0  # it cannot be made in this class


def test_remedies_go_the_other_way() -> None:
    """A total from which something is missing is put right by adding it, and one with too much by taking it away."""
    texts = [(deviation, text) for deviation in DEVIATIONS.values() for text in (deviation.undo, deviation.notice)]
    assert [] == [(deviation.name, text) for deviation, text in texts if is_said_otherwise(deviation, text)]
    assert sum(bool(HIGHER.search(text)) for _, text in texts) > 10
    assert sum(bool(LOWER.search(text)) for _, text in texts) > 25


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("decoder-untied", "count the tied matrix again"),
        ("pooler-left-out", "take the pooler away"),
        ("lora-added", "Your total is short by less than one percent."),
        ("padding-row-left-out", "Your total exceeds the model's by one row."),
    ],
)
def test_a_wrong_remedy_is_found(name: str, text: str) -> None:
    """A text that says the contrary of what a deviation does is found."""
    assert is_said_otherwise(DEVIATIONS[name], text)


ALONE = re.compile(r"\bcount(?:s|ed) only\b.*?\b(matrices|vectors)\b")
"""The words of somebody who counts tensors of one kind only."""

DIMENSIONS = {"matrices": 2, "vectors": 1}


def dimensions(shape: str) -> int:
    """The number of dimensions that a tensor of a shape has; the number of layers is not one of them."""
    return len([letter for letter in shape.split() if letter.isupper() and letter != "L"])


def other_kinds(deviation: Deviation) -> list[str]:
    """The kinds of tensors that a deviation says are the only ones counted, if it counts others."""
    present = [row for row in BERT.rows if not row.tied_to and not row.when and row.path.startswith("bert")]
    other_shapes = [row.shape for row in present if row.path.startswith(deviation.part) and not deviation.touches(row)]
    shapes = [shape for _, shape in deviation.shapes()] if deviation.instead else other_shapes
    kinds = ALONE.findall(deviation.done)
    return [kind for kind in kinds if {DIMENSIONS[kind]} != {*map(dimensions, shapes)}]


def test_what_is_counted_alone_is_counted() -> None:
    """Who says that only matrices are counted counts tensors of two dimensions, and no others."""
    assert len([deviation for deviation in DEVIATIONS.values() if ALONE.search(deviation.done)]) > 3
    assert {} == {name: words for name, deviation in DEVIATIONS.items() if (words := other_kinds(deviation))}


def test_another_kind_is_found() -> None:
    """Vectors in place of matrices are found in every deviation that counts matrices only."""
    for deviation in DEVIATIONS.values():
        if ALONE.search(deviation.done):
            assert other_kinds(deviation._replace(done=deviation.done.replace("matrices", "vectors"))), deviation.name
