"""What axe judges where a page is open anyway, in `test_pages.py`: together it is everything the site is made of."""

import re

from bs4 import BeautifulSoup

from tests.docs.conftest import Pages

KINDS = {
    "404.html": "html",  # judged in test_error_page.py
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
    "teach/question-banks.html": ".bc-several, .bc-tally",
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


def test_every_component_is_judged(pages: Pages) -> None:
    """A new one needs a place among the kinds; each of these is needed for something."""
    everything = set[str]().union(*map(components, pages.values()))
    judged = {name: components(pages[name], within) for name, within in KINDS.items()}
    assert set() == everything - set[str]().union(*judged.values())
    for name in KINDS:
        assert everything - set[str]().union(*(judged[each] for each in KINDS if each != name)), f"{name} adds nothing"
