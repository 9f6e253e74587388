"""The lesson on paper: the sheet has room and no answer, the plan has the answers, and slides uncover the board."""

import re

from bs4 import BeautifulSoup, Tag

from macros.teaching import on_paper
from macros.teaching.lesson import load_lesson
from tests.rendering.test_every_page import written_page

LINES = [
    *(23_440_896, 393_216, 1_536, 1_536, 23_837_184),
    *(589_824, 590_592, 2_362_368),
    *(2_359_296, 2_362_368, 2_359_296, 2_360_064, 4_722_432),
    *(1_536, 3_072, 7_087_872),
    *(85_054_464, 589_824, 590_592, 109_482_240),
]
"""What stands on the board in the end, line by line; source: the tensors of base in transformers, added up."""

GIVEN = {"30,522", "21,128", "3,072", "1,024", "4,096"}
"""Of the sizes of base, Chinese and large in their configs those that look like a number on the board."""


def read(html: str) -> BeautifulSoup:
    """A hand-out."""
    return BeautifulSoup(html, "html.parser")


def cells(page: Tag, place: int) -> list[str]:
    """A column of its table."""
    return [row.select("th, td")[place].get_text() for row in page.select("tbody tr")]


def test_the_sheet_has_a_box_for_each_line_and_no_answer() -> None:
    """Nor in what nobody sees; wrong totals stand there, and those of two other models are asked for."""
    sheet = read(on_paper.sheet())
    wrong = {each.ledger[-1].text for step in load_lesson().steps for each in step.hunt}
    assert GIVEN | {"30522", "3072"} | wrong == set(re.findall(r"\d[\d,]{2,}\d", str(sheet)))
    assert len(wrong) == 2
    assert [2] * len(LINES) == [len(row.select(".bc-empty")) for row in sheet.select("tbody tr")]
    assert cells(sheet, 0) == cells(read(on_paper.answers()), 0)


def test_the_answers_are_those_of_the_board() -> None:
    """Line by line; then the mistakes and the homework: what transformers builds of large, and of base in Chinese."""
    answers = read(on_paper.answers())
    assert [f"{each:,}" for each in LINES] == cells(answers, 2)
    assert ("V × H = 30,522 × 768", "4 × 590,592") == (cells(answers, 1)[0], cells(answers, 1)[7])
    below = [each.get_text() for each in answers.select("ul li")]
    ends = ("= 109,482,240", "= 109,482,240", "= 335,141,888", "= 102,267,648")
    assert [True] * 4 == [text.endswith(end) for text, end in zip(below, ends, strict=True)]


def test_the_plan_has_every_step_with_its_numbers() -> None:
    """The minutes, the question, and what the board says in the end."""
    (plan,) = written_page("teach/plan.md").parsed.select("#plan")
    assert ["A guess minutes 0–5", "Embeddings minutes 5–14"] == cells(plan, 0)[:2]
    assert [each.ask for each in load_lesson().steps] == [
        row.select("strong")[-1].get_text() for row in plan.select("tbody tr")
    ]
    assert "the whole model: 109,482,240" in plan.get_text()


def numbers(slide: Tag) -> set[str]:
    """The large numbers of a slide."""
    return set(re.findall(r"\d[\d,]{3,}\d", slide.get_text())) - GIVEN


ADDED = {"layer": {"2,362,368", "4,722,432"}, "total": {"7,087,872", "23,837,184"}}
"""What a step adds up or multiplies that steps before it have counted."""


def test_slides_ask_before_they_answer() -> None:
    """What is counted on a slide stands first on that after it; what has been counted stays until it is added up."""
    slides = {
        str(each["id"]): each.find_parent(class_="bc-slide") or each for each in read(on_paper.slides()).select("h2")
    }
    for step in (each for each in load_lesson().steps if each.counts):
        blank, worked = (slides[f"slides-{step.name}{end}"] for end in ("", "-worked"))
        assert ADDED.get(step.name, set()) <= numbers(blank)
        answers = {f"{each.question.number:,}" for each in step.counts if each.question.number > 9_999}
        assert answers <= numbers(worked)
        assert len(blank.select(".bc-empty")) == len(worked.select(":not(.bc-known) > ol:not(:last-child) li"))
        if step.name != "total":  # the pooler is as large as the projection
            assert set() == answers & numbers(blank)
    assert {"23,837,184", "85,054,464", "590,592", "109,482,240"} == numbers(slides["slides-end"])
