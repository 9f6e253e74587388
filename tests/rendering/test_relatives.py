"""The steps from BERT to its relatives: they lead to the right totals, line by line and formula by formula."""

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
"""The total of each relative, and the steps that lead to it."""


@pytest.mark.parametrize("name", STEPS)
def test_steps_are_what_people_say(name: str) -> None:
    """The steps from BERT base to each main relative have the expected words and numbers."""
    total, steps = STEPS[name]["total"], STEPS[name]["steps"]
    actual_steps = differences(BASE, Question(model_named(name)))
    assert steps == {step.name: step.value for step in actual_steps}
    assert total == BASE.number + sum(steps.values())


def in_numbers(formula: str, start: Model, end: Model) -> str:
    """The value of a formula with the sizes of both models; a prime marks those of the second, and E is its own."""
    return re.sub(
        "([A-Z])(′?)", lambda entry: str((end if entry[2] or entry[1] == "E" else start).sizes[entry[1]]), formula
    )


@pytest.mark.parametrize("name", load_relatives())
def test_every_bridge_to_a_relative_closes(name: str) -> None:
    """Bridges start at BERT base and BERT large, and are checked line by line and formula by formula."""
    end = model_named(name)
    for start in (BASE.model, model_named("bert-large-uncased")):
        actual_steps = differences(Question(start), Question(end))
        assert Question(end).number == Question(start).number + sum(step.value for step in actual_steps)
        kinds = [step.name for step in actual_steps]
        assert sorted(kinds, key=STEP_NAMES.index) == kinds
        for step in actual_steps:
            assert not is_wrong(step.equation), step
            assert step.value == value(in_numbers(step.formula, start, end)), step


@pytest.fixture
def with_moods() -> Question:
    """BERT base with a table of 17 moods and without segments."""
    architecture = BERT.variant(
        name="Invented",
        model_type="invented",
        symbols=(*(symbol for symbol in BERT.symbols if symbol.letter != "S"), Symbol("N", "moods", "moods", "here")),
        rows={"bert/embeddings/token_type_embeddings": (Row("bert/embeddings/mood_embeddings", "N H"),)},
        modules={},
    )
    sizes = {symbol.letter: {**BASE.model.sizes, "N": 17}[symbol.letter] for symbol in architecture.symbols}
    return Question(Model("invented-base", architecture, sizes))


def test_a_table_that_no_step_counts_is_named(with_moods: Question) -> None:
    """The message names a table that no step counts, and the file in which tables are listed."""
    where = "none counts bert/embeddings/mood_embeddings; .*, whose tables are all named under TABLES in published/"
    with pytest.raises(CountingError, match=where):
        differences(BASE, with_moods)


def test_a_table_of_its_own_is_a_step(with_moods: Question, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that is listed is a step: by hand, 17 moods of 768 numbers, and two segments fewer."""
    monkeypatch.setitem(TABLES, "moods", ("N", "mood_embeddings"))
    segments, moods = differences(BASE, with_moods)
    assert ("no segments", -1536) == (in_words(segments, with_moods, BASE), segments.value)
    assert ("N′·H", "17 × 768 = 13,056", 13_056) == (moods.formula, moods.equation, moods.value)
    assert "a table of 17 moods" == in_words(moods, with_moods, BASE)
    # In the opposite direction, from there to BERT.
    back = {step.name: step.equation for step in differences(with_moods, BASE)}
    assert {"segments": "2 × 768 = 1,536", "moods": "−17 × 768 = −13,056"} == back


def test_models_with_heads_are_refused() -> None:
    """Models with heads are refused, because steps leave heads out; the message names the first row of one."""
    with pytest.raises(CountingError, match=r"none counts cls/predictions/.*; compare two bare models"):
        differences(BASE, Question(model_named("roberta-base"), "RobertaForMaskedLM"))


@pytest.mark.parametrize(
    ("name", "kind", "where"),
    [("modernbert-base", "layer-form", "FORMS"), ("mpnet-base", "relative-positions", "RELATIVE_TABLES")],
)
def test_a_step_of_an_architecture_has_words_of_its_own(name: str, kind: str, where: str) -> None:
    """Each architecture has its own words for other layers; the message for one without says where to add them."""
    end = Question(model_named(name))
    step = next(item for item in differences(BASE, end) if item.name == kind)
    assert in_words(step, end, BASE)
    other = end.model._replace(name="other", architecture=end.architecture.with_fields(model_type="other"))
    with pytest.raises(CountingError, match=f"other: the step “{kind}” needs words, and {where} in relatives.py has"):
        in_words(step, Question(other), BASE)
