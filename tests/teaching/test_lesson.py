"""The lesson: it takes an hour, and its numbers, mistakes and exercises are those of the engine."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from bs4 import BeautifulSoup, Tag

from macros.counting import CountingError
from macros.teaching import lesson_page
from macros.teaching.lesson import FILE, BadLesson, load_lesson
from tests.rendering.test_every_page import written_page

BOARD = [23_837_184, 590_592, 2_362_368, 4_722_432, 3_072, 7_087_872, 85_054_464, 590_592, 109_482_240]
"""What transformers builds as BertModel of base: part by part, in the order of the lesson."""

EXPECTED = {
    ("23,835,648", ("Forgetting the segment table", "Forgetting the LayerNorm of the embeddings")),
    ("23,443,968", ("Assuming fixed sinusoidal positions",)),
    ("589,824", ("Leaving out the biases of attention",)),
    ("1,771,776", ("Forgetting the output projection of attention",)),
    ("2,362,368", ("Counting only the first dense layer of the feed-forward network",)),
    ("108,891,648", ("Leaving out the pooler",)),
}
"""Source: 23,837,184 less 2 × 768, less 512 × 768; 768²; 3 × 590,592; 768 × 3,072 + 3,072; 109,482,240 less 590,592."""


def shown(name: str) -> Tag:
    """A table on the page of the lesson."""
    (found,) = written_page("teach/lesson.md").parsed.select(f"[id={name}]")
    return found


def numbers(page: Tag) -> list[str]:
    """Its numbers as read."""
    return [each.get_text() for each in page.select("data")]


def test_the_steps_take_an_hour() -> None:
    """Without a gap, and the table adds up."""
    steps = load_lesson().steps
    assert [0, *(each.end for each in steps[:-1])] == [each.start for each in steps]
    minutes = [int(row.select("td")[1].get_text()) for row in shown("lesson-hour").select("tr:has(td)")]
    assert 60 == sum(minutes[:-1]) == minutes[-1]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("minutes = 5", "minutes = 6", "take 62 minutes together; make them take 60"),
        ('name = "pooler"', 'name = "encoder"', "has a name twice"),
    ],
)
def test_a_wrong_lesson_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    """With more minutes than an hour has, and with a name that stands for different things."""
    path = tmp_path / "lesson.toml"
    path.write_text(FILE.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    with pytest.raises(BadLesson, match=message):
        load_lesson(path)


def test_the_board_holds_the_parts_and_the_total() -> None:
    """In the order in which they are counted."""
    assert [f"{each:,}" for each in BOARD] == numbers(shown("lesson-board"))


def mistakes() -> list[tuple[str, tuple[str, ...]]]:
    """Each wrong number of the steps, with what leads to it."""
    return [
        (row.select("data")[0].get_text(), tuple(link.get_text() for link in row.select("a")))
        for each in load_lesson().steps
        for row in BeautifulSoup(lesson_page.step(each.name), "html.parser").select("table tbody tr")
    ]


def test_a_step_that_the_lesson_lacks() -> None:
    """The message says which one may be meant."""
    with pytest.raises(CountingError, match='no step "atention"; did you mean "attention"'):
        lesson_page.step("atention")


def test_every_mistake_has_its_number() -> None:
    """All that the file names are there; those of the same number stand together."""
    found = mistakes()
    named = [name for each in load_lesson().counts for name in each.mistakes]
    assert len(named) == sum(len(titles) for _, titles in found) > 15
    assert set() == EXPECTED - set(found)


def test_exercises_have_answers() -> None:
    """Each that a step uses is listed, and has its answer and its sum in the key; the address says which it is."""
    used = {each.address for step in load_lesson().steps for each in step.exercises}
    listed, key = (
        {str(link["href"]).partition("?")[2] for link in shown(name).select("tbody th a")}
        for name in ("lesson-exercises", "lesson-key")
    )
    assert {each.removeprefix("?") for each in used} == listed == key
    answers = dict(
        zip(
            (row.get_text() for row in shown("lesson-key").select("tbody th")),
            numbers(shown("lesson-key")),
            strict=True,
        )
    )
    # Source: totals that transformers prints of BertModel, for large and for base with the Chinese vocabulary.
    assert ("335,141,888", "102,267,648") == (
        answers["The whole model (variant 2)"],
        answers["The whole model (variant 3)"],
    )
    assert all(row.select(".bc-line-of-sum") for row in shown("lesson-key").select("tbody tr"))


def test_those_who_are_early_count_the_same_of_large() -> None:
    """So what is on the board does not give it away; the page says so."""
    for step in load_lesson().steps:
        for each in step.early:
            assert "bert-large-uncased" == each.question.model.name
            assert (each.question.part, each.question.tag) in {(count.ask.part, count.ask.tag) for count in step.counts}


def test_only_what_was_taught_is_hunted() -> None:
    """Every option of the exercises with a mistake is one that an earlier step expects, and no line of them is 0."""
    hunted = [each for step in load_lesson().steps for each in step.hunt]
    taught = {name for count in load_lesson().counts for name in count.mistakes}
    assert hunted
    assert set() == {option.name for each in hunted for option in each.options} - taught
    assert [] == [line for each in hunted for line in (*each.ledger, *each.solution) if line.text.startswith("0")]


def test_the_notebook_runs_where_its_address_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """And can only be downloaded elsewhere. Source: README.md of jupyterlab-open-url-parameter, `fromURL`."""
    monkeypatch.delenv("SITE_URL", raising=False)
    (link,) = BeautifulSoup(lesson_page.notebook(), "html.parser").select("a")
    assert "site-root:data/count-bert-by-hand.ipynb" == link["href"]
    monkeypatch.setenv("SITE_URL", "https://example.org/bert")
    _, runs = BeautifulSoup(lesson_page.notebook(), "html.parser").select("a")
    asked = parse_qs(urlsplit(str(runs["href"])).query)
    assert {"fromURL": ["https://example.org/bert/data/count-bert-by-hand.ipynb"]} == asked
