"""Addresses within the site, written once and made relative for each page."""

from __future__ import annotations

ROOT = "site-root:"
"""Stands before an address that counts from the top of the site."""


def relative(html: str, page_url: str) -> str:
    """`html` with every address from the top made relative to one page.

    Args:
        html: what a macro returned.
        page_url: the page's own address from the top, e.g. `parts/heads.html`.

    >>> relative('<a href="site-root:notation.html#symbol-h">', "parts/heads.html")
    '<a href="../notation.html#symbol-h">'
    """
    return html.replace(ROOT, "../" * page_url.count("/"))
