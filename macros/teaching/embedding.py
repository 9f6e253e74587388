"""How to embed things of the site: text to paste for each place that shows course pages."""

from __future__ import annotations

import os
from typing import NamedTuple
from urllib.parse import urlencode

from macros.counting import CountingError, count
from macros.counting.errors import shown, suggestion
from macros.rendering.components import numbers, pages
from macros.rendering.components.asking import BASE, SHORT, ask
from macros.rendering.components.templates import render

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
        source: the address of its page for a frame, in light colours.
        title: what a reader who cannot see the frame is told that it shows.
        address: where it is on the site.
        number: what follows the link to it, or nothing.
        height: pixels of its frame.
    """

    source: str
    title: str
    address: str
    number: str = ""
    height: int = HEIGHT


def site(environment: dict[str, str] | None = None) -> str:
    """The address of the site, with a slash at its end."""
    found = (os.environ if environment is None else environment).get("SITE_URL", "")
    return f"{found.rstrip('/')}/" if found else NOWHERE


PLACES = ("moodle", "canvas", "plain", "jupyter", "quarto")
"""Where things of the site can be shown; each has a template of what to paste there."""


def snippet(name: str) -> str:
    """What to paste in one place, as a block of code in Markdown; or, for `address`, a sentence on the address in them.

    Raises:
        CountingError: no such place.
    """
    if name == "address":
        return _sentence()
    if name not in PLACES:
        raise CountingError(f"no place to embed in {shown(name)}; {suggestion(name, PLACES)}")
    return render(f"embedding/{name}.txt", figure=_figure(), exercise=_exercise(), site=site()).rstrip("\n")


def _figure() -> Shown:
    """The whole model as the map draws it."""
    total = numbers.whole(count(ask().model))
    place = f"figure-{SHORT[BASE]}"
    return Shown(
        source=_in_light(pages.embed(pages.BASE_TOTAL, place)),
        title=f"The whole model, BERT {SHORT[BASE]}",
        address=f"{site()}{pages.BASE_TOTAL}#{place}",
        number=f": {total} parameters",
    )


def _exercise() -> Shown:
    drawn = exercise("layer", 7)
    return Shown(
        source=_in_light(f"{pages.embed(pages.EXERCISES)}{drawn.address}"),
        title=f"Exercise: {drawn.text}",
        address=f"{site()}{pages.EXERCISES}{drawn.address}",
        height=set_named(drawn.set).frame,
    )


def _in_light(embed: str) -> str:
    """Where a frame finds a page of its own in light colours."""
    mark = "&" if "?" in embed else "?"
    return f"{site()}{embed}{mark}{urlencode(LIGHT)}"


def _sentence() -> str:
    if site() == NOWHERE:
        return f"In what follows, write the address of this site in place of `{NOWHERE}`."
    return f"What follows has the address of this site in it, `{site()}`."
