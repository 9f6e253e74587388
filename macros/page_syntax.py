"""Refuses syntax that writers may expect and this site does not have, such as `$H^2$`.

Python-Markdown publishes whatever it does not know as it was typed, without any error. The data file beside
this module lists the syntax that Material's users know but that this site does without, because it would
need a script or another host, or would be missing on paper. A page that has it is refused, with the line
and what to write instead.

Python-Markdown itself looks for the syntax: each kind is an inline pattern, with a priority after those of
everything that it does know. So text in code, after a backslash, in an address or in the HTML of a macro is
never mistaken for it. Its line is looked up in the source afterwards, because Python-Markdown keeps no line
numbers.
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

UNNAMED = "__"
"""The beginning of the id of a heading that was not given one. It is not an address: nothing may link to it."""

EARLY, LATE = 187, 85
"""Priorities in Python-Markdown, where the higher comes first.

The early one is after code (190) and before backslashes (180), the late one after links (160) and HTML (90).
"""

CODE = re.compile(
    r"^[ \t>]*(?P<fence>`{3,}|~{3,}).*?^[ \t>]*(?P=fence)[`~]*[ \t]*$|(?P<span>`+)(?!`).+?(?<!`)(?P=span)(?!`)",
    re.DOTALL | re.MULTILINE,
)
"""A fenced block of code, or a code span."""


class Refusal(NamedTuple):
    """Syntax on a page that the site does not have.

    Attributes:
        line: the number of its line; 0 if that is not known.
        text: the syntax as it is typed.
        instead: what to write in its place.
    """

    line: int
    text: str
    instead: str

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else ""
        return f"{where}{self.text!r} would stand on the page as it is; {self.instead}"


class PageSyntax(Extension):  # type: ignore[misc]  # Python-Markdown publishes no types
    """An extension of Python-Markdown that collects the refused syntax of a page.

    Attributes:
        matches: the syntax found so far, each as it is typed, with what to write instead.
    """

    def __init__(self) -> None:
        super().__init__()
        self.matches: list[tuple[str, str]] = []

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  Python-Markdown calls it
        """Register a pattern for each kind of syntax."""
        for kind in _data()["refused"]:
            pattern = _Refused(kind["pattern"], kind["instead"], self.matches)
            md.inlinePatterns.register(pattern, kind["name"], EARLY if kind.get("early") else LATE)

    def diagram(self, source: str, *_: Any, **__: Any) -> str:
        """Collect a diagram and return its source as code; superfences calls this for a fence of its kind."""
        self.matches.append(("mermaid", _data()["mermaid"]["instead"]))
        return f"<pre><code>{escape(source)}</code></pre>"

    def refusals(self, source: str, html: str) -> list[Refusal]:
        """The refused syntax of the page that was converted last; the list is emptied for the next page.

        Args:
            source: the page in Markdown.
            html: the same page, converted. Annotations are looked for there, because they are only a class.
        """
        matches = list(dict.fromkeys(self.matches))
        self.matches.clear()
        if re.search(r'class="(?:[^"]* )?annotate[" ]', html):
            matches.append(("annotate", _data()["annotate"]["instead"]))
        return [Refusal(_line(source, text), text, instead) for text, instead in matches]


class _Refused(InlineProcessor):  # type: ignore[misc]  # likewise
    """An inline pattern that collects what it matches and changes nothing."""

    def __init__(self, pattern: str, instead: str, matches: list[tuple[str, str]]) -> None:
        super().__init__(pattern)
        self.instead = instead
        self.matches = matches

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[None, None, None]:  # noqa: ARG002, N802
        """Collect the match, and leave the text as it is."""
        # Python-Markdown has put placeholders for what it knows, and they begin with this character. From
        # there on, the text is not that of the source.
        text = m[0].partition("\x02")[0].splitlines()[0].strip()
        self.matches.append((text, self.instead))
        return None, None, None


@cache
def _data() -> dict[str, Any]:
    """The data file beside this module."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def _line(source: str, text: str) -> int:
    """The line of a text, outside code if possible, otherwise in it, as in the head of a fence; 0 if it is nowhere."""
    without_code = CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), source)
    for searched in (without_code, source):
        if (index := searched.find(text)) >= 0:
            return source.count("\n", 0, index) + 1
    return 0


def unnamed(heading: str, separator: str) -> str:
    """The id of a heading that was not given one; Python-Markdown calls this in place of `slugify`."""
    return f"{UNNAMED}{slugify(heading, separator)}"
