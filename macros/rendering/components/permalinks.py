"""Permalinks: the # signs next to tables, figures, sums and lists.

If scripts run, `assets/pages/cite.js` makes a permalink open a window with text to copy instead.
"""

from __future__ import annotations


def permalink(name: str, kind: str) -> str:
    """The permalink of an element.

    Args:
        name: the id of the element.
        kind: the kind of element, for the title of the link: "table", "figure", "sum" or "list".
    """
    title = f"Link to this {kind}"
    return f'<a class="bc-permalink" href="#{name}" title="{title}" aria-label="{title}">#</a>'
