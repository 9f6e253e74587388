"""The search puts first the page that readers mean."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from macros.publish.search import WORDS
from tests.docs.building import ROOT
from tests.docs.scripts import measure
from tests.docs.test_ids import recorded_addresses
from tests.docs.windows import go_to

QUESTIONS = tomllib.loads(Path(__file__).with_name("search_questions.toml").read_text(encoding="utf-8"))

ALL_QUESTIONS = [
    (question, page) for page, kinds in QUESTIONS.items() for questions in kinds.values() for question in questions
]

QUESTIONS_TO_TYPE = [
    (question, page) for page, kinds in QUESTIONS.items() for question in [*kinds["number"][:1], *kinds["words"][:1]]
]
"""One number and one word for each page, typed as a reader would; other questions go to the search's worker."""

ASK = measure("scripts.js", "firstResults")
"""The page that the search's worker puts first, for each question."""


@pytest.fixture(scope="module")
def searching(desktop: Page) -> Page:
    """A page whose search is ready, because its field has the focus."""
    go_to(desktop, "about/verification.html")
    desktop.locator("[data-md-component=search-query]").focus()
    return desktop


def first_results(page: Page, questions: list[str]) -> list[str]:
    """The pages of the first results."""
    return [result.partition("#")[0] for result in page.evaluate(ASK, questions)]


def test_the_right_page_comes_first(searching: Page) -> None:
    """Every question of the list brings its page first."""
    assert len(ALL_QUESTIONS) > 200
    results = first_results(searching, [question for question, _ in ALL_QUESTIONS])
    assert [] == [
        (question, page, first) for (question, page), first in zip(ALL_QUESTIONS, results, strict=True) if first != page
    ]


def test_the_right_page_is_shown_first(searching: Page) -> None:
    """The list that a reader sees begins with the same page."""
    field = searching.locator("[data-md-component=search-query]")
    for question, page in QUESTIONS_TO_TYPE:
        field.fill(question)
        field.press("End")
        first = searching.locator(".md-search-result__item a").first
        expect(first).to_have_attribute("href", re.compile(rf"/{re.escape(page)}([?#]|$)"))


def test_a_question_without_an_answer_is_noticed(searching: Page) -> None:
    """A word and a number that no page contains find nothing."""
    assert ["", ""] == first_results(searching, ["xylophone", "123,456,789,123"])


def test_questions_that_follow_each_other_quickly(searching: Page) -> None:
    """The results are always for the last question, even if a misspelt one is retried."""
    field = searching.locator("[data-md-component=search-query]")
    field.fill("")
    field.press_sequentially("embedings notation", delay=1)
    searching.locator(".md-search-result__item a[href*='notation']").first.wait_for()
    field.fill("embedings")
    field.press("End")
    searching.locator(".md-search-result__item:first-child a[href*='embeddings']").first.wait_for()


def test_every_page_says_what_leads_to_it() -> None:
    """Every page has search words and questions, and none are for pages or ids that do not exist."""
    docs = ROOT / "docs"
    pages = {path.relative_to(docs).with_suffix(".html").as_posix() for path in docs.rglob("*.md")}
    pages_with_words = {address.partition("#")[0] for address in WORDS}
    assert set() == pages - pages_with_words, (
        "write in macros/publish/search_words.toml what readers type who mean these pages"
    )
    assert set() == WORDS.keys() - recorded_addresses(), (
        "search_words.toml has words for pages or ids that are not recorded"
    )
    assert set() == pages - set(QUESTIONS), "write in tests/docs/search_questions.toml which questions lead there"
    assert set() == set(QUESTIONS) - pages, "search_questions.toml names pages that are not there"


def test_the_index_is_small_and_holds_no_print_out(site: Path) -> None:
    """Print-outs are not indexed, and a number in a table does not run into its neighbours."""
    text = (site / "search" / "search_index.json").read_text(encoding="utf-8")
    assert "encoder.layer.23.output.LayerNorm.bias" not in text
    sections = [
        entry["text"] for entry in json.loads(text)["docs"] if entry["location"].startswith("parts/attention.html")
    ]
    assert any("589,824" in section.split() for section in sections)
