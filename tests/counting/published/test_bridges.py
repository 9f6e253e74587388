"""Bridges lead exactly from one number to another, and the formula of every step gives its value."""

import re
from fractions import Fraction

import pytest

from macros.counting import BERT, BadChoice, Choices, Model, Question, model_named
from macros.counting.deviations import load_deviations
from macros.counting.published.bridges import MAKE, UNDO, BridgeStep, bridge
from macros.counting.question import class_on_pages


def evaluate(formula: str, step: BridgeStep) -> Fraction:
    """The value of a step's formula or working, evaluated by Python."""
    text = re.sub(r"[0-9]+", r"Fraction(\g<0>)", formula.replace(",", ""))
    text = re.sub(r"\b[A-Z]\b|[A-Z](?=²)", lambda match: f"Fraction({step.sizes[match[0]]})", text)
    text = text.replace("²", "**2").replace("·", "*").replace("−", "-")
    return Fraction(eval(text, {"Fraction": Fraction}))  # noqa: S307  the engine wrote the formula


def checked_bridge(start: Question, end: Question) -> tuple[BridgeStep, ...]:
    """The steps of a bridge, after checking that they add up and that their formulas are correct."""
    steps = bridge(start, end)
    assert end.number - start.number == sum(step.value for step in steps)
    for step in steps:
        assert step.value == evaluate(step.formula, step) == evaluate(step.working, step), step
    return steps


def test_the_hand_count_of_base_chinese_is_corrected_in_four_steps() -> None:
    chinese = model_named("bert-base-chinese")
    mistakes = ("pooler-left-out", "attention-one-layer", "attention-biases-left-out", "feed-forward-biases-left-out")
    steps = checked_bridge(Question(chinese, deviations=mistakes), Question(chinese))
    # Source: the terms of the hand count, corrected one by one; the first is 11/12 of 28,311,552.
    assert [("attention-one-layer", 25_952_256), ("attention-biases-left-out", 36_864)] == [
        (step.name, step.value) for step in steps[:2]
    ]
    assert [46_080, 590_592] == [step.value for step in steps[2:]]
    assert ["+(1 − 1/L)·4·L·H²", "+4·L·H", "+L·(F + H)", "+(H² + H)"] == [step.formula for step in steps]
    assert {UNDO} == {step.kind for step in steps}


def question(model: Model, model_class: str = "", *deviations: str) -> Question:
    """A question about a model in a class, with deviations."""
    return Question(model, model_class, deviations=deviations)


BASE, LARGE = model_named("bert-base-uncased"), model_named("bert-large-uncased")
MASKED_LM, PRE_TRAINING = "BertForMaskedLM", "BertForPreTraining"

OMISSIONS = ("segments-forgotten", "positions-forgotten", "attention-biases-left-out")
"""Three deviations that do not affect each other."""

BY_POSITION = ("norm-by-position", "positions-by-sequence")
"""Two deviations: the first has P in its factor, and the second replaces P."""

