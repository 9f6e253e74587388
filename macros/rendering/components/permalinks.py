"""The sign # that links to a table, a figure or a sum; `assets/pages/cite.js` opens a window with text to copy."""

from __future__ import annotations


def permalink(name: str, what: str) -> str:
    """A link to what has an id; `what` says what it is: a table, a figure, a sum."""
    title = f"Link to this {what}"
    return f'<a class="bc-permalink" href="#{name}" title="{title}" aria-label="{title}">#</a>'
