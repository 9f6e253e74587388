"""The lists that `--list` prints: the models, classes and changes that the command knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ..architectures import ARCHITECTURES
from ..changes.methods import WORDS, load_methods, usage
from ..models import load_models, load_relatives, models_by_every_name
from ..question import Question
from .columns import lines_in_columns


def model_lines() -> Iterator[str]:
    """Lines for every published model, under each of its names, with the total of its bare class.

    Checkpoints that the data lists under `also` have lines of their own.
    """
    rows = [("model", "class", "parameters")]
    for model in (*load_models().values(), *load_relatives().values()):
        question = Question(model)
        row = (question.resolved_class.name, f"{question.number:,}")
        rows += [(name, *row) for name in (model.name, *model.also) if models_by_every_name()[name] is model]
    return iter(lines_in_columns(rows))


def class_lines() -> Iterator[str]:
    """Lines for every class, by architecture, with its task."""
    rows = [("model_type", "class", "task")]
    for model_type, architecture in ARCHITECTURES.items():
        rows += [(model_type, model_class.name, model_class.purpose) for model_class in architecture.classes]
    return iter(lines_in_columns(rows, number_columns=()))


def change_lines() -> Iterator[str]:
    """Lines for every change, with the form in which it is written and its name in print."""
    rows = [("change", "what it is")]
    rows += [(usage(method), method.title) for method in load_methods().values()]
    words = "; ".join(f"{option}: {', '.join(values)}" for option, values in WORDS.items())
    yield from lines_in_columns(rows, number_columns=())
    yield "N is a number, NAMES are modules such as query+value, and WORD is one of these words:"
    yield f"{words}. What is in brackets may be left out."


LISTS: Mapping[str, Callable[[], Iterator[str]]] = {
    "models": model_lines,
    "classes": class_lines,
    "changes": change_lines,
}
"""The function that yields the lines of each list, by the value of `--list`."""
