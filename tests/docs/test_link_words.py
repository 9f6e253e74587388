"""Links lead to the page that their words name, if their words name one.

A link may be part of any sentence, so its words need not be a title. But if they hold a word from a
title or a short heading of the site, the page that they lead to must have one such word: in its
address or title, in the place meant, in headings, captions and rows, or among the words that its
readers search for. And they must not be another page's title, unless something on the target begins
with them.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple
from urllib.parse import parse_qs, unquote, urldefrag, urljoin, urlsplit

import pytest
from bs4 import BeautifulSoup, Tag

from macros.counting.models import by_every_name
from macros.rendering.texts_to_try import TEXTS
from macros.teaching.sets import load_sets
from tests.docs.building import ROOT
from tests.docs.conftest import Pages, by_id

ORDINARY = re.compile(
    r"the|and|for|that|with|what|how|from|does|its|this|are|has|have|not|one|all|each|every|than|more|about|page|bert"
    r"|numbers?|parameters|models|own|them|their|another|other"
)
"""Words that name no page, or could stand for any page."""


def stems(text: str) -> frozenset[str]:
    """The stems of the words in a text that name something."""
    words = re.findall(r"[a-z]{3,}", text.lower())
    return frozenset(re.sub(r"(?<=...)(?:e?s|ing|e)$", "", word)[:8] for word in words if not ORDINARY.fullmatch(word))


PRONOUN = re.compile(r"\b(?:it|they|them|this|these|those)\b", re.IGNORECASE)
"""Pronouns, with which words refer to something the sentence has named."""


class Target(NamedTuple):
    """The target of a link: a page, an element on it, and the query of its address."""

    page: str
    place: str
    query: dict[str, str]

    @property
    def meant(self) -> list[str]:
        """The titles of the model, of the set of exercises and of the text to try in the query."""
        model, exercises = (
            by_every_name().get(self.query.get("model", "")),
            load_sets().sets.get(self.query.get("set", "")),
        )
        text, _ = TEXTS.get(self.query.get("example", ""), ("", None))
        return [*(entry.title for entry in (model, exercises) if entry), *filter(None, [text])]


class Names:
    """The words for pages and their places, by address."""

    def __init__(self, pages: Pages) -> None:
        self.pages = {name: page for name, page in pages.items() if page.article and name != "404.html"}
        self.ids = {name: by_id(page) for name, page in self.pages.items()}
        menu = pages["404.html"].select("article a[href]")
        self.titles = {target_of("404.html", link).page: stems(link.get_text()) for link in menu}
        headings = [stems(heading.get_text(" ")) for page in self.pages.values() for heading in page.select("h2, h3")]
        short = [words for words in headings if len(words) <= SHORT]
        self.known = frozenset[str]().union(*self.titles.values(), *short)
        self.rows = {name: self._rows(name) for name in self.pages}
        self.begin = {name: [text.lower() for text in texts_of(page, NAMING)] for name, page in self.pages.items()}

    def _rows(self, page: str) -> frozenset[str]:
        """The words of a page's headings, captions and rows, and those that its readers search for."""
        texts_on_page = texts_of(self.pages[page], f"{NAMING}, code")
        search_texts = [words for place, words in search_words().items() if place.partition("#")[0] == page]
        return frozenset[str]().union(*map(stems, [*texts_on_page, *search_texts]))

    def near(self, target: Target) -> frozenset[str]:
        """The words of address, title, place, the heading above it, and the query."""
        page, element = self.pages[target.page], self.ids[target.page].get(target.place)
        heading = element.find_previous(["h2", "h3"]) if element else None
        texts = [target.page, target.place, *(tag.get_text(" ") for tag in (page.h1, element, heading) if tag)]
        return self.titles.get(target.page, frozenset[str]()).union(*map(stems, [*texts, *target.meant]))

    def others(self, words: frozenset[str], page: str) -> list[str]:
        """Other pages whose title contains these words, or is contained in them."""
        titles = {name: title for name, title in self.titles.items() if name != page and title}
        return [name for name, title in titles.items() if title <= words or words <= title]


