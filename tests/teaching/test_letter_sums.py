"""Sums in letters come to what the engine's own lines say, whatever the sizes."""

from collections.abc import Sequence

import pytest

from macros.counting import BERT, Model, Question, load_models, model_named
from macros.counting.sum_lines import sum_lines
from macros.teaching.letter_sums import LetterLine, Summand, counted_once, results_of, with_letter, with_sizes, without
from macros.teaching.sets import Ask, load_sets

ASKS = list(
    dict.fromkeys(
        [ask for each in load_sets().sets.values() for ask in each.asks] + [*load_sets().ledger, *load_sets().totals]
    )
)

TOKENS = 48
"""The length of a text; sizes that coincide have as many positions or more."""

# Sizes that coincide, which must not confuse one line with another.
ALIKE = {"V": 64, "P": 64, "S": 2, "H": 64, "F": 64, "L": 2, "A": 1, "C": 2}


@pytest.mark.parametrize("ask", ASKS, ids=lambda ask: f"{ask.model_class} {ask.part} {ask.tag}".strip())
def test_lines_are_those_of_the_engine(ask: Ask) -> None:
    """Line for line and to the letter, for every published model and for sizes that coincide; or what is trained."""
    bert = [*load_models().values(), Model("alike", BERT, ALIKE)]
    for model in map(model_named, ask.models) if ask.models else bert:
        asked = Question(model, ask.model_class, ask.part, ask.tag)
        model = model._replace(sizes={**model.sizes, "T": TOKENS})
        worked = with_sizes(ask.lines, model.sizes)
        if ask.declares_sum:
            assert ask.number(model) == worked[-1].result
        else:
            assert list(map(str, sum_lines(asked))) == [each.text for each in worked]


def test_equal_things_are_counted() -> None:
    """What stands before a product says how many there are, and a size stands for itself."""
    counts = {each.times for ask in ASKS for line in ask.lines for each in line.summands}
    assert {"", "2", "3", "4", "20", "L", "T"} == counts


def test_a_slip_changes_what_it_is_in() -> None:
    """Of one layer of base: without the bias of the projections, with one projection, and with another letter."""
    ask = next(each for each in ASKS if (each.part, each.tag) == ("bert/encoder/layer_0", "self-attention"))
    sizes = load_models()["bert-base-uncased"].sizes
    assert ["H H", "#0 H", "4 #1"] == [
        " ".join(f for each in line.summands for f in each.factors) for line in ask.lines
    ]
    # Source: 4 · 768 · 768; 768 · 768 + 768; and 4 · (512 · 512 + 512).
    assert 2_359_296 == with_sizes(without(ask.lines, 1, 1), sizes)[-1].result
    assert 590_592 == with_sizes(counted_once(ask.lines, 2, 0), sizes)[-1].result
    assert 1_050_624 == with_sizes(with_letter(ask.lines, "H", "P"), sizes)[-1].result


ONE, TWO = Summand(("V", "H"), "words"), Summand(("P", "H"), "positions")
BOTH, TWICE = Summand(("#0",), "tables"), Summand(("2", "#0"), "tables", "2")
LINES = (
    LetterLine("tables", (ONE, TWO)),
    LetterLine("more", (BOTH, TWICE)),
    LetterLine("together", (Summand(("#1",), "more"),)),
)
"""A sum of three lines: 5 × 3 + 4 × 3 = 27, three times that, and this alone."""


def test_lines_with_sizes() -> None:
    """Each as it is worked out; what is one number is its own result."""
    made = with_sizes(LINES, {"V": 5, "H": 3, "P": 4})
    assert [("5 × 3 + 4 × 3 = 27", 27), ("27 + 2 × 27 = 81", 81), ("81", 81)] == made
    assert [27, 81, 81] == results_of(LINES, {"V": 5, "H": 3, "P": 4})


@pytest.mark.parametrize(
    ("slip", "expected"),
    [
        (without(LINES, 0, 0), (LetterLine("tables", (TWO,)), *LINES[1:])),
        (without(LINES, 0, 1), (LetterLine("tables", (ONE,)), *LINES[1:])),
        (without(LINES, 1, 0), (LINES[0], LetterLine("more", (TWICE,)), LINES[2])),
        (without(LINES, 2, 0), (*LINES[:2], LetterLine("together", ()))),
        (counted_once(LINES, 1, 1), (LINES[0], LetterLine("more", (BOTH, BOTH)), LINES[2])),
        (with_letter(LINES, "V", "P"), (LetterLine("tables", (Summand(("P", "H"), "words"), TWO)), *LINES[1:])),
    ],
)
def test_a_slip_changes_one_line(slip: Sequence[LetterLine], expected: Sequence[LetterLine]) -> None:
    """And leaves the others where they are, since lines name each other by their places."""
    assert tuple(expected) == tuple(slip)
