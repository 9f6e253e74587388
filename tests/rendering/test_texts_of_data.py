"""Every text that a data file has for pages is on a page."""

import html
import re
import tomllib
from collections.abc import Iterator
from functools import cache

import pytest

from tests.docs.building import ROOT
from tests.rendering.beside_numbers import TAG
from tests.rendering.test_every_page import expanded_pages

KEYS = {
    "counting/data/changes.toml": ("why",),
    "counting/data/claims.toml": ("title",),
    "counting/data/printouts/index.toml": ("title", "says"),
    "counting/data/profilers.toml": ("title", "why"),
    "rendering/components/terms.toml": ("title", "long"),
    "teaching/lesson.toml": ("title", "explains", "do", "board", "ask", "answer", "late"),
}
"""The keys whose texts pages show, by file."""

MARKUP = re.compile(r"[`*]|\[(?=[^][]*\]\()|\]\([^)]*\)|\{[^{}]*\}")
"""The marks of code, emphasis and links in a text, and a place for a number."""


def pieces_of(text: str) -> list[str]:
    """The parts of a text between its markup, with single spaces; short ones are left out."""
    pieces = (" ".join(piece.split()) for piece in MARKUP.split(text))
    return [piece for piece in pieces if len(piece) > 3]


def texts_in(value: object, keys: tuple[str, ...], key: str = "") -> Iterator[str]:
    """The texts under some keys in a value of a data file, at any depth."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from texts_in(item, keys, name)
    elif isinstance(value, list):
        for item in value:
            yield from texts_in(item, keys, key)
    elif isinstance(value, str) and key in keys:
        yield value


@cache
def text_of_pages() -> str:
    """The text of all pages, without tags and markup."""
    text = TAG.sub(" ", "\n".join(page.text for page in expanded_pages().values()))
    return " ".join(MARKUP.sub(" ", html.unescape(text)).split())


def texts_of(file: str) -> list[str]:
    """The texts that a data file has for pages."""
    return [*texts_in(tomllib.loads((ROOT / "macros" / file).read_text(encoding="utf-8")), KEYS[file])]


def missing_texts(file: str, pages: str) -> list[str]:
    """The texts of a data file that are not in the text of the pages."""
    return [text for text in texts_of(file) if not all(piece in pages for piece in pieces_of(text))]


@pytest.mark.parametrize("file", KEYS)
def test_every_text_is_on_a_page(file: str) -> None:
    pages = text_of_pages()
    assert [] == missing_texts(file, pages)
    last_text = texts_of(file)[-1]
    last_piece = max(pieces_of(last_text), key=len)
    assert last_text in missing_texts(file, pages.replace(last_piece, ""))
