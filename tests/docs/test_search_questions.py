"""What readers type into the search leads to the page that they mean first."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from macros.publish.search import WORDS
from tests.docs.building import ROOT
from tests.docs.scripts import measure
from tests.docs.test_ids import recorded
from tests.docs.windows import go_to

QUESTIONS = tomllib.loads(Path(__file__).with_name("search_questions.toml").read_text(encoding="utf-8"))

ALL = [(question, page) for page, kinds in QUESTIONS.items() for each in kinds.values() for question in each]

TYPED = [
    (question, page) for page, kinds in QUESTIONS.items() for question in [*kinds["number"][:1], *kinds["words"][:1]]
]
"""One number and one word for each page, which are typed as a reader would; the worker is asked the rest."""

ASK = measure("scripts.js", "firstResults")
"""The page that the search's worker puts first, for each of many questions."""


@pytest.fixture(scope="module")
def searching(desk: Page) -> Page:
    """A page whose search is ready, as it is once its field is gone to."""
    go_to(desk, "about/verification.html")
    desk.locator("[data-md-component=search-query]").focus()
    return desk


def first_results(page: Page, questions: list[str]) -> list[str]:
    """The pages that come first, or of which a section does."""
    return [each.partition("#")[0] for each in page.evaluate(ASK, questions)]


def test_the_right_page_comes_first(searching: Page) -> None:
    """For every question of the list, of which there are more than thirty."""
    assert len(ALL) > 200
    found = first_results(searching, [question for question, _ in ALL])
    assert [] == [(q, page, got) for (q, page), got in zip(ALL, found, strict=True) if got != page]


def test_the_right_page_is_shown_first(searching: Page) -> None:
    """The same in the list that a reader sees."""
    field = searching.locator("[data-md-component=search-query]")
    for question, page in TYPED:
        field.fill(question)
        field.press("End")
        first = searching.locator(".md-search-result__item a").first
        expect(first).to_have_attribute("href", re.compile(rf"/{re.escape(page)}([?#]|$)"))


def test_a_question_without_an_answer_is_noticed(searching: Page) -> None:
    """A word that is nowhere leads nowhere, and a number that is on no page finds none."""
    assert ["", ""] == first_results(searching, ["xylophone", "123,456,789,123"])


def test_questions_that_follow_each_other_quickly(searching: Page) -> None:
    """An answer is always to the last question, also where a misspelt one is asked again."""
    field = searching.locator("[data-md-component=search-query]")
    field.fill("")
    field.press_sequentially("embedings notation", delay=1)
    searching.locator(".md-search-result__item a[href*='notation']").first.wait_for()
    field.fill("embedings")
    field.press("End")
    searching.locator(".md-search-result__item:first-child a[href*='embeddings']").first.wait_for()


def test_every_page_says_what_leads_to_it() -> None:
    """A page has words in search_words.toml, and questions; no words are for a page or a section that is not there."""
    docs = ROOT / "docs"
    pages = {path.relative_to(docs).with_suffix(".html").as_posix() for path in docs.rglob("*.md")}
    named = {each.partition("#")[0] for each in WORDS}
    assert set() == pages - named, "write in macros/publish/search_words.toml what readers type who mean these pages"
    assert set() == WORDS.keys() - recorded(), "search_words.toml has words for pages or ids that are not recorded"
    assert set() == pages - set(QUESTIONS), "write in tests/docs/search_questions.toml which questions lead there"
    assert set() == set(QUESTIONS) - pages, "search_questions.toml names pages that are not there"


def test_the_index_is_small_and_holds_no_print_out(site: Path) -> None:
    """Nobody searches the lines of a print-out; a number in a table is not run together with its neighbours."""
    text = (site / "search" / "search_index.json").read_text(encoding="utf-8")
    assert "encoder.layer.23.output.LayerNorm.bias" not in text
    found = [each["text"] for each in json.loads(text)["docs"] if each["location"].startswith("parts/attention.html")]
    assert any("589,824" in each.split() for each in found)
