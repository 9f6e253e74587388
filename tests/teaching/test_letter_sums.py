"""Sums in letters give the engine's lines after sizes replace the letters."""

from collections.abc import Sequence

import pytest

from macros.counting import BERT, Model, Question, load_models, model_named
from macros.counting.sum_lines import sum_lines
from macros.teaching.letter_sums import (
    LabelledProduct,
    LetterLine,
    results_of,
    with_letter,
    with_sizes,
    with_things_counted_once,
    without_summand,
)
from macros.teaching.sets import Ask, load_sets

ASKS = list(
    dict.fromkeys(
        [ask for exercise_set in load_sets().sets.values() for ask in exercise_set.asks]
        + [*load_sets().ledger, *load_sets().totals]
    )
)

TOKENS = 48
"""The number of tokens in a text, which must not exceed the number of positions in `SIMILAR_SIZES`."""

SIMILAR_SIZES = {"V": 64, "P": 64, "S": 2, "H": 64, "F": 64, "L": 2, "A": 1, "C": 2}
"""Sizes that are mostly equal, so that lines about different parts could be confused."""


@pytest.mark.parametrize("ask", ASKS, ids=lambda ask: f"{ask.model_class} {ask.part} {ask.tag}".strip())
def test_lines_are_those_of_the_engine(ask: Ask) -> None:
    """Every line has the engine's text, and a declared sum has the engine's number.

    If the question names no models, this holds for every published BERT and for one with similar sizes.
    """
    bert_models = [*load_models().values(), Model("alike", BERT, SIMILAR_SIZES)]
    for model in map(model_named, ask.models) if ask.models else bert_models:
        question = Question(model, ask.model_class, ask.part, ask.tag)
        model = model._replace(sizes={**model.sizes, "T": TOKENS})
        numbered_lines = with_sizes(ask.lines, model.sizes)
        if ask.has_declared_sum:
            assert ask.number(model) == numbered_lines[-1].result
        else:
            assert list(map(str, sum_lines(question))) == [line.text for line in numbered_lines]


def test_few_factors_count_equal_things() -> None:
    """Such a factor is a small number, L, T or A; H only counts the rows of a head."""
    factors = {summand.times for ask in ASKS for line in ask.lines for summand in line.summands}
    assert {"", "2", "3", "4", "20", "L", "T", "A", "H"} == factors


def test_a_slip_changes_the_result() -> None:
    ask = next(
        candidate for candidate in ASKS if (candidate.part, candidate.tag) == ("bert/encoder/layer_0", "self-attention")
    )
    sizes = load_models()["bert-base-uncased"].sizes
    assert ["H H", "#0 H", "4 #1"] == [
        " ".join(factor for summand in line.summands for factor in summand.factors) for line in ask.lines
    ]
    # By hand: 4 · 768 · 768; 768 · 768 + 768; and 4 · (512 · 512 + 512).
    assert 2_359_296 == with_sizes(without_summand(ask.lines, 1, 1), sizes)[-1].result
    assert 590_592 == with_sizes(with_things_counted_once(ask.lines, 2, 0), sizes)[-1].result
    assert 1_050_624 == with_sizes(with_letter(ask.lines, "H", "P"), sizes)[-1].result


WORDS, POSITIONS = LabelledProduct(("V", "H"), "words"), LabelledProduct(("P", "H"), "positions")
TABLES, TABLES_TWICE = LabelledProduct(("#0",), "tables"), LabelledProduct(("2", "#0"), "tables", "2")
LINES = (
    LetterLine("tables", (WORDS, POSITIONS)),
    LetterLine("more", (TABLES, TABLES_TWICE)),
    LetterLine("total", (LabelledProduct(("#1",), "more"),)),
)
"""A sum of three lines: 5 × 3 + 4 × 3 = 27, then 27 + 2 × 27 = 81, and then 81 alone."""


def test_lines_show_their_products_and_results() -> None:
    numbered_lines = with_sizes(LINES, {"V": 5, "H": 3, "P": 4})
    assert [("5 × 3 + 4 × 3 = 27", 27), ("27 + 2 × 27 = 81", 81), ("81", 81)] == numbered_lines
    assert [27, 81, 81] == results_of(LINES, {"V": 5, "H": 3, "P": 4})


@pytest.mark.parametrize(
    ("slip", "expected"),
    [
        (without_summand(LINES, 0, 0), (LetterLine("tables", (POSITIONS,)), *LINES[1:])),
        (without_summand(LINES, 0, 1), (LetterLine("tables", (WORDS,)), *LINES[1:])),
        (without_summand(LINES, 1, 0), (LINES[0], LetterLine("more", (TABLES_TWICE,)), LINES[2])),
        (without_summand(LINES, 2, 0), (*LINES[:2], LetterLine("total", ()))),
        (with_things_counted_once(LINES, 1, 1), (LINES[0], LetterLine("more", (TABLES, TABLES)), LINES[2])),
        (
            with_letter(LINES, "V", "P"),
            (LetterLine("tables", (LabelledProduct(("P", "H"), "words"), POSITIONS)), *LINES[1:]),
        ),
    ],
)
def test_a_slip_changes_one_line(slip: Sequence[LetterLine], expected: Sequence[LetterLine]) -> None:
    """A slip keeps the positions of all lines, because lines refer to each other by position."""
    assert tuple(expected) == tuple(slip)
