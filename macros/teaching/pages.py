"""Exercises on pages, with hints and solutions that can be unfolded.

Hints and solutions need no scripts. The form of an exercise sends the answer to the page of
exercises, whose scripts judge it.
"""

from __future__ import annotations

from macros.counting import model_named
from macros.counting.errors import entry_of
from macros.rendering.components.templates import render

from .exercise import exercise
from .sets import MADE_UP, UnknownExercise, load_sets

FIXED_EXERCISES = "fixed"
"""The name of the exercises on the page that judges answers.

They have no forms, because only readers without scripts see them.
"""


def fold(page: str) -> str:
    """The exercises of a page, with hints and solutions that can be unfolded: `fold("attention")`.

    Args:
        page: the name of the exercises under `[pages]` in `exercises.toml`.

    Raises:
        CountingError: no exercises have this name.
        UnknownExercise: an exercise is about made-up sizes, but numbers on pages must be those of
            published models.
    """
    exercises = [exercise(name, seed) for name, seed in entry_of(load_sets().pages, "exercises", page)]
    for variant in exercises:
        model = variant.question.model
        if model.name == MADE_UP or not model_named(model.name).sizes.items() <= model.sizes.items():
            raise UnknownExercise(
                f"{variant.set}:{variant.seed} is about made-up sizes; choose a seed that draws a published model"
            )
    return render("exercises.html", id=f"exercises-{page}", exercises=exercises, has_fields=page != FIXED_EXERCISES)


TOPIC = {"fold": fold}
"""The macros of pages with exercises."""
