"""The macros for pages run only once for the same arguments, and their links are relative to the page."""

from types import SimpleNamespace
from typing import Any

import pytest

from macros import site


def registered_names(url: str) -> dict[str, Any]:
    """The macros and variables that are registered for a page at an address, by name."""
    members: dict[str, Any] = {}

    def macro(function: Any, name: str) -> None:
        members[name] = function

    site.define_env(SimpleNamespace(variables=members, macro=macro, page=SimpleNamespace(url=url)))
    return members


def test_a_macro_runs_once_and_its_links_fit_each_page(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def link_to_part(part: str) -> str:
        calls.append(part)
        return f'<a href="site-root:parts/{part}.html">'

    monkeypatch.setitem(site.MACROS, "link_to_part", link_to_part)
    assert '<a href="parts/heads.html">' == registered_names("index.html")["link_to_part"]("heads")
    assert '<a href="../parts/heads.html">' == registered_names("totals/base.html")["link_to_part"]("heads")
    assert '<a href="../parts/embeddings.html">' == registered_names("totals/base.html")["link_to_part"]("embeddings")
    assert ["heads", "embeddings"] == calls


def test_a_topic_has_macros_and_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """The links of a topic's macros are relative to the page too, and its values can be iterated over."""
    members = {"link": lambda to: f'<a href="site-root:{to}.html">', "lengths": (1, 2)}
    monkeypatch.setitem(site.TOPICS, "texts", members)
    texts = registered_names("totals/base.html")["texts"]
    assert '<a href="../map.html">' == texts.link("map")
    assert (1, 2) == texts.lengths
