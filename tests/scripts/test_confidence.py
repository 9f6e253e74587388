"""Answers are as confident as in the examples of the docstring of `macros/counting/search/__init__.py`."""

from typing import Any

import pytest

from tests.scripts.running import Scripts


def answers_to(scripts: Scripts, text: str) -> list[dict[str, Any]]:
    """All answers to a text, cheapest first."""
    answers: list[dict[str, Any]] = scripts.call("explanations", [[text, ""]])[0]
    return answers


def test_explanations_of_an_exact_number_are_certain_up_to_a_cost_of_three(scripts: Scripts) -> None:
    answers = answers_to(scripts, "108,891,648")
    assert {(answer["cost"], answer["confidence"]) for answer in answers} == {
        (2, "certain"),
        (3, "certain"),
        (5, "possible"),
    }
    cheapest_answers = [(answer["models"][0], answer["mistakes"]) for answer in answers if answer["cost"] == 2]
    assert cheapest_answers == [("bert-base-uncased", ["pooler-left-out"]), ("electra-base-discriminator", [])]


def test_a_rounded_number_that_fits_many_is_explained_with_little_confidence(scripts: Scripts) -> None:
    answers = answers_to(scripts, "110M")
    assert {answer["confidence"] for answer in answers} == {"possible"}
    assert len({answer["number"] for answer in answers}) == 488
    assert sum(answer["cost"] == 0 for answer in answers) == 6
    likeliest_answer, *further_answers = answers_to(scripts, "108.9M")
    assert (likeliest_answer["number"], likeliest_answer["confidence"]) == (108_932_934, "likely")
    assert {answer["confidence"] for answer in further_answers} == {"possible"}
    assert len({answer["number"] for answer in further_answers}) == 23


@pytest.mark.parametrize(("text", "confidence"), [("335,141,888", "likely"), ("109,482,240", "possible")])
def test_larger_numbers_are_explained_with_more_confidence(scripts: Scripts, text: str, confidence: str) -> None:
    """At the same cost, a larger number is explained with more confidence, because a coincidence is less likely."""
    assert {answer["confidence"] for answer in answers_to(scripts, text) if answer["cost"] == 5} == {confidence}


def test_a_slip_is_likely_if_every_other_explanation_costs_more(scripts: Scripts) -> None:
    # One more than the total of BERT base.
    slip, *further_answers = answers_to(scripts, "109,482,241")
    assert (slip["slip"], slip["cost"], slip["confidence"]) == ("off by one", 3, "likely")
    assert [] == [answer for answer in further_answers if answer["cost"] <= slip["cost"]]
