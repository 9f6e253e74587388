"""The steps from BERT to its relatives: every equation and formula is right, and the steps end at the right totals."""

import re
import tomllib
from pathlib import Path

import pytest

from macros.counting import BERT, Model, Question, load_relatives, model_named
from macros.counting.architecture import Row, Symbol
from macros.counting.errors import CountingError
from macros.counting.published.relatives import STEP_NAMES, TABLES, differences
from macros.rendering.tables.relatives import in_words
from tests.docs.arithmetic import is_wrong, value

BASE = Question(model_named("bert-base-uncased"))

STEPS = tomllib.loads(Path(__file__).with_name("relatives.toml").read_text(encoding="utf-8"))
"""The total of each main relative and the steps that lead to it."""


@pytest.mark.parametrize("name", STEPS)
def test_steps_to_main_relatives_have_the_expected_numbers(name: str) -> None:
    expected_total, expected_steps = STEPS[name]["total"], STEPS[name]["steps"]
    steps = differences(BASE, Question(model_named(name)))
    assert expected_steps == {step.name: step.value for step in steps}
    assert expected_total == BASE.number + sum(expected_steps.values())


def in_numbers(formula: str, start: Model, end: Model) -> str:
    """A formula with its letters replaced by numbers.

    Letters with a prime take the sizes of `end`, and so does E, which BERT lacks. All others take those of `start`.
    """

    def number_of(match: re.Match[str]) -> str:
        """The size that a letter stands for."""
        letter, prime = match.groups()
        model = end if prime or letter == "E" else start
        return str(model.sizes[letter])

    return re.sub("([A-Z])(′?)", number_of, formula)


@pytest.mark.parametrize("name", load_relatives())
def test_the_steps_to_every_relative_end_at_its_total(name: str) -> None:
    end = model_named(name)
    for start in (BASE.model, model_named("bert-large-uncased")):
        steps = differences(Question(start), Question(end))
        assert Question(end).number == Question(start).number + sum(step.value for step in steps)
        names = [step.name for step in steps]
        assert sorted(names, key=STEP_NAMES.index) == names
        for step in steps:
            assert not is_wrong(step.equation), step
            assert step.value == value(in_numbers(step.formula, start, end)), step


@pytest.fixture
def question_with_moods() -> Question:
    """BERT base with an invented table of 17 moods instead of the segment table."""
    architecture = BERT.variant(
        name="Invented",
        model_type="invented",
        symbols=(*(symbol for symbol in BERT.symbols if symbol.letter != "S"), Symbol("N", "moods", "moods", "here")),
        rows={"bert/embeddings/token_type_embeddings": (Row("bert/embeddings/mood_embeddings", "N H"),)},
        modules={},
    )
    sizes = {symbol.letter: {**BASE.model.sizes, "N": 17}[symbol.letter] for symbol in architecture.symbols}
    return Question(Model("invented-base", architecture, sizes))


def test_a_table_that_no_step_counts_is_an_error(question_with_moods: Question) -> None:
    message = "none counts bert/embeddings/mood_embeddings; .*, whose tables are all named under TABLES in published/"
    with pytest.raises(CountingError, match=message):
        differences(BASE, question_with_moods)


def test_a_listed_table_is_a_step(question_with_moods: Question, monkeypatch: pytest.MonkeyPatch) -> None:
    """Listing a table turns it into a step; the expected values are 17 moods of 768 numbers and two fewer segments."""
    monkeypatch.setitem(TABLES, "moods", ("N", "mood_embeddings"))
    segments, moods = differences(BASE, question_with_moods)
    assert ("no segments", -1536) == (in_words(segments, question_with_moods, BASE), segments.value)
    assert ("N′·H", "17 × 768 = 13,056", 13_056) == (moods.formula, moods.equation, moods.value)
    assert "a table of 17 moods" == in_words(moods, question_with_moods, BASE)
    # The steps in the opposite direction, back to BERT.
    equations = {step.name: step.equation for step in differences(question_with_moods, BASE)}
    assert {"segments": "2 × 768 = 1,536", "moods": "−17 × 768 = −13,056"} == equations


def test_models_with_heads_are_rejected() -> None:
    """Steps ignore heads, so a model with one is rejected; the message names the head's first row."""
    with pytest.raises(CountingError, match=r"none counts cls/predictions/.*; compare two bare models"):
        differences(BASE, Question(model_named("roberta-base"), "RobertaForMaskedLM"))


STEPS_IN_WORDS = {
    "roberta-base": ["50,265 tokens in the vocabulary instead of 30,522", "514 positions instead of 512"],
    "distilbert-base-uncased": ["6 layers instead of 12", "no segments"],
    "bge-m3": ["24 layers instead of 12", "8,194 positions instead of 512"],
}
"""Steps to some relatives, in words. Source: the relatives' config.json."""


@pytest.mark.parametrize("name", STEPS_IN_WORDS)
def test_words_give_the_size_of_the_relative_before_that_of_bert(name: str) -> None:
    end = Question(model_named(name))
    texts = [in_words(step, end, BASE) for step in differences(BASE, end)]
    assert [] == [words for words in STEPS_IN_WORDS[name] if words not in texts], texts


@pytest.mark.parametrize(
    ("name", "step_name", "mapping"),
    [("modernbert-base", "layer-form", "FORMS"), ("mpnet-base", "relative-positions", "RELATIVE_TABLES")],
)
def test_a_step_has_wording_for_each_architecture(name: str, step_name: str, mapping: str) -> None:
    """Some steps are worded per architecture. If the wording for one is missing, the message states where to add it."""
    end = Question(model_named(name))
    step = next(item for item in differences(BASE, end) if item.name == step_name)
    assert in_words(step, end, BASE)
    other_model = end.model._replace(name="other", architecture=end.architecture.with_fields(model_type="other"))
    with pytest.raises(
        CountingError, match=f"other: the step “{step_name}” needs words, and {mapping} in relatives.py has"
    ):
        in_words(step, Question(other_model), BASE)
