"""What axe finds on a page of each kind: together they have everything that the site is made of."""

import re

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Page

from tests.docs.conftest import Pages
from tests.docs.windows import ONE_OF_A_KIND, WIDTHS, faults_in_windows, open_page, overflow

KINDS = {
    "404.html": "html",
    "index.html": "html",
    "changed/adapters.html": "figure, .bc-beside",
    "changed/index.html": ".bc-letters, .bc-table",
    "changed/structure.html": "figure",
    "parts/encoder-layer.html": "html",
    "disagreements/conventions.html": "figure",
    "disagreements/i-got.html": "article",
    "disagreements/published-claims.html": "#bridge-by-hand-figure, time, .bc-quotes:has(#aidway-numbers), .bc-source",
    "listings/index.html": ".bc-brief, .bc-more",
    "listings/transformers.html": ".bc-listing",
    "map.html": "article",
    "parts/attention-heads.html": "figure, .highlight",
    "parts/feed-forward.html": "figure",
    "parts/heads.html": "figure, .bc-piece",
    "parts/layer-norm.html": "figure, .bc-exercises",
    "teach/linking.html": "article",
    "teach/hand-outs.html": "article",
    "run/memory-of-training.html": ".bc-question, figure",
    "run/operations.html": ".bc-abreast, .highlight, form",
    "teach/lesson.html": ".bc-in-lesson, .bc-address, blockquote, h3",
    "teach/question-banks.html": ".bc-several",
    "teach/sheet.html": "article",
    "teach/slides.html": "article",
    "teach/two-pages.html": "article",
    "totals/base.html": ".bc-either",
    "totals/relatives.html": ".bc-recorded, #relatives",
    "try/calculator.html": "article",
    "try/exercises.html": "article",
}
"""Pages of each kind, as few as have every component, and what is judged of them."""


IN_FORMULAS = {f"<m{name}>" for name in ("frac", "space", "sqrt", "sub", "text", "under")}
"""Formulas are of one kind, whatever is in them."""


def components(page: BeautifulSoup, within: str = "html") -> set[str]:
    """What is in parts of a page: elements, classes (which may end in the number of a column) and roles."""
    found = set()
    for place in page.select(within):
        for tag in [place, *place.find_all(True)]:
            classes = [re.sub(r"\d+", "", each) for each in tag.get_attribute_list("class") if each]
            found |= {f"<{tag.name}>", *(f".{each}" for each in classes), f"[role={tag.get('role', '')}]"}
    return found - IN_FORMULAS


@pytest.mark.parametrize("name", KINDS)
def test_a_page_is_accessible(desk: Page, address: str, name: str) -> None:
    """Nothing serious or critical by WCAG 2.2 AA in any window, which has to be scrolled down only."""
    desk.set_viewport_size(WIDTHS["desktop"])
    open_page(desk, f"{address}/{name}")
    assert [] == overflow(desk)
    desk.evaluate(ONE_OF_A_KIND, KINDS[name])
    assert [] == faults_in_windows(desk, KINDS[name])


def test_every_component_is_judged(pages: Pages) -> None:
    """A new one needs a place among the kinds; each of these is needed for something."""
    everything = set[str]().union(*map(components, pages.values()))
    judged = {name: components(pages[name], within) for name, within in KINDS.items()}
    assert set() == everything - set[str]().union(*judged.values())
    for name in KINDS:
        assert everything - set[str]().union(*(judged[each] for each in KINDS if each != name)), f"{name} adds nothing"
