"""Bridges between randomly drawn questions lead exactly from one to the other, as in `test_bridges.py`."""

from functools import cache
from itertools import combinations

from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from macros.counting import (
    ARCHITECTURES,
    BadChoice,
    CountingError,
    Question,
    class_questions,
    load_models,
    load_relatives,
)
from macros.counting.deviations import load_deviations
from macros.counting.published.bridges import bridge
from tests.counting.published.test_bridges import checked_bridge


@cache
def questions_with_deviations(architecture: str) -> list[tuple[Question, list[str]]]:
    """Every published model of an architecture in each of its classes, with the deviations that fit the class."""
    published_models = [*load_models().values(), *load_relatives().values()]
    models = [model for model in published_models if model.architecture.model_type == architecture]
    return [(question, fitting_deviations(question)) for question in class_questions(models)]


def fitting_deviations(question: Question) -> list[str]:
    """The names of the deviations that fit the class of a question."""
    return [
        name for name, deviation in load_deviations().items() if deviation.fits(question.rows, question.architecture)
    ]


@st.composite
def questions(draw: st.DrawFn, architecture: str = "bert") -> Question:
    """A question about a published model in one of its classes, with up to three deviations that fit together."""
    question, names = draw(st.sampled_from(questions_with_deviations(architecture)))
    deviations = draw(st.lists(st.sampled_from(names), max_size=3, unique=True))
    # A bridge undoes one deviation after another, so every intermediate question must have an answer too.
    subsets = [subset for length in range(len(deviations) + 1) for subset in combinations(deviations, length)]
    try:
        assert [] == [subset for subset in subsets if not isinstance(question._replace(deviations=subset).number, int)]
    except CountingError:
        reject()  # deviations that exclude each other, or a share that is not whole
    return question._replace(deviations=tuple(deviations))


RELATIVES = st.sampled_from(sorted(set(ARCHITECTURES) - {"bert"}))
"""Draws the model type of a relative."""


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(questions(), questions())
def test_a_bridge_leads_from_any_question_about_a_bert_to_any_other(start: Question, end: Question) -> None:
    checked_bridge(start, end)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(RELATIVES.flatmap(lambda name: st.tuples(questions(name), questions(name))))
def test_a_bridge_leads_from_any_question_about_an_architecture_to_any_other(ends: tuple[Question, Question]) -> None:
    """Bridges with an intermediate number that is not whole are left out."""
    try:
        bridge(*ends)
    except BadChoice:
        reject()
    checked_bridge(*ends)
