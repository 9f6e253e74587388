"""What an entry says, as the little HTML that learning platforms show."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from .entries import Entry


def paragraphs(lines: Iterable[str]) -> str:
    """Each on its own."""
    return "".join(f"<p>{escape(line, quote=False)}</p>" for line in lines)


def listed(lines: Iterable[str], kind: str) -> str:
    """As a list, `ul` or `ol`; nothing of nothing."""
    items = "".join(f"<li>{escape(line, quote=False)}</li>" for line in lines)
    return f"<{kind}>{items}</{kind}>" if items else ""


def prompt(entry: Entry) -> str:
    """What is asked, the sizes, and the count to look at."""
    return paragraphs(entry.text) + listed(entry.ledger, "ul")


def solution(entry: Entry) -> str:
    """The sum line by line."""
    return listed(entry.solution, "ol")
