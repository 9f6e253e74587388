"""A link to a section leads to the section that its words are about.

The words of a link that are not in the title of the page that it leads to say which section is meant. If the title has
all of them, the sentence around the link says it. A link is misleading if its section has none of these words, and the
beginning of another section of the page has one.
"""

import posixpath
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest

from tests.docs.test_link_words import name_stems
from tests.rendering.beside_numbers import TAG
from tests.rendering.facets import MAIN_MODELS
from tests.rendering.test_every_page import expanded_pages

HEADING = re.compile(r"^(?P<rank>#+) (?P<text>.+?) \{ #(?P<id>[\w-]+)", re.MULTILINE)
"""A heading with its id."""

LINK = re.compile(r"\[([^][\n]+)\]\(([\w./-]*\.md)?#([\w-]+)\)")
"""A link to an element with an id; the groups are its words, the page and the id."""

ADDRESS = re.compile(r"(?<=\])\([^)]*\)")

LINK_TO_SECTION = re.compile(r"\[[^][\n]+\]\([^)]*#[^)]*\)")
"""A link to a section. Its words are about that section, not about the one that it is in."""

SENTENCE_END = re.compile(r"\n|(?<=[.;:]) ")

ON_MANY_PAGES = {"keep", "exercises", "sources", "check", "mistakes"}
"""The ids of sections that most pages have. Their headings are about no topic."""

BEGINNING = 60
"""The number of words, from the heading of a section, that show what the section is about."""


class Section(NamedTuple):
    """The stems of the words in a section, or in another element with an id, and of those at its beginning."""

    stems: frozenset[str]
    first_stems: frozenset[str]


@cache
def markdown_of(page: str) -> str:
    """The Markdown of a page, without the tags of the HTML that macros have written."""
    return TAG.sub(" ", expanded_pages()[page].text)


def section_of(title: str, id_: str, text: str) -> Section:
    """A section with its heading and its id, whose words are separated by hyphens."""
    words = ADDRESS.sub("", f"{title} {id_.replace('-', ' ')} {LINK_TO_SECTION.sub('', text)}").split()
    heading_length = len(title.split()) + len(id_.split("-"))
    return Section(name_stems(" ".join(words)), name_stems(" ".join(words[: heading_length + BEGINNING])))


@cache
def sections_of(page: str) -> dict[str, Section]:
    """The sections of a page by id. The section of the page's title is its title alone."""
    text = markdown_of(page)
    sections = {}
    for heading in HEADING.finditer(text):
        next_heading = re.compile(rf"^#{{1,{len(heading['rank'])}}} ", re.MULTILINE)
        content = "" if heading["rank"] == "#" else next_heading.split(text[heading.end() :], maxsplit=1)[0]
        sections[heading["id"]] = section_of(heading["text"], heading["id"], content)
    return sections


@cache
def section_at(page: str, id_: str) -> Section:
    """The section with an id, or any other element with it, such as a paragraph."""
    if id_ in sections_of(page):
        return sections_of(page)[id_]
    if element := expanded_pages()[page].parsed.find(id=id_):
        return section_of("", id_, element.get_text(" "))
    paragraphs = markdown_of(page).split("\n\n")
    return section_of("", id_, next(paragraph for paragraph in paragraphs if f"{{ #{id_} }}" in paragraph))


def sections_meant(words: str, sentence: str, page: str, id_: str) -> list[str]:
    """The ids of other sections that a link to a section seems to mean; empty if it may mean its own.

    Args:
        words: the words of the link.
        sentence: the sentence around it.
        page: the page that it leads to.
        id_: the id of the section or element.
    """
    title, *_ = sections_of(page).values()
    stems = name_stems(words) - title.stems or name_stems(sentence) - title.stems
    if stems & section_at(page, id_).stems:
        return []
    _, *ids = sections_of(page)
    return [other for other in ids if stems & sections_of(page)[other].first_stems and other not in ON_MANY_PAGES]


Link = tuple[str, str, str, str]
"""The words of a link, its sentence, and the page and the id that it leads to."""


@cache
def links_of(name: str) -> tuple[Link, ...]:
    """The links on a page to sections and other elements with an id."""
    return tuple(
        (words, ADDRESS.sub("", sentence), posixpath.normpath(f"{name}/../{address}") if address else name, id_)
        for sentence in SENTENCE_END.split(markdown_of(name))
        if "](" in sentence
        for words, address, id_ in LINK.findall(sentence)
    )


def all_links() -> Iterator[tuple[str, Link]]:
    """Every link to a section or another element with an id, with the page that it is on."""
    for name in expanded_pages():
        yield from ((name, link) for link in links_of(name))


def test_no_link_means_another_section() -> None:
    assert {} == {(name, link): ids for name, link in all_links() if (ids := sections_meant(*link))}
    assert sum(1 for _ in all_links()) > 100


def test_links_to_random_sections_are_often_noticed() -> None:
    """If each link led to a random other section of its target page, more than two fifths would be noticed."""
    shares = []
    for _, (words, sentence, page, id_) in all_links():
        _, *ids = sections_of(page)
        is_noticed = [bool(sections_meant(words, sentence, page, other)) for other in ids if other != id_]
        shares.append(sum(is_noticed) / max(len(is_noticed), 1))
    assert sum(shares) > 0.4 * len(shares)


@pytest.mark.parametrize(
    ("words", "page", "wrong_id"),
    [
        ("what tying saves", "parts/heads.md", "pooler"),
        ("QLoRA", "changed/storage.md", "files"),
        ("profilers print", "run/operations.md", "worked"),
        ("command line", "teach/downloads.md", "schemas"),
    ],
)
def test_a_link_to_another_section_is_noticed(words: str, page: str, wrong_id: str) -> None:
    assert sections_meant(words, "", page, wrong_id)


SIZE = re.compile(r"\bBERT (base|large)\b")


@cache
def models_at(page: str, id_: str) -> frozenset[str]:
    """The models of the numbers in an element with an id or, if it is a heading, in the section below it."""
    expanded_page = expanded_pages()[page]
    html = str(expanded_page.parsed.find(id=id_) or "")
    for heading in HEADING.finditer(expanded_page.text):
        if heading["id"] == id_:
            next_heading = re.compile(rf"^#{{1,{len(heading['rank'])}}} ", re.MULTILINE)
            html = next_heading.split(expanded_page.text[heading.end() :], maxsplit=1)[0]
    return frozenset(re.findall(r'data-model="([^"]*)"', html))


def is_of_other_model(sentence: str, page: str, id_: str) -> bool:
    """Return whether a sentence is about BERT base or BERT large, and what it links to is about the other one."""
    models_in_sentence = {MAIN_MODELS[size] for size in SIZE.findall(sentence)}
    models_at_target = models_at(page, id_) & {*MAIN_MODELS.values()}
    return len(models_in_sentence) == 1 and bool(models_at_target) and not models_in_sentence & models_at_target


def test_no_link_leads_to_numbers_of_the_other_model() -> None:
    links = [(name, sentence, page, id_) for name, (_, sentence, page, id_) in all_links()]
    assert [] == [link for link in links if is_of_other_model(*link[1:])]
    assert sum(bool(SIZE.search(sentence) and models_at(page, id_)) for _, sentence, page, id_ in links) > 6
    (sentence,) = {
        sentence for _, (_, sentence, page, id_) in all_links() if id_ == "lesson-board" and "The answers" in sentence
    }
    assert is_of_other_model(sentence.replace("base", "large"), "teach/lesson.md", "lesson-board")
