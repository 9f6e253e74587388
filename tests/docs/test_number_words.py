"""Words that claim a quantity agree with their condition. `says` itself checks only that the condition is true."""

import ast
import re
from collections.abc import Iterator

import pytest

from macros.counting import ARCHITECTURES
from tests.docs.building import ROOT
from tests.docs.conditional_words import ConditionalWords, page_code, words_in_data, words_in_sources

# "One" is left out, because it is usually a pronoun.
TWO_TO_NINE = ("two", "three", "four", "five", "six", "seven", "eight", "nine")
TEN_TO_FOURTEEN = ("ten", "eleven", "twelve", "thirteen", "fourteen")
FIFTEEN_TO_NINETEEN = ("fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
VALUES = {
    **{word: value for value, word in enumerate(TWO_TO_NINE + TEN_TO_FOURTEEN + FIFTEEN_TO_NINETEEN, 2)},
    **{word: 10 * value for value, word in enumerate(TENS, 2)},
    **dict.fromkeys(("twice", "half", "doubled", "double"), 2),
    **dict.fromkeys(("thrice", "third", "thirds", "triple"), 3),
    **dict.fromkeys(("quarter", "quarters", "fourth"), 4),
    "percent": 100,
    "hundred": 100,
    "thousand": 1000,
}
"""Words for numbers, each with its number in a condition. For "half", a condition multiplies by two."""

FRACTIONS = re.compile(r"\b(?:half|third|thirds|quarter|quarters|most|times (?:smaller|fewer))\b", re.IGNORECASE)
MULTIPLES = re.compile(r"\b(?:twice|thrice|times(?! smaller| fewer)|double|triple)\b", re.IGNORECASE)
"""Words for the ratio of two quantities.

An equation for a fraction multiplies its first side, and an equation for a multiple multiplies its second side.
"""

GREATER = re.compile(
    r"\b(?:more|larger|largest|bigger|wider|deeper|longer|higher|greater|most|outweighs)\b", re.IGNORECASE
)
SMALLER = re.compile(
    r"\b(?:less|fewer|smaller|smallest|narrower|shallower|shorter|lower|least|under|down)\b", re.IGNORECASE
)
COMPARISONS = {GREATER: (ast.Gt, ast.GtE), SMALLER: (ast.Lt, ast.LtE)}
"""Patterns for words that compare, each with the operators that express it.

The condition must contain one of these operators or, if the words contain a number, an equals sign.
"""

SAME = re.compile(r"\b(?:same|as (?:many|much|large|wide)|equal|both)\b", re.IGNORECASE)
"""Words for equal quantities. Their condition has an equals sign, unless they compare, as in "four times as large"."""

NAMES = {
    r"labels": r"\bC\b",
    r"segments": r"\bS\b|token_type",
    r"positions": r"\bP\b|position",
    r"(?<!dense )layers": r"\bL\b|layer|weight",
    r"deeper|shallower": r"\bL\b",
    r"hidden size": r"\bH\b",
    r"wide|wider|narrower|width": r"\b[HFE]\b",
    r"vocabulary": r"\bV\b",
    r"dense layers|matrices|projections|weights": r"kernel|weight|lora",
    r"biases": r"bias",
    r"LayerNorms": r"norm|gamma",
    r"tables": r"embedding",
    r"(?:self-)?attention": r"self-attention",
    r"feed-forward": r"feed-forward",
    r"operations": r"operations|step",
    r"LoRA|rank": r"lora",
    r"conventions?": r"conventions",
}
"""Patterns for what words may name, each with a pattern for what stands for it in a condition."""

LETTER = re.compile(r"(?<!\w)[B-Z](?!\w)")
"""The letter of a size. "A" is left out, because it is also an article."""

MODEL = re.compile(r"\bBERT (base|large)\b")
"""A model that the words compare something with. Conditions call it `base` or `large`."""


def numbers_in(words: str) -> set[int]:
    """The numbers that words contain. In "thirty thousand", the words are factors of one number."""
    numbers: list[int] = []
    follows_number = False
    for word in re.findall(r"[a-z]+", words.lower()):
        value = VALUES.get(word)
        if value and follows_number and value > numbers[-1]:
            numbers[-1] *= value
        elif value:
            numbers.append(value)
        follows_number = value is not None
    return {*numbers}


def constants_of(condition: str) -> set[int]:
    """The integers in a condition, except those in arguments of functions."""
    tree = ast.parse(condition, mode="eval")
    arguments = {id(node) for call in ast.walk(tree) if isinstance(call, ast.Call) for node in call.args}
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, int) and id(node) not in arguments
    }


def unequal_or_unnamed(words: str, condition: str, signs: set[type[ast.cmpop]]) -> Iterator[str]:
    """A message for each name in the words that their condition lacks, and for equal quantities without an =."""
    letters = {*LETTER.findall(words)} - {*LETTER.findall(condition)}
    names = {
        match[0]
        for name, in_condition in NAMES.items()
        for match in re.finditer(rf"(?<![\w-])(?:{name})(?![\w-])", words)
        if not re.search(in_condition, condition)
    }
    for name in letters | names:
        yield f"{words!r} names {name}, but {condition!r} is about something else; compare what the words name"
    if SAME.search(words) and ast.Eq not in signs and not any(pattern.search(words) for pattern in COMPARISONS):
        yield f"{words!r} is about equal quantities, but {condition!r} has no equals sign; write one there"


