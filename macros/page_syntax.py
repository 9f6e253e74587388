"""Reports Markdown syntax that authors may expect but that this site does not support, such as `$H^2$`.

Python-Markdown publishes unknown syntax exactly as typed, without an error. `page_syntax.toml` lists syntax that
users of Material know but that this site does not support, because it would need a script or an external host, or
would be missing on paper. A page that uses it causes a warning, which makes a strict build fail. The message gives
the line and suggests what to write instead.

Python-Markdown finds most of this syntax by inline patterns, which it never applies to code. Most of these patterns
have a lower priority than backslashes, links and HTML, so text after a backslash, in an address or in the HTML of a
macro does not match them either. Diagrams and annotations are found in other ways. The line is looked up in the
source afterwards, because Python-Markdown does not keep line numbers.
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

PLACEHOLDER_PREFIX = "__"
"""The beginning of the id of a heading whose page specifies none. Nothing may link to this id."""

EARLY_PRIORITY = 187
LATE_PRIORITY = 85
"""Priorities in Python-Markdown, which tries patterns with a higher priority first.

`EARLY_PRIORITY` is between code (190) and backslashes (180); `LATE_PRIORITY` is after links (160) and HTML (90).
"""

CODE = re.compile(
    r"^[ \t>]*(?P<fence>`{3,}|~{3,}).*?^[ \t>]*(?P=fence)[`~]*[ \t]*$|(?P<span>`+)(?!`).+?(?<!`)(?P=span)(?!`)",
    re.DOTALL | re.MULTILINE,
)
"""Matches a fenced code block or a code span."""


class Refusal(NamedTuple):
    """A piece of unsupported syntax on a page.

    Attributes:
        line: the line number; 0 if it is unknown.
        text: the syntax as typed.
        advice: what to write instead.
    """

    line: int
    text: str
    advice: str

    def __str__(self) -> str:
        location = f"line {self.line}: " if self.line else ""
        return f"{location}{self.text!r} would appear on the page as it is; {self.advice}"


class PageSyntax(Extension):  # type: ignore[misc]  # Python-Markdown publishes no types
    """A Python-Markdown extension that collects the unsupported syntax of a page.

    Attributes:
        matches: the syntax found so far, as pairs of text and advice.
    """

    def __init__(self) -> None:
        super().__init__()
        self.matches: list[tuple[str, str]] = []

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  Python-Markdown calls it
        """Register a pattern for each kind of unsupported syntax."""
        for kind in _syntax_rules()["refused"]:
            pattern = _RefusedSyntax(kind["pattern"], kind["advice"], self.matches)
            md.inlinePatterns.register(pattern, kind["name"], EARLY_PRIORITY if kind.get("early") else LATE_PRIORITY)

    def diagram(self, source: str, *_: Any, **__: Any) -> str:
        """Collect a diagram and return its source as code; superfences calls this for each diagram."""
        self.matches.append(("mermaid", _syntax_rules()["mermaid"]["advice"]))
        return f"<pre><code>{escape(source)}</code></pre>"

    def refusals(self, source: str, html: str) -> list[Refusal]:
        """The unsupported syntax of the page that was converted last; clears the list for the next page.

        Args:
            source: the Markdown of the page.
            html: the converted page, in which annotations are recognised by their class.
        """
        matches = list(dict.fromkeys(self.matches))
        self.matches.clear()
        if re.search(r'class="(?:[^"]* )?annotate[" ]', html):
            matches.append(("annotate", _syntax_rules()["annotate"]["advice"]))
        return [Refusal(_line(source, text), text, advice) for text, advice in matches]


class _RefusedSyntax(InlineProcessor):  # type: ignore[misc]  # likewise
    """An inline pattern that collects its matches and leaves the text unchanged."""

    def __init__(self, pattern: str, advice: str, matches: list[tuple[str, str]]) -> None:
        super().__init__(pattern)
        self.advice = advice
        self.matches = matches

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[None, None, None]:  # noqa: ARG002, N802
        """Collect the match and leave the text unchanged."""
        # Python-Markdown has replaced supported syntax with placeholders, which begin with this character. From the
        # first placeholder on, the text differs from the source.
        text = m[0].partition("\x02")[0].splitlines()[0].strip()
        self.matches.append((text, self.advice))
        return None, None, None


@cache
def _syntax_rules() -> dict[str, Any]:
    """The content of `page_syntax.toml`."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def _line(source: str, text: str) -> int:
    """The line number of a text in the source, outside code if possible; 0 if the source does not contain it."""
    without_code = CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), source)
    # "mermaid", the language of a diagram, is part of its code fence, so it is found only if code is included.
    for searchable_text in (without_code, source):
        if (index := searchable_text.find(text)) >= 0:
            return source.count("\n", 0, index) + 1
    return 0


def placeholder_id(heading: str, separator: str) -> str:
    """The id of a heading whose page specifies none; Python-Markdown calls this instead of `slugify`."""
    return f"{PLACEHOLDER_PREFIX}{slugify(heading, separator)}"
