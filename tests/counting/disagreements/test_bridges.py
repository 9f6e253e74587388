"""Bridges close, and every step's formula gives the step's number."""

import re
from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from macros.counting import (
    ARCHITECTURES,
    BERT,
    BadChoice,
    Choices,
    CountingError,
    Model,
    Question,
    every_class,
    load_models,
    load_relatives,
    model_named,
)
from macros.counting.deviations import load_deviations
from macros.counting.disagreements.bridges import Step, bridge
from macros.counting.question import class_shown


def worked_out(step: Step) -> Fraction:
    """The number that a step's formula gives, read as any reader would."""
    text = re.sub(r"[A-Z]", lambda letter: f"Fraction({step.sizes[letter[0]]})", step.formula.replace(",", ""))
    text = text.replace("²", "**2").replace("·", "*").replace("−", "-")
    return Fraction(eval(text, {"Fraction": Fraction}))  # noqa: S307 - the engine wrote the formula


def checked(start: Question, end: Question) -> tuple[Step, ...]:
    """A bridge that closes, step by step."""
    steps = bridge(start, end)
    assert end.number - start.number == sum(step.value for step in steps)
    for step in steps:
        assert step.value == worked_out(step), step
    return steps


def test_the_hand_count_of_base_chinese() -> None:
    """Four steps lead from the total of the hand count to the right one, in the order of reading."""
    chinese = model_named("bert-base-chinese")
    made = ("pooler-left-out", "attention-one-layer", "attention-biases-left-out", "feed-forward-biases-left-out")
    steps = checked(Question(chinese, deviations=made), Question(chinese))
    # Source: the hand count's own terms, put right one by one; 1 - 1/12 of 28,311,552 and so on.
    assert [("attention-one-layer", 25_952_256), ("attention-biases-left-out", 36_864)] == [
        (step.deviation, step.value) for step in steps[:2]
    ]
    assert [46_080, 590_592] == [step.value for step in steps[2:]]
    assert ["+(1 − 1/L)·L·4·H²", "+L·4·H", "+L·(F + H)", "+(H² + H)"] == [step.formula for step in steps]
    assert all(step.undone for step in steps)


def test_the_article_with_another_vocabulary(base: Model) -> None:
    """One size differs, so there is one step: 522 tokens with a row and a bias each."""
    article = Question(model_named("keras-bert-article"), "BertForPreTraining")
    (step,) = checked(article, Question(base, "BertForPreTraining"))
    assert (400_896 + 522, "V", "+(30,522 − 30,000)·(H + 1)") == (step.value, step.letter, step.formula)


def test_from_base_to_large(base: Model, large: Model) -> None:
    """Width, inner width and layers change, one after the other."""
    steps = checked(Question(base), Question(large))
    assert [("H", False), ("F", False), ("L", False)] == [(step.letter, step.undone) for step in steps]


def test_a_short_formula_is_spelt_out(base: Model) -> None:
    """12·L·H² leaves out the embeddings, the pooler and all vectors."""
    steps = checked(Question(base, deviations=("twelve-l-h-squared",)), Question(base))
    assert ["embeddings-left-out", "vectors-forgotten", "pooler-left-out"] == [step.deviation for step in steps]
    # Source: 24,547,584 short in all; the pooler comes last, with its bias.
    assert [23_835_648, 122_112 - 768, 590_592] == [step.value for step in steps]


def test_a_short_formula_that_does_not_fit_is_one_step(base: Model) -> None:
    """Where F is not four times H the formula is no sum of known mistakes; the bridge closes all the same."""
    odd = base.resized(F=3000)
    (step,) = checked(Question(odd, deviations=("twelve-l-h-squared",)), Question(odd))
    assert "twelve-l-h-squared" == step.deviation


def test_a_bridge_to_where_it_starts_is_empty(base: Model) -> None:
    """No difference, no step."""
    assert () == bridge(Question(base), Question(base))
    assert () == bridge(Question(base), Question(model_named("bert_uncased_L-12_H-768_A-12")))


