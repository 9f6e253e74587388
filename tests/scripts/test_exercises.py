"""Exercises are identical in both languages, and answers get the right verdicts."""

import json
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from macros.teaching.chance import SeededRandom
from macros.teaching.exercise import Exercise, exercise
from macros.teaching.lesson import load_lesson
from macros.teaching.notebook import notebook
from macros.teaching.sets import load_sets
from tests.scripts.running import Scripts

SETS = list(load_sets().sets)
"""The names of all sets of exercises."""

SEEDS = range(12)
"""The seeds of the exercises that are compared, in each set."""


def test_chance_is_the_same_in_both_languages(scripts: Scripts) -> None:
    texts = ["", "layer:7", "层:7", "😀" * 40, "x" * 1_000]
    limits = [2, 7, 1_000, 2**31]
    items = [*"abcdefgh"]
    expected = []
    for text in texts:
        chance = SeededRandom(text)
        expected.append([[chance.below(limit) for limit in limits], chance.one_of(items), chance.shuffled(items)])
    assert expected == scripts.call("drawsOfChance", texts, limits, items)


def test_a_value_that_the_browser_refused_is_kept_until_a_later_one_is_stored(scripts: Scripts) -> None:
    values = [{"earned": 1}, {"earned": 2}, {"earned": 3}]
    assert values == scripts.call("loadedAfterSaving", values, [1])


def as_in_script(value: Any) -> Any:
    """A value in the form in which scripts return it: tuples as arrays, and names in camel case."""
    if hasattr(value, "_asdict"):
        fields = value._asdict()
        return {re.sub("_([a-z])", lambda match: match[1].upper(), name): as_in_script(fields[name]) for name in fields}
    return [as_in_script(item) for item in value] if isinstance(value, tuple) else value


def differences(scripts: Scripts, expected: list[Exercise]) -> list[str]:
    """A line for every field of an exercise that differs in the script."""
    script_exercises = scripts.call("drawnExercises", [[variant.set, variant.seed] for variant in expected])
    return [
        f"{variant.set}:{variant.seed}, {key}: {script_exercise.get(key)!r} instead of {value!r}"
        for variant, script_exercise in zip(expected, script_exercises, strict=True)
        for key, value in as_in_script(variant).items()
        if key not in ("question", "ask") and script_exercise.get(key) != value
    ]


def test_exercises_are_the_same_in_both_languages(scripts: Scripts) -> None:
    assert [] == differences(scripts, [exercise(name, seed) for name in SETS for seed in (*SEEDS, 999_999)])


def test_a_difference_in_a_hint_or_the_answer_is_found(scripts: Scripts) -> None:
    variant = exercise("layer", 7)
    assert 1 == len(differences(scripts, [variant._replace(hints=("another", *variant.hints[1:]))]))
    assert 1 == len(differences(scripts, [variant._replace(answer=variant.answer + 1)]))


def verdicts(scripts: Scripts, cases: list[tuple[Exercise, list[str]]]) -> list[list[dict[str, str]]]:
    """The verdicts on each exercise's answers."""
    verdicts_by_case: list[list[dict[str, str]]] = scripts.call(
        "exerciseVerdicts", [[variant.set, variant.seed, answers] for variant, answers in cases]
    )
    return verdicts_by_case


def rejected_answers(scripts: Scripts, cases: list[tuple[Exercise, list[str]]]) -> list[tuple[str, dict[str, str]]]:
    """The answers to exercises that are not judged right, with their verdicts."""
    return [
        (text, verdict)
        for (_, answers), judgements in zip(cases, verdicts(scripts, cases), strict=True)
        for text, verdict in zip(answers, judgements, strict=True)
        if verdict["kind"] != "right"
    ]


