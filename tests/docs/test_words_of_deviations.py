"""The texts of a deviation name only numbers, sizes, parts and kinds of tensors that the deviation is about."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import pytest

from macros.counting import BERT, CountingError, Question, model_named
from macros.counting.architecture import Row
from macros.counting.deviations import CONVENTION, Deviation, load_deviations
from tests.docs.test_number_words import all_conditional_words, constants_of, numbers_in

DEVIATIONS = load_deviations()

TEXTS = ("title", "done", "undo", "notice")
"""The keys of texts about the count itself. `why` is not among them, because it may compare the count with others."""

CONDITION_ABOUT_TENSORS = re.compile(r"tensors\('([^']*)', '([^']*)'\) == \d+")
"""A condition on the number of tensors of a part that have certain tags."""


def counted_tensors(deviation: Deviation, condition: str) -> int | None:
    """The number of tensors that a deviation counts among those in a condition; None if the condition has none."""
    match = CONDITION_ABOUT_TENSORS.fullmatch(condition)
    if not match:
        return None
    part, tags = match[1].replace("layer_0", "layer_*"), match[2].split()
    rows = [row for row in BERT.rows if row.path.startswith(part) and not row.when and {*tags} <= row.tags]
    return sum(int(deviation.factor) if deviation.touches(row) else 1 for row in rows)


def has_wrong_number(deviation: Deviation, words: str, condition: str) -> bool:
    """Return whether words contain a number that neither is in their condition nor follows from it.

    In "two tables; print(model) shows three", the deviation counts two of the three in the condition.
    """
    *pieces_before, last_piece = words.split(";")
    if not numbers_in(last_piece) <= constants_of(condition):
        return True
    numbers_before = [numbers_in(piece) for piece in pieces_before]
    return bool(numbers_before) and numbers_before != [{counted_tensors(deviation, condition)}]


def test_every_number_in_a_deviation_has_a_condition() -> None:
    claims = [(deviation, *words) for deviation in DEVIATIONS.values() for words in deviation.holds]
    wrong_claims = [(deviation.name, *words) for deviation, *words in claims if has_wrong_number(deviation, *words)]
    assert [] == wrong_claims, "write the number into the condition, as in - V + 2 * V, or leave it out of the words"


def test_every_number_in_other_words_is_in_the_condition() -> None:
    """The other words are on pages, in code and in claims."""
    words_of_deviations = {words for deviation in DEVIATIONS.values() for words, _ in deviation.holds}
    claims = [words for words in all_conditional_words() if words.words not in words_of_deviations]
    assert len(claims) > 50
    assert [] == [words for words in claims if not numbers_in(words.words) <= constants_of(words.condition)]


@pytest.mark.parametrize(
    ("name", "true_words", "false_words"),
    [
        ("feed-forward-doubled", "four matrices", "three matrices"),
        ("segments-forgotten", "shows three", "shows two"),
        ("one-matrix-for-all", "two dense layers", "three dense layers"),
        ("third-norm-a-layer", "three LayerNorms", "four LayerNorms"),
    ],
)
def test_a_wrong_number_is_noticed(name: str, true_words: str, false_words: str) -> None:
    """The number may be on either side of a contrast, or in words without a contrast."""
    words, condition = next(words for words in DEVIATIONS[name].holds if true_words in words[0])
    assert not has_wrong_number(DEVIATIONS[name], words, condition)
    assert has_wrong_number(DEVIATIONS[name], words.replace(true_words, false_words), condition)


LETTERS_BY_WORDS = {
    r"per token|word embeddings?|word table|vocabulary": "V",
    r"per position|position (?:embeddings|table)|positions": "P",
    r"segment table|segments": "S",
    r"per feature": "H",
    r"(?:per|each|every) head|number of heads": "A",
    r"(?:per|in all) layers?|layer only": "L",
}
"""Patterns for words that refer to a size, each with the letter of the size."""

EXCEPTIONS = {
    # This deviation is about a single row of the word table, whatever the number of rows.
    ("padding-row-left-out", "V"),
    # Its text names the parameters that remain, not those that are left out.
    ("one-layer-counted", "V"),
}
"""Deviations that name a size although their effect does not depend on it, each with the letter of the size."""


def letters_of(deviation: Deviation) -> set[str]:
    """The letters of the sizes of everything that a deviation counts differently, replaces or adds."""
    rows = [row for row in BERT.rows if deviation.touches(row) or deviation.replaces(row)]
    return deviation.letters | {letter for row in rows for letter in letters_of_row(row)}


def letters_of_row(row: Row) -> set[str]:
    """The letters in the shape of a row, and L if every layer has the row."""
    return {*re.findall(r"[A-Z]", row.shape)} | ({"L"} if row.is_per_layer else set())


def unrelated_sizes(deviation: Deviation) -> Iterator[tuple[str, str]]:
    """The letters of sizes that a deviation names although its effect does not depend on them, each with the text."""
    letters = letters_of(deviation)
    for key in (*TEXTS, "why"):
        text = getattr(deviation, key)
        for words, letter in LETTERS_BY_WORDS.items():
            if re.search(words, text) and letter not in letters and (deviation.name, letter) not in EXCEPTIONS:
                yield letter, text


def test_deviations_name_only_sizes_that_matter() -> None:
    """A size matters if the effect of the deviation depends on it."""
    assert {} == {name: words for name, deviation in DEVIATIONS.items() if (words := [*unrelated_sizes(deviation)])}


def test_a_size_that_does_not_matter_is_noticed() -> None:
    """A notice is rejected in every deviation whose effect does not depend on the size that the notice names.

    The exceptions would be rejected, too, if they were not listed.
    """
    texts = [(deviation.notice, words) for deviation in DEVIATIONS.values() for words in LETTERS_BY_WORDS]
    matches = {words for text, words in texts if re.search(words, text)}
    assert len(matches) > 3
    for words in matches:
        notice = next(text for text, pattern in texts if pattern == words and re.search(words, text))
        unrelated_deviations = [
            deviation for deviation in DEVIATIONS.values() if LETTERS_BY_WORDS[words] not in letters_of(deviation)
        ]
        planted_deviations = [
            deviation._replace(name="planted", title="", done="", undo="", why="", notice=notice)
            for deviation in unrelated_deviations
        ]
        assert planted_deviations
        assert [] == [
            deviation
            for deviation in planted_deviations
            if (LETTERS_BY_WORDS[words], notice) not in unrelated_sizes(deviation)
        ]
    for name, letter in EXCEPTIONS:
        assert letter in [size for size, _ in unrelated_sizes(DEVIATIONS[name]._replace(name="planted"))]


PARTS_BY_WORDS = {
    r"(?<!word |tion_)embeddings?": "embeddings",
    r"pooler": "pooler",
    r"attention": "self-attention",
    r"feed-forward": "feed-forward",
    r"LayerNorms?": "LayerNorm",
    r"masked-LM head|prediction bias": "mlm-head",
}
"""Patterns for words that refer to a part, each with the block or the tag of its tensors."""

COMPARISON = re.compile(r"\b(?:than|as large as|no|only|without|consist of)\b.*")
"""The end of a text from the first word that introduces a comparison or an exclusion."""


def unrelated_parts(deviation: Deviation) -> Iterator[tuple[str, str]]:
    """The parts that the texts of a deviation name although it counts them correctly, each with the text."""
    rows = [row for row in BERT.rows if deviation.touches(row) or deviation.replaces(row)]
    if not rows:
        return  # the deviation changes a size or adds something, so it miscounts no part
    parts = {name for row in rows for name in (row.block, *row.tags)}
    for text in (getattr(deviation, key) for key in TEXTS):
        for words, part in PARTS_BY_WORDS.items():
            if re.search(rf"\b(?:{words})\b", COMPARISON.sub("", text)) and part not in parts:
                yield part, text


def test_deviations_name_only_parts_that_they_miscount() -> None:
    """The name of another part would make readers look for the mistake in the wrong place."""
    assert {} == {name: words for name, deviation in DEVIATIONS.items() if (words := [*unrelated_parts(deviation)])}


@pytest.mark.parametrize(
    ("name", "key", "text", "part"),
    [
        ("pooler-left-out", "notice", "Your sum ends at the embeddings.", "embeddings"),
        ("transform-forgotten", "undo", "add the dense layer of the pooler", "pooler"),
        ("feed-forward-doubled", "done", "counted attention twice", "self-attention"),
    ],
)
def test_the_name_of_another_part_is_noticed(name: str, key: str, text: str, part: str) -> None:
    changes: dict[str, Any] = {key: text}
    assert [(part, text)] == [*unrelated_parts(DEVIATIONS[name]._replace(**changes))]


TOO_HIGH = re.compile(r"^(?:remove|leave out|take .* away)\b|\bonce$|\bexceeds\b")
TOO_LOW = re.compile(r"^add\b|\b(?:again|twice)$|\bin all layers$|\bseparately$|\bis short by\b")
"""Words that imply that a total is too high or too low, in texts on how to correct or notice it."""


def contradicts_effect(deviation: Deviation, text: str) -> bool:
    """Return whether a text implies that the total is too high although it is too low in every class, or vice versa."""
    effects = {effect_on_total(deviation.name, model_class.name) for model_class in BERT.classes} - {0}
    if not effects:
        return False
    if max(effects) < 0:
        return bool(TOO_HIGH.search(text))
    return min(effects) > 0 and bool(TOO_LOW.search(text))


@cache
def effect_on_total(deviation: str, model_class: str) -> int:
    """The number that a deviation adds to the total of BERT base in a class; 0 if it does not affect the class."""
    model = model_named("bert-base-uncased")
    try:
        return Question(model, model_class, deviations=(deviation,)).number - Question(model, model_class).number
    except CountingError:
        return 0  # the deviation is impossible in this class


def test_remedies_say_whether_the_total_is_too_high_or_too_low() -> None:
    """If the total is too low, the remedy must be to add something; if it is too high, to take something away."""
    texts = [(deviation, text) for deviation in DEVIATIONS.values() for text in (deviation.undo, deviation.notice)]
    assert [] == [(deviation.name, text) for deviation, text in texts if contradicts_effect(deviation, text)]
    assert sum(bool(TOO_HIGH.search(text)) for _, text in texts) > 10
    assert sum(bool(TOO_LOW.search(text)) for _, text in texts) > 25


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("decoder-untied", "count the tied matrix again"),
        ("pooler-left-out", "take the pooler away"),
        ("lora-added", "Your total is short by less than one percent."),
        ("padding-row-left-out", "Your total exceeds the model's by one row."),
    ],
)
def test_a_wrong_remedy_is_noticed(name: str, text: str) -> None:
    assert contradicts_effect(DEVIATIONS[name], text)


ONLY_KIND = re.compile(r"\bcount(?:s|ed) only\b.*?\b(matrices|vectors)\b")
"""A claim that only tensors of one kind are counted."""

DIMENSIONS_OF_KIND = {"matrices": 2, "vectors": 1}
"""Kinds of tensors, each with the number of its dimensions."""


def dimensions(shape: str) -> int:
    """The number of dimensions of a tensor with this shape. The number of layers is not a dimension."""
    return len([letter for letter in shape.split() if letter.isupper() and letter != "L"])


def wrong_kinds(deviation: Deviation) -> list[str]:
    """The kinds of tensors that a deviation claims to count exclusively, although it counts others or none of them."""
    counted_rows = [row for row in BERT.rows if not row.tied_to and not row.when and row.path.startswith("bert")]
    kept_shapes = [
        row.shape for row in counted_rows if row.path.startswith(deviation.part) and not deviation.touches(row)
    ]
    shapes = [shape for _, shape in deviation.shapes()] if deviation.instead else kept_shapes
    kinds = ONLY_KIND.findall(deviation.done)
    return [kind for kind in kinds if {DIMENSIONS_OF_KIND[kind]} != {*map(dimensions, shapes)}]


def test_only_the_named_kind_of_tensors_is_counted() -> None:
    assert len([deviation for deviation in DEVIATIONS.values() if ONLY_KIND.search(deviation.done)]) > 3
    assert {} == {name: words for name, deviation in DEVIATIONS.items() if (words := wrong_kinds(deviation))}


def test_the_name_of_another_kind_of_tensors_is_noticed() -> None:
    for deviation in DEVIATIONS.values():
        if ONLY_KIND.search(deviation.done):
            assert wrong_kinds(deviation._replace(done=deviation.done.replace("matrices", "vectors"))), deviation.name


ERRORS = re.compile(r"^(?:forgot|took|assumed|gave|padded|rounded|multiplied)\b")
"""Words for what nobody does on purpose. A convention, in contrast, decides what to count."""


def conventions_in_words_for_errors(deviations: Iterable[Deviation]) -> list[str]:
    """The deviations that are said to be conventions, but are described as errors."""
    return [
        deviation.name for deviation in deviations if deviation.kind == CONVENTION and ERRORS.search(deviation.done)
    ]


def test_what_is_forgotten_or_assumed_is_no_convention() -> None:
    assert len([deviation for deviation in DEVIATIONS.values() if ERRORS.search(deviation.done)]) > 20
    assert [] == conventions_in_words_for_errors(DEVIATIONS.values())
    mislabelled_deviation = DEVIATIONS["transform-forgotten"]._replace(kind=CONVENTION)
    assert ["transform-forgotten"] == conventions_in_words_for_errors([mislabelled_deviation])
