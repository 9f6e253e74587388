"""Templates: the HTML of forms, exercises and hand-outs, written as HTML and filled in by Jinja.

They are in the folders called `templates`, one in each layer that has any.
Whatever is filled in is escaped; `| safe` says that a value is HTML already,
as numbers, formulas, sums and drawings are.

A template is indented for its readers. A break between two of its lines leaves
nothing beside a tag, a call or a block, and a space between words or
attributes. So a space that counts stands within a line: `see <a …>the map</a>`.
A page of its own, which begins with its doctype, keeps its lines, and so does
text to copy, which is no `.html`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from markupsafe import Markup

from macros.counting.published.conditions import says

from . import pages
from .permalinks import permalink

FOLDERS = sorted(Path(__file__).parents[2].glob("*/templates"))

BREAK = re.compile(r"\s*\n\s*")
"""The end of a line, with the indentation of the next."""

BESIDE_MARKUP = re.compile(r"\A\s*\n\s*|(?<=>)\s*\n\s*|\s*\n\s*(?=[<>])|\s*\n\s*\Z")
"""The same beside a tag, or at either end of the text between two calls or blocks."""


class Indented(Extension):
    """Takes the breaks between lines out of a template, and leaves errors the lines they are on."""

    def filter_stream(self, stream: TokenStream) -> TokenStream | Iterable[Token]:
        """The parts of a template without those breaks."""
        is_text = stream.name is not None and not stream.name.endswith(".html")
        return stream if is_text or stream.current.value.startswith("<!doctype") else _joined(stream)


def _joined(stream: TokenStream) -> Iterator[Token]:
    for token in stream:
        text = BREAK.sub(" ", BESIDE_MARKUP.sub("", token.value)) if token.type == "data" else token.value
        yield Token(token.lineno, token.type, text)


ENVIRONMENT = Environment(
    loader=FileSystemLoader(FOLDERS),
    autoescape=True,
    undefined=StrictUndefined,
    keep_trailing_newline=True,  # of a page of its own
    extensions=[Indented],
    auto_reload=False,  # a file that changes while the site is served has all of ours loaded anew
)
ENVIRONMENT.globals.update(
    pages=pages,
    says=says,
    permalink=lambda name, what: Markup(permalink(name, what)),  # noqa: S704  made of ids and words of ours
)


def render(template: str, /, **values: object) -> str:
    """A template filled in, as HTML.

    Args:
        template: its address in one of the folders.
        values: what it names.
    """
    return ENVIRONMENT.get_template(template).render(values)
