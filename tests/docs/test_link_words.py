"""If the words of a link name a page, the link leads there.

A link's words need not be a title. If one of them also occurs in a title or a short heading on the site, however, they
must share a word with the target: with its address or title, with the element that the link leads to or the heading
above this element, or with the query string. A word in the target's other headings, captions, rows, code or search
words is enough, too, unless the link's words are the title of another page and nothing on the target begins with them.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple
from urllib.parse import parse_qs, unquote, urldefrag, urljoin, urlsplit

import pytest
from bs4 import BeautifulSoup, Tag

from macros.counting.models import models_by_every_name
from macros.rendering.texts_to_try import TEXTS
from macros.teaching.sets import load_sets
from tests.docs.building import ROOT
from tests.docs.conftest import Pages, by_id

COMMON_WORDS = re.compile(
    r"the|and|for|that|with|what|how|from|does|its|this|are|has|have|not|one|all|each|every|than|more|about|page|bert"
    r"|numbers?|parameters|models|own|them|their|another|other"
)
"""Words that identify no page, because they could refer to any of them."""


def name_stems(text: str) -> frozenset[str]:
    """The stems of the words that may name a page: without common endings, cut to eight letters."""
    words = re.findall(r"[a-z]{3,}", text.lower())
    return frozenset(
        re.sub(r"(?<=...)(?:e?s|ing|e)$", "", word)[:8] for word in words if not COMMON_WORDS.fullmatch(word)
    )


PRONOUN = re.compile(r"\b(?:it|they|them|this|these|those)\b", re.IGNORECASE)
"""A pronoun, which refers to something that the sentence has already named."""


class Target(NamedTuple):
    """The target of a link: a page, the id of an element on it, and the parameters in the query string."""

    page: str
    anchor: str
    query: dict[str, str]

    @property
    def titles_in_query(self) -> list[str]:
        """The titles of the model, the set of exercises and the text to try in the query string."""
        model = models_by_every_name().get(self.query.get("model", ""))
        exercises = load_sets().sets.get(self.query.get("set", ""))
        title_of_text, _ = TEXTS.get(self.query.get("example", ""), ("", None))
        titles = [model.title if model else "", exercises.title if exercises else "", title_of_text]
        return [title for title in titles if title]


class Names:
    """The stems of the words that name pages and elements on pages."""

    def __init__(self, pages: Pages) -> None:
        self.pages = {name: page for name, page in pages.items() if page.article and name != "404.html"}
        self.elements = {name: by_id(page) for name, page in self.pages.items()}
        menu = pages["404.html"].select("article a[href]")
        self.title_stems = {target_of("404.html", link).page: name_stems(link.get_text()) for link in menu}
        headings = [
            name_stems(heading.get_text(" ")) for page in self.pages.values() for heading in page.select("h2, h3")
        ]
        short_headings = [stems for stems in headings if len(stems) <= MAX_NAME_WORDS]
        self.naming_stems = frozenset[str]().union(*self.title_stems.values(), *short_headings)
        self.stems_by_page = {name: self._stems_on(name) for name in self.pages}
        self.naming_texts = {
            name: [text.lower() for text in texts_of(page, NAMING_ELEMENTS)] for name, page in self.pages.items()
        }

    def _stems_on(self, page: str) -> frozenset[str]:
        """The stems in a page's headings, captions, rows and code, and in its search words."""
        texts_on_page = texts_of(self.pages[page], f"{NAMING_ELEMENTS}, code")
        search_texts = [words for address, words in search_words().items() if address.partition("#")[0] == page]
        return frozenset[str]().union(*map(name_stems, [*texts_on_page, *search_texts]))

    def stems_at_target(self, target: Target) -> frozenset[str]:
        """The stems in the page's address and title, the element, the heading above it, and the query string."""
        page, element = self.pages[target.page], self.elements[target.page].get(target.anchor)
        heading = element.find_previous(["h2", "h3"]) if element else None
        texts = [target.page, target.anchor, *(tag.get_text(" ") for tag in (page.h1, element, heading) if tag)]
        return self.title_stems.get(target.page, frozenset[str]()).union(
            *map(name_stems, [*texts, *target.titles_in_query])
        )

    def pages_with_title(self, stems: frozenset[str], page: str) -> list[str]:
        """The pages other than `page` whose titles contain all of these stems, or consist of some of them."""
        titles = {name: title for name, title in self.title_stems.items() if name != page and title}
        return [name for name, title in titles.items() if title <= stems or stems <= title]


