"""Bridges close, and every step's formula gives the step's number."""

import re
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st
from macros.counting.disagreements.bridges import Step, bridge
from macros.counting.deviations import Counted, load_deviations

from macros.counting import MODEL_CLASSES, CountingError, Model, model_named
from macros.counting.models import load_models


def worked_out(step: Step) -> Fraction:
    """The number that a step's formula gives, read as any reader would."""
    text = re.sub(r"[A-Z]", lambda letter: f"Fraction({step.sizes[letter[0]]})", step.formula.replace(",", ""))
    text = text.replace("²", "**2").replace("·", "*").replace("−", "-")
    return Fraction(eval(text, {"Fraction": Fraction}))  # noqa: S307 - the engine wrote the formula


def checked(start: Counted, end: Counted) -> tuple[Step, ...]:
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
    steps = checked(Counted(chinese, deviations=made), Counted(chinese))
    # Source: the hand count's own terms, put right one by one; 1 - 1/12 of 28,311,552 and so on.
    assert [("attention-one-layer", 25_952_256), ("attention-biases-left-out", 36_864)] == [
        (step.deviation, step.value) for step in steps[:2]
    ]
    assert [46_080, 590_592] == [step.value for step in steps[2:]]
    assert ["+(1 − 1/L)·L·4·H²", "+L·4·H", "+L·(F + H)", "+(H² + H)"] == [step.formula for step in steps]
    assert all(step.undone for step in steps)


def test_the_article_with_another_vocabulary(base: Model) -> None:
    """One size differs, so there is one step: 522 tokens with a row and a bias each."""
    article = Counted(model_named("keras-bert-article"), "BertForPreTraining")
    (step,) = checked(article, Counted(base, "BertForPreTraining"))
    assert (400_896 + 522, "V", "+(30,522 − 30,000)·(H + 1)") == (step.value, step.letter, step.formula)


def test_from_base_to_large(base: Model, large: Model) -> None:
    """Width, inner width and layers change, one after the other."""
    assert ["H", "F", "L"] == [step.letter for step in checked(Counted(base), Counted(large))]


def test_another_class_comes_part_by_part(base: Model) -> None:
    """Masked LM has no pooler and a head of its own."""
    steps = checked(Counted(base), Counted(base, "BertForMaskedLM"))
    assert [("pooler", -590_592), ("mlm-head", 622_650)] == [(step.block, step.value) for step in steps]


def test_a_short_formula_is_spelt_out(base: Model) -> None:
    """12·L·H² leaves out the embeddings, the pooler and all vectors."""
    steps = checked(Counted(base, deviations=("twelve-l-h-squared",)), Counted(base))
    assert ["embeddings-left-out", "vectors-forgotten", "pooler-left-out"] == [step.deviation for step in steps]
    # Source: 24,547,584 short in all; the pooler comes last, with its bias.
    assert [23_835_648, 122_112 - 768, 590_592] == [step.value for step in steps]


def test_a_short_formula_that_does_not_fit_is_one_step(base: Model) -> None:
    """Where F is not four times H the formula is no sum of known mistakes; the bridge closes all the same."""
    odd = base.resized(F=3000)
    (step,) = checked(Counted(odd, deviations=("twelve-l-h-squared",)), Counted(odd))
    assert "twelve-l-h-squared" == step.deviation


def test_a_bridge_to_where_it_starts_is_empty(base: Model) -> None:
    """No difference, no step."""
    assert () == bridge(Counted(base), Counted(base))
    assert () == bridge(Counted(base), Counted(model_named("bert_uncased_L-12_H-768_A-12")))


def test_a_mistake_that_both_make_stays(base: Model, large: Model) -> None:
    """What both leave out is no step, unless its factor changes on the way."""
    steps = checked(Counted(base, deviations=("biases-left-out",)), Counted(large, deviations=("biases-left-out",)))
    assert ["H", "F", "L"] == [step.letter for step in steps]
    steps = checked(Counted(base, deviations=("attention-one-layer",)), Counted(large, deviations=("attention-one-layer",)))
    assert ["attention-one-layer", "", "", "", "attention-one-layer"] == [step.deviation for step in steps]
    steps = checked(Counted(base, deviations=("feed-forward-square",)), Counted(large, deviations=("feed-forward-square",)))
    assert "feed-forward-square" == steps[0].deviation == steps[-1].deviation


def test_a_size_changes_before_it_is_a_factor(base: Model) -> None:
    """LayerNorm by position, with other positions: P is in the factor, so it changes first."""
    by_position = ("norm-by-position",)
    both = ("norm-by-position", "positions-by-sequence")
    steps = checked(Counted(base), Counted(base, deviations=both))
    assert ["positions-by-sequence", "norm-by-position"] == [step.deviation for step in steps]
    steps = checked(Counted(base, deviations=by_position), Counted(base, deviations=both))
    assert ["norm-by-position", "positions-by-sequence", "norm-by-position"] == [step.deviation for step in steps]
    assert [True, False, False] == [step.undone for step in steps]


def test_what_is_added_goes_one_by_one(base: Model) -> None:
    """Of two things that are added each step takes one away, and leaves the other as it was."""
    masked = "BertForMaskedLM"
    steps = checked(Counted(base, masked, ("pooler-kept", "buffers-added")), Counted(base, masked))
    assert ["−(H² + H)", "−2·P"] == [step.formula for step in steps]


def test_untying_is_a_step(base: Model) -> None:
    """The decoder counted beside the embeddings, in the model itself."""
    untied = Counted(base._replace(tied=False), "BertForPreTraining")
    (step,) = checked(untied, Counted(base, "BertForPreTraining"))
    assert 110_106_428 - 133_577_846 == step.value


@st.composite
def counts(draw: st.DrawFn) -> Counted:
    """A published model in a class, with up to three mistakes that can be made there together."""
    model_class = draw(st.sampled_from(list(MODEL_CLASSES)))
    made = [name for name, each in load_deviations().items() if each.made_in(model_class)]
    chosen = draw(st.lists(st.sampled_from(made), max_size=3, unique=True))
    counted = Counted(draw(st.sampled_from(list(load_models().values()))), model_class, tuple(chosen))
    try:
        assert isinstance(counted.number, int)
    except CountingError:
        reject()  # mistakes that exclude each other, or a share that is not whole
    return counted


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(counts(), counts())
def test_every_bridge_closes(start: Counted, end: Counted) -> None:
    """From any count to any other, between models too."""
    checked(start, end)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(counts(), counts())
def test_every_bridge_within_a_model_closes(start: Counted, end: Counted) -> None:
    """From any count of a model to any other of the same."""
    end = end._replace(model=start.model)
    try:
        assert isinstance(end.number, int)
    except CountingError:
        reject()  # a share that is whole in the other model only
    checked(start, end)


@pytest.mark.parametrize("name", load_deviations())
def test_every_mistake_has_a_bridge(base: Model, name: str) -> None:
    """Each entry of the list alone, from its wrong total to the right one."""
    start = Counted(base, next(iter([*load_deviations()[name].classes, load_deviations()[name].model_class])), (name,))
    steps = checked(start, start._replace(deviations=()))
    assert bool(steps) is (name != "vocabulary-uncased")
