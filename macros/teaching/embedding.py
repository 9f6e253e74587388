"""Snippets with which teachers embed a figure or an exercise of this site into a course."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlencode

from macros.counting import CountingError, count
from macros.counting.errors import quote, suggestion
from macros.rendering.components import numbers, pages
from macros.rendering.components.asking import BASE, SHORT_NAMES, ask
from macros.rendering.components.templates import render

from .exercise import exercise
from .sets import set_named

HEIGHT = 560
"""The height of a frame in pixels until its content reports its own height; taller content scrolls."""

LIGHT = {"theme": "light"}
"""The query for light colours. A course is usually light, even on a device that prefers dark colours."""


class Embeddable(NamedTuple):
    """A figure or an exercise to embed.

    Attributes:
        source: the address of its page for frames, in light colours.
        title: the name of the frame for screen readers.
        address: the address of its place on the site.
        link_suffix: the text that follows the link to it; may be empty.
        height: the height of the frame in pixels.
    """

    source: str
    title: str
    address: str
    link_suffix: str = ""
    height: int = HEIGHT


SYSTEMS = ("moodle", "canvas", "plain", "jupyter", "quarto")
"""The systems for which there are snippets, each with a template."""


def snippet(name: str) -> str:
    """The snippet for one of `SYSTEMS`, as a block of code.

    `snippet("address")` is the sentence about the site's address that precedes the snippets.

    Raises:
        CountingError: `name` is neither a system nor "address".
    """
    if name == "address":
        return _about_address()
    if name not in SYSTEMS:
        raise CountingError(f"no system to embed in called {quote(name)}; {suggestion(name, SYSTEMS)}")
    return render(
        f"embedding/{name}.txt", figure=_example_figure(), exercise=_example_exercise(), site=pages.site_address()
    ).rstrip("\n")


def _example_figure() -> Embeddable:
    """The figure of all of BERT base."""
    total = numbers.whole(count(ask().model))
    anchor = f"figure-{SHORT_NAMES[BASE]}"
    return Embeddable(
        source=_in_light(pages.embed(pages.BASE_TOTAL, anchor)),
        title=f"The whole model, BERT {SHORT_NAMES[BASE]}",
        address=f"{pages.site_address()}{pages.BASE_TOTAL}#{anchor}",
        link_suffix=f": {total} parameters",
    )


def _example_exercise() -> Embeddable:
    """An exercise about one layer."""
    example = exercise("layer", 7)
    return Embeddable(
        source=_in_light(f"{pages.embed(pages.EXERCISES)}{example.address}"),
        title=f"Exercise: {example.text}",
        address=f"{pages.site_address()}{pages.EXERCISES}{example.address}",
        height=set_named(example.set).frame,
    )


def _in_light(path: str) -> str:
    """The full address of a page for a frame that is shown in light colours."""
    separator = "&" if "?" in path else "?"
    return f"{pages.site_address()}{path}{separator}{urlencode(LIGHT)}"


def _about_address() -> str:
    """The sentence about the placeholder for the site's address; empty if the address is known."""
    if pages.site_address() != pages.UNKNOWN_SITE:
        return ""
    return f"In the text to paste, replace `{pages.UNKNOWN_SITE}` with the address of this site.\n{{ .bc-nowhere }}"
