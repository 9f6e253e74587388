"""The texts of an entry as HTML, in a few elements that learning platforms show."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from .entries import BankEntry


def paragraphs(lines: Iterable[str]) -> str:
    """Lines of text as paragraphs of HTML."""
    return "".join(f"<p>{escape(line, quote=False)}</p>" for line in lines)


def html_list(lines: Iterable[str], kind: str) -> str:
    """The lines as a list, `ul` or `ol`; empty if there are no lines."""
    items = "".join(f"<li>{escape(line, quote=False)}</li>" for line in lines)
    return f"<{kind}>{items}</{kind}>" if items else ""


def prompt(entry: BankEntry) -> str:
    """The question, the sizes, and the count in which to find a mistake, if there is one."""
    return paragraphs(entry.text) + html_list(entry.ledger, "ul")


def solution(entry: BankEntry) -> str:
    """The sum, line by line."""
    return html_list(entry.solution, "ol")
