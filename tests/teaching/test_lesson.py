"""The lesson takes an hour, and its numbers, mistakes and exercises agree with the engine."""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import accumulate
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from bs4 import BeautifulSoup, Tag

from macros.counting import CountingError
from macros.teaching import lesson_page
from macros.teaching.lesson import FILE, BadLesson, LessonStep, load_lesson, sizes
from tests.rendering.test_every_page import expanded_pages

BOARD = [23_837_184, 590_592, 2_362_368, 4_722_432, 3_072, 7_087_872, 85_054_464, 590_592, 109_482_240]
"""The parts of BERT base in transformers' BertModel, in the order of the lesson, and the total."""

CONFIG_OF_BASE = {
    "vocab_size": 30_522,
    "max_position_embeddings": 512,
    "type_vocab_size": 2,
    "hidden_size": 768,
    "intermediate_size": 3_072,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
}
"""The sizes in the `bert_config.json` of Google's archive of BERT base, uncased."""


def test_sizes_have_the_keys_and_values_of_the_published_config() -> None:
    assert CONFIG_OF_BASE == {size.key: size.number for size in sizes()}


EXPECTED_MISTAKES = {
    ("23,835,648", ("Forgetting the segment table", "Forgetting the embeddings' LayerNorm")),
    ("23,443,968", ("Assuming fixed sinusoidal positions",)),
    ("589,824", ("Leaving out the biases of attention",)),
    ("1,771,776", ("Forgetting the output projection of attention",)),
    ("2,362,368", ("Counting only the first dense layer of the feed-forward network",)),
    ("108,891,648", ("Leaving out the pooler",)),
}
"""Wrong numbers, with the titles of the mistakes that lead to them.

Source: 23,837,184 − 2 × 768; 23,837,184 − 512 × 768; 768²; 3 × 590,592; 768 × 3,072 + 3,072; 109,482,240 − 590,592.
"""


def element(name: str) -> Tag:
    """The element with this id on the lesson's page."""
    (tag,) = expanded_pages()["teach/lesson.md"].parsed.select(f"[id={name}]")
    return tag


def numbers(tag: Tag) -> list[str]:
    """The computed numbers in an element, as readers see them."""
    return [number.get_text() for number in tag.select("data")]


def test_the_steps_take_an_hour() -> None:
    steps = load_lesson().steps
    assert [0, *(step.end for step in steps[:-1])] == [step.start for step in steps]
    minutes = [int(row.select("td")[1].get_text()) for row in element("lesson-hour").select("tr:has(td)")]
    assert 60 == sum(minutes[:-1]) == minutes[-1]


def wrong_minutes(hour: Tag, board: Tag) -> list[str]:
    """The starts of steps that are not the sum of the minutes above them, and the minutes of the board if any is wrong.

    A line is on the board by the end of the step that counts it.
    """
    rows = [[cell.get_text() for cell in row.select("td")] for row in hour.select("tbody tr")]
    ends = [*accumulate(int(minutes) for _, minutes, _ in rows)]
    faults = [
        f"starts at {start}, not {expected}"
        for (start, *_), expected in zip(rows, [0, *ends[:-1]], strict=True)
        if int(start) != expected
    ]
    expected_minutes = [str(end) for step, end in zip(load_lesson().steps, ends, strict=True) for _ in step.counts]
    minutes_on_board = [row.select("td")[-1].get_text() for row in board.select("tbody tr")]
    if minutes_on_board != expected_minutes:
        faults.append(f"on the board by {minutes_on_board}, not {expected_minutes}")
    return faults


