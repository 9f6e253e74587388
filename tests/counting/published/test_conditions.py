"""Conditions of quantities in words: what they may ask, what they answer, and what is refused."""

import re
import tomllib
from pathlib import Path

import pytest

from macros.counting import BadCondition, CountingError, FalseWords, Model
from macros.counting.deviations import Deviation, load_deviations
from macros.counting.published import conditions
from macros.counting.published.conditions import BOTH, EVERY, PUBLISHED, check_deviations, check_words, holds, says

CONDITIONS = tomllib.loads(Path(__file__).with_name("conditions.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("condition", CONDITIONS["true"])
def test_a_true_condition_holds(base: Model, condition: str) -> None:
    """Of base, whatever it asks; and its contrary does not."""
    assert holds(condition, base) is True
    assert holds(f"not ({condition})", base) is False


@pytest.mark.parametrize("condition", CONDITIONS["false"])
def test_a_false_condition_does_not_hold(base: Model, condition: str) -> None:
    """Of base."""
    assert holds(condition, base) is False


@pytest.mark.parametrize(
    ("condition", "message"), [*CONDITIONS["refused"].items(), ("(" * 500 + "H", "cannot be read")]
)
def test_what_is_no_condition_is_refused(base: Model, condition: str, message: str) -> None:
    """Whatever is not in the small language: nothing of it is ever run as Python."""
    with pytest.raises(BadCondition, match=re.escape(message)):
        holds(condition, base)


def test_words_are_said_where_they_are_true() -> None:
    """Of base and large, of one model, of all that were published, or of those in texts as well."""
    assert "twelve layers" == says("twelve layers", "L == 12", "bert-base-uncased")
    assert "wider" == says("wider", "F > H and V != 30000", PUBLISHED)
    assert "many" == says("many", "V > 20000", EVERY)
    assert "some" == says("some", "L >= 12", BOTH)
    with pytest.raises(CountingError, match='no model "bert-bsae"'):
        says("so", "L == 12", "bert-bsae")


@pytest.mark.parametrize(
    ("condition", "model", "message"),
    [
        ("L == 12", BOTH, '"so" is not true of bert-large-uncased: L == 12; write what is true'),
        ("L == 12", "bert-large-uncased", "is not true of bert-large-uncased"),
        ("V == 30522", PUBLISHED, "is not true of bert-base-cased"),
        # Source: the vocabulary of the notebook and the article, which no checkpoint has.
        ("V != 30000", EVERY, "is not true of keras-bert-"),
    ],
)
def test_false_words_are_refused(condition: str, model: str, message: str) -> None:
    """The message says which words, of which model, and what would do."""
    with pytest.raises(FalseWords, match=re.escape(message)):
        says("so", condition, model)


# Source: none; the words are invented.
def test_words_of_a_text_are_held() -> None:
    """They must stand in it, and be true."""
    texts = ["It has two of them.", "It is twice as wide."]
    check_words("here", texts, [("two", "tensors('bert/pooler') == 2"), ("twice as wide", "F == 4 * H")], BOTH)
    with pytest.raises(FalseWords, match='here: "two" is not true of bert-base-uncased'):
        check_words("here", texts, [("two", "tensors('bert/pooler') == 3")], BOTH)
    with pytest.raises(BadCondition, match='here: "three" stands in none of its texts; write words that do'):
        check_words("here", texts, [("three", "L > 1")], BOTH)
    with pytest.raises(BadCondition, match='here: "H" is no comparison'):
        check_words("here", texts, [("two", "H")], BOTH)


def invented(**said: str) -> dict[str, Deviation]:
    """One deviation, whose words are true of base and large and of no miniature."""
    texts = dict.fromkeys(("title", "done", "undo", "why", "notice"), "nothing")
    made = Deviation("invented", "mistake", 1, **{**texts, **said})  # type: ignore[arg-type]
    return {"invented": made._replace(holds=(("dozens of layers", "L >= 12"),))}


@pytest.mark.parametrize(
    ("said", "passes"), [("notice", True), ("title", False), ("done", False), ("undo", False), ("why", False)]
)
def test_what_answers_say_is_true_of_every_model(monkeypatch: pytest.MonkeyPatch, said: str, passes: bool) -> None:
    """How to notice a mistake stands in tables of base and large only."""
    monkeypatch.setattr(conditions, "load_deviations", lambda: invented(**{said: "for dozens of layers"}))
    check_deviations.cache_clear()
    try:
        if passes:
            check_deviations()
        else:
            with pytest.raises(FalseWords, match='invented: "dozens of layers" is not true of bert_uncased_L-2_H-128'):
                check_deviations()
    finally:
        check_deviations.cache_clear()


def test_every_deviation_says_what_is_true() -> None:
    """Those of the data file; many hold words by a condition."""
    check_deviations()
    assert sum(bool(each.holds) for each in load_deviations().values()) > 15