def notations(variant: Exercise) -> list[str]:
    """The right answer in notations that students use."""
    number = variant.answer
    comma_number = f"{number:,}"
    full_width_number = str(number).translate(str.maketrans("0123456789", "０１２３４５６７８９"))
    lines = [line.text for line in variant.solution if "=" in line.text and "÷" not in line.text]
    return [
        str(number),
        comma_number,
        *(comma_number.replace(",", mark) for mark in (".", " ", "_", "'", "\u202f", "\u00a0")),
        full_width_number,
        f" {number} ",
        f"{number}+0*1",
        *(line.split(" = ")[0] for line in lines[-1:]),
    ]


def test_the_right_answer_is_accepted_in_every_notation(scripts: Scripts) -> None:
    names = [name for name, exercises in load_sets().sets.items() if exercises.kind in ("number", "memory")]
    variants = [exercise(name, seed) for name in names for seed in SEEDS]
    cases = [(variant, notations(variant)) for variant in variants]
    assert [] == rejected_answers(scripts, cases)


def test_the_formula_in_a_hint_is_accepted(scripts: Scripts) -> None:
    names = [name for name, exercises in load_sets().sets.items() if exercises.kind == "number"]
    cases = []
    for variant in [exercise(name, seed) for name in names for seed in SEEDS]:
        formula = variant.ask.formula
        signs = ("·", "*", " × ", " x ", "")
        cases.append((variant, [*(formula.replace("·", sign) for sign in signs), f"{formula} = {variant.answer:,}"]))
    assert sum(len(answers) for _, answers in cases) > 500
    assert [] == rejected_answers(scripts, cases)


LESSON_COUNTS = list(load_lesson().counts)
"""The counts that the lesson asks for."""

ANSWERS = [
    "0",
    "1",
    "12",
    "512",
    "768",
    "3,072",
    "4096",
    "110M",
    "110,000,000",
    "340M",
    "340000000",
    "31,782,912",
    "0.11B",
    "4·L·H",
    "V*H + P*H",
    "4LH",
    "H2 + H",
    "h*h + h",
    "H",
    "2(H+F)",
    "H^9",
    "(768",
    "many",
    "97531246",
    "590.592",
    "590,592",
    "2,362,368",
    "1771776",
    "590595",
    "12 × 7087872",
    "768 × 768 = 589,824",
    "7,100,000",
    "590600",
    "335141888",
]
"""Answers that students type, right or wrong, to every question of the lesson."""


def test_the_notebook_judges_as_the_page_does(scripts: Scripts) -> None:
    """The notebook judges answers in the same words as the page, unless only the page can explain an answer."""
    namespace: dict[str, Any] = {}
    for cell in json.loads(notebook())["cells"]:
        if cell["id"] in ("sizes", "check"):
            exec("".join(cell["source"]), namespace)  # noqa: S102 - our own code
    kinds = set()
    for count in LESSON_COUNTS:
        task = {"part": count.ask.part, "words": count.ask.words, "right": count.question.number}
        for answer, verdict in zip(ANSWERS, scripts.call("lessonVerdicts", task, ANSWERS), strict=True):
            kinds.add(verdict["kind"])
            notebook_feedback = namespace["verdict"](count.name, answer)
            page_feedback = re.sub("^[0-9,]+: ", "", verdict["feedback"])
            if verdict["kind"] == "right":
                assert notebook_feedback.startswith("Right: "), (count.name, answer)
            elif page_feedback and verdict["kind"] != "slip":
                assert notebook_feedback.startswith(page_feedback), (count.name, answer)
            else:
                fallback_texts = (
                    "is not right, and we can't tell how you got it.",
                    "is rounded. Give it to the last digit.",
                )
                assert any(text in notebook_feedback for text in fallback_texts), (count.name, answer)
    assert {"right", "known", "rounded", "slip", "unread", "unknown"} == kinds


def test_every_foreseen_wrong_answer_is_diagnosed(scripts: Scripts) -> None:
    for name in ("tensor", "layer", "class", "memory"):
        variants = [exercise(name, seed) for seed in SEEDS]
        cases = [(variant, [f"{wrong.number:,}" for wrong in variant.wrong_answers]) for variant in variants]
        expected = [
            [{"kind": "known", "feedback": wrong.feedback} for wrong in variant.wrong_answers] for variant in variants
        ]
        assert sum(map(len, expected)) > 60
        assert expected == verdicts(scripts, cases)


