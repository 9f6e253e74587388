"""The lesson's sheet has boxes but no answers, the plan has the answers, and the slides reveal the board."""

import re

from bs4 import BeautifulSoup, Tag

from macros.teaching import on_paper
from macros.teaching.lesson import load_lesson
from tests.rendering.test_every_page import expanded_pages

BOARD_LINES = [
    23_440_896,
    393_216,
    1_536,
    1_536,
    23_837_184,
    # Attention.
    589_824,
    590_592,
    2_362_368,
    # The feed-forward network.
    2_359_296,
    2_362_368,
    2_359_296,
    2_360_064,
    4_722_432,
    # One layer.
    1_536,
    3_072,
    7_087_872,
    # The whole model.
    85_054_464,
    589_824,
    590_592,
    109_482_240,
]
"""The final board, line by line. Source: the tensors of BERT base in transformers, added up."""

SIZES = {"30,522", "21,128", "3,072", "2,048"}
"""The sizes on the sheet that look like numbers on the board. Source: the configurations of the models."""


def parse(html: str) -> BeautifulSoup:
    """The parsed HTML of a hand-out."""
    return BeautifulSoup(html, "html.parser")


def cells(page: Tag, index: int) -> list[str]:
    """The texts in one column of a table."""
    return [row.select("th, td")[index].get_text() for row in page.select("tbody tr")]


def test_the_sheet_has_a_box_for_each_line_and_no_answer() -> None:
    """The only large numbers on the sheet, even hidden ones, are sizes and wrong totals."""
    sheet = parse(on_paper.sheet())
    wrong_totals = {hunt.ledger[-1].text for step in load_lesson().steps for hunt in step.hunt}
    assert SIZES | {"30522", "3072"} | wrong_totals == set(re.findall(r"\d[\d,]{2,}\d", str(sheet)))
    assert len(wrong_totals) == 2
    assert [2] * len(BOARD_LINES) == [len(row.select(".bc-empty")) for row in sheet.select("tbody tr")]
    assert cells(sheet, 0) == cells(parse(on_paper.answers()), 0)


def test_the_answers_are_those_of_the_board() -> None:
    """The answers are the lines of the board, then the corrected totals of the hunt and the totals of the homework."""
    answers = parse(on_paper.answers())
    assert [f"{number:,}" for number in BOARD_LINES] == cells(answers, 2)
    assert ("V × H = 30,522 × 768", "4 × 590,592") == (cells(answers, 1)[0], cells(answers, 1)[7])
    totals = [item.get_text().rpartition("= ")[2] for item in answers.select("ul li")]
    # Source: the totals that transformers prints for BERT base, BERT-Small and BERT base Chinese.
    assert ["109,482,240", "109,482,240", "28,763,648", "102,267,648"] == totals


def test_the_plan_has_every_step_with_its_numbers() -> None:
    (plan,) = expanded_pages()["teach/plan.md"].parsed.select("#plan")
    assert ["A guess minutes 0–5", "Embeddings minutes 5–14"] == cells(plan, 0)[:2]
    assert [step.ask for step in load_lesson().steps] == [
        row.select("strong")[-1].get_text() for row in plan.select("tbody tr")
    ]
    assert "the whole model: 109,482,240" in plan.get_text()


def numbers(slide: Tag) -> set[str]:
    """The large numbers of a slide."""
    return set(re.findall(r"\d[\d,]{3,}\d", slide.get_text())) - SIZES


EARLIER_RESULTS = {"layer": {"2,362,368", "4,722,432"}, "total": {"7,087,872", "23,837,184"}}
"""The results of earlier steps that a step uses."""


def test_slides_ask_before_they_answer() -> None:
    """A count is blank on one slide and worked out on the next. Earlier results stay until a step uses them."""
    slides = {
        str(heading["id"]): heading.find_parent(class_="bc-slide") or heading
        for heading in parse(on_paper.slides()).select("h2")
    }
    for step in (step for step in load_lesson().steps if step.counts):
        blank_slide, worked_slide = slides[f"slides-{step.name}"], slides[f"slides-{step.name}-worked"]
        assert EARLIER_RESULTS.get(step.name, set()) <= numbers(blank_slide)
        answers = {f"{count.question.number:,}" for count in step.counts if count.question.number > 9_999}
        assert answers <= numbers(worked_slide)
        assert len(blank_slide.select(".bc-empty")) == len(
            worked_slide.select(":not(.bc-known) > ol:not(:last-child) li")
        )
        if step.name != "total":  # The pooler is as large as a projection, which is on the board already.
            assert set() == answers & numbers(blank_slide)
    assert {"23,837,184", "85,054,464", "590,592", "109,482,240"} == numbers(slides["slides-end"])


def test_a_hunt_shows_the_mistake_before_its_correction() -> None:
    slides = parse(on_paper.slides())
    hunts = [(step, number, hunt) for step in load_lesson().steps for number, hunt in enumerate(step.hunt, 1)]
    assert len(hunts) > 1
    for step, number, hunt in hunts:
        slide = slides.select_one(f".bc-slide:has(#slides-{step.name}-{number})")
        assert slide
        text = slide.get_text(" ", strip=True)
        assert [] == [line.text for line in hunt.ledger if line.text not in text]
        assert hunt.solution[-1].text not in text


def test_slides_draw_the_areas_of_their_sums() -> None:
    slides = parse(on_paper.slides()).select(".bc-slide:has(figure)")
    # Source: the totals of the parts of BertModel, base uncased, in transformers.
    totals = ["23,837,184", "2,362,368", "4,722,432", "7,087,872", "109,482,240"]
    assert len(totals) == len(slides)
    for slide, total in zip(slides, totals, strict=True):
        assert total in numbers(slide)
