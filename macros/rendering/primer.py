"""What readers need who have never counted parameters: a few words, and one matrix small enough to count by eye."""

from __future__ import annotations

from macros.counting import CountingError
from macros.counting.errors import shown

from .components.templates import render
from .components.terms import terms
from .figures import example


def definitions() -> str:
    """Every term with its explanation, as a list."""
    return render("terms.html", id="terms", terms=terms())


def folded(figure: str = "primer-picture") -> str:
    """The terms and the small matrix, folded.

    `figure` is the id of the drawing, which decides whether publishing makes files of it: once is enough, where
    readers arrive.

    Raises:
        CountingError: no element could have that id.
    """
    if not figure.replace("-", "").isalnum():
        raise CountingError(f"{shown(figure)} cannot be the id of a drawing; write letters and hyphens")
    titles = [each.title.lower() for each in terms().values()]
    return render("primer.html", titles=titles, drawing=example.parameter(figure), terms=terms())


TOPIC = {"definitions": definitions, "folded": folded}
"""What pages with terms call."""