CREDITS: dict[tuple[str, int], dict[str, float]] = {
    # One encoder layer of BERT base Chinese: the sum has eleven lines.
    ("layer", 41): {
        "589,824": 1 / 11,  # the matrix of one projection, the first line
        "768 × 768": 1 / 11,
        "2,362,368": 3 / 11,  # self-attention, the third
        "6,497,280": 1 / 2,  # without the output projection, a known mistake
        "12,596,224": 1 / 2,  # the layer of BERT large
        "768": 0,  # a size of the question
        "7,100,000": 0,
        "97531246": 0,
        "many": 0,
    },
    # All layers of BERT-Mini: one layer is the eleventh of twelve lines. 512 is both P and the size of a LayerNorm.
    ("layer", 17): {"789760": 11 / 12, "512": 9 / 12},
    # A part of a line earns half of the line: the layers are a part of the line after the sixteenth of nineteen.
    ("model", 1): {"85,054,464": 16.5 / 19, "108,891,648": 16.5 / 19, "7087872": 16 / 19},
    ("part", 119): {"7,944,704": 2.5 / 5},
    # Nothing is worked out here: these answers give a row for a cell, and the number of rows for a row.
    ("cell", 62): {"256": 0, "30522": 0, "7,813,632": 0},
    ("cell", 42): {"30522": 0, "1": 0},
    ("class", 21): {"109482240": 1 / 2, "109,514,298": 1 / 2},
}
"""The credit for each wrong answer to an exercise, by its set and seed."""


@pytest.mark.parametrize("variant", CREDITS, ids=str)
def test_a_wrong_answer_earns_credit_for_the_lines_it_reaches(scripts: Scripts, variant: tuple[str, int]) -> None:
    """An intermediate result earns the lines up to it, a known mistake half, and any other number nothing."""
    assert list(CREDITS[variant].values()) == scripts.call("creditsFor", *variant, list(CREDITS[variant]))


# The numbers come from the sizes in the question; comments show how.
FURTHER_ANSWERS: list[tuple[str, int, str, str]] = [
    ("heads", 44, "4096", "takes a head's matrices to be square"),  # 64 × 64
    ("heads", 89, "12,288", "takes a head's matrices to be square"),  # 3 × 64 × 64
    ("heads", 89, "4096", "takes a head's matrices to be square"),  # an intermediate result, and F in the question
    ("heads", 44, "33,280", "counts the bias as well"),  # 512 × 64 + 512
    ("heads", 44, "32,832", "counts the bias as well"),  # 512 × 64 + 64
    ("model", 1, "85,054,464", "is correct for the layers, a part of the sum"),  # 12 × 7,087,872
    ("part", 119, "7,944,704", "is correct for the word table and the position table, a part of the sum"),
    # 30,522 x 768 + 512 x 768 + 2 x 768 + 2 x 768: in BERT base, the LayerNorm is as large as the segment table.
    ("part", 1, "23,837,184", "is correct for the embeddings. This question is about another part."),
    ("class", 21, "109,482,240", "BertForPreTraining, so add the masked-LM head and the next-sentence head."),
    ("class", 21, "109,514,298", "BertForPreTraining, so add the pooler and the next-sentence head."),
    ("layer", 43, "263168 + 256", "counted the bias of one projection once too often"),
    ("layer", 43, "2 * 263168", "everything is counted twice"),
    ("part", 61, "65536", "if you left out the bias. Every dense layer of BERT has one."),
    ("layer", 13, "3 * 768 * 768", "if you forgot the output projection of attention and left out the biases"),
    ("part", 1, "30522 + 512 + 2 * 768", "if you did not multiply the whole sum by H. Put brackets around the sum."),
    ("part", 1, "768 * 30522 + 512 + 2", "if you did not multiply the whole sum by H."),
    ("part", 1, "31036", "if you did not multiply the whole sum by H."),
    ("unchanged", 20, "2101248", "nothing is added with more heads"),
    ("unchanged", 20, "8 * 1050624", "nothing is added with more heads"),
    ("tensor", 9, "30522 + 256", "if you added the sizes. A matrix has rows × columns elements, so multiply them."),
    ("tensor", 9, "30778", "if you added the sizes."),
    ("cell", 42, "30522*256", "the size of the whole table. The question is about one row of the word table."),
    ("cell", 62, "7,813,632", "the size of the whole table. The question is about one cell of the word table."),
    ("layer", 17, "9,477,120", "with 12 layers, as BERT base has. This model has L = 4."),  # 12 × 789,760
    ("layer", 17, "24 * 789760", "with 24 layers, as BERT large has. This model has L = 4."),
    ("part", 119, "7,944 704", "is correct for the word table and the position table"),
]
"""The set and the seed of a question, an answer that only the page explains, and words from the explanation."""


