"""Exercises are the same in both languages to the letter, and answers are judged alike."""

import json
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from macros.teaching.chance import Chance
from macros.teaching.exercise import Exercise, exercise
from macros.teaching.lesson import load_lesson
from macros.teaching.notebook import notebook
from macros.teaching.sets import load_sets
from tests.scripts.running import Scripts

SETS = list(load_sets().sets)
SEEDS = range(12)


def test_chance_is_the_same_in_both_languages(scripts: Scripts) -> None:
    """To the bit, from texts of any characters, and however often it is asked."""
    texts, limits, items = ["", "layer:7", "层:7", "😀" * 40, "x" * 1_000], [2, 7, 1_000, 2**31], [*"abcdefgh"]
    expected = []
    for text in texts:
        chance = Chance(text)
        expected.append([[chance.below(each) for each in limits], chance.one_of(items), chance.shuffled(items)])
    assert expected == scripts.call("drawsOfChance", texts, limits, items)


def as_script_has_it(asked: Exercise) -> dict[str, Any]:
    """An exercise as the script has it."""
    lists = ("wrong", "options", "solution", "ledger")
    found = {**asked._asdict(), **{name: [each._asdict() for each in getattr(asked, name)] for name in lists}}
    found["wrong"] = [{**each, "names": list(each["names"]), "titles": list(each["titles"])} for each in found["wrong"]]
    return {**found, "hints": list(asked.hints)}


def differences(scripts: Scripts, wanted: list[Exercise]) -> list[str]:
    """What the script draws otherwise, by exercise and field."""
    asked = [[each.set, each.seed] for each in wanted]
    drawn = scripts.call("exercisesDrawn", asked)
    return [
        f"{each.set}:{each.seed}, {key}: {got.get(key)!r} instead of {value!r}"
        for each, got in zip(wanted, drawn, strict=True)
        for key, value in as_script_has_it(each).items()
        if key not in ("question", "ask") and got.get(key) != value
    ]


def test_exercises_are_the_same_in_both_languages(scripts: Scripts) -> None:
    """Text, answer, hints, solution, wrong answers and options, to the letter."""
    assert [] == differences(scripts, [exercise(name, seed) for name in SETS for seed in (*SEEDS, 999_999)])


def test_a_difference_is_found(scripts: Scripts) -> None:
    """Of a letter in a hint, and of one in the answer."""
    asked = exercise("layer", 7)
    assert 1 == len(differences(scripts, [asked._replace(hints=("another", *asked.hints[1:]))]))
    assert 1 == len(differences(scripts, [asked._replace(answer=asked.answer + 1)]))


def judged(scripts: Scripts, cases: list[tuple[Exercise, list[str]]]) -> list[list[dict[str, str]]]:
    """How answers to each of some exercises are judged."""
    found: list[list[dict[str, str]]] = scripts.call(
        "answersJudged", [[each.set, each.seed, typed] for each, typed in cases]
    )
    return found


def notations(asked: Exercise) -> list[str]:
    """The right answer as people write it."""
    number = asked.answer
    grouped = f"{number:,}"
    wide = str(number).translate(str.maketrans("0123456789", "０１２３４５６７８９"))
    lines = [line.text for line in asked.solution if "=" in line.text and "÷" not in line.text]
    return [
        str(number),
        grouped,
        *(grouped.replace(",", mark) for mark in (".", " ", "_", "'", "\u202f", "\u00a0")),
        wide,
        f" {number} ",
        f"{number}+0*1",
        *(line.split(" = ")[0] for line in lines[-1:]),
    ]


def test_the_right_answer_is_accepted_in_every_notation(scripts: Scripts) -> None:
    """Digits however they are grouped, full-width ones, and the sum itself."""
    names = [name for name, each in load_sets().sets.items() if each.kind in ("number", "memory")]
    cases = [(each, notations(each)) for each in (exercise(name, seed) for name in names for seed in SEEDS)]
    found = [
        (typed, got)
        for (_, listed), answers in zip(cases, judged(scripts, cases), strict=True)
        for typed, got in zip(listed, answers, strict=True)
    ]
    assert [] == [each for each in found if each[1]["kind"] != "right"]


def test_the_formula_of_a_hint_is_an_answer(scripts: Scripts) -> None:
    """As it is printed, with stars, and with nothing between letters; with what it comes to beside it as well."""
    names = [name for name, each in load_sets().sets.items() if each.kind == "number"]
    cases = []
    for each in (exercise(name, seed) for name in names for seed in SEEDS):
        formula = each.ask.formula
        signs = ("·", "*", " × ", " x ", "")
        cases.append((each, [*(formula.replace("·", sign) for sign in signs), f"{formula} = {each.answer:,}"]))
    found = [
        (typed, got)
        for (_, listed), answers in zip(cases, judged(scripts, cases), strict=True)
        for typed, got in zip(listed, answers, strict=True)
    ]
    assert len(found) > 500
    assert [] == [each for each in found if each[1]["kind"] != "right"]


