"""Exercises on pages, with hints and solutions that can be unfolded.

Hints and solutions need no scripts. The form of an exercise sends the answer to the page of
exercises, whose scripts judge it.
"""

from __future__ import annotations

from macros.counting.errors import entry_of
from macros.rendering.components.templates import render

from .exercise import check_sizes, exercise
from .sets import load_sets

FIXED_EXERCISES = "fixed"
"""The name of the exercises that the page of exercises shows to readers without scripts.

They have no forms, because only scripts judge answers.
"""


def fold(page: str) -> str:
    """The exercises of a page, with hints and solutions that can be unfolded: `fold("attention")`.

    Args:
        page: the name of the exercises under `[pages]` in `exercises.toml`.

    Raises:
        CountingError: no exercises have this name.
        UnknownExercise: an exercise is about made-up sizes.
    """
    exercises = [exercise(name, seed) for name, seed in entry_of(load_sets().pages, "exercises", page)]
    for variant in exercises:
        check_sizes(variant)
    return render("exercises.html", id=f"exercises-{page}", exercises=exercises, has_fields=page != FIXED_EXERCISES)


TOPIC = {"fold": fold}
"""The macros of pages with exercises."""
