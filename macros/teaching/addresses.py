"""Addresses of this site as a page shows them, for courses that link to it."""

from __future__ import annotations

from html import escape
from urllib.parse import urlencode

from macros.counting import CountingError, count, model_named
from macros.counting.errors import shown
from macros.rendering.components import numbers
from macros.rendering.components.asking import BASE, LARGE
from macros.rendering.components.pages import ROOT


def address(to: str, **query: object) -> str:
    """An address as a link that shows it, breakable where it has a joint: `address("try/exercises.html", seed=7)`.

    Args:
        to: from the top of the site.
        query: what stands behind the question mark.

    Raises:
        CountingError: it does not begin at the top of the site.
    """
    if to.startswith(("/", ".", "http")):
        raise CountingError(f"an address is {shown(to)}; begin it at the top of the site, as in parts/attention.html")
    path, mark, place = to.partition("#")
    asked = f"?{urlencode(query, safe=',')}" if query else ""
    whole = escape(f"{path}{asked}{mark}{place}")
    text = whole
    for joint in ("/", "?", "&amp;", "#"):
        text = text.replace(joint, f"<wbr>{joint}" if joint == "#" else f"{joint}<wbr>")
    return f'<a href="{ROOT}{whole}"><code>{text}</code></a>'


def addresses(*to: str) -> str:
    """Several addresses, each on a line of its own; errors as for `address`."""
    return "".join(f'<span class="bc-address">{address(each)}</span>' for each in to)


TOPIC: dict[str, object] = {
    "address": address,
    "addresses": addresses,
    "sizes_of_large": model_named(LARGE).sizes,
    "without_pooler": numbers.whole(count(model_named(BASE), deviations=["pooler-left-out"])),
}
"""What the page about addresses calls, and numbers that stand in its examples."""
