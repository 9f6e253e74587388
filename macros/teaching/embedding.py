"""How to embed things of the site: text to paste for each place that shows course pages."""

from __future__ import annotations

import os
from collections.abc import Callable
from html import escape
from typing import NamedTuple
from urllib.parse import urlencode

from macros.counting import count
from macros.counting.errors import entry_of
from macros.rendering.elements import numbers, pages
from macros.rendering.elements.asking import BASE, SHORT, ask

from .exercise import exercise
from .sets import set_named

HEIGHT = 560
"""Pixels of a frame until it says how high it is; what is higher scrolls within it."""

LIGHT = {"theme": "light"}
"""What an address asks for where the page around the frame stays light whatever the reader's device prefers."""

NOWHERE = "https://SITE/"
"""Stands for the address of the site where nobody said it."""


class Shown(NamedTuple):
    """A thing to embed.

    Attributes:
        embed: its address as a page of its own, from the top of the site.
        title: what a reader who cannot see the frame is told that it shows.
        address: where it is on the site, from its top.
        number: what follows the link to it, or nothing.
        height: pixels of its frame.
    """

    embed: str
    title: str
    address: str
    number: str = ""
    height: int = HEIGHT


def site(environment: dict[str, str] | None = None) -> str:
    """The address of the site, with a slash at its end."""
    found = (os.environ if environment is None else environment).get("SITE_URL", "")
    return f"{found.rstrip('/')}/" if found else NOWHERE


def snippet(name: str) -> str:
    """What to paste in one place, as a block of code in Markdown; or, for `address`, a sentence on the address in them.

    Raises:
        CountingError: no such place.
    """
    return entry_of(SNIPPETS, "place to embed in", name)()


def _figure() -> Shown:
    """The whole model as the map draws it."""
    total = numbers.whole(count(ask().model))
    place = f"figure-{SHORT[BASE]}"
    return Shown(
        pages.embed(pages.BASE_TOTAL, place),
        f"The whole model, BERT {SHORT[BASE]}",
        f"{pages.BASE_TOTAL}#{place}",
        f": {total} parameters",
    )


def _exercise() -> Shown:
    drawn = exercise("layer", 7)
    return Shown(
        f"{pages.embed(pages.EXERCISES)}{drawn.address}",
        f"Exercise: {drawn.text}",
        f"{pages.EXERCISES}{drawn.address}",
        height=set_named(drawn.set).frame,
    )


def _address(shown: Shown) -> str:
    """Where a frame finds a thing in light colours."""
    mark = "&" if "?" in shown.embed else "?"
    return f"{site()}{shown.embed}{mark}{urlencode(LIGHT)}"


def _frame(shown: Shown) -> str:
    return (
        f'<iframe src="{escape(_address(shown))}"\n  title="{escape(shown.title)}"\n'
        f'  width="100%" height="{shown.height}" style="border: 0"></iframe>'
    )


def _link(shown: Shown) -> str:
    return f'<p><a href="{escape(site() + shown.address)}">{escape(shown.title)}</a>{shown.number}</p>'


def _course() -> str:
    return _fenced("html", f"{_frame(_exercise())}\n{_link(_exercise())}")


def _figure_in_course() -> str:
    return _fenced("html", f"{_frame(_figure())}\n{_link(_figure())}")


LISTENER = """\
<script>
  addEventListener("message", ({{ data, source }}) => {{
    if (!String(data).startsWith('{{"subject":"lti.frameResize"')) return
    for (const frame of document.querySelectorAll('iframe[src^="{site}embed/"]'))
      if (frame.contentWindow === source) frame.height = JSON.parse(data).height
  }})
</script>"""


def _plain() -> str:
    return _fenced("html", f"{_frame(_figure())}\n{_link(_figure())}\n{LISTENER.format(site=site())}")


def _jupyter() -> str:
    shown = _figure()
    return _fenced(
        "python",
        "from IPython.display import IFrame, Markdown, display\n\n"
        f'display(IFrame("{_address(shown)}", width="100%", height={shown.height}))\n'
        f'display(Markdown("[{shown.title}]({site()}{shown.address}){shown.number}"))',
    )


def _quarto() -> str:
    shown = _figure()
    return _fenced("html", f"{_frame(shown)}\n\n[{shown.title}]({site()}{shown.address}){shown.number}")


def _fenced(language: str, text: str) -> str:
    return f"```{language}\n{text}\n```"


def _said() -> str:
    if site() == NOWHERE:
        return f"In what follows, write the address of this site in place of `{NOWHERE}`."
    return f"What follows has the address of this site in it, `{site()}`."


SNIPPETS: dict[str, Callable[[], str]] = {
    "address": _said,
    "moodle": _course,
    "canvas": _figure_in_course,
    "plain": _plain,
    "jupyter": _jupyter,
    "quarto": _quarto,
}
"""What to paste, by place."""
