"""A Markdown extension for speed alone: elements that macros have written go round Python-Markdown's HTML parser.

That parser looks at every tag of tables and figures only to leave all as it
is, which takes half the time that Markdown takes. Here what stands between
empty lines and is whole elements is set aside at once. Pages come out the
same without this extension, but for empty lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown import Extension, Markdown
from markdown.preprocessors import Preprocessor

from macros.publish.elements import end_of

START = re.compile(r"<(div|figure|section|form|p|ol|ul)\b")
"""How an element begins of the kinds that macros write."""

PARSED = re.compile(r"<[a-z][^<>]*\smarkdown\b")
"""An element that asks for Markdown within it."""

ID = re.compile(r"""<[a-z][^<>]*?\sid="([^"<>]+)\"""")
"""The id of an element."""


class RawHtml(Extension):  # type: ignore[misc]
    """Sets whole elements aside, after code blocks and before all else that looks at HTML."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  Python-Markdown calls it so
        """Called by Python-Markdown."""
        md.preprocessors.register(_SetAside(md), "raw_html", 22)


class _SetAside(Preprocessor):  # type: ignore[misc]
    def run(self, lines: list[str]) -> list[str]:
        """The lines, with a placeholder in the place of each element; all as it is where one has Markdown within."""
        text = "\n".join(lines)
        return lines if PARSED.search(text) else "\n\n".join(map(self._block, text.split("\n\n"))).split("\n")

    def _block(self, text: str) -> str:
        elements = whole_elements(text)
        return "\n\n".join(map(self.md.htmlStash.store, elements)) if elements else text


def whole_elements(text: str) -> tuple[str, ...]:
    """The elements that a text is made of, or nothing where there is more."""
    found = []
    while text:
        start = START.match(text)
        if not start:
            return ()
        try:
            end = end_of(start[1], text, 0)
        except ValueError:
            return ()
        found.append(text[:end])
        text = text[end:].lstrip("\n")
    return tuple(found)


def ids(html: str) -> Iterator[str]:
    """The ids of a page's elements, to which links may lead."""
    return (found[1] for found in ID.finditer(html))
