"""The lesson, read from `lesson.toml`: an hour in which a class counts BERT's parameters by hand, step by step.

Besides the steps, the file has the texts of the notebook, and those of the sheet and the
slides. The keys of a step, in addition to `name` and `title`:

- `explains`: the explanation that the teacher gives and the notebook shows, in paragraphs.
- `do`: the students' task.
- `board`: the text to write on the board.
- `ask`, `answer`: a question to the class, and the answer that the class should reach.
- `late`: what the teacher does if time is short.
- `level`: the level of the map that shows the counted part, for the slides.
- `minutes`: the duration of the step. All steps add up to an hour.
- `early`: exercises for students who finish early, each as `set:seed`.
- `hunt`: exercises in which the class looks for a mistake.
- `homework`: exercises for home.
- `counts`: the counts that students make. Each has a `name`; the keys of an entry of `asks`, which
  `sets.py` explains; `brief`, if all lines but the last are already on the board; and `mistakes`,
  the deviations to expect, each with the question that the teacher asks in return.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from macros.counting import BERT, Question, model_named
from macros.counting.architecture import ONE_LAYER
from macros.counting.blocks import blocks_of
from macros.counting.deviations import deviation_named
from macros.counting.errors import entry_of
from macros.rendering.components import numbers
from macros.rendering.components.asking import BASE, ask

from .exercise import Exercise, exercise
from .sets import BRACES, Ask, ask_of, fill, set_and_seed
from .wrong import deviating_numbers

FILE = Path(__file__).with_name("lesson.toml")

HOUR = 60
"""The number of minutes to which all steps must add up."""


class BadLesson(ValueError):
    """The steps of the lesson do not take an hour, or two counts have the same name."""


class ExpectedMistake(NamedTuple):
    """A mistake to expect: its deviation's name, the number that it leads to, and the question to ask in return."""

    name: str
    number: int
    question: str


class Count(NamedTuple):
    """A count that students make.

    Attributes:
        name: the name of the count in the lesson and in the notebook.
        ask: the part that is counted, with its sum.
        mistakes: the questions to ask in return, by name of the deviation.
        is_brief: whether only the last line of the sum is new on the board.
    """

    name: str
    ask: Ask
    mistakes: Mapping[str, str]
    is_brief: bool

    @property
    def question(self) -> Question:
        """The count as a question about BERT base."""
        return Question(model_named(BASE), self.ask.model_class, self.ask.part, self.ask.tag)

    @property
    def is_in_total(self) -> bool:
        """Whether the count is the total or one of its addends: the embeddings, the encoder and the pooler."""
        return not self.ask.tag and "layer_" not in self.ask.part

    def expected_mistakes(self) -> list[ExpectedMistake]:
        """The mistakes to expect that change the number, in the order of the file."""
        numbers_by_name = {deviation.name: number for deviation, number in deviating_numbers(self.question)}
        return [
            ExpectedMistake(name, numbers_by_name[name], question)
            for name, question in self.mistakes.items()
            if name in numbers_by_name
        ]


class LessonStep(NamedTuple):
    """A step of the lesson. `start` is its first minute; the docstring of this module explains the other fields."""

    name: str
    title: str
    start: int
    minutes: int
    explains: tuple[str, ...]
    do: str
    board: str
    ask: str
    answer: str
    late: str
    level: str = ""
    counts: tuple[Count, ...] = ()
    early: tuple[Exercise, ...] = ()
    hunt: tuple[Exercise, ...] = ()
    homework: tuple[Exercise, ...] = ()

    @property
    def end(self) -> int:
        """The minute at which the step ends."""
        return self.start + self.minutes

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """All exercises of the step."""
        return self.early + self.hunt + self.homework


