"""Addresses within the site, written once and made relative for each page."""

from __future__ import annotations

ROOT = "site-root:"
"""Stands before an address that counts from the top of the site."""


DOWNLOADS = "data"
"""Where the files to download stand, from the top of the site."""


def ledger_file(model: str, model_class: str) -> str:
    """The address of a ledger from the top of the site, without its ending."""
    return f"{DOWNLOADS}/{model}/{model_class}"


def listing_file(model: str, framework: str) -> str:
    """The address of a print-out from the top of the site, without its ending."""
    return f"{DOWNLOADS}/{model}/listings/{framework}"


def downloads(address: str) -> str:
    """Links to a file in both its forms.

    Args:
        address: from the top of the site, without the ending.
    """
    pair = " ".join(f'<a href="{ROOT}{address}.{kind}">{kind.upper()}</a>' for kind in ("csv", "json"))
    return f'<span class="bc-files">{pair}</span>'


def relative(html: str, page_url: str) -> str:
    """`html` with every address from the top made relative to one page.

    Args:
        html: what a macro returned.
        page_url: the page's own address from the top, e.g. `parts/heads.html`.

    >>> relative('<a href="site-root:notation.html#symbol-h">', "parts/heads.html")
    '<a href="../notation.html#symbol-h">'
    """
    return html.replace(ROOT, "../" * page_url.count("/"))
