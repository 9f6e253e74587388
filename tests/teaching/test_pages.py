"""Foldable exercises: what is asked, where an answer leads, and which may stand on a page."""

from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup, Tag

from macros.counting import CountingError
from macros.teaching import pages
from macros.teaching.exercise import exercise
from macros.teaching.sets import UnknownExercise

PAGE = "heads"


def shown(monkeypatch: pytest.MonkeyPatch, name: str, *asked: tuple[str, int]) -> list[Tag]:
    """Exercises as a page would show them under a name."""
    monkeypatch.setattr(pages, "load_sets", lambda: SimpleNamespace(pages={name: asked}))
    page = BeautifulSoup(pages.folded(name), "html.parser")
    assert page.div
    assert f"exercises-{name}" == page.div["id"]
    return page.select(".bc-exercises > ol > li")


def test_a_number_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the sizes, hints and the sum; its field leads to the page that judges it, which is told what was asked."""
    model, part = shown(monkeypatch, PAGE, ("model", 1), ("part", 2))
    (asked, given) = (model.select_one(each) for each in (".bc-asked", ".bc-given"))
    assert asked
    assert given
    assert asked.get_text().startswith("How many parameters are there in BERT base, uncased, built as")
    sizes = (
        "vocabulary V = 30,522, positions P = 512, segments S = 2, hidden size H = 768, "
        "inner size F = 3,072, layers L = 12, heads A = 12"
    )
    assert sizes == given.get_text().replace("\u00a0", " ")  # no line ends within a size
    assert ["Hints", "Solution"] == [each.get_text() for each in model.select("summary")]
    assert "Multiply one layer by L, and add the embeddings and the pooler." == model.select("details li")[0].get_text()
    assert "the total 23,837,184 + 12 × 7,087,872 + 590,592 = 109,482,240" == model.select("details li")[-1].get_text()
    for item, values in ((model, ["model", "1", ""]), (part, ["part", "2", ""])):
        (form,) = item.select("form")
        assert values == [str(each.get("value", "")) for each in form.select("input")]
        assert ["set", "seed", "answer"] == [str(each["name"]) for each in form.select("input")]
        (label,) = form.select("label")
        assert [label["for"]] == [each["id"] for each in form.select("input[type=text]")]
        assert str(form["action"]).endswith("try/exercises.html")


def test_one_of_several_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Below the count that holds a mistake; the solution begins with the right one, and there is nothing to type."""
    (item,) = shown(monkeypatch, PAGE, ("mistake", 28))
    asked = exercise("mistake", 28)
    assert [each.text for each in asked.options] == [each.get_text() for each in item.select("li > ul > li")]
    assert len(asked.ledger) == len(item.select(":scope > .bc-solution > li"))
    (right,) = (each for each in asked.options if each.right)
    (paragraph,) = item.select("details p")
    assert f"{right.text}. {right.feedback}" == paragraph.get_text()
    assert not item.select("form")


def test_where_answers_are_judged_there_is_no_other_field(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page of exercises has one already; what it lists is for readers without scripts."""
    (item,) = shown(monkeypatch, "fixed", ("model", 1))
    assert not item.select("form")
    assert item.select("details")


@pytest.mark.parametrize("asked", [("model", 0), ("class", 1)])
def test_only_published_models_are_asked_for(monkeypatch: pytest.MonkeyPatch, asked: tuple[str, int]) -> None:
    """Neither sizes of its own nor other labels: only what is published follows the data."""
    with pytest.raises(UnknownExercise, match=f"^{asked[0]}:{asked[1]} is about made-up sizes; choose a seed that"):
        shown(monkeypatch, PAGE, asked)


def test_exercises_that_are_not_there() -> None:
    """The message says which ones may be meant."""
    with pytest.raises(CountingError, match='no exercises "atention"; did you mean "attention"'):
        pages.folded("atention")
