"""Exercises as HTML: foldable ones at the end of pages, and the places where the page of exercises puts its own.

A foldable exercise needs no script. Its field leads to the page of exercises,
which judges what was typed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from html import escape

from macros.counting import model_named
from macros.rendering.elements.pages import EXERCISES, ROOT

from . import bank_tables
from .exercise import Exercise, Step, exercise
from .sets import OWN, UnknownExercise, load_sets

FIXED = "exercises-fixed"
"""The exercises for readers without scripts, on the page that judges answers with them."""


def tables() -> dict[str, Callable[[str], str]]:
    """What pages show of exercises, by name."""
    listed = {name: partial(foldable, listed=name) for name in load_sets().pages}
    return {**listed, "exercise": place, "ledger": place, **bank_tables.TABLES}


def foldable(name: str, listed: str) -> str:
    """Some exercises with foldable hints and solutions.

    Args:
        name: stands before the ids.
        listed: which exercises, by their name in `exercises.toml`.

    Raises:
        UnknownExercise: one of them is not about a published model as it is; only what is follows the data.
    """
    found = [exercise(*each) for each in load_sets().pages[listed]]
    for each in found:
        model = each.asked.model
        if model.name == OWN or not model_named(model.name).sizes.items() <= model.sizes.items():
            raise UnknownExercise(
                f"{each.set}:{each.seed} is about sizes of its own; choose a seed with a published model"
            )
    items = "".join(_item(name, each) for each in found)
    # What the search leaves out ends where the first element of its name does, so this one holds no other of it.
    return f'<div class="bc-exercises" id="{name}" data-search-exclude><ol>{items}</ol></div>'


def _item(name: str, asked: Exercise) -> str:
    given = f'<p class="bc-given">{escape(asked.given)}</p>' if asked.given else ""
    options = "".join(f"<li>{escape(each.text)}</li>" for each in asked.options)
    choice = f"{lines(asked.ledger)}<ul>{options}</ul>" if options else ""
    answer = "" if options or name == FIXED else _field(name, asked)
    return (
        f'<li><p class="bc-asked">{escape(asked.text)}</p>{given}{choice}{answer}'
        f"{_fold('Hints', _hints(asked))}{_fold('Solution', _solution(asked))}</li>"
    )


def _field(name: str, asked: Exercise) -> str:
    """A field for the answer, which leads to the page of exercises."""
    field = f"{name}-{asked.set}-{asked.seed}"
    return (
        f'<form class="bc-question" action="{ROOT}{EXERCISES}">'
        f'<input type="hidden" name="set" value="{asked.set}"><input type="hidden" name="seed" value="{asked.seed}">'
        f'<p class="bc-field"><label for="{field}">Your answer</label>'
        f'<input id="{field}" name="answer" type="text" autocomplete="off" spellcheck="false"></p>'
        '<button class="md-button md-button--primary" type="submit">Check</button></form>'
    )


def _fold(title: str, content: str) -> str:
    return f'<details class="bc-fold"><summary>{title}</summary>{content}</details>'


def _hints(asked: Exercise) -> str:
    return f"<ol>{''.join(f'<li>{escape(each)}</li>' for each in asked.hints)}</ol>"


def _solution(asked: Exercise) -> str:
    """The sum line by line, and below options the one that is right.

    Its terms are not lit: that belongs to the sum that a page is about.
    """
    right = "".join(f"<p>{escape(each.text)}. {escape(each.feedback)}</p>" for each in asked.options if each.right)
    return right + lines(asked.solution)


def lines(steps: Iterable[Step]) -> str:
    """Lines with what each counts, as a sum has them."""
    items = (
        f'<li><span class="bc-what">{escape(each.what)}</span> '
        f'<span class="bc-line-of-sum">{escape(each.text)}</span></li>'
        for each in steps
    )
    return f'<ol class="bc-solution">{"".join(items)}</ol>'


def place(name: str) -> str:
    """Where the page of exercises shows one."""
    return f'<div class="bc-place-of-{name}" id="{name}" data-search-exclude></div>'
