"""What readers need who have never counted parameters: a few words, and one matrix small enough to count by eye."""

from __future__ import annotations

from html import escape

from .elements.terms import terms
from .figures import example


def definitions(name: str) -> str:
    """Every term with its explanation, as a list."""
    listed = "".join(
        f'<dt id="{name}-{key}">{escape(each.title)}</dt><dd>{escape(each.long)}</dd>' for key, each in terms().items()
    )
    return f'<dl id="{name}">{listed}</dl>'


def first(name: str) -> str:
    """The terms and the small matrix where readers arrive: there the figure is offered as a file, and listed."""
    return folded(name, "figure-parameter")


def folded(name: str, figure: str = "") -> str:
    """The terms and the small matrix, folded: the line that opens it says what is inside.

    `figure` is the id of the drawing, which decides whether publishing makes files of it: once is enough.
    """
    *titles, last = (each.title.lower() for each in terms().values())
    return (
        f'<details class="bc-fold bc-primer" id="{name}" data-search-exclude><summary>A parameter is one cell: '
        f"what {escape(', '.join(titles))} and {escape(last)} mean</summary>"
        f"{example.parameter(figure or f'{name}-picture')}{definitions(f'{name}-words')}</details>"
    )
