"""Foldable exercises on pages.

They need no script. Their fields lead to the page of exercises, which judges
what was typed.
"""

from __future__ import annotations

from macros.counting import model_named
from macros.counting.errors import entry_of
from macros.rendering.components.templates import render

from .exercise import exercise
from .sets import OWN, UnknownExercise, load_sets

FIXED = "fixed"
"""The exercises for readers without scripts, on the page that judges answers with them: they have no other field."""


def folded(page: str) -> str:
    """The exercises of a page, with foldable hints and solutions: `folded("attention")`.

    Args:
        page: their name in `exercises.toml`.

    Raises:
        CountingError: no exercises have that name.
        UnknownExercise: one of them is not about a published model as it is; only what is follows the data.
    """
    exercises = [exercise(*each) for each in entry_of(load_sets().pages, "exercises", page)]
    for each in exercises:
        model = each.asked.model
        if model.name == OWN or not model_named(model.name).sizes.items() <= model.sizes.items():
            raise UnknownExercise(
                f"{each.set}:{each.seed} is about sizes of its own; choose a seed with a published model"
            )
    return render("exercises.html", id=f"exercises-{page}", exercises=exercises, has_fields=page != FIXED)


TOPIC = {"folded": folded}
"""What pages with exercises call."""
