"""The parts of pages that axe checks in `test_pages.py` contain every component of the site, without redundancy."""

import re

from bs4 import BeautifulSoup

from tests.docs.conftest import Pages

CHECKED_PARTS = {
    "404.html": "html",  # checked in test_error_page.py
    "index.html": "html",
    "changed/adapters.html": "figure, .bc-beside",
    "changed/lora.html": ".bc-letters",
    "changed/structure.html": "figure",
    "parts/encoder-layer.html": "html",
    "disagreements/conventions.html": "figure",
    "disagreements/i-got.html": "article",
    "disagreements/published-claims.html": "#bridge-by-hand-figure, time, .bc-quotes:has(#aidway-numbers), .bc-source",
    "disagreements/what-your-tool-prints.html": ".bc-printed, pre",
    "listings/transformers.html": ".bc-listing",
    "map.html": "article",
    "notation.html": ".bc-sets",
    "parts/attention.html": "figure, p:has(sub)",
    "parts/attention-heads.html": "figure, .highlight",
    "parts/embeddings.html": ".bc-sentence",
    "parts/feed-forward.html": "figure",
    "parts/heads.html": "figure, .bc-piece",
    "teach/linking.html": "article",
    "teach/hand-outs.html": "article",
    "run/memory-of-training.html": ".bc-fits, .highlight, figure",
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
"""The pages that axe checks, each with a selector for the checked parts. None of the pages could be left out."""

IN_FORMULAS = {f"<m{name}>" for name in ("frac", "space", "sqrt", "sub", "text", "under")}
"""Elements of formulas. They are left out, because only their contents differ."""


def components(page: BeautifulSoup, selector: str = "html") -> set[str]:
    """The elements, roles and classes in the parts of a page that a selector matches.

    Digits in classes are removed, because they only number columns.
    """
    names = set()
    for part in page.select(selector):
        for tag in [part, *part.find_all(True)]:
            classes = [re.sub(r"\d+", "", name) for name in tag.get_attribute_list("class") if name]
            names |= {f"<{tag.name}>", *(f".{name}" for name in classes), f"[role={tag.get('role', '')}]"}
    return names - IN_FORMULAS


def test_axe_checks_every_component_of_the_site(pages: Pages) -> None:
    all_components = set[str]().union(*map(components, pages.values()))
    checked_components = {name: components(pages[name], selector) for name, selector in CHECKED_PARTS.items()}
    assert set() == all_components - set[str]().union(*checked_components.values())
    for name in CHECKED_PARTS:
        assert all_components - set[str]().union(
            *(checked_components[other] for other in CHECKED_PARTS if other != name)
        ), f"{name} adds nothing"
