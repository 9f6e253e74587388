"""Exercises about counting BERT, as values: question, answer, hints, solution, and what each wrong answer means.

`exercise("layer", 7)` is one of them; a set and a seed say which, on the page,
in a question bank and here alike.
"""

from .exercise import Exercise, Option, exercise
from .sets import UnknownExercise, load_sets
from .wrong import Wrong

__all__ = ["Exercise", "Option", "UnknownExercise", "Wrong", "exercise", "load_sets"]
