"""What is wrong with questions that were read back from a bank: each is held against the engine, answer by answer.

The engine counts every right answer again, and every wrong one that a known
deviation leads to; all feedback, hints and solutions must be those of the
exercise, and none may be lacking.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from macros.counting.deviations import load_deviations
from macros.counting.memory import BYTES
from macros.teaching.exercise import Exercise, SolutionLine, exercise
from macros.teaching.sets import load_sets
from tests.teaching.reading import Given, Read


class Holds(NamedTuple):
    """What a format can hold.

    Attributes:
        wrong: how many wrong numbers stand beside the right one, if so many are known; all by default.
        hints: whether it has hints.
        bare: whether it has nothing but questions on a line, and answers.
    """

    wrong: int | None = None
    hints: bool = True
    bare: bool = False


BY_FORMAT = {
    "moodle": Holds(),
    "gift": Holds(hints=False),
    "canvas": Holds(wrong=0, hints=False),
    "canvas-choices": Holds(wrong=4, hints=False),
    "brightspace": Holds(wrong=0),
    "blackboard": Holds(wrong=0, hints=False, bare=True),
    "csv": Holds(),
}
"""By the name of a format, and what it holds besides."""


def faults(found: Sequence[Read], name: str, seeds: Sequence[int], holds: Holds) -> list[str]:
    """Everything that is wrong with a bank: one line for each fault, with the question it is in."""
    expected = distinct([drawn(name, seed) for seed in seeds])
    wanted = [f"{each.set}-{each.seed}" for each in expected]
    if holds.bare and len(wanted) == len(found):
        found = [read._replace(identifier=name) for read, name in zip(found, wanted, strict=True)]
    if wanted != [each.identifier for each in found]:
        return [f"there are {[each.identifier for each in found]}, not {wanted}"]
    return [
        f"{read.identifier}: {fault}"
        for read, asked in zip(found, expected, strict=True)
        for fault in _faults(read, asked, holds)
    ]


@cache
def drawn(name: str, seed: int) -> Exercise:
    """An exercise, drawn once for all formats."""
    return exercise(name, seed)


@cache
def recounted(name: str, seed: int, deviation: str) -> int:
    """What the engine counts with a deviation."""
    return drawn(name, seed).question._replace(deviations=(deviation,)).number


def distinct(listed: Sequence[Exercise]) -> list[Exercise]:
    """The first of those that ask the same of the same model."""
    found: dict[object, Exercise] = {}
    for each in listed:
        found.setdefault((each.text, each.given, each.options), each)
    return list(found.values())


def _faults(read: Read, asked: Exercise, holds: Holds) -> list[str]:
    text = [asked.text, asked.given, *map(_line, asked.ledger)]
    if asked.unit == "bytes":
        text[0] = read.text[0]  # it asks for bytes, and for nothing else
    if holds.bare:
        ledger = "; ".join(map(_line, asked.ledger))
        text = [" ".join(" ".join((asked.text, asked.given, ledger)).split())]
        text = read.text if asked.unit == "bytes" else text
    found = [
        ("text", [each for each in text if each], read.text),
        ("solution", [] if holds.bare else list(map(_line, asked.solution)), read.solution),
        ("hints", list(asked.hints) if holds.hints else [], read.hints),
        ("marks", [100] + [0] * (len(read.answers) - 1), sorted((each.mark for each in read.answers), reverse=True)),
        ("tolerance", {0}, {each.tolerance for each in read.answers}),
        ("answers", len(read.answers), len({each.text for each in read.answers})),
    ]
    lines = [f"the {what} should be {wanted}, not {got}" for what, wanted, got in found if wanted != got]
    return lines + (_of_options(read, asked, holds) if asked.options else _of_numbers(read, asked, holds))


def _line(line: SolutionLine) -> str:
    return f"{line.what}: {line.text}"


# --- Numbers ----------------------------------------------------------------------


def _of_numbers(read: Read, asked: Exercise, holds: Holds) -> list[str]:
    """Each number counted again: the right one, those of deviations; and no feedback lacks."""
    width = next((size for dtype, size in BYTES.items() if f" {dtype}?" in asked.text), 1)
    right = asked.ask.number(asked.question.model) * width
    known = {each.number: each for each in asked.wrong if not each.names[0].startswith("unit:")}
    numbers = {int(each.text.replace(",", "")): each for each in read.answers}
    expected = len(known) if holds.wrong is None else min(holds.wrong, len(known))
    found = [] if len(numbers) == 1 + expected else [f"there are {len(numbers)} answers, not {1 + expected}"]
    for number, given in numbers.items():
        if (number == right) != (given.mark == 100):
            found.append(f"{number} has the mark {given.mark}, and {right} is right")
        elif number == right and holds.wrong == 0:
            continue
        elif number == right:
            found += _of_feedback(given, load_sets().banks["right"])
        elif number not in known:
            found.append(f"{number} is no known wrong answer")
        else:
            found += _of_feedback(given, known[number].feedback)
            made = [name for name in known[number].names if name in load_deviations()]
            counted = {recounted(asked.set, asked.seed, name) * width for name in made}
            if counted - {number}:
                found.append(f"{made} give {counted}, not {number}")
    return found


def _of_feedback(given: Given, feedback: str) -> list[str]:
    if given.feedback == feedback:
        return []
    return [f"the feedback to {given.text} is {given.feedback!r}, not {feedback!r}"]


# --- Options ----------------------------------------------------------------------


def _of_options(read: Read, asked: Exercise, holds: Holds) -> list[str]:
    """Each option as the exercise has it, and a mistake counted again."""
    known = {each.text: each for each in asked.options}
    known = {" ".join(text.split()): each for text, each in known.items()} if holds.bare else known
    if set(known) != {each.text for each in read.answers}:
        return [f"the options are {[each.text for each in read.answers]}"]
    found = []
    for given in read.answers:
        option = known[given.text]
        found += _of_feedback(given, "" if holds.bare else option.feedback)
        right = _leads_there(asked, option.name) if asked.ledger else option.right
        if right != (given.mark == 100):
            found.append(f"{given.text!r} has the mark {given.mark}")
    return found


def _leads_there(asked: Exercise, name: str) -> bool:
    """Whether a deviation gives the number that the count to look at ends in."""
    got = int(asked.ledger[-1].text.replace(",", ""))
    return recounted(asked.set, asked.seed, name) == got
