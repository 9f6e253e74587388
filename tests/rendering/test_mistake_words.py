"""The name and the remedy of a mistake fit its effect: what leaves something out gives too little."""

import re
from collections.abc import Mapping

import pytest
from bs4 import BeautifulSoup

from macros.counting.deviations import load_deviations
from macros.counting.question import effect
from macros.rendering.components.asking import BASE, ask
from tests.docs.site_texts import all_texts
from tests.rendering.beside_numbers import text_of
from tests.rendering.test_every_page import expanded_pages
from tests.rendering.test_links_to_sections import markdown_of

TOO_LITTLE = re.compile(
    r"\b(?:leaving\b.*\bout|left out|forgetting|counting\b.*\b(?:only|once(?! (?:per|for))|without))\b", re.IGNORECASE
)
TOO_MUCH = re.compile(
    r"\b(?:counting\b.*\b(?:twice|again|as well|three)|adding(?! up)|including|keeping)\b", re.IGNORECASE
)

REMEDY_FOR_TOO_LITTLE = re.compile(r"add\b")
REMEDY_FOR_TOO_MUCH = re.compile(r"(?:leave out|remove|take (?:the|that) .* away)\b")


def is_wrong_remedy(remedy: str, sign: int) -> bool:
    """Return whether a remedy adds to a number that is too large, or takes something from one that is too small."""
    return bool((REMEDY_FOR_TOO_LITTLE.match(remedy) and sign > 0) or (REMEDY_FOR_TOO_MUCH.match(remedy) and sign < 0))


def contradicts(title: str, sign: int) -> bool:
    """Return whether the name of a mistake says that its effect has the opposite sign."""
    return bool((TOO_LITTLE.search(title) and sign > 0) or (TOO_MUCH.search(title) and sign < 0))


def mistakes_with_effects(page: BeautifulSoup) -> list[tuple[str, int]]:
    """The mistakes in the tables of a page, each with the number that its result is off by."""
    mistakes = []
    for table in page.select("table.bc"):
        headings = [text_of(heading) for heading in table.select("thead th")]
        if "off by" in headings:
            for row in table.select("tbody tr"):
                cells = row.find_all(["th", "td"], recursive=False)
                number = cells[headings.index("off by")].find("data")
                mistakes += [(text_of(cells[0]), int(str(number["value"])))] if number else []
    return mistakes


def test_names_of_mistakes_fit_their_effects() -> None:
    model = ask(model=BASE).model
    mistakes = [(deviation.title, effect(model, name)) for name, deviation in load_deviations().items()]
    pages = [page for page in expanded_pages().values() if "off by" in page.text]
    mistakes += [mistake for page in pages for mistake in mistakes_with_effects(page.parsed)]
    assert [] == [title for title, sign in mistakes if contradicts(title, sign)]
    assert sum(bool(TOO_LITTLE.search(title)) for title, _ in mistakes) > 30
    assert sum(bool(TOO_MUCH.search(title)) for title, _ in mistakes) > 10


def test_remedies_fit_the_effects_of_their_mistakes() -> None:
    model = ask(model=BASE).model
    remedies = [(deviation.undo, effect(model, name)) for name, deviation in load_deviations().items()]
    assert [] == [remedy for remedy, sign in remedies if is_wrong_remedy(remedy, sign)]
    for pattern in (REMEDY_FOR_TOO_LITTLE, REMEDY_FOR_TOO_MUCH):
        opposites = [(remedy, -sign) for remedy, sign in remedies if pattern.match(remedy)]
        assert len(opposites) > 3
        assert [] == [remedy for remedy, sign in opposites if not is_wrong_remedy(remedy, sign)]


@pytest.mark.parametrize(
    ("page", "title", "opposite"),
    [
        ("totals/relatives.md", "the shared layer once for each time it runs", "the shared layer only once"),
        ("totals/relatives.md", "RoBERTa: leaving out the position rows", "RoBERTa: keeping the position rows"),
        ("changed/lora.md", "Counting the classifier only once", "Counting the classifier twice"),
    ],
)
def test_the_opposite_of_a_mistake_is_found(page: str, title: str, opposite: str) -> None:
    assert title in expanded_pages()[page].text
    html = expanded_pages()[page].text.replace(title, opposite)
    assert any(contradicts(*mistake) for mistake in mistakes_with_effects(BeautifulSoup(html, "html.parser")))


SENTENCE = re.compile(r"(?:[^.;\n]|[.;](?=\S))+")
SIGNS = {re.compile(r"\btoo (?:high|many)\b"): 1, re.compile(r"\btoo (?:low|few)\b"): -1}
CAUSES = {
    re.compile(r"\b(?:again|twice|includes?|as well as)\b"): 1,
    re.compile(r"\b(?:le(?:ave|aves|ft|aving) out|lacks?|misse[sd]|missing|forgets?|skips?)\b"): -1,
}
"""Words for an effect and for its cause, each with the sign of the effect."""


def signs_in(sentence: str, signs: Mapping[re.Pattern[str], int]) -> set[int]:
    """The signs of the effects that the words of a sentence have."""
    return {sign for pattern, sign in signs.items() if pattern.search(sentence)}


def wrong_causes(text: str) -> list[str]:
    """The sentences in which a number is too high because something is left out, or too low because it is counted."""
    return [
        sentence.strip()
        for sentence in SENTENCE.findall(text)
        if len(signs_in(sentence, SIGNS)) == len(signs_in(sentence, CAUSES)) == 1
        and signs_in(sentence, SIGNS) != signs_in(sentence, CAUSES)
    ]


def test_effects_fit_their_causes() -> None:
    texts = [*map(markdown_of, expanded_pages()), *(passage.text for passage in all_texts())]
    assert [] == [sentence for text in texts for sentence in wrong_causes(text)]


@pytest.mark.parametrize(
    ("page", "words", "opposite"),
    [
        ("disagreements/what-your-tool-prints.md", "too high, because the tied", "too low, because the tied"),
        ("changed/lora.md", "because it leaves out the classifier", "because it includes the classifier"),
    ],
)
def test_the_opposite_of_an_effect_or_a_cause_is_found(page: str, words: str, opposite: str) -> None:
    text = markdown_of(page)
    assert words in text
    assert wrong_causes(text.replace(words, opposite))
