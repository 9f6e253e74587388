"""Finds faults in a question bank that was read back from a file.

The engine recounts every correct answer, and every wrong answer to which a known deviation leads. Feedback, hints and
solutions must be those of the exercise, and none may be missing.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from macros.counting.deviations import load_deviations
from macros.counting.memory import BYTES
from macros.teaching.exercise import Exercise, SolutionLine, exercise
from macros.teaching.sets import load_sets
from tests.teaching.reading import ReadAnswer, ReadQuestion


class Capacity(NamedTuple):
    """The parts of an exercise for which a format has room.

    Attributes:
        max_wrong_answers: the maximum number of wrong answers in a numerical question; None if there is no limit.
        has_hints: whether the format has hints.
        is_bare: whether the format has no feedback and no solutions, and only questions of one line.
        accepts_commas: whether a number may also be typed with commas, which `reading.py` requires of the file.
    """

    max_wrong_answers: int | None = None
    has_hints: bool = True
    is_bare: bool = False
    accepts_commas: bool = False


BY_FORMAT = {
    "moodle": Capacity(),
    "gift": Capacity(has_hints=False),
    "canvas": Capacity(max_wrong_answers=0, has_hints=False),
    "canvas-choices": Capacity(max_wrong_answers=4, has_hints=False),
    "brightspace": Capacity(max_wrong_answers=0, accepts_commas=True),
    "blackboard": Capacity(max_wrong_answers=0, has_hints=False, is_bare=True),
    "csv": Capacity(),
}
"""The capacity of each format by name. Canvas has two entries: numbers are typed in one and chosen in the other."""


def faults(bank: Sequence[ReadQuestion], name: str, seeds: Sequence[int], capacity: Capacity) -> list[str]:
    """A line for each fault in a bank, or only one if it does not have the expected questions in order."""
    expected = without_repetitions([variant_of(name, seed) for seed in seeds])
    identifiers = [f"{variant.set}-{variant.seed}" for variant in expected]
    # A bare format has no identifiers, but it keeps the order of the questions.
    if capacity.is_bare and len(identifiers) == len(bank):
        bank = [
            question._replace(identifier=identifier) for question, identifier in zip(bank, identifiers, strict=True)
        ]
    if identifiers != [question.identifier for question in bank]:
        return [f"there are {[question.identifier for question in bank]}, not {identifiers}"]
    return [
        f"{question.identifier}: {fault}"
        for question, variant in zip(bank, expected, strict=True)
        for fault in _question_faults(question, variant, capacity)
    ]


@cache
def variant_of(name: str, seed: int) -> Exercise:
    """An exercise, drawn once for all formats."""
    return exercise(name, seed)


@cache
def recount(name: str, seed: int, deviation: str) -> int:
    """The number that the engine counts for an exercise with a deviation."""
    return variant_of(name, seed).question._replace(deviations=(deviation,)).number


def without_repetitions(variants: Sequence[Exercise]) -> list[Exercise]:
    """The variants without repeated questions, because a bank asks a question only once."""
    variant_by_question: dict[object, Exercise] = {}
    for variant in variants:
        variant_by_question.setdefault((variant.text, variant.sizes_text, variant.options), variant)
    return list(variant_by_question.values())


def _question_faults(question: ReadQuestion, variant: Exercise, capacity: Capacity) -> list[str]:
    """A line for each way in which a question differs from its exercise."""
    aspects = [
        ("text", _expected_text(variant, capacity), question.text),
        ("solution", [] if capacity.is_bare else list(map(_line, variant.solution)), question.solution),
        ("hints", list(variant.hints) if capacity.has_hints else [], question.hints),
        (
            "marks",
            [100] + [0] * (len(question.answers) - 1),
            sorted((answer.mark for answer in question.answers), reverse=True),
        ),
        ("tolerance", {0}, {answer.tolerance for answer in question.answers}),
        ("answers", len(question.answers), len({answer.text for answer in question.answers})),
    ]
    lines = [
        f"the {aspect} should be {expected}, not {actual}" for aspect, expected, actual in aspects if expected != actual
    ]
    if variant.options:
        return lines + _option_faults(question, variant, capacity)
    return lines + _number_faults(question, variant, capacity)


def _expected_text(variant: Exercise, capacity: Capacity) -> list[str]:
    """The paragraphs of a question: what it asks, the sizes, and any count with a mistake in it."""
    # A page also accepts MB and other units; a bank asks for plain bytes.
    text = variant.text.partition(" Answer in bytes,")[0]
    if variant.unit == "bytes":
        text += " Give the number of bytes."
    ledger = list(map(_line, variant.ledger))
    if capacity.is_bare:
        return [" ".join(f"{text} {variant.sizes_text} {'; '.join(ledger)}".split())]
    return [paragraph for paragraph in (text, variant.sizes_text, *ledger) if paragraph]


def _line(line: SolutionLine) -> str:
    """A line of a sum in the form that banks use."""
    return f"{line.label}: {line.text}"


# --- Numbers ----------------------------------------------------------------------


def _number_faults(question: ReadQuestion, variant: Exercise, capacity: Capacity) -> list[str]:
    """A line for each fault in the number of answers, in a mark, in feedback, or in a recounted number."""
    # In questions about bytes, a parameter counts as many times as its data type has bytes.
    factor = next((size for dtype, size in BYTES.items() if f" {dtype}?" in variant.text), 1)
    correct = variant.ask.number(variant.question.model) * factor
    wrong_by_number = {wrong.number: wrong for wrong in variant.wrong_answers if not wrong.names[0].startswith("unit:")}
    answer_by_number = {int(answer.text.replace(",", "")): answer for answer in question.answers}
    expected_count = 1 + len(wrong_by_number)
    if capacity.max_wrong_answers is not None:
        expected_count = min(expected_count, 1 + capacity.max_wrong_answers)
    lines = []
    if len(answer_by_number) != expected_count:
        lines.append(f"there are {len(answer_by_number)} answers, not {expected_count}")
    for number, answer in answer_by_number.items():
        if (number == correct) != (answer.mark == 100):
            lines.append(f"{number} has the mark {answer.mark}, and {correct} is correct")
        elif number == correct and capacity.max_wrong_answers == 0:
            continue
        elif number == correct:
            lines += _feedback_faults(answer, load_sets().banks["correct"])
        elif number not in wrong_by_number:
            lines.append(f"{number} is no known wrong answer")
        else:
            lines += _feedback_faults(answer, wrong_by_number[number].feedback)
            deviations = [name for name in wrong_by_number[number].names if name in load_deviations()]
            recounts = {recount(variant.set, variant.seed, name) * factor for name in deviations}
            if recounts - {number}:
                lines.append(f"{deviations} give {recounts}, not {number}")
    return lines


def _feedback_faults(answer: ReadAnswer, feedback: str) -> list[str]:
    """A line if the feedback on an answer is not `feedback`."""
    if answer.feedback == feedback:
        return []
    return [f"the feedback on {answer.text} is {answer.feedback!r}, not {feedback!r}"]


# --- Options ----------------------------------------------------------------------


def _option_faults(question: ReadQuestion, variant: Exercise, capacity: Capacity) -> list[str]:
    """A line for each option with a wrong mark or wrong feedback, or one line if the options are not the exercise's."""
    option_by_text = {
        " ".join(option.text.split()) if capacity.is_bare else option.text: option for option in variant.options
    }
    if set(option_by_text) != {answer.text for answer in question.answers}:
        return [f"the options are {[answer.text for answer in question.answers]}"]
    lines = []
    for answer in question.answers:
        option = option_by_text[answer.text]
        lines += _feedback_faults(answer, "" if capacity.is_bare else option.feedback)
        is_correct = _gives_listed_total(variant, option.name) if variant.ledger else option.is_correct
        if is_correct != (answer.mark == 100):
            lines.append(f"{answer.text!r} has the mark {answer.mark}")
    return lines


def _gives_listed_total(variant: Exercise, name: str) -> bool:
    """Return whether a deviation leads to the total of the count in which students look for the mistake."""
    total = int(variant.ledger[-1].text.replace(",", ""))
    return recount(variant.set, variant.seed, name) == total
