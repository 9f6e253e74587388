"""The # sign beside a table, a figure or a sum: a link to it.

Where scripts run, `assets/pages/cite.js` opens a window with text to copy instead.
"""

from __future__ import annotations


def permalink(name: str, kind: str) -> str:
    """The sign for the element with an id.

    Args:
        name: the id.
        kind: the kind of element, as the title of the link names it: "table", "figure" or "sum".
    """
    title = f"Link to this {kind}"
    return f'<a class="bc-permalink" href="#{name}" title="{title}" aria-label="{title}">#</a>'