NAMING = "h1, h2, h3, caption, th"
"""Elements that name something on a page."""

ARTICLE = re.compile(r"^(?:the|a|an|its|every|all) ")


def texts_of(page: BeautifulSoup, selector: str) -> list[str]:
    """The texts of some elements of a page."""
    return [" ".join(tag.get_text(" ").split()) for tag in page.select(selector)]


SHORT = 2
"""The most words of a heading that is a name and not a sentence."""


@cache
def search_words() -> dict[str, str]:
    """The words that readers type when they mean a page or a place."""
    return tomllib.loads((ROOT / "macros/publish/search_words.toml").read_text(encoding="utf-8"))


def target_of(page: str, link: Tag) -> Target:
    """The target of a link on a page."""
    address, anchor = urldefrag(urljoin(f"/{page}", str(link["href"])))
    path, query = urlsplit(address).path, parse_qs(urlsplit(address).query)
    return Target(
        unquote(path).lstrip("/") or "index.html", unquote(anchor), {key: values[0] for key, values in query.items()}
    )


def links_of(page: BeautifulSoup) -> Iterator[Tag]:
    """Links within the site, except signs, labels in pictures and exercises, which are linked by their question."""
    for link in page.select("article a[href]:not(.headerlink, .bc-permalink, svg a, .bc-level-sum a, [href*='seed='])"):
        if not urlsplit(str(link["href"])).scheme:
            yield link


def is_misleading(link: Tag, target: Target, names: Names) -> bool:
    """Return whether the words of a link name something that it does not lead to."""
    text = link.get_text(" ")
    words = stems(text)
    if not words & names.known or PRONOUN.search(text) or words & names.near(target):
        return False
    begins = any(
        beginning.startswith(ARTICLE.sub("", " ".join(text.split()).lower())) for beginning in names.begin[target.page]
    )
    return not words & names.rows[target.page] or (bool(names.others(words, target.page)) and not begins)


def misleading(name: str, names: Names) -> list[str]:
    """Links of a page whose words name something that they do not lead to."""
    links = [(link, target_of(name, link)) for link in links_of(names.pages[name])]
    internal_links = [(link, target) for link, target in links if target.page in names.pages]
    return [f"{link.get_text(' ')}: {target}" for link, target in internal_links if is_misleading(link, target, names)]


@pytest.fixture(scope="module")
def names(pages: Pages) -> Names:
    """The names of the built site."""
    return Names(pages)


def test_links_lead_to_what_they_say(names: Names) -> None:
    """No link on any page is misleading, and there are hundreds that name something."""
    assert {} == {name: links for name in names.pages if (links := misleading(name, names))}
    assert (
        sum(bool(stems(link.get_text(" ")) & names.known) for page in names.pages.values() for link in links_of(page))
        > 300
    )


MISLEADING = {
    "the feed-forward network": "try/calculator.html",
    "Attention heads": "teach/question-banks.html",
    "every convention": "parts/embeddings.html",
    "RoBERTa": "parts/layer-norm.html",
    "the calculator": "totals/checkpoints.html",
    "memory of training": "notation.html",
    "LayerNorm": "disagreements/why-110m.html",
    "question banks": "teach/linking.html",
}
"""Words of links, and pages that they do not name."""


@pytest.mark.parametrize("words", MISLEADING)
def test_a_link_that_leads_elsewhere_is_found(names: Names, words: str) -> None:
    """Each of these misleading links is found."""
    link = BeautifulSoup(f'<a href="/{MISLEADING[words]}">{words}</a>', "html.parser").a
    assert link
    assert is_misleading(link, target_of("index.html", link), names)


def test_a_link_may_be_any_words_of_a_sentence(names: Names) -> None:
    """Words without a name, with a pronoun, or named in the query may be a link."""
    for text, address in (
        ("enter your total", "disagreements/i-got.html"),
        ("the page about them", "run/operations.html"),
        ("ALBERT base, version 2", "try/calculator.html?model=albert-base-v2"),
    ):
        link = BeautifulSoup(f'<a href="/{address}">{text}</a>', "html.parser").a
        assert link
        assert not is_misleading(link, target_of("index.html", link), names), text