NAMING_ELEMENTS = "h1, h2, h3, caption, th"
"""A selector for elements that name something on a page."""

ARTICLE = re.compile(r"^(?:the|a|an|its|every|all) ")
"""An article or a similar word before a name. It is not part of the name."""


def texts_of(page: BeautifulSoup, selector: str) -> list[str]:
    """The texts of the elements on a page that a selector matches."""
    return [" ".join(tag.get_text(" ").split()) for tag in page.select(selector)]


MAX_NAME_WORDS = 2
"""A heading with more stems than this is a sentence, not a name."""


@cache
def search_words() -> dict[str, str]:
    """The search words of pages and elements, by their addresses."""
    return tomllib.loads((ROOT / "macros/publish/search_words.toml").read_text(encoding="utf-8"))


def target_of(page: str, link: Tag) -> Target:
    """The target of a link on a page."""
    address, anchor = urldefrag(urljoin(f"/{page}", str(link["href"])))
    path, query = urlsplit(address).path, parse_qs(urlsplit(address).query)
    return Target(
        unquote(path).lstrip("/") or "index.html", unquote(anchor), {key: values[0] for key, values in query.items()}
    )


def links_of(page: BeautifulSoup) -> Iterator[Tag]:
    """The links within the site that name their targets: not permalinks, labels in pictures and sums, or exercises."""
    for link in page.select("article a[href]:not(.headerlink, .bc-permalink, svg a, .bc-level-sum a, [href*='seed='])"):
        if not urlsplit(str(link["href"])).scheme:
            yield link


def is_misleading(link: Tag, target: Target, names: Names) -> bool:
    """Return whether the words of a link name a page or an element that the link does not lead to."""
    text = link.get_text(" ")
    stems = name_stems(text)
    if not stems & names.naming_stems or PRONOUN.search(text) or stems & names.stems_at_target(target):
        return False
    name = ARTICLE.sub("", " ".join(text.split()).lower())
    is_on_target = any(naming_text.startswith(name) for naming_text in names.naming_texts[target.page])
    is_title_elsewhere = bool(names.pages_with_title(stems, target.page))
    return not stems & names.stems_by_page[target.page] or (is_title_elsewhere and not is_on_target)


def misleading_links(name: str, names: Names) -> list[str]:
    """The misleading links of a page, each with its target."""
    links = [(link, target_of(name, link)) for link in links_of(names.pages[name])]
    internal_links = [(link, target) for link, target in links if target.page in names.pages]
    return [f"{link.get_text(' ')}: {target}" for link, target in internal_links if is_misleading(link, target, names)]


@pytest.fixture(scope="module")
def names(pages: Pages) -> Names:
    """The `Names` of the built site."""
    return Names(pages)


def test_no_link_is_misleading(names: Names) -> None:
    assert {} == {name: links for name in names.pages if (links := misleading_links(name, names))}
    stems_of_links = [name_stems(link.get_text(" ")) for page in names.pages.values() for link in links_of(page)]
    assert sum(bool(stems & names.naming_stems) for stems in stems_of_links) > 300  # enough links name a page


MISLEADING_LINKS = {
    "the feed-forward network": "try/calculator.html",
    "Attention heads": "teach/question-banks.html",
    "every convention": "parts/embeddings.html",
    "RoBERTa": "parts/layer-norm.html",
    "the calculator": "totals/checkpoints.html",
    "memory of training": "notation.html",
    "LayerNorm": "disagreements/why-110m.html",
    "question banks": "teach/linking.html",
}
"""The words of links, each with a page that a link with these words must not lead to."""


@pytest.mark.parametrize("words", MISLEADING_LINKS)
def test_a_misleading_link_is_noticed(names: Names, words: str) -> None:
    link = BeautifulSoup(f'<a href="/{MISLEADING_LINKS[words]}">{words}</a>', "html.parser").a
    assert link
    assert is_misleading(link, target_of("index.html", link), names)


def test_the_words_of_a_link_need_not_be_a_title(names: Names) -> None:
    """The words may name no page, contain a pronoun, or name something in the query string."""
    for text, address in (
        ("enter your total", "disagreements/i-got.html"),
        ("the page about them", "run/operations.html"),
        ("ALBERT base, version 2", "try/calculator.html?model=albert-base-v2"),
    ):
        link = BeautifulSoup(f'<a href="/{address}">{text}</a>', "html.parser").a
        assert link
        assert not is_misleading(link, target_of("index.html", link), names), text
