"""What a question bank holds, whatever its format: entries made from exercises.

An entry either has a number for an answer, and every number that is known to
be wrong with its feedback, or it has options.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from macros.rendering.components.numbers import whole

from ..chance import Chance
from ..exercise import Exercise, SolutionLine, exercise
from ..sets import MEMORY, UnknownExercise, filled, load_sets, set_named

MOST_SEEDS = 1_000
"""How many variants one file may be made from: enough for any course, and made within a minute."""

OF_ANOTHER_UNIT = "unit:"
"""How the slips of a unit begin, which nobody makes where bytes are asked for."""

DISTRACTORS = 4
"""How many wrong numbers stand beside the right one where an entry has to be a choice."""


class Answer(NamedTuple):
    """An answer, whether it is right, what a teacher says to it, and whether a known deviation leads to it."""

    text: str
    right: bool
    feedback: str
    deviates: bool = False


class Entry(NamedTuple):
    """A question.

    Attributes:
        set, seed: the exercise that it is.
        name: what teachers find it by.
        text: what is asked, in paragraphs.
        ledger: a count to look at, line by line; mostly empty.
        numeric: whether a number is typed; else one of the answers is chosen.
        answers: the right one and all wrong ones that are known; a number is written in digits alone.
        hints: what helps, step by step.
        solution: the sum, line by line.
    """

    set: str
    seed: int
    name: str
    text: tuple[str, ...]
    ledger: tuple[str, ...]
    numeric: bool
    answers: tuple[Answer, ...]
    hints: tuple[str, ...]
    solution: tuple[str, ...]

    @property
    def identifier(self) -> str:
        """A name for programs, the same in every file: `layer-7`."""
        return f"{self.set}-{self.seed}"


class Bank(NamedTuple):
    """Some variants of a set."""

    set: str
    title: str
    entries: tuple[Entry, ...]


def bank_of(name: str, seeds: Iterable[int]) -> Bank:
    """The variants of a set with these seeds; of variants that ask the same, the first.

    Raises:
        UnknownExercise: there is no such set, or no such variant, or none at all or too many are asked for.
    """
    wanted = list(dict.fromkeys(seeds))
    if not 0 < len(wanted) <= MOST_SEEDS:
        raise UnknownExercise(f"{len(wanted):,} variants of {name} are asked for; choose from 1 to {MOST_SEEDS:,}")
    found: dict[object, Entry] = {}
    for seed in wanted:
        entry = _entry(exercise(name, seed))
        found.setdefault((entry.text, entry.answers), entry)
    return Bank(name, set_named(name).title, tuple(found.values()))


def _entry(asked: Exercise) -> Entry:
    chosen, texts = set_named(asked.set), load_sets().banks
    text = asked.text.replace(chosen.note, texts["bytes"]) if asked.kind == MEMORY else asked.text
    return Entry(
        asked.set,
        asked.seed,
        filled(texts["name"], title=chosen.title, seed=asked.seed),
        tuple(filter(None, (text, asked.given))),
        tuple(map(_line, asked.ledger)),
        not asked.options,
        _options(asked) if asked.options else _numbers(asked, texts["right"]),
        asked.hints,
        tuple(map(_line, asked.solution)),
    )


def _options(asked: Exercise) -> tuple[Answer, ...]:
    return tuple(Answer(each.text, each.right, each.feedback) for each in asked.options)


def _numbers(asked: Exercise, right: str) -> tuple[Answer, ...]:
    wrong = (
        Answer(str(each.number), False, each.feedback, bool(each.titles))
        for each in asked.wrong
        if not each.names[0].startswith(OF_ANOTHER_UNIT)
    )
    return (Answer(str(asked.answer), True, right), *wrong)


def _line(line: SolutionLine) -> str:
    return f"{line.what}: {line.text}"


def with_choices(entry: Entry) -> Entry:
    """The same question as a choice, for formats that give no feedback to typed numbers.

    The wrong numbers are those of known deviations, and of slips in the sum
    where there are too few; which ones, and in which order, follows from the
    set and the seed.
    """
    if not entry.numeric:
        return entry
    chance = Chance(f"{entry.set}:{entry.seed}:choices")
    right, *wrong = entry.answers
    drawn = sorted(chance.shuffled(wrong), key=lambda each: not each.deviates)[:DISTRACTORS]
    answers = (each._replace(text=whole(int(each.text))) for each in chance.shuffled([right, *drawn]))
    return entry._replace(numeric=False, answers=tuple(answers))
