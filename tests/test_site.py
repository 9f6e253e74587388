"""Tests of the macros as pages get them."""

from types import SimpleNamespace
from typing import Any

import pytest

from macros import site


def registered(url: str) -> dict[str, Any]:
    """Every macro and variable by its name, as registered for a page at an address."""
    members: dict[str, Any] = {}

    def macro(function: Any, name: str) -> None:
        members[name] = function

    site.define_env(SimpleNamespace(variables=members, macro=macro, page=SimpleNamespace(url=url)))
    return members


def test_a_macro_works_once_and_links_from_each_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """A macro runs once for the same arguments, and its links are relative to the page that calls it."""
    calls = []

    def once(part: str) -> str:
        calls.append(part)
        return f'<a href="site-root:parts/{part}.html">'

    monkeypatch.setitem(site.MACROS, "once", once)
    assert '<a href="parts/heads.html">' == registered("index.html")["once"]("heads")
    assert '<a href="../parts/heads.html">' == registered("totals/base.html")["once"]("heads")
    assert '<a href="../parts/embeddings.html">' == registered("totals/base.html")["once"]("embeddings")
    assert ["heads", "embeddings"] == calls


def test_a_topic_has_macros_and_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """A topic has macros, which link relative to their page, and values to loop over."""
    members = {"link": lambda to: f'<a href="site-root:{to}.html">', "lengths": (1, 2)}
    monkeypatch.setitem(site.TOPICS, "texts", members)
    texts = registered("totals/base.html")["texts"]
    assert '<a href="../map.html">' == texts.link("map")
    assert (1, 2) == texts.lengths
