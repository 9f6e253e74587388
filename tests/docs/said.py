"""Collects the texts of scripts and data files, with the words in them that depend on a condition.

Any of these texts may appear on any page.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from macros.counting import load_models, load_relatives
from macros.counting.deviations import load_deviations
from macros.counting.models import load_groups
from macros.counting.published.claims import load_claims
from macros.counting.published.conventions import load_conventions
from macros.counting.published.others import load_others
from macros.teaching.lesson import load_lesson
from macros.teaching.sets import load_sets
from tests.docs.building import ROOT

SCRIPT_COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*", re.DOTALL)
SCRIPT_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`', re.DOTALL)


class Said(NamedTuple):
    """A text, its origin, and the words in it that depend on a condition."""

    where: str
    text: str
    held_words: tuple[str, ...] = ()


def said_by_script(path: Path, root: Path = ROOT) -> Iterator[Said]:
    """The strings of a script, without their interpolated values."""
    text = SCRIPT_COMMENT.sub("", path.read_text(encoding="utf-8"))
    for string in SCRIPT_STRING.findall(text):
        yield Said(str(path.relative_to(root)), re.sub(r"\$\{[^{}]*\}", " ", string))


def said_by_data() -> Iterator[Said]:
    """The texts of the data files."""
    for deviation in load_deviations().values():
        conditioned = tuple(words for words, _ in deviation.holds)
        texts = (deviation.title, deviation.done, deviation.undo, deviation.why, deviation.notice)
        yield from (Said(f"deviations.toml, {deviation.name}", text, conditioned) for text in texts)
    for claim in (claim for claims in load_claims().values() for claim in claims):
        conditioned = tuple(words for words, _ in claim.holds)
        where = f"claims.toml, {claim.source.name}, {claim.position}"
        yield from (Said(where, text, conditioned) for text in (claim.counts, claim.note))
    for name, convention in load_conventions().items():
        yield from (Said("conventions.toml", text) for text in (name, convention.printed_by))
    for models in (load_models(), load_relatives()):
        yield from (Said(f"model {name}", model.title) for name, model in models.items())
    yield from (Said(f"groups.toml, {name}", group.title) for name, group in load_groups().items())
    yield from (Said(f"others.toml, {name}", other.title) for name, other in load_others().items())
    sets = load_sets()
    yield from (Said(f"exercises.toml, {name}", text) for name, text in sets.texts.items())
    for mistake in sets.deviations:
        texts_of_mistake = (mistake.title, mistake.done, mistake.undo, mistake.why)
        yield from (Said(f"exercises.toml, {mistake.name}", text) for text in texts_of_mistake)
    for exercise_set in sets.sets.values():
        words = (exercise_set.title, exercise_set.text, *exercise_set.hints, *(ask.words for ask in exercise_set.asks))
        yield from (Said(f"exercises.toml, {exercise_set.name}", text) for text in words)
    yield from (Said("lesson.toml", text) for text in said_in_lesson())


def said_in_lesson() -> Iterator[str]:
    """The texts of the lesson, for teachers and for students."""
    for text in load_lesson().notebook.values():
        yield from [text] if isinstance(text, str) else text
    for step in load_lesson().steps:
        yield from (step.title, *step.explains, step.do, step.board, step.ask, step.answer, step.late)
        yield from (mistake for count in step.counts for mistake in count.mistakes.values())


@cache
def all_said() -> tuple[Said, ...]:
    """The texts of all scripts and data files."""
    return tuple(_all_said())


def _all_said() -> Iterator[Said]:
    for folder in ("answering", "drawing", "exercises", "explaining/kinds", "pages"):
        for path in sorted((ROOT / "docs/assets" / folder).glob("*.js")):
            yield from said_by_script(path)
    yield from said_by_data()