def faults_of(words: str, condition: str) -> Iterator[str]:
    """A message for each number, name or comparison in the words that their condition contradicts.

    If the words contain several numbers, such as a wrong and a right one, one of them must be in the condition.
    """
    numbers, constants = numbers_in(words), constants_of(condition)
    if numbers and not numbers & constants:
        advice = "; write one of them into the condition, as in 2 * H, or leave it out of the words"
        yield f"{words!r} says {sorted(numbers)}, and {condition!r} has {sorted(constants)}{advice}"
    models, compared_models = {*MODEL.findall(words)}, {*re.findall(r"\b(base|large)\.", condition)}
    if models and not compared_models <= models:
        yield f"{words!r} names BERT {', '.join(sorted(models))}, but {condition!r} is about another; name that one"
    signs = {
        type(sign) for node in ast.walk(ast.parse(condition)) if isinstance(node, ast.Compare) for sign in node.ops
    }
    first, _, second = condition.partition(" == ")
    for pattern, side in ((FRACTIONS, first), (MULTIPLES, second)):
        if second and numbers and pattern.search(words) and not numbers & constants_of(side):
            yield f"{words!r} is about {first!r}, but {condition!r} multiplies the other side; multiply this one"
    yield from unequal_or_unnamed(words, condition, signs)
    for pattern, expected_signs in COMPARISONS.items():
        # "Two more" and "a thousand times smaller" are equations.
        if pattern.search(words) and not signs & {*expected_signs} and not (numbers and ast.Eq in signs):
            yield f"{words!r} compares, but {condition!r} has no matching sign; write one there, such as <"


def all_conditional_words() -> list[ConditionalWords]:
    """All conditional words on pages, in code and in data files."""
    paths = [*(ROOT / "docs").rglob("*.md"), *page_code(ROOT)]
    return [*words_in_sources(paths), *words_in_data()]


def test_words_agree_with_their_condition() -> None:
    claims = all_conditional_words()
    assert [] == [fault for claim in claims for fault in faults_of(claim.words, claim.condition)]
    assert sum(bool(numbers_in(claim.words)) for claim in claims) > 60  # enough of the words contain a number


@pytest.mark.parametrize(
    ("words", "condition"),
    [
        ("twice", "step(9) == 3 * operations(9)"),
        ("nine times", "step(9) == 3 * operations(9)"),
        ("three dense layers", "tensors('bert/encoder/layer_0', 'self-attention kernel') == 4"),
        ("forty thousand", "total('vocabulary-rounded') == number() + (30000 - V) * H"),
        ("half as large", "large.L == 2 * base.L"),
        ("twice as large", "2 * L == base.L"),
        ("a third", "2 * H == base.H"),
        ("narrower than BERT large", "H > large.H"),
        ("half that of BERT large", "2 * H == base.H"),
        ("more parameters", "number() < large.number()"),
        ("less than one percent", "10 * effect('lora-added') < number()"),
        ("two labels", "S == 2"),
        ("two dense layers", "tensors('bert/encoder/layer_0', 'encoder-norms gamma') == 2"),
        ("three tables", "tensors('bert/encoder/layer_0', 'bias') == 3"),
        ("as many as are trained", "changed('layers:6') < changed('frozen:6')"),
        (
            "as many parameters as self-attention",
            "number('bert/pooler') == number('bert/encoder/layer_0/intermediate')",
        ),
        ("four times H", "F == 4 * E"),
    ],
)
def test_words_that_do_not_fit_their_condition_are_noticed(words: str, condition: str) -> None:
    """Each of the conditions could be true of some model."""
    assert [*faults_of(words, condition)]


def test_a_fault_includes_advice() -> None:
    (fault,) = faults_of("three rows", "total('gated') == number() + L * H * F")
    assert "says [3]" in fault
    assert fault.endswith("; write one of them into the condition, as in 2 * H, or leave it out of the words")


def test_numbers_in_words_and_conditions_are_read() -> None:
    assert {30_000} == numbers_in("thirty thousand")
    assert {1000} == numbers_in("a thousand times smaller")
    assert {2, 4} == numbers_in("two dense layers; print(model) shows four")
    assert set() == numbers_in("the same size as attention")
    assert {2, 3} == constants_of("step(9) - 2 * operations(9) == 3 * number('', 'bias', model_class='A')")


def test_a_number_in_the_meaning_of_a_size_is_in_a_shape() -> None:
    """DeBERTa has a table with two rows for each of its P positions, so a shape must contain 2P."""
    sizes_with_numbers = [
        (architecture, symbol.letter, numbers)
        for architecture in ARCHITECTURES.values()
        for symbol in architecture.symbols
        if (numbers := numbers_in(symbol.meaning))
    ]
    assert [("deberta", "P", {2})] == [
        (architecture.model_type, letter, numbers) for architecture, letter, numbers in sizes_with_numbers
    ]
    for architecture, letter, numbers in sizes_with_numbers:
        shapes = " ".join(row.shape for row in architecture.rows)
        assert numbers <= {*map(int, re.findall(rf"(?<![A-Z\d])(\d+){letter}\b", shapes))}
