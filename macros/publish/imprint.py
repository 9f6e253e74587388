"""The last line of a page on paper: where it is from, and of which build. The style sheet keeps it from screens."""

from __future__ import annotations

import re
from html import escape, unescape

from macros.rendering.citations import UNKNOWN, Cited

from .moved import CANONICAL, REFRESH

END = "</article>"
"""What it follows."""

IMPRINT = '<p class="bc-imprint">'

HEADING = re.compile(r"<h1[^>]*>(.*?)</h1>", re.DOTALL)
TAG = re.compile(r'<a class="headerlink".*?</a>|<[^>]+>', re.DOTALL)


def with_imprint(html: str, cited: Cited) -> str:
    """A page with its last line; one that has it, or has no text, stays as it is."""
    if IMPRINT in html or REFRESH in html or html.count(END) != 1:
        return html
    return html.replace(END, f"{END}{IMPRINT}{escape(line(html, cited))}</p>")


def line(html: str, cited: Cited, place: str = "") -> str:
    """Title, site, address and build of a page, as text; what nobody knows is left out.

    Args:
        html: the page.
        cited: what is known of the build.
        place: the id of what is cited on the page.
    """
    title = title_of(html)
    address = CANONICAL.search(html)
    anchor = f"#{place}" if place else ""
    said = [
        f"“{title}”, {cited.title}." if title else f"{cited.title}.",
        unescape(address[1]) + anchor if address else "",
        f"Built from {cited.build}." if cited.commit != UNKNOWN else "",
    ]
    return " ".join(filter(None, said))


def title_of(html: str) -> str:
    """What a page asks, as text; empty for a page without a heading."""
    heading = HEADING.search(html)
    return unescape(TAG.sub("", heading[1])).strip() if heading else ""