def test_further_numbers_are_explained(scripts: Scripts) -> None:
    for name, seed, text, expected in FURTHER_ANSWERS:
        ((verdict,),) = verdicts(scripts, [(exercise(name, seed), [text])])
        assert "known" == verdict["kind"], (name, seed, text, verdict)
        assert expected in verdict["feedback"], (name, seed, text, verdict)


# In BERT-Mini, self-attention has 4 × (256 × 256 + 256) = 263,168 parameters, and the feed-forward network 525,568.
WRONG_SUMS: list[tuple[str, int, str, str]] = [
    ("layer", 43, "4*H² + 4*H + 512*512", "525,312: Leave out 512*512; the rest of your sum is right."),
    ("layer", 43, "263168+1538", "264,706: Leave out 1,538; the rest of your sum is right."),
    (
        "layer",
        43,
        "4*256*256 + 256",
        "262,400: In your sum, 256 should be the bias of each projection; the rest is right.",
    ),
    (
        "layer",
        43,
        "3*(256*256+256) + 256*256",
        "262,912: In your sum, 3*256 should be the bias of each projection; the rest is right.",
    ),
    # A single star after the brackets is a product, which is expanded; a power is not, whatever comes after it.
    (
        "layer",
        43,
        "(256*256+256)*3 + 256*256",
        "262,912: In your sum, 256*3 should be the bias of each projection; the rest is right.",
    ),
    (
        "layer",
        43,
        "4*256*256 + (256+1)^2 * 2",
        "394,242: In your sum, (256+1)^2 * 2 should be the bias of each projection; the rest is right.",
    ),
    # The total alone could lack the biases of attention instead, which are as large as the LayerNorms.
    ("layer", 49, "263168+525568", "788,736: The terms of your sum are right, but it lacks the LayerNorms."),
    ("layer", 49, "4*(H²+H) + 2HF + F + H", "788,736: The terms of your sum are right, but it lacks the LayerNorms."),
    (
        "model",
        1,
        "30522*768 + 512*768 + 12*7087872",
        "108,888,576: The terms of your sum are right, but it lacks the segment table, the embeddings' LayerNorm and",
    ),
    # A known mistake that agrees with the terms is a better explanation.
    ("model", 1, "23837184 + 12*7087872", "You would get 108,891,648 if you left out the pooler."),
    ("layer", 68, "2*256*1024 + 1024", "You would get 525,312 if you left out the bias of the second dense layer."),
    ("layer", 43, "4*256*256 + 4", "You would get 262,148 if each bias were one number."),
    # No term is right, or there is only one.
    ("part", 1, "30522 + 512 + 2*768", "You would get 32,570 if you did not multiply the whole sum by H."),
    ("layer", 43, "4*263168", "Several mistakes lead to 1,052,672. If you counted all layers"),
]
"""The set and the seed of a question, a wrong sum, and the beginning of the feedback on it."""


