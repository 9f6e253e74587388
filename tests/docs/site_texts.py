"""Collects the texts on pages that come from scripts and data files, with their conditional words.

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
"""A string of JavaScript in double quotation marks, or a template."""


class SiteText(NamedTuple):
    """A text, its origin, and the conditional words of the entry that it belongs to."""

    origin: str
    text: str
    conditional_words: tuple[str, ...] = ()


def texts_of_script(path: Path, root: Path = ROOT) -> Iterator[SiteText]:
    """The strings in a script, without the values that are inserted into templates."""
    text = SCRIPT_COMMENT.sub("", path.read_text(encoding="utf-8"))
    for string in SCRIPT_STRING.findall(text):
        yield SiteText(str(path.relative_to(root)), re.sub(r"\$\{[^{}]*\}", " ", string))


def texts_of_data() -> Iterator[SiteText]:
    """The texts of the data files."""
    for deviation in load_deviations().values():
        conditional_words = tuple(words for words, _ in deviation.holds)
        texts = (deviation.title, deviation.done, deviation.undo, deviation.why, deviation.notice)
        yield from (SiteText(f"deviations.toml, {deviation.name}", text, conditional_words) for text in texts)
    for claim in (claim for claims in load_claims().values() for claim in claims):
        conditional_words = tuple(words for words, _ in claim.holds)
        origin = f"claims.toml, {claim.source.name}, {claim.position}"
        yield from (SiteText(origin, text, conditional_words) for text in (claim.counts, claim.note))
    for name, convention in load_conventions().items():
        yield from (SiteText("conventions.toml", text) for text in (name, convention.printed_by))
    for models in (load_models(), load_relatives()):
        yield from (SiteText(f"model {name}", model.title) for name, model in models.items())
    yield from (SiteText(f"groups.toml, {name}", group.title) for name, group in load_groups().items())
    yield from (SiteText(f"others.toml, {name}", other.title) for name, other in load_others().items())
    sets = load_sets()
    yield from (SiteText(f"exercises.toml, {name}", text) for name, text in sets.texts.items())
    for mistake in sets.deviations:
        wordings = (mistake.title, mistake.done, mistake.undo, mistake.why)
        yield from (SiteText(f"exercises.toml, {mistake.name}", text) for text in wordings)
    for exercise_set in sets.sets.values():
        words_of_questions = (question.words for question in exercise_set.asks)
        texts_of_set = (exercise_set.title, exercise_set.text, *exercise_set.hints, *words_of_questions)
        yield from (SiteText(f"exercises.toml, {exercise_set.name}", text) for text in texts_of_set)
    yield from (SiteText("lesson.toml", text) for text in texts_of_lesson())


def texts_of_lesson() -> Iterator[str]:
    """The texts of the lesson, for teachers and for students."""
    for text in load_lesson().notebook.values():
        yield from [text] if isinstance(text, str) else text
    for step in load_lesson().steps:
        yield from (step.title, *step.explains, step.do, step.board, step.ask, step.answer, step.late)
        yield from (mistake for count in step.counts for mistake in count.mistakes.values())


@cache
def all_texts() -> tuple[SiteText, ...]:
    """The texts in all scripts and data files."""
    paths = sorted((ROOT / "docs/assets").rglob("*.js"))
    return (*(text for path in paths for text in texts_of_script(path)), *texts_of_data())


FOLDERS_WITH_QUANTITIES = tuple(
    f"docs/assets/{folder}/" for folder in ("answering", "drawing", "exercises", "explaining/kinds", "pages")
)
"""The folders of scripts whose words for quantities are checked.

In other scripts, such words are in patterns for what readers write, are about numbers that the script has counted, or
are true whatever the sizes.
"""


def texts_with_quantities() -> list[SiteText]:
    """The texts whose words for quantities are checked: those in data files and in some scripts."""
    return [
        text
        for text in all_texts()
        if text.origin.startswith(FOLDERS_WITH_QUANTITIES) or not text.origin.startswith("docs/assets/")
    ]
