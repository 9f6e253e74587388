"""The Markdown that a page may be written in: what the site lacks is refused, with the page, the line and another way.

Python-Markdown leaves what it does not know as it was typed, so `$H^2$` would
stand on the page, in a build without any error. The data file beside this one
lists what writers may expect, and why this site has none of it: it would need
a script or another host, or would be missing on paper.

It is looked for by Python-Markdown itself, as a pattern within lines, after
all that it does know: so what stands in code, behind a backslash, in an
address or in what a macro returns is not taken for it. Only where a
page holds it is searched for in the text, because a parser of Markdown keeps
no line numbers.
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
"""How the id of a heading begins that has none of its own: it is no address, and nothing may link to it."""

EARLY, LATE = 187, 85
"""Priorities in Python-Markdown: after code (190) and before backslashes (180), and after links (160) and HTML (90)."""

CODE = re.compile(
    r"^[ \t>]*(?P<fence>`{3,}|~{3,}).*?^[ \t>]*(?P=fence)[`~]*[ \t]*$|(?P<span>`+)(?!`).+?(?<!`)(?P=span)(?!`)",
    re.DOTALL | re.MULTILINE,
)


class Refusal(NamedTuple):
    """Syntax on a page that the site lacks: the line if it is known, the text, and what to write instead."""

    line: int
    text: str
    instead: str

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else ""
        return f"{where}{self.text!r} would stand on the page as it is; {self.instead}"


class PageSyntax(Extension):  # type: ignore[misc]  # Python-Markdown publishes no types
    """An extension of Python-Markdown that notes what a page holds of the syntax that the site lacks."""

    def __init__(self) -> None:
        super().__init__()
        self.noted: list[tuple[str, str]] = []

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  Python-Markdown calls it
        """Register a pattern for each kind."""
        for kind in _data()["refused"]:
            pattern = _Refused(kind["pattern"], kind["instead"], self.noted)
            md.inlinePatterns.register(pattern, kind["name"], EARLY if kind.get("early") else LATE)

    def diagram(self, source: str, *_: Any, **__: Any) -> str:
        """Note a diagram, in place of which its text stands; called by superfences."""
        self.noted.append(("mermaid", _data()["mermaid"]["instead"]))
        return f"<pre><code>{escape(source)}</code></pre>"

    def refusals(self, source: str, html: str) -> list[Refusal]:
        """What was noted since this was last asked for, of a page written in `source` and made into `html`."""
        noted = list(dict.fromkeys(self.noted))
        self.noted.clear()
        if re.search(r'class="(?:[^"]* )?annotate[" ]', html):
            noted.append(("annotate", _data()["annotate"]["instead"]))
        return [Refusal(_line(source, text), text, instead) for text, instead in noted]


class _Refused(InlineProcessor):  # type: ignore[misc]  # likewise
    def __init__(self, pattern: str, instead: str, noted: list[tuple[str, str]]) -> None:
        super().__init__(pattern)
        self.instead = instead
        self.noted = noted

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[None, None, None]:  # noqa: ARG002, N802
        """Note what was matched, as far as it stands so in the source, and leave it where it is."""
        text = m[0].partition("\x02")[0].splitlines()[0].strip()
        self.noted.append((text, self.instead))
        return None, None, None


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def _line(source: str, text: str) -> int:
    """The line of a text outside code, or if it is within the head of a fence, of that; 0 if it is nowhere."""
    without_code = CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), source)
    for each in (without_code, source):
        if (place := each.find(text)) >= 0:
            return source.count("\n", 0, place) + 1
    return 0


def unnamed(heading: str, separator: str) -> str:
    """The id of a heading that has none of its own."""
    return f"{UNNAMED}{slugify(heading, separator)}"
