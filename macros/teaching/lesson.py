"""The lesson, read from `lesson.toml`: an hour in which a class counts BERT by hand, step by step.

A step says in `explains` what the teacher says and the notebook explains; in
`do` what the students do; in `board` what is written; in `ask` and `answer`
a question to the class with what it should come to; in `late` what to leave
out where time runs short; and in `minutes` how long it takes. `early` are
exercises for those who are done before the others, each as `set:seed`; so are
`hunt`, which the class solves, and `homework`. `counts` are what the students
count in it, each a part and a tag as for a `Question`, with `brief` where its
parts are on the board already, and with `mistakes`: the deviations to expect,
each with the question that a teacher asks back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from macros.counting import BERT, Question, model_named
from macros.counting.blocks import blocks_of
from macros.counting.deviations import deviation_named
from macros.counting.errors import entry_of
from macros.rendering.components import numbers
from macros.rendering.components.asking import BASE, ask

from .exercise import Exercise, exercise
from .sets import BRACES, Ask, address_of, ask_of, filled
from .wrong import deviating_numbers

FILE = Path(__file__).with_name("lesson.toml")

HOUR = 60
"""The minutes that all steps take together."""

LAYER = "bert/encoder/layer_0"


class BadLesson(ValueError):
    """The lesson is not what its page says: it does not take an hour, or names a thing twice."""


class Mistake(NamedTuple):
    """A deviation to expect, by name; the number of what is asked that it leads to; what to ask back."""

    name: str
    number: int
    ask: str


class Count(NamedTuple):
    """Something that students count: its name, what is asked about, questions to ask back by deviation, and `brief`."""

    name: str
    ask: Ask
    mistakes: Mapping[str, str]
    brief: bool

    @property
    def question(self) -> Question:
        """The same of BERT base."""
        return Question(model_named(BASE), self.ask.model_class, self.ask.part, self.ask.tag)

    @property
    def adds_up(self) -> bool:
        """Whether the total is the sum of this and its like, or is it: no part of a layer, no tag."""
        return not self.ask.tag and "layer_" not in self.ask.part

    def expected(self) -> list[Mistake]:
        """The mistakes to expect that lead to another number, in the order of the file."""
        found = {each.name: number for each, number in deviating_numbers(self.question)}
        return [Mistake(name, found[name], ask) for name, ask in self.mistakes.items() if name in found]


class LessonStep(NamedTuple):
    """A step of the lesson, with the minute at which it starts; see the head of this file."""

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
    counts: tuple[Count, ...] = ()
    early: tuple[Exercise, ...] = ()
    hunt: tuple[Exercise, ...] = ()
    homework: tuple[Exercise, ...] = ()

    @property
    def end(self) -> int:
        """The minute at which it ends."""
        return self.start + self.minutes

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """Every exercise that it uses."""
        return self.early + self.hunt + self.homework


class Lesson(NamedTuple):
    """All of the file."""

    notebook: Mapping[str, Any]
    sheet: Mapping[str, str]
    steps: tuple[LessonStep, ...]

    @property
    def counts(self) -> Iterator[Count]:
        """What students count, in order."""
        return (each for step in self.steps for each in step.counts)


@lru_cache(maxsize=1)
def load_lesson(path: Path = FILE) -> Lesson:
    """The lesson.

    Raises:
        BadConfig: the file is not TOML.
        BadLesson: it does not take an hour, or two counts have the same name.
        CountingError: there is no such part or deviation.
    """
    found = blocks_of(path)
    listed = found["steps"]
    starts = accumulate((each["minutes"] for each in listed), initial=0)
    lesson = Lesson(found["notebook"], found["sheet"], tuple(map(_step, listed, starts)))
    if (end := lesson.steps[-1].end) != HOUR:
        raise BadLesson(f"{path.name}: the steps take {end} minutes together; make them take {HOUR}")
    names = [each.name for each in lesson.counts]
    if len(set(names)) != len(names):
        raise BadLesson(f"{path.name}: {', '.join(names)} hold a name twice; give each count its own")
    return lesson


def _step(block: dict[str, Any], start: int) -> LessonStep:
    used = {
        key: tuple(exercise(*address_of(each)) for each in block.get(key, ())) for key in ("early", "hunt", "homework")
    }
    lists = {"explains": tuple(block["explains"]), "counts": tuple(map(_count, block.get("counts", ())))}
    return LessonStep(**{**block, **used, **lists, "start": start})


def _count(block: dict[str, Any]) -> Count:
    for name in block["mistakes"]:
        deviation_named(name)
    return Count(block["name"], ask_of(block), block["mistakes"], block.get("brief", False))


VALUES: Mapping[str, Callable[[], str]] = {
    **{each.letter: lambda letter=each.letter: numbers.size(letter, BASE) for each in BERT.symbols},  # type: ignore[misc]
    "total": lambda: numbers.counted(ask()),
    "rounded": lambda: numbers.in_millions(ask(), 2),
    "embeddings": lambda: numbers.share(ask("bert/embeddings"), ask()),
    "attention": lambda: numbers.share(ask(tag="self-attention"), ask()),
    "feed_forward": lambda: numbers.share(ask(tag="feed-forward"), ask()),
    "attention_layer": lambda: numbers.share(ask(LAYER, "self-attention"), ask(LAYER)),
    "feed_forward_layer": lambda: numbers.share(ask(LAYER, "feed-forward"), ask(LAYER)),
    "sizes": lambda: ", ".join(f"{each.letter}\u00a0=\u00a0{numbers.size(each.letter, BASE)}" for each in sizes()),
}
"""What the texts may fill in, as HTML."""


class Used(NamedTuple):
    """A size that the lesson uses: its letter, its config key, what it counts, and its number in base."""

    letter: str
    key: str
    meaning: str
    number: int


def sizes() -> list[Used]:
    """The sizes of base that the bare model is made of, and the number of heads."""
    model = model_named(BASE)
    return [Used(each.letter, each.key, each.meaning, model.sizes[each.letter]) for each in BERT.symbols if each.needed]


def with_values(text: str) -> str:
    """A text with its numbers filled in, as HTML.

    Raises:
        CountingError: it names a number that the lesson has not.
    """
    return filled(text, **{name: entry_of(VALUES, "number of the lesson", name)() for name in BRACES.findall(text)})