def test_a_deviation_that_both_make_stays(base: Model, large: Model) -> None:
    """What both leave out is no step, unless its factor changes on the way."""
    steps = checked(*(Question(model, deviations=("biases-left-out",)) for model in (base, large)))
    assert ["H", "F", "L"] == [step.letter for step in steps]
    steps = checked(
        Question(base, deviations=("attention-one-layer",)), Question(large, deviations=("attention-one-layer",))
    )
    assert ["attention-one-layer", "", "", "", "attention-one-layer"] == [step.deviation for step in steps]
    steps = checked(
        Question(base, deviations=("feed-forward-square",)), Question(large, deviations=("feed-forward-square",))
    )
    assert "feed-forward-square" == steps[0].deviation == steps[-1].deviation


def test_a_step_is_named_by_what_changes(base: Model) -> None:
    """However much else both sides leave out."""
    kept = ("segments-forgotten", "positions-forgotten", "attention-biases-left-out")
    made = ("pooler-left-out", "embedding-norm-forgotten", "feed-forward-biases-left-out")
    steps = checked(Question(base, deviations=kept), Question(base, deviations=kept + made))
    assert set(made) == {step.deviation for step in steps}
    assert len(made) == len(steps)


def test_a_size_changes_before_it_is_a_factor(base: Model) -> None:
    """LayerNorm by position, with other positions: P is in the factor, so it changes first."""
    by_position = ("norm-by-position",)
    both = ("norm-by-position", "positions-by-sequence")
    steps = checked(Question(base), Question(base, deviations=both))
    assert ["positions-by-sequence", "norm-by-position"] == [step.deviation for step in steps]
    steps = checked(Question(base, deviations=by_position), Question(base, deviations=both))
    assert ["norm-by-position", "positions-by-sequence", "norm-by-position"] == [step.deviation for step in steps]
    assert [True, False, False] == [step.undone for step in steps]


def test_what_is_added_goes_one_by_one(base: Model) -> None:
    """Of two things that are added each step takes one away, and leaves the other as it was."""
    masked = "BertForMaskedLM"
    steps = checked(Question(base, masked, deviations=("pooler-kept", "buffers-added")), Question(base, masked))
    assert ["−(H² + H)", "−2·P"] == [step.formula for step in steps]


PUBLISHED = [*load_models().values(), *load_relatives().values()]


@cache
def fitting(architecture: str) -> list[tuple[Question, list[str]]]:
    """Every published model of an architecture in each of its classes, and the deviations that fit there."""
    return [
        (asked, [name for name, each in load_deviations().items() if each.fits(asked.rows, asked.architecture)])
        for asked in every_class(each for each in PUBLISHED if each.architecture.model_type == architecture)
    ]


@st.composite
def counts(draw: st.DrawFn, architecture: str = "bert") -> Question:
    """A published model in a class of its own, with up to three deviations that fit it together."""
    asked, names = draw(st.sampled_from(fitting(architecture)))
    chosen = draw(st.lists(st.sampled_from(names), max_size=3, unique=True))
    # A bridge undoes one after the other, so each of the questions on its way must have an answer, too.
    onward = [some for length in range(len(chosen) + 1) for some in combinations(chosen, length)]
    try:
        assert all(isinstance(asked._replace(deviations=some).number, int) for some in onward)
    except CountingError:
        reject()  # deviations that exclude each other, or a share that is not whole
    return asked._replace(deviations=tuple(chosen))


