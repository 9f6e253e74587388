"""The first result of the search is the page that the reader means."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from macros.publish.search import WORDS
from tests.docs.building import ROOT
from tests.docs.scripts import function_in
from tests.docs.test_ids import recorded_addresses
from tests.docs.windows import go_to

QUESTIONS = tomllib.loads(Path(__file__).with_name("search_questions.toml").read_text(encoding="utf-8"))
"""For each page, the questions that must lead to it, by kind."""

ALL_QUESTIONS = [
    (question, page) for page, kinds in QUESTIONS.items() for questions in kinds.values() for question in questions
]
"""All questions, each with its page."""

QUESTIONS_TO_TYPE = [
    (question, page) for page, kinds in QUESTIONS.items() for question in [*kinds["number"][:1], *kinds["words"][:1]]
]
"""A question with a number and a question in words for each page, to be typed as readers do."""

FIRST_RESULTS = function_in("scripts.js", "firstResults")
"""Queries the search's worker directly; returns the address of the first result for each question."""


@pytest.fixture(scope="module")
def search_page(desktop: Page) -> Page:
    """A page with the focus in the search field, so that the search has been fetched."""
    go_to(desktop, "about/verification.html")
    desktop.locator("[data-md-component=search-query]").focus()
    return desktop


def first_results(page: Page, questions: list[str]) -> list[str]:
    """The page of the first result for each question."""
    return [result.partition("#")[0] for result in page.evaluate(FIRST_RESULTS, questions)]


def test_the_right_page_is_the_first_result(search_page: Page) -> None:
    assert len(ALL_QUESTIONS) > 200
    results = first_results(search_page, [question for question, _ in ALL_QUESTIONS])
    assert [] == [
        (question, page, result)
        for (question, page), result in zip(ALL_QUESTIONS, results, strict=True)
        if result != page
    ]


def test_the_right_page_is_listed_first(search_page: Page) -> None:
    """The visible list may differ from the worker's results, so some questions are also typed."""
    field = search_page.locator("[data-md-component=search-query]")
    for question, page in QUESTIONS_TO_TYPE:
        field.fill(question)
        field.press("End")
        first_link = search_page.locator(".md-search-result__item a").first
        expect(first_link).to_have_attribute("href", re.compile(rf"/{re.escape(page)}([?#]|$)"))


def test_words_that_no_page_contains_have_no_result(search_page: Page) -> None:
    assert ["", ""] == first_results(search_page, ["xylophone", "123,456,789,123"])


def test_the_results_are_those_for_the_last_question(search_page: Page) -> None:
    """A misspelt question is searched twice. The second results must not replace those for a later question."""
    field = search_page.locator("[data-md-component=search-query]")
    field.fill("")
    field.press_sequentially("embedings notation", delay=1)
    search_page.locator(".md-search-result__item a[href*='notation']").first.wait_for()
    field.fill("embedings")
    field.press("End")
    search_page.locator(".md-search-result__item:first-child a[href*='embeddings']").first.wait_for()


def test_every_page_has_search_words_and_questions() -> None:
    docs = ROOT / "docs"
    pages = {path.relative_to(docs).with_suffix(".html").as_posix() for path in docs.rglob("*.md")}
    pages_with_words = {address.partition("#")[0] for address in WORDS}
    assert set() == pages - pages_with_words, (
        "add words with which readers may search for these pages to macros/publish/search_words.toml"
    )
    assert set() == WORDS.keys() - recorded_addresses(), (
        "search_words.toml has words for pages or ids that are not recorded"
    )
    assert set() == pages - set(QUESTIONS), "add questions that must lead to them to tests/docs/search_questions.toml"
    assert set() == set(QUESTIONS) - pages, "search_questions.toml has questions for pages that do not exist"


def test_the_index_has_no_print_outs(site: Path) -> None:
    """Print-outs would make the index large."""
    text = (site / "search" / "search_index.json").read_text(encoding="utf-8")
    assert "encoder.layer.23.output.LayerNorm.bias" not in text
    # The numbers of a table are separated from each other.
    sections = [
        entry["text"] for entry in json.loads(text)["docs"] if entry["location"].startswith("parts/attention.html")
    ]
    assert any("589,824" in section.split() for section in sections)
