"""Exercises on pages are complete, send answers to the page that judges them, and are about published models."""

from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup, Tag

from macros.counting import CountingError
from macros.teaching import pages
from macros.teaching.exercise import exercise
from macros.teaching.sets import UnknownExercise

PAGE = "heads"
"""A page whose exercises send their answers to the page that judges them."""


def items(monkeypatch: pytest.MonkeyPatch, name: str, *exercises: tuple[str, int]) -> list[Tag]:
    """The list items of exercises as a page with this name would show them."""
    monkeypatch.setattr(pages, "load_sets", lambda: SimpleNamespace(pages={name: exercises}))
    page = BeautifulSoup(pages.fold(name), "html.parser")
    assert page.div
    assert f"exercises-{name}" == page.div["id"]
    return page.select(".bc-exercises > ol > li")


def test_a_question_for_a_number_is_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    model, part = items(monkeypatch, PAGE, ("model", 1), ("part", 2))
    question, given_sizes = model.select_one(".bc-asked"), model.select_one(".bc-given")
    assert question
    assert given_sizes
    assert question.get_text().startswith("How many parameters are there in BERT base, uncased, built as")
    sizes = (
        "vocabulary V = 30,522, positions P = 512, segments S = 2, hidden size H = 768, "
        "inner width F = 3,072, layers L = 12, heads A = 12"
    )
    assert sizes == given_sizes.get_text().replace("\u00a0", " ")  # Non-breaking spaces keep a size on one line.
    assert ["Hints", "Solution"] == [summary.get_text() for summary in model.select("summary")]
    hint = "Multiply the count for one layer by L, and add the embeddings and the pooler."
    assert hint == model.select("details li")[0].get_text()
    assert "the total 23,837,184 + 12 × 7,087,872 + 590,592 = 109,482,240" == model.select("details li")[-1].get_text()
    for item, values in ((model, ["model", "1", ""]), (part, ["part", "2", ""])):
        (form,) = item.select("form")
        assert values == [str(field.get("value", "")) for field in form.select("input")]
        assert ["set", "seed", "answer"] == [str(field["name"]) for field in form.select("input")]
        (label,) = form.select("label")
        assert [label["for"]] == [field["id"] for field in form.select("input[type=text]")]
        assert str(form["action"]).endswith("try/exercises.html")


def test_options_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    (item,) = items(monkeypatch, PAGE, ("mistake", 28))
    variant = exercise("mistake", 28)
    options = [option.get_text() for option in item.select("li > ul > li")]
    assert [option.text for option in variant.options] == options
    assert len(variant.ledger) == len(item.select(":scope > .bc-solution > li"))
    (correct_option,) = (option for option in variant.options if option.is_correct)
    (paragraph,) = item.select("details p")
    # "Right." is left out, because there is no answer yet.
    assert f"{correct_option.text}. To correct the count," in paragraph.get_text()
    assert correct_option.feedback == f"Right{paragraph.get_text().removeprefix(correct_option.text)}"
    assert not item.select("form")


def test_the_page_that_judges_answers_has_no_second_field(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page of exercises already has a field, so its list for readers without scripts has none."""
    (item,) = items(monkeypatch, "fixed", ("model", 1))
    assert not item.select("form")
    assert item.select("details")


@pytest.mark.parametrize("variant", [("model", 0), ("class", 1)])
def test_exercises_with_made_up_sizes_are_refused(monkeypatch: pytest.MonkeyPatch, variant: tuple[str, int]) -> None:
    with pytest.raises(UnknownExercise, match=f"^{variant[0]}:{variant[1]} is about made-up sizes; choose a seed that"):
        items(monkeypatch, PAGE, variant)


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(CountingError, match='no exercises "atention"; did you mean "attention"'):
        pages.fold("atention")
