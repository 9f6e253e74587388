"""The contents of a question bank in any format: entries that are derived from exercises.

Students answer an entry in one of two ways. They type a number, for which the entry lists wrong
numbers with feedback, or they choose one of several options.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from macros.rendering.components.numbers import whole

from ..chance import SeededRandom
from ..exercise import Exercise, SolutionLine, exercise
from ..sets import MEMORY, UnknownExercise, fill, load_sets, set_named
from ..wrong import ONE_NUMBER, TIMES_HEADS, WrongAnswer

MAX_SEEDS = 1_000
"""The maximum number of variants in a file."""

UNIT_SLIP = "unit:"
"""The prefix of the names of slips with units, which are impossible if the question asks for plain bytes."""

MAX_DISTRACTORS = 4
"""The maximum number of wrong numbers to choose from, in addition to the correct one."""


class Answer(NamedTuple):
    """An answer to a question in a bank.

    Attributes:
        text: the number in digits, or the option.
        is_correct: whether the answer is correct.
        feedback: the comment on the answer.
        is_deviation: whether a known deviation leads to the answer.
        is_offered: whether it may be one of the numbers to choose from.
    """

    text: str
    is_correct: bool
    feedback: str
    is_deviation: bool = False
    is_offered: bool = True


class BankEntry(NamedTuple):
    """A question in a bank.

    Attributes:
        set, seed: the set and the seed of the exercise from which the entry is derived.
        name: the name by which teachers find it.
        text: the question, in paragraphs.
        ledger: the lines of a count with a mistake, if the question is about one.
        is_numeric: whether students type a number; otherwise they choose one of the answers.
        answers: the correct answer and the known wrong ones. Numbers consist of digits only.
        hints: hints, from vague to clear.
        solution: the sum, line by line.
    """

    set: str
    seed: int
    name: str
    text: tuple[str, ...]
    ledger: tuple[str, ...]
    is_numeric: bool
    answers: tuple[Answer, ...]
    hints: tuple[str, ...]
    solution: tuple[str, ...]

    @property
    def identifier(self) -> str:
        """The identifier for programs, which is the same in every file: `layer-7`."""
        return f"{self.set}-{self.seed}"


class Bank(NamedTuple):
    """Variants of a set, as questions."""

    set: str
    title: str
    entries: tuple[BankEntry, ...]


def bank_of(name: str, seeds: Iterable[int]) -> Bank:
    """The variants of a set with these seeds. Of variants with the same question and answers, only the first is kept.

    Raises:
        UnknownExercise: there is no such set or variant, or the number of seeds is zero or too large.
    """
    distinct_seeds = list(dict.fromkeys(seeds))
    if not 0 < len(distinct_seeds) <= MAX_SEEDS:
        raise UnknownExercise(
            f"{len(distinct_seeds):,} variants of {name} are asked for; choose from 1 to {MAX_SEEDS:,}"
        )
    entries: dict[object, BankEntry] = {}
    for seed in distinct_seeds:
        entry = _entry(exercise(name, seed))
        entries.setdefault((entry.text, entry.answers), entry)
    return Bank(name, set_named(name).title, tuple(entries.values()))


def _entry(source: Exercise) -> BankEntry:
    """An exercise as an entry of a bank."""
    exercise_set = set_named(source.set)
    texts = load_sets().banks
    # Platforms read only plain numbers, so a bank asks for bytes where the page would also accept MB.
    text = source.text.replace(exercise_set.note, texts["bytes"]) if source.kind == MEMORY else source.text
    return BankEntry(
        set=source.set,
        seed=source.seed,
        name=fill(texts["name"], title=exercise_set.title, seed=source.seed),
        text=tuple(filter(None, (text, source.sizes_text))),
        ledger=tuple(map(_line, source.ledger)),
        is_numeric=not source.options,
        answers=_answers_from_options(source) if source.options else _numeric_answers(source, texts["correct"]),
        hints=source.hints,
        solution=tuple(map(_line, source.solution)),
    )


def _answers_from_options(source: Exercise) -> tuple[Answer, ...]:
    """The options of an exercise as answers."""
    return tuple(Answer(option.text, option.is_correct, option.feedback) for option in source.options)


def _numeric_answers(source: Exercise, feedback_on_correct: str) -> tuple[Answer, ...]:
    """The correct number and the known wrong ones, except slips with units, each with its feedback."""
    wrong_answers = (
        Answer(str(answer.number), False, answer.feedback, bool(answer.titles), _is_offered(answer))
        for answer in source.wrong_answers
        if not answer.names[0].startswith(UNIT_SLIP)
    )
    return (Answer(str(source.answer), True, feedback_on_correct), *wrong_answers)


def _is_offered(answer: WrongAnswer) -> bool:
    """Whether a wrong number may be one of those to choose from.

    A seed must keep drawing the same numbers, so kinds of wrong numbers that were added later are not offered.
    """
    return not answer.names[0].startswith((ONE_NUMBER, TIMES_HEADS))


def _line(line: SolutionLine) -> str:
    """A line of a sum as text, beginning with its label."""
    return f"{line.label}: {line.text}"


def with_choices(entry: BankEntry) -> BankEntry:
    """The same question with numbers to choose from, for formats without feedback on typed numbers.

    Wrong numbers from known deviations are preferred; others are used only if there are too few of
    these. The set and the seed determine which numbers are offered and in which order.
    """
    if not entry.is_numeric:
        return entry
    rng = SeededRandom(f"{entry.set}:{entry.seed}:choices")
    correct, *wrong_answers = entry.answers
    offered_answers = [answer for answer in wrong_answers if answer.is_offered]
    # The sort is stable, so the order stays random within deviations and within slips.
    distractors = sorted(rng.shuffled(offered_answers), key=lambda answer: not answer.is_deviation)[:MAX_DISTRACTORS]
    answers = (answer._replace(text=whole(int(answer.text))) for answer in rng.shuffled([correct, *distractors]))
    return entry._replace(is_numeric=False, answers=tuple(answers))
