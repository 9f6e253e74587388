"""The primer for readers who have never counted parameters: a few terms, and a matrix small enough to count by eye."""

from __future__ import annotations

from macros.counting import CountingError
from macros.counting.errors import quote

from .components.asking import ask
from .components.example import example as example_sentence
from .components.templates import render
from .components.terms import terms
from .figures import toy


def definitions() -> str:
    """Every term with its explanation, as a list."""
    return render("terms.html", id="terms", terms=terms())


def fold(figure: str = "primer-picture") -> str:
    """The terms and the small matrix, folded.

    Args:
        figure: the id of the drawing. Publishing selects by id the figures that become files. Only the drawing on the
            page where readers arrive should become a file, so other pages use different ids.

    Raises:
        CountingError: the id has other characters than letters, digits and hyphens, or no letter or digit.
    """
    if not figure.replace("-", "").isalnum():
        raise CountingError(f"{quote(figure)} cannot be the id of a drawing; write letters, digits and hyphens")
    titles = [term.title.lower() for term in terms().values()]
    return render("primer.html", titles=titles, drawing=toy.parameter(figure), terms=terms())


def sentence_form() -> str:
    """The fold in which a script splits a reader's sentence into tokens. At first, it has the example's sentence."""
    sizes = ask().sizes
    return render(
        "sentence.html",
        width=sizes["H"],
        positions=sizes["P"],
        sentence=example_sentence().sentence,
        vocabulary=example_sentence().vocabulary,
    )


TOPIC = {"definitions": definitions, "fold": fold, "own_sentence": sentence_form}
"""Macros for pages that explain terms."""
