"""The name and the remedy of a mistake fit its effect: what leaves something out gives too little."""

import re

import pytest
from bs4 import BeautifulSoup

from macros.counting.deviations import load_deviations
from macros.counting.question import effect
from macros.rendering.components.asking import BASE, ask
from tests.rendering.beside_numbers import text_of
from tests.rendering.test_every_page import expanded_pages

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
    """Return whether the name of a mistake tells that its effect has the opposite sign."""
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
