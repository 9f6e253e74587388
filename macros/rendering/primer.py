"""The primer, for readers who have never counted parameters: a few terms, and a matrix small enough to count by eye."""

from __future__ import annotations

from macros.counting import CountingError
from macros.counting.errors import quote

from .components.templates import render
from .components.terms import terms
from .figures import toy


def definitions() -> str:
    """Every term with its explanation, as a list."""
    return render("terms.html", id="terms", terms=terms())


def folded(figure: str = "primer-picture") -> str:
    """The terms and the small matrix, folded.

    Args:
        figure: the id of the drawing. Publishing makes files of figures by their ids; once is enough, on
            the page where readers arrive, so the other pages use another id.

    Raises:
        CountingError: no element could have that id.
    """
    if not figure.replace("-", "").isalnum():
        raise CountingError(f"{quote(figure)} cannot be the id of a drawing; write letters and hyphens")
    titles = [term.title.lower() for term in terms().values()]
    return render("primer.html", titles=titles, drawing=toy.parameter(figure), terms=terms())


TOPIC = {"definitions": definitions, "folded": folded}
"""The macros of pages that explain terms."""