class Lesson(NamedTuple):
    """The content of `lesson.toml`: the texts of the notebook, those of the sheet and the slides, and the steps."""

    notebook: Mapping[str, Any]
    sheet: Mapping[str, str]
    steps: tuple[LessonStep, ...]

    @property
    def counts(self) -> Iterator[Count]:
        """All counts that students make, in order."""
        return (count for step in self.steps for count in step.counts)


@lru_cache(maxsize=1)
def load_lesson(path: Path = FILE) -> Lesson:
    """The content of `lesson.toml`.

    Raises:
        BadConfig: the file is not TOML.
        BadLesson: the steps do not take an hour, or two counts have the same name.
        CountingError: a part, a deviation or an exercise does not exist.
    """
    content = blocks_of(path)
    blocks = content["steps"]
    starts = accumulate((block["minutes"] for block in blocks), initial=0)
    lesson = Lesson(content["notebook"], content["sheet"], tuple(map(_step, blocks, starts)))
    if (end := lesson.steps[-1].end) != HOUR:
        raise BadLesson(f"{path.name}: the steps take {end} minutes together; make them take {HOUR}")
    names = [count.name for count in lesson.counts]
    if repeated_name := next((name for name in names if names.count(name) > 1), ""):
        raise BadLesson(f"{path.name}: two counts are called {repeated_name}; give each count a name of its own")
    return lesson


def _step(block: dict[str, Any], start: int) -> LessonStep:
    """The step in a block of the file; `start` is its first minute."""
    exercise_fields = {
        key: tuple(exercise(*set_and_seed(address)) for address in block.get(key, ()))
        for key in ("early", "hunt", "homework")
    }
    other_fields = {"explains": tuple(block["explains"]), "counts": tuple(map(_count, block.get("counts", ())))}
    return LessonStep(**(block | exercise_fields | other_fields), start=start)


def _count(block: dict[str, Any]) -> Count:
    """A count of a step from its block; raises `CountingError` if the block names an unknown mistake."""
    for name in block["mistakes"]:
        deviation_named(name)  # raises an error here rather than when a page shows the lesson
    return Count(block["name"], ask_of(block), block["mistakes"], block.get("brief", False))


VALUES: Mapping[str, Callable[[], str]] = {
    **{symbol.letter: partial(numbers.size, symbol.letter, BASE) for symbol in BERT.symbols},
    "total": lambda: numbers.parameters(ask()),
    "rounded": lambda: numbers.in_millions(ask(), 2),
    "embeddings": lambda: numbers.share(ask("bert/embeddings"), ask()),
    "attention": lambda: numbers.share(ask(tag="self-attention"), ask()),
    "feed_forward": lambda: numbers.share(ask(tag="feed-forward"), ask()),
    "attention_layer": lambda: numbers.share(ask(ONE_LAYER, "self-attention"), ask(ONE_LAYER)),
    "feed_forward_layer": lambda: numbers.share(ask(ONE_LAYER, "feed-forward"), ask(ONE_LAYER)),
    "sizes": lambda: ", ".join(f"{size.letter}\u00a0=\u00a0{numbers.size(size.letter, BASE)}" for size in sizes()),
}
"""Functions that return the numbers to fill into texts, as HTML, by the names in the texts.

Each is called only for texts that need its number. "sizes" gives all sizes with their letters.
"""


class LessonSize(NamedTuple):
    """A size of BERT base: its letter, its key in the configuration, its meaning and its number."""

    letter: str
    key: str
    meaning: str
    number: int


def sizes() -> list[LessonSize]:
    """The required sizes of BERT base, which include the number of heads."""
    model = model_named(BASE)
    return [
        LessonSize(symbol.letter, symbol.key, symbol.meaning, model.sizes[symbol.letter])
        for symbol in BERT.symbols
        if symbol.is_required
    ]


def with_values(text: str) -> str:
    """A text with its numbers filled in, as HTML.

    Raises:
        CountingError: the text names a number that is not in `VALUES`.
    """
    return fill(text, **{name: entry_of(VALUES, "number of the lesson", name)() for name in BRACES.findall(text)})