# Pairs of questions with the names of the steps between them and their values, or no values if these are not tested.
# Source: the shapes of BERT base, multiplied by hand.
BRIDGES: list[tuple[Question, Question, str, list[int]]] = [
    # Only V differs: 522 more tokens than in the article, each with a row and a bias.
    (
        question(model_named("keras-bert-article"), PRE_TRAINING),
        question(BASE, PRE_TRAINING),
        "V",
        [400_896 + 522],
    ),
    (question(BASE), question(LARGE), "H F L", []),
    # 12·L·H² amounts to leaving out the embeddings, all vectors and the pooler, but only if F is four times H.
    (
        question(BASE, "", "twelve-l-h-squared"),
        question(BASE),
        "embeddings-left-out vectors-forgotten pooler-left-out",
        [23_835_648, 122_112 - 768, 590_592],
    ),
    (
        question(BASE.resized(F=3000), "", "twelve-l-h-squared"),
        question(BASE.resized(F=3000)),
        "twelve-l-h-squared",
        [],
    ),
    # A deviation at both ends needs no step unless its factor changes between them.
    (question(BASE, "", "biases-left-out"), question(LARGE, "", "biases-left-out"), "H F L", []),
    (
        question(BASE, "", "attention-one-layer"),
        question(LARGE, "", "attention-one-layer"),
        "attention-one-layer H F L attention-one-layer",
        [],
    ),
    # Deviations that both ends share do not affect the name of the step.
    (
        question(BASE, "", *OMISSIONS),
        question(BASE, "", *OMISSIONS, "pooler-left-out"),
        "pooler-left-out",
        [-590_592],
    ),
    # The factor of `norm-by-position` has P in it, so P changes first.
    (question(BASE), question(BASE, "", *BY_POSITION), "positions-by-sequence norm-by-position", []),
    (
        question(BASE, "", "norm-by-position"),
        question(BASE, "", *BY_POSITION),
        "norm-by-position positions-by-sequence norm-by-position",
        [],
    ),
    # Each of the two additions has its own step: 768² + 768, and 2 × 512.
    (
        question(BASE, MASKED_LM, "pooler-kept", "buffers-added"),
        question(BASE, MASKED_LM),
        "pooler-kept buffers-added",
        [-590_592, -1_024],
    ),
    # A change of class needs one step per block, whether the block is added or removed.
    (question(BASE, MASKED_LM), question(BASE), "pooler mlm-head", [590_592, -622_650]),
    # The factor for Adam's moments applies to changes of sizes too: 3 × (768 + 1).
    (
        question(BASE, PRE_TRAINING, "optimizer-counted"),
        question(BASE.resized(V=30_523), PRE_TRAINING, "optimizer-counted"),
        "V",
        [2_307],
    ),
    # An untied decoder adds 768 × 30,522 weights and 30,522 biases.
    (
        question(BASE, MASKED_LM),
        question(BASE._replace(choices=Choices(tied=False)), MASKED_LM),
        "untie",
        [23_471_418],
    ),
    # Both models have P = 512 and H = 768, so the factor P/H does not change: (28,996 − 30,522) × 768.
    (
        question(BASE, "", "norm-by-position"),
        question(model_named("bert-base-cased"), "", "norm-by-position"),
        "V",
        [-1_171_968],
    ),
]


@pytest.mark.parametrize(("start", "end", "names", "values"), BRIDGES)
def test_steps_are_named_and_ordered(start: Question, end: Question, names: str, values: list[int]) -> None:
    """A step is named after a deviation, a size or a block; a step that unties the decoder has no name."""
    steps = checked_bridge(start, end)
    assert names.split() == [step.name or "untie" for step in steps]
    assert values in ([], [step.value for step in steps])


def test_a_deviation_whose_factor_changes_is_undone_first_and_made_again_last() -> None:
    steps = checked_bridge(question(BASE, "", "norm-by-position"), question(BASE, "", *BY_POSITION))
    assert [UNDO, MAKE, MAKE] == [step.kind for step in steps]
    steps = checked_bridge(question(BASE, "", "feed-forward-square"), question(LARGE, "", "feed-forward-square"))
    assert "feed-forward-square" == steps[0].name == steps[-1].name


def test_a_bridge_between_equal_numbers_is_empty(base: Model) -> None:
    assert () == bridge(Question(base), Question(base))
    assert () == bridge(Question(base), Question(model_named("bert_uncased_L-12_H-768_A-12")))


def test_an_intermediate_fraction_is_refused() -> None:
    """As long as the encoder is left out as frozen, 1/100 of it is zero. Once it counts, 1/100 of it is not whole."""
    ten_layers = Question(model_named("bert_uncased_L-10_H-768_A-12"), "BertForNextSentencePrediction")
    start = ten_layers._replace(deviations=("feed-forward-one-layer", "encoder-frozen", "one-layer-counted"))
    assert 1_538 == start.number  # 2 × 768 + 2 of the head
    with pytest.raises(BadChoice, match="times 1/L times 1/L is not whole"):
        bridge(start, ten_layers)


def test_a_size_on_which_rows_depend_has_a_step() -> None:
    """ELECTRA small has a dense layer between embeddings and encoder, whose widths differ; ELECTRA base has none."""
    small, base = (Question(model_named(f"electra-{size}-discriminator")) for size in ("small", "base"))
    steps = {step.name: step for step in checked_bridge(small, base)}
    # Source: transformers 5.23, num_parameters(): 108,891,648 - 13,483,008, and 128 x 256 + 256 in the dense layer.
    assert 108_891_648 - 13_483_008 == sum(step.value for step in steps.values())
    assert list("EHF") == list(steps)
    assert checked_bridge(base, small)


@pytest.mark.parametrize("name", load_deviations())
def test_every_deviation_has_a_bridge(base: Model, name: str) -> None:
    correct = Question(base, class_on_pages(load_deviations()[name], BERT))
    start = correct._replace(deviations=(name,))
    assert bool(checked_bridge(start, correct)) is (start.number != correct.number)