LESSON = list(load_lesson().counts)
ANSWERS = [
    *("0", "1", "12", "512", "768", "3,072", "4096", "110M", "110,000,000", "340M", "340000000", "31,782,912", "0.11B"),
    *("4·L·H", "V*H + P*H", "4LH", "H2 + H", "h*h + h", "H", "2(H+F)", "H^9", "(768", "many", "97531246", "590.592"),
    *(
        "590,592",
        "2,362,368",
        "1771776",
        "590595",
        "12 × 7087872",
        "768 × 768 = 589,824",
        "7,100,000",
        "590600",
        "335141888",
    ),
]
"""What students type, rightly or wrongly, of whichever part of BERT base."""


def test_the_notebook_judges_as_the_page_does(scripts: Scripts) -> None:
    """Each count of the lesson, in the same words; of what the page explains, the notebook knows no reason."""
    names: dict[str, Any] = {}
    for cell in json.loads(notebook())["cells"]:
        if cell["id"] in ("sizes", "check"):
            exec("".join(cell["source"]), names)  # noqa: S102  it is our own
    kinds = set()
    for count in LESSON:
        asked = {"part": count.ask.part, "words": count.ask.words, "right": count.question.number}
        for typed, verdict in zip(ANSWERS, scripts.call("judgedAs", asked, ANSWERS), strict=True):
            kinds.add(verdict["kind"])
            said = names["verdict"](count.name, typed)
            says = re.sub("^[0-9,]+: ", "", verdict["says"])
            if verdict["kind"] == "right":
                assert said.startswith("Right: "), (count.name, typed)
            elif says and verdict["kind"] != "slip":
                assert said.startswith(says), (count.name, typed)
            else:
                unknown = ("is not right, and we can't tell how you got it.", "is rounded. Give it to the last digit.")
                assert any(each in said for each in unknown), (count.name, typed)
    assert {"right", "known", "rounded", "slip", "unread", "unknown"} == kinds


def test_every_wrong_answer_is_diagnosed(scripts: Scripts) -> None:
    """With the feedback that the exercise has for it."""
    for name in ("tensor", "layer", "class", "memory"):
        cases = [(each, [f"{w.number:,}" for w in each.wrong]) for each in (exercise(name, seed) for seed in SEEDS)]
        expected = [[{"kind": "known", "says": wrong.feedback} for wrong in each.wrong] for each, _ in cases]
        assert sum(map(len, expected)) > 60
        assert expected == judged(scripts, cases)


SAID_TO = tomllib.loads(Path(__file__).with_name("judged.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("asked", "cases"), [(("memory", 36), SAID_TO["memory"]), (("model", 1), SAID_TO["model"])])
def test_answers_have_units_and_slips(
    scripts: Scripts, asked: tuple[str, int], cases: list[tuple[str, str, str]]
) -> None:
    """Bytes, or any unit that fits; units mixed up, digits mistyped, rounded numbers, and what cannot be read."""
    (found,) = judged(scripts, [(exercise(*asked), [typed for typed, *_ in cases])])
    assert [] == [
        (typed, each)
        for (typed, kind, says), each in zip(cases, found, strict=True)
        if each["kind"] != kind or says not in each["says"]
    ]


VERDICTS: list[tuple[Sequence[object], str]] = [
    *(([typed, 123_456], "slip") for typed in ("213456", "923456", "123956", "12345", "1239456", "1234569")),
    *(([typed, 123_456], "unknown") for typed in ("993456", "321456", "1234", "99123456", "654321")),
    (["132", 123], "unknown"),  # too few digits
    (["1k", 2_000, [950, "one."]], "one."),
    (
        ["1k", 2_000, [950, "one."], [1_049, "another."]],
        "Several mistakes lead to about this number. One of them: one.",
    ),
]
"""What is typed, the right answer and the wrong ones that are known, and the verdict or what is said: a digit is wrong,
missing or added, or two neighbours are swapped."""


def test_slips_and_wrong_answers_are_told_apart(scripts: Scripts) -> None:
    """A slip is one digit, or two neighbours; a rounded number may be several wrong answers, an exact one is one."""
    assert [verdict for _, verdict in VERDICTS] == scripts.call("verdicts", [case for case, _ in VERDICTS])
