"""The name of a mistake fits its effect: leaving something out gives too little, and counting it twice too much."""

import re

import pytest
from bs4 import BeautifulSoup

from macros.counting.deviations import load_deviations
from macros.counting.question import effect
from macros.rendering.components.asking import BASE, ask
from tests.rendering.beside_numbers import text_of
from tests.rendering.test_every_page import expanded_pages

TOO_LITTLE = re.compile(
    r"\b(?:leaving\b.*\bout|forgetting|counting\b.*\b(?:only|once(?! (?:per|for))|without))\b", re.IGNORECASE
)
TOO_MUCH = re.compile(
    r"\b(?:counting\b.*\b(?:twice|again|as well|three)|adding(?! up)|including|keeping)\b", re.IGNORECASE
)


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
