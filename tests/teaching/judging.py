"""Finds faults in a question bank that was read back, by comparing every answer with the engine.

The engine counts every correct answer again, and every wrong answer that a known deviation gives.
Feedback, hints and solutions must be those of the exercise, and none may be missing.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from macros.counting.deviations import load_deviations
from macros.counting.memory import BYTES
from macros.teaching.exercise import Exercise, SolutionLine, exercise
from macros.teaching.sets import load_sets
from tests.teaching.reading import Given, Read


class Capacity(NamedTuple):
    """The parts of an exercise that a format has room for.

    Attributes:
        wrong: the most wrong numbers besides the correct one; None if there is no limit.
        hints: whether it has hints.
        bare: whether it has only answers, and questions of one line.
    """

    wrong: int | None = None
    hints: bool = True
    bare: bool = False


BY_FORMAT = {
    "moodle": Capacity(),
    "gift": Capacity(hints=False),
    "canvas": Capacity(wrong=0, hints=False),
    "canvas-choices": Capacity(wrong=4, hints=False),
    "brightspace": Capacity(wrong=0),
    "blackboard": Capacity(wrong=0, hints=False, bare=True),
    "csv": Capacity(),
}
"""The capacity of each format by name. Canvas has two: numbers to type, and the same to choose."""


def faults(bank: Sequence[Read], name: str, seeds: Sequence[int], capacity: Capacity) -> list[str]:
    """A line for each fault in a bank, with the name of its question."""
    expected = distinct([variant_of(name, seed) for seed in seeds])
    identifiers = [f"{variant.set}-{variant.seed}" for variant in expected]
    # A bare format has no identifiers, but its questions are in order.
    if capacity.bare and len(identifiers) == len(bank):
        bank = [
            question._replace(identifier=identifier) for question, identifier in zip(bank, identifiers, strict=True)
        ]
    if identifiers != [question.identifier for question in bank]:
        return [f"there are {[question.identifier for question in bank]}, not {identifiers}"]
    return [
        f"{question.identifier}: {fault}"
        for question, variant in zip(bank, expected, strict=True)
        for fault in _faults(question, variant, capacity)
    ]


@cache
def variant_of(name: str, seed: int) -> Exercise:
    """An exercise, drawn once for all formats."""
    return exercise(name, seed)


@cache
def recount(name: str, seed: int, deviation: str) -> int:
    """The number that the engine counts with a deviation."""
    return variant_of(name, seed).question._replace(deviations=(deviation,)).number


def distinct(variants: Sequence[Exercise]) -> list[Exercise]:
    """The variants without those that repeat an earlier question."""
    by_question: dict[object, Exercise] = {}
    for variant in variants:
        by_question.setdefault((variant.text, variant.given, variant.options), variant)
    return list(by_question.values())


def _faults(question: Read, variant: Exercise, capacity: Capacity) -> list[str]:
    text = [variant.text, variant.given, *map(_line, variant.ledger)]
    if variant.unit == "bytes":
        text[0] = question.text[0]  # A bank asks for plain bytes; test_banks.py checks these words.
    if capacity.bare:
        ledger = "; ".join(map(_line, variant.ledger))
        text = [" ".join(" ".join((variant.text, variant.given, ledger)).split())]
        text = question.text if variant.unit == "bytes" else text
    aspects = [
        ("text", [paragraph for paragraph in text if paragraph], question.text),
        ("solution", [] if capacity.bare else list(map(_line, variant.solution)), question.solution),
        ("hints", list(variant.hints) if capacity.hints else [], question.hints),
        (
            "marks",
            [100] + [0] * (len(question.answers) - 1),
            sorted((answer.mark for answer in question.answers), reverse=True),
        ),
        ("tolerance", {0}, {answer.tolerance for answer in question.answers}),
        ("answers", len(question.answers), len({answer.text for answer in question.answers})),
    ]
    lines = [f"the {aspect} should be {right}, not {actual}" for aspect, right, actual in aspects if right != actual]
    return lines + (
        _of_options(question, variant, capacity) if variant.options else _of_numbers(question, variant, capacity)
    )


def _line(line: SolutionLine) -> str:
    return f"{line.label}: {line.text}"


# --- Numbers ----------------------------------------------------------------------


def _of_numbers(question: Read, variant: Exercise, capacity: Capacity) -> list[str]:
    """Faults in numbers: each is counted again, and each must have its feedback."""
    width = next((size for dtype, size in BYTES.items() if f" {dtype}?" in variant.text), 1)
    correct = variant.ask.number(variant.question.model) * width
    wrong_by_number = {wrong.number: wrong for wrong in variant.wrong if not wrong.names[0].startswith("unit:")}
    numbers = {int(answer.text.replace(",", "")): answer for answer in question.answers}
    expected = len(wrong_by_number) if capacity.wrong is None else min(capacity.wrong, len(wrong_by_number))
    lines = [] if len(numbers) == 1 + expected else [f"there are {len(numbers)} answers, not {1 + expected}"]
    for number, answer in numbers.items():
        if (number == correct) != (answer.mark == 100):
            lines.append(f"{number} has the mark {answer.mark}, and {correct} is right")
        elif number == correct and capacity.wrong == 0:
            continue
        elif number == correct:
            lines += _of_feedback(answer, load_sets().banks["right"])
        elif number not in wrong_by_number:
            lines.append(f"{number} is no known wrong answer")
        else:
            lines += _of_feedback(answer, wrong_by_number[number].feedback)
            deviations = [name for name in wrong_by_number[number].names if name in load_deviations()]
            recounts = {recount(variant.set, variant.seed, name) * width for name in deviations}
            if recounts - {number}:
                lines.append(f"{deviations} give {recounts}, not {number}")
    return lines


def _of_feedback(answer: Given, feedback: str) -> list[str]:
    if answer.feedback == feedback:
        return []
    return [f"the feedback to {answer.text} is {answer.feedback!r}, not {feedback!r}"]


# --- Options ----------------------------------------------------------------------


def _of_options(question: Read, variant: Exercise, capacity: Capacity) -> list[str]:
    """Faults in options: they must be those of the exercise, and a mistake is counted again."""
    option_by_text = {option.text: option for option in variant.options}
    option_by_text = (
        {" ".join(text.split()): option for text, option in option_by_text.items()} if capacity.bare else option_by_text
    )
    if set(option_by_text) != {answer.text for answer in question.answers}:
        return [f"the options are {[answer.text for answer in question.answers]}"]
    lines = []
    for answer in question.answers:
        option = option_by_text[answer.text]
        lines += _of_feedback(answer, "" if capacity.bare else option.feedback)
        is_correct = _leads_there(variant, option.name) if variant.ledger else option.correct
        if is_correct != (answer.mark == 100):
            lines.append(f"{answer.text!r} has the mark {answer.mark}")
    return lines


def _leads_there(variant: Exercise, name: str) -> bool:
    """Return whether a deviation gives the total of the count to look at."""
    total = int(variant.ledger[-1].text.replace(",", ""))
    return recount(variant.set, variant.seed, name) == total