def test_the_hour_and_the_board_have_the_minutes_of_the_steps() -> None:
    hour, board = element("lesson-hour"), element("lesson-board")
    assert [] == wrong_minutes(hour, board)
    for table in (hour, board):
        cell = table.select("tbody tr")[1].select("td")[-1 if table is board else 0]
        minute = cell.get_text()
        cell.string = "1"
        assert 1 == len(wrong_minutes(hour, board))
        cell.string = minute


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("minutes = 5", "minutes = 6", "take 62 minutes together; make them take 60"),
        ('name = "pooler"', 'name = "encoder"', "two counts are called encoder; give each count a name of its own"),
    ],
)
def test_a_wrong_lesson_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "lesson.toml"
    path.write_text(FILE.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    with pytest.raises(BadLesson, match=message):
        load_lesson(path)


def test_the_board_has_the_parts_and_the_total() -> None:
    assert [f"{number:,}" for number in BOARD] == numbers(element("lesson-board"))


def mistakes() -> list[tuple[str, tuple[str, ...]]]:
    """Every wrong number in the steps, with the titles of the mistakes that lead to it."""
    return [
        (row.select("data")[0].get_text(), tuple(link.get_text() for link in row.select("a")))
        for step in load_lesson().steps
        for row in BeautifulSoup(lesson_page.step(step.name), "html.parser").select("table tbody tr")
    ]


def test_an_unknown_step_is_refused() -> None:
    with pytest.raises(CountingError, match='no step "atention"; did you mean "attention"'):
        lesson_page.step("atention")


def test_every_mistake_has_its_number() -> None:
    rows = mistakes()
    names = [name for count in load_lesson().counts for name in count.mistakes]
    assert len(names) == sum(len(titles) for _, titles in rows) > 15
    assert set() == EXPECTED_MISTAKES - set(rows)


def questions_with_wrong_side(steps: Iterable[LessonStep]) -> list[str]:
    """The questions after a mistake that send students to a side of the board other than that of the sizes."""
    steps = [*steps]
    (instruction,) = (step.board.partition("{sizes}")[0] for step in steps if "{sizes}" in step.board)
    (side,) = re.findall(r"\b(?:left|right)\b", instruction)
    questions = [question for step in steps for count in step.counts for question in count.mistakes.values()]
    return [question for question in questions if {*re.findall(r"\b(left|right) of the board", question)} - {side}]


def test_questions_about_sizes_lead_to_the_side_of_the_board_that_has_them() -> None:
    steps = load_lesson().steps
    assert [] == questions_with_wrong_side(steps)
    first_step = steps[0]._replace(board=steps[0].board.replace("on the left", "on the right"))
    assert len(questions_with_wrong_side([first_step, *steps[1:]])) > 1


def test_exercises_have_answers() -> None:
    addresses = {exercise.address for step in load_lesson().steps for exercise in step.exercises}
    addresses_in_key = {str(link["href"]).partition("?")[2] for link in element("lesson-key").select("tbody th a")}
    assert {address.removeprefix("?") for address in addresses} == addresses_in_key
    answers = {
        row.select("th")[0].get_text(): row.select("td")[1].get_text()
        for row in element("lesson-key").select("tbody tr")
    }
    # Source: the totals of BertModel that transformers prints for BERT large and BERT base Chinese.
    assert ("335,141,888", "102,267,648") == (
        answers["The whole model (variant 2)"],
        answers["The whole model (variant 3)"],
    )
    # If an exercise has options, its answer is one of them.
    assert "Forgetting all LayerNorms" == answers["What is the mistake? (variant 34)"]
    assert [] == [row for row in element("lesson-key").select("tbody tr") if not row.select(".bc-line-of-sum")]


def test_early_exercises_are_about_bert_large() -> None:
    """Early finishers count the parts of their step in BERT large, which is not on the board."""
    steps = [step for step in load_lesson().steps if step.early]
    assert steps
    for step in steps:
        parts_of_step = {(count.ask.part, count.ask.tag) for count in step.counts}
        for exercise in step.early:
            assert "bert-large-uncased" == exercise.question.model.name
            assert (exercise.question.part, exercise.question.tag) in parts_of_step


def exercises_given_twice(steps: Iterable[LessonStep]) -> list[str]:
    """The addresses of exercises that the lesson gives more than once."""
    addresses = Counter(exercise.address for step in steps for exercise in step.exercises)
    return [address for address, times in addresses.items() if times > 1]


def test_homework_is_to_count_whole_models_that_the_class_has_not_counted() -> None:
    steps = load_lesson().steps
    homework = [exercise for step in steps for exercise in step.homework]
    assert homework
    assert [] == exercises_given_twice(steps)
    assert {("", "")} == {(exercise.question.part, exercise.question.tag) for exercise in homework}
    models_in_class = {exercise.question.model.name for step in steps for exercise in (*step.early, *step.hunt)}
    assert set() == {exercise.question.model.name for exercise in homework} & {*models_in_class, "bert-base-uncased"}
    (*other_steps, last_step), early = steps, steps[-3].early
    assert [early[0].address] == exercises_given_twice([*other_steps, last_step._replace(homework=early)])


def steps_without_exercises(source: str) -> list[str]:
    """The names that the page sets in italics although no step with exercises has this title. *Say* is no step."""
    titles = {step.title for step in load_lesson().steps if step.exercises}
    return [name for name in re.findall(r"(?<!\*)\*(\w[^*]*)\*(?!\*)", source) if name not in titles | {"Say"}]


def test_the_steps_to_leave_out_have_exercises_for_homework() -> None:
    source = Path("docs/teach/lesson.md").read_text(encoding="utf-8")
    assert "*Find the mistake*" in source
    assert [] == steps_without_exercises(source)
    assert ["A guess"] == steps_without_exercises(source.replace("*Find the mistake*", "*A guess*"))


def test_the_hunt_is_for_expected_mistakes() -> None:
    """All options are expected in a step, and no line of a count or of its solution is 0."""
    hunts = [hunt for step in load_lesson().steps for hunt in step.hunt]
    mistakes = {name for count in load_lesson().counts for name in count.mistakes}
    assert hunts
    assert set() == {option.name for hunt in hunts for option in hunt.options} - mistakes
    assert [] == [line for hunt in hunts for line in (*hunt.ledger, *hunt.solution) if line.text.startswith("0")]


def test_the_notebook_runs_where_its_address_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The notebook can be run only if the site has an address; it can always be downloaded.

    Source: README.md of jupyterlab-open-url-parameter, `fromURL`.
    """
    monkeypatch.delenv("SITE_URL", raising=False)
    (link,) = BeautifulSoup(lesson_page.notebook(), "html.parser").select("a")
    assert "site-root:data/count-bert-by-hand.ipynb" == link["href"]
    monkeypatch.setenv("SITE_URL", "https://example.org/bert")
    _, run_link = BeautifulSoup(lesson_page.notebook(), "html.parser").select("a")
    # The first text is in the middle of the left part of the badge, from 0 to 76, and the second from there to 196.
    assert run_link.path
    assert str(run_link.path["d"]).startswith("M76 0h116")
    assert [("38", "notebook"), ("136", "run in JupyterLite")] == [
        (text["x"], text.get_text()) for text in run_link.select("text")
    ]
    query = parse_qs(urlsplit(str(run_link["href"])).query)
    assert {"fromURL": ["https://example.org/bert/data/count-bert-by-hand.ipynb"]} == query