def test_feedback_is_on_the_terms_of_a_typed_sum(scripts: Scripts) -> None:
    for name, seed, text, expected in WRONG_SUMS:
        ((verdict,),) = verdicts(scripts, [(exercise(name, seed), [text])])
        assert "known" == verdict["kind"], (name, seed, text, verdict)
        assert verdict["feedback"].startswith(expected), (name, seed, text, verdict)


def test_a_missing_term_is_named_rather_than_another_mistake(scripts: Scripts) -> None:
    variants = [exercise(name, seed) for name in ("part", "layer", "model", "class") for seed in SEEDS]
    pairs = [[variant.set, variant.seed] for variant in variants]
    for variant, script_exercise in zip(variants, scripts.call("drawnExercises", pairs), strict=True):
        parts = script_exercise["sum"]["parts"]
        numbers = [part["number"] for part in parts]
        # Parts of the same size cannot be distinguished, and without one of two terms nothing is left to add.
        if len(parts) < 3 or len(set(numbers)) < len(numbers):
            continue
        assert sum(numbers) == variant.answer
        sums = [" + ".join(str(part["number"]) for part in parts if part is not omitted_part) for omitted_part in parts]
        (judgements,) = verdicts(scripts, [(variant, sums)])
        for part, verdict in zip(parts, judgements, strict=True):
            assert part["what"] in verdict["feedback"] or "a part of the sum" in verdict["feedback"], (
                variant.address,
                verdict,
            )


def test_further_numbers_are_those_of_the_engine(scripts: Scripts) -> None:
    variants = [exercise(name, seed) for name in ("class", "model", "layer", "heads") for seed in SEEDS]
    class_count = 0
    pairs = [[variant.set, variant.seed] for variant in variants]
    for variant, script_exercise in zip(variants, scripts.call("drawnExercises", pairs), strict=True):
        assert variant.answer not in {further_answer["number"] for further_answer in script_exercise["further"]}
        for further_answer in script_exercise["further"]:
            if further_answer["names"] == ["class"]:
                class_match = re.search("is correct for ([A-Za-z]+)[.]", further_answer["feedback"])
                assert class_match
                assert variant.question._replace(model_class=class_match[1]).number == further_answer["number"]
                class_count += 1
    assert class_count > 100


FEEDBACK = tomllib.loads(Path(__file__).with_name("judged.toml").read_text(encoding="utf-8"))
"""Answers with the kind of verdict and words from the feedback, by exercise."""


@pytest.mark.parametrize(
    ("variant", "cases"), [(("memory", 36), FEEDBACK["memory"]), (("model", 1), FEEDBACK["model"])]
)
def test_answers_with_units_and_slips_are_judged(
    scripts: Scripts, variant: tuple[str, int], cases: list[tuple[str, str, str]]
) -> None:
    (judgements,) = verdicts(scripts, [(exercise(*variant), [text for text, *_ in cases])])
    assert [] == [
        (text, verdict)
        for (text, kind, expected), verdict in zip(cases, judgements, strict=True)
        if verdict["kind"] != kind or expected not in verdict["feedback"]
    ]


VERDICTS: list[tuple[Sequence[object], str]] = [
    *(([text, 123_456], "slip") for text in ("213456", "923456", "123956", "12345", "1239456", "1234569")),
    *(([text, 123_456], "unknown") for text in ("993456", "321456", "1234", "99123456", "654321")),
    (["132", 123], "unknown"),  # too few digits
    (["1k", 2_000, [950, "one."]], "one."),
    (
        ["1k", 2_000, [950, "one."], [1_049, "another."]],
        "Several mistakes lead to about this number. One of them: one.",
    ),
]
"""Cases with the kind of verdict, or with the feedback if the answer is a known wrong one.

A case consists of an answer, the right answer, and the known wrong answers with their feedback.
"""


def test_slips_and_wrong_answers_are_distinguished(scripts: Scripts) -> None:
    """In a slip, a digit is wrong, missing or added, or two neighbours are swapped.

    A rounded number may match several wrong answers.
    """
    assert [verdict for _, verdict in VERDICTS] == scripts.call("verdicts", [case for case, _ in VERDICTS])
