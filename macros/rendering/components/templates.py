"""Jinja templates with the HTML of forms, exercises and hand-outs.

They are in folders called `templates`, one in each package that has any. Values that are HTML, such as a number,
a formula, a sum or a drawing, are marked with `| safe`; all others are escaped.

Templates are indented for readability, but the indentation should not end up in pages. So a line break next
to a tag, a call or a block is removed, and a line break between words or attributes becomes a space. A
significant space next to a tag must therefore be within a line: `see <a …>the map</a>`. Two kinds of
templates keep their lines: whole pages, which begin with a doctype, and text to copy, whose files do not end
with `.html`.
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
"""The folders with templates."""

BREAK = re.compile(r"\s*\n\s*")
"""Matches a line break with the white space around it."""

BESIDE_MARKUP = re.compile(r"\A\s*\n\s*|(?<=>)\s*\n\s*|\s*\n\s*(?=[<>])|\s*\n\s*\Z")
"""Matches a line break next to a tag, or at either end of the text between two calls or blocks."""


class WithoutLineBreaks(Extension):
    """Joins the lines of a template, which removes their indentation.

    It works on Jinja's tokens instead of the file, so that errors still report the right line of the file.
    """

    def filter_stream(self, stream: TokenStream) -> TokenStream | Iterable[Token]:
        """The tokens of a template, with its lines joined if its kind requires it; called by Jinja."""
        is_text = stream.name is not None and not stream.name.endswith(".html")
        return stream if is_text or stream.current.value.startswith("<!doctype") else _join_lines(stream)


def _join_lines(stream: TokenStream) -> Iterator[Token]:
    """Yield the same tokens, with each line break in their text removed or replaced with a space."""
    for token in stream:
        text = BREAK.sub(" ", BESIDE_MARKUP.sub("", token.value)) if token.type == "data" else token.value
        yield Token(token.lineno, token.type, text)


ENVIRONMENT = Environment(
    loader=FileSystemLoader(FOLDERS),
    autoescape=True,
    undefined=StrictUndefined,
    keep_trailing_newline=True,  # for pages and texts; `_join_lines` removes it from all others
    extensions=[WithoutLineBreaks],
    auto_reload=False,  # `macros/main.py` reloads all of our modules when a file changes
)
ENVIRONMENT.globals.update(
    pages=pages,
    says=says,  # checks a spelled-out quantity against a condition
    permalink=lambda name, kind: Markup(permalink(name, kind)),  # noqa: S704  contains only our own ids and words
)


def render(template: str, /, **values: object) -> str:
    """The result of rendering a template.

    Args:
        template: the path of the template in one of the folders.
        values: the values that the template uses. A missing value is an error.
    """
    return ENVIRONMENT.get_template(template).render(values)
