"""Links whose text is their address, for courses that link to this site."""

from __future__ import annotations

from html import escape
from urllib.parse import urlencode

from macros.counting import CountingError, count, model_named
from macros.counting.errors import quote
from macros.rendering.components import numbers
from macros.rendering.components.asking import BASE, LARGE
from macros.rendering.components.pages import ROOT


def address(path: str, /, **query: object) -> str:
    """A link whose text is its address: `address("try/exercises.html", seed=7)`.

    A long address may break after `/`, `?` or `&`, and before `#`.

    Args:
        path: the address from the top of the site, with its fragment if it has one.
        query: the parameters that follow the question mark.

    Raises:
        CountingError: `path` begins with `/`, `.` or `http`.
    """
    if path.startswith(("/", ".", "http")):
        raise CountingError(
            f"{quote(path)} is not an address from the top of the site; write it as in map.html or parts/attention.html"
        )
    page, hash_sign, anchor = path.partition("#")
    parameters = f"?{urlencode(query, safe=',')}" if query else ""
    target = escape(f"{page}{parameters}{hash_sign}{anchor}")
    text = target
    for separator in ("/", "?", "&amp;", "#"):
        text = text.replace(separator, f"<wbr>{separator}" if separator == "#" else f"{separator}<wbr>")
    return f'<a href="{ROOT}{target}"><code>{text}</code></a>'


def addresses(*paths: str) -> str:
    """Links to several addresses, each on a separate line; errors are as for `address`."""
    return "".join(f'<span class="bc-address">{address(path)}</span>' for path in paths)


TOPIC: dict[str, object] = {
    "address": address,
    "addresses": addresses,
    "sizes_of_large": model_named(LARGE).sizes,
    "without_pooler": numbers.whole(count(model_named(BASE), deviations=["pooler-left-out"])),
}
"""The macros of the page about addresses, and the numbers in its examples."""
