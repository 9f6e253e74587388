"""Words are accepted only with a condition that is true of the models they are about; bad conditions are refused."""

import re
import tomllib
from pathlib import Path

import pytest

from macros.counting import BadCondition, CountingError, FalseWords, Model
from macros.counting.deviations import Deviation, load_deviations
from macros.counting.published import conditions
from macros.counting.published.conditions import BOTH, EVERY, PUBLISHED, check_deviations, check_words, holds, says

CONDITIONS = tomllib.loads(Path(__file__).with_name("conditions.toml").read_text(encoding="utf-8"))
"""Conditions about BERT base that are true, false or refused."""


@pytest.mark.parametrize("condition", CONDITIONS["true"])
def test_a_true_condition_holds(base: Model, condition: str) -> None:
    assert holds(condition, base) is True
    assert holds(f"not ({condition})", base) is False


@pytest.mark.parametrize("condition", CONDITIONS["false"])
def test_a_false_condition_does_not_hold(base: Model, condition: str) -> None:
    assert holds(condition, base) is False


@pytest.mark.parametrize(
    ("condition", "message"), [*CONDITIONS["refused"].items(), ("(" * 500 + "H", "cannot be read")]
)
def test_bad_conditions_are_refused(base: Model, condition: str, message: str) -> None:
    """Anything outside the language of conditions is refused, and never run as Python."""
    with pytest.raises(BadCondition, match=re.escape(message)):
        holds(condition, base)


def test_true_words_are_returned() -> None:
    assert "twelve layers" == says("twelve layers", "L == 12", "bert-base-uncased")
    assert "wider" == says("wider", "F > H and V != 30000", PUBLISHED)
    assert "many" == says("many", "V > 20000", EVERY)
    assert "some" == says("some", "L >= 12", BOTH)
    with pytest.raises(CountingError, match='no model "bert-bsae"'):
        says("so", "L == 12", "bert-bsae")


@pytest.mark.parametrize(
    ("condition", "model", "message"),
    [
        ("L == 12", BOTH, '"so" is not true of bert-large-uncased: L == 12; reword the claim'),
        ("L == 12", "bert-large-uncased", "is not true of bert-large-uncased"),
        ("V == 30522", PUBLISHED, "is not true of bert-base-cased"),
        # No checkpoint has the vocabulary of 30,000 that the keras-bert notebook and article use.
        ("V != 30000", EVERY, "is not true of keras-bert-"),
    ],
)
def test_false_words_are_refused(condition: str, model: str, message: str) -> None:
    with pytest.raises(FalseWords, match=re.escape(message)):
        says("so", condition, model)


def test_words_must_be_true_and_in_a_text() -> None:
    # These texts are invented.
    texts = ["It has two of them.", "It is twice as wide."]
    check_words("here", texts, [("two", "tensors('bert/pooler') == 2"), ("twice as wide", "F == 4 * H")], BOTH)
    with pytest.raises(FalseWords, match='here: "two" is not true of bert-base-uncased'):
        check_words("here", texts, [("two", "tensors('bert/pooler') == 3")], BOTH)
    with pytest.raises(BadCondition, match='here: "three" is in none of its texts; write words that are'):
        check_words("here", texts, [("three", "L > 1")], BOTH)
    with pytest.raises(BadCondition, match='here: "H" is not a comparison'):
        check_words("here", texts, [("two", "H")], BOTH)


def invented_deviation(**texts: str) -> dict[str, Deviation]:
    """One invented deviation, keyed by its name.

    Its words are true of BERT base and BERT large, but not of every miniature.
    """
    fillers = dict.fromkeys(("title", "done", "undo", "why", "notice"), "nothing")
    deviation = Deviation("invented", "mistake", 1, **{**fillers, **texts})  # type: ignore[arg-type]
    return {"invented": deviation._replace(holds=(("dozens of layers", "L >= 12"),))}


@pytest.mark.parametrize(
    ("key", "is_allowed"), [("notice", True), ("title", False), ("done", False), ("undo", False), ("why", False)]
)
def test_texts_of_deviations_are_true_of_every_model(
    monkeypatch: pytest.MonkeyPatch, key: str, is_allowed: bool
) -> None:
    """`notice` is printed only for BERT base and BERT large, so it need not be true of other models."""
    monkeypatch.setattr(conditions, "load_deviations", lambda: invented_deviation(**{key: "for dozens of layers"}))
    check_deviations.cache_clear()
    try:
        if is_allowed:
            check_deviations()
        else:
            with pytest.raises(FalseWords, match='invented: "dozens of layers" is not true of bert_uncased_L-2_H-128'):
                check_deviations()
    finally:
        check_deviations.cache_clear()


def test_the_words_of_every_deviation_are_true() -> None:
    check_deviations()
    assert sum(bool(deviation.holds) for deviation in load_deviations().values()) > 15
