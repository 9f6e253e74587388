"""Refuses Markdown syntax that writers may expect but that this site does not support, such as `$H^2$`.

Python-Markdown publishes unknown syntax exactly as it was typed, without an error. `page_syntax.toml` lists
the syntax that users of Material know but that this site does not support, because it would need a script or
another host, or would be missing on paper. A page that uses it is refused; the message gives the line and
says what to write instead.

Python-Markdown itself finds the syntax: each kind is an inline pattern whose priority is below those of all
known syntax. So text in code, after a backslash, in an address or in the HTML of a macro is never mistaken
for it. The line is looked up in the source afterwards, because Python-Markdown keeps no line numbers.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from markdown import Markdown
from markdown.extensions import Extension
from markdown.extensions.toc import slugify
from markdown.inlinepatterns import InlineProcessor

FILE = Path(__file__).with_suffix(".toml")

PLACEHOLDER = "__"
"""The beginning of the id that a heading gets if the page gives it none. Nothing may link to such an id."""

EARLY = 187
LATE = 85
"""Priorities in Python-Markdown, where a pattern with a higher priority is tried first.

The early one comes after code (190) and before backslashes (180), the late one after links (160) and HTML (90).
"""

CODE = re.compile(
    r"^[ \t>]*(?P<fence>`{3,}|~{3,}).*?^[ \t>]*(?P=fence)[`~]*[ \t]*$|(?P<span>`+)(?!`).+?(?<!`)(?P=span)(?!`)",
    re.DOTALL | re.MULTILINE,
)
"""A fenced block of code, or a code span."""


class Refusal(NamedTuple):
    """Syntax on a page that the site does not support.

    Attributes:
        line: the number of its line; 0 if it is unknown.
        text: the syntax as it was typed.
        advice: what to write in its place.
    """

    line: int
    text: str
    advice: str

    def __str__(self) -> str:
        location = f"line {self.line}: " if self.line else ""
        return f"{location}{self.text!r} would appear on the page as it is; {self.advice}"


class PageSyntax(Extension):  # type: ignore[misc]  # Python-Markdown publishes no types
    """An extension of Python-Markdown that collects the refused syntax of a page.

    Attributes:
        matches: the syntax found so far: each piece as it was typed, with what to write instead.
    """

    def __init__(self) -> None:
        super().__init__()
        self.matches: list[tuple[str, str]] = []

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  Python-Markdown calls it
        """Register a pattern for each kind of syntax."""
        for kind in _data()["refused"]:
            pattern = _RefusedSyntax(kind["pattern"], kind["advice"], self.matches)
            md.inlinePatterns.register(pattern, kind["name"], EARLY if kind.get("early") else LATE)

    def diagram(self, source: str, *_: Any, **__: Any) -> str:
        """Collect a diagram and return its source as code; superfences calls this for each diagram."""
        self.matches.append(("mermaid", _data()["mermaid"]["advice"]))
        return f"<pre><code>{escape(source)}</code></pre>"

    def refusals(self, source: str, html: str) -> list[Refusal]:
        """The refused syntax of the page that was converted last; the list is emptied for the next page.

        Args:
            source: the page in Markdown.
            html: the same page, converted. Annotations are searched for in the HTML, because they are only a class.
        """
        matches = list(dict.fromkeys(self.matches))
        self.matches.clear()
        if re.search(r'class="(?:[^"]* )?annotate[" ]', html):
            matches.append(("annotate", _data()["annotate"]["advice"]))
        return [Refusal(_line(source, text), text, advice) for text, advice in matches]


class _RefusedSyntax(InlineProcessor):  # type: ignore[misc]  # for the same reason
    """An inline pattern that collects what it matches and changes nothing."""

    def __init__(self, pattern: str, advice: str, matches: list[tuple[str, str]]) -> None:
        super().__init__(pattern)
        self.advice = advice
        self.matches = matches

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[None, None, None]:  # noqa: ARG002, N802
        """Collect the match, and leave the text as it is."""
        # Python-Markdown has replaced the syntax that it knows with placeholders, which begin with this character.
        # From there on, the text differs from the source.
        text = m[0].partition("\x02")[0].splitlines()[0].strip()
        self.matches.append((text, self.advice))
        return None, None, None


@cache
def _data() -> dict[str, Any]:
    """The data file beside this module."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def _line(source: str, text: str) -> int:
    """The line of a text in the source, outside code if possible; 0 if the source does not contain it."""
    without_code = CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), source)
    # The name of a diagram is found only with code included, because it stands in the first line of a fence.
    for searchable in (without_code, source):
        if (index := searchable.find(text)) >= 0:
            return source.count("\n", 0, index) + 1
    return 0


def placeholder_id(heading: str, separator: str) -> str:
    """The id of a heading that the page gives none; Python-Markdown calls this instead of `slugify`."""
    return f"{PLACEHOLDER}{slugify(heading, separator)}"