def test_a_share_that_is_not_whole_on_the_way_is_refused() -> None:
    """Nothing of what is frozen is counted, so a hundredth of it is whole; once it counts, the hundredth is not."""
    ten_layers = Question(model_named("bert_uncased_L-10_H-768_A-12"), "BertForNextSentencePrediction")
    start = ten_layers._replace(deviations=("feed-forward-one-layer", "encoder-frozen", "one-layer-counted"))
    assert 1_538 == start.number  # 2 × 768 + 2 of the head
    with pytest.raises(BadChoice, match="times 1/L times 1/L is not whole"):
        bridge(start, ten_layers)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(counts(), counts())
def test_every_bridge_closes(start: Question, end: Question) -> None:
    """From any count to any other, between models too."""
    checked(start, end)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(counts(), counts())
def test_every_bridge_within_a_model_closes(start: Question, end: Question) -> None:
    """From any count of a model to any other of the same."""
    end = end._replace(model=start.model)
    try:
        assert isinstance(end.number, int)
    except CountingError:
        reject()  # a share that is whole in the other model only
    checked(start, end)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(
    st.sampled_from(sorted(set(ARCHITECTURES) - {"bert"})).flatmap(lambda name: st.tuples(counts(name), counts(name)))
)
def test_every_bridge_of_a_relative_closes(ends: tuple[Question, Question]) -> None:
    """The same for what is no BERT, but for shares that are not whole on the way: BERT's widths decide them."""
    try:
        bridge(*ends)
    except BadChoice:
        reject()
    checked(*ends)


def test_a_size_that_brings_rows() -> None:
    """ELECTRA small joins embeddings and encoder by a dense layer, base does not: the width takes it away, and back."""
    small, base = (Question(model_named(f"electra-{size}-discriminator")) for size in ("small", "base"))
    steps = {step.letter: step for step in checked(small, base)}
    # Source: transformers 5.23, num_parameters(): 108,891,648 - 13,483,008, and 128 x 256 + 256 in the dense layer.
    assert 108_891_648 - 13_483_008 == sum(step.value for step in steps.values())
    assert list("EHF") == list(steps)
    assert checked(base, small)


@pytest.mark.parametrize("name", load_deviations())
def test_every_deviation_has_a_bridge(base: Model, name: str) -> None:
    """Each entry of the list alone, from its wrong total to the right one; none where it changes nothing."""
    right = Question(base, class_shown(load_deviations()[name], BERT))
    start = right._replace(deviations=(name,))
    assert bool(checked(start, right)) is (start.number != right.number)


def test_another_class_is_a_step_for_each_block_both_ways(base: Model) -> None:
    """From the masked LM to the bare model: 768² + 768 for the pooler, and the head goes."""
    steps = checked(Question(base, "BertForMaskedLM"), Question(base))
    assert [("pooler", 590_592), ("mlm-head", -622_650)] == [(step.block, step.value) for step in steps]


def test_what_is_kept_is_multiplied_while_sizes_change(base: Model) -> None:
    """Three times the parameters in each state, and so three times the difference that a size makes."""
    made = Question(base, "BertForPreTraining", deviations=("optimizer-counted",))
    steps = checked(made, made._replace(model=base.resized(V=30_523)))
    # 3 × (768 + 1): a row of the word embeddings and an element of the output bias.
    assert [("V", 2_307)] == [(step.letter, step.value) for step in steps]


def test_a_model_that_unties_its_decoder_is_a_step(base: Model) -> None:
    """Its 768 × 30,522 weights and 30,522 biases count then."""
    untied = base._replace(choices=Choices(tied=False))
    steps = checked(Question(base, "BertForMaskedLM"), Question(untied, "BertForMaskedLM"))
    assert [23_471_418] == [step.value for step in steps]


def test_a_size_that_two_models_share_does_not_move(base: Model) -> None:
    """Both have 512 positions and a width of 768, so P/H is the same in both; the vocabulary alone is another."""
    made = Question(base, deviations=("norm-by-position",))
    steps = checked(made, made._replace(model=model_named("bert-base-cased")))
    # (28,996 − 30,522) × 768
    assert [("V", -1_171_968)] == [(step.letter, step.value) for step in steps]
