"""Apostrophes are typographic on pages and in the output of scripts, but stay straight in code."""

import json
from pathlib import Path

from macros.publish.apostrophes import typeset
from macros.publish.page import Page
from tests.publish.in_node import results_in_node

CASES: dict[str, str] = json.loads(Path(__file__).with_name("apostrophes.json").read_text(encoding="utf-8"))
"""Typed texts, each with the text that readers see."""


def test_apostrophes_in_words_become_typographic() -> None:
    assert [*CASES.values()] == [*map(typeset, CASES)]


def test_scripts_typeset_as_the_build_does() -> None:
    assert [*CASES.values()] == results_in_node("typeset", [*CASES])


def test_code_keeps_its_straight_apostrophes() -> None:
    html = (
        '<table><tr><td data-head="e\'s">1</td></tr></table>'
        "<p title=\"BERT's\">BERT's <code>a's</code>'s</p><pre>b's</pre><svg><text>c's</text></svg>"
        "<p>x <code>e</code> = <b>BERT</b>'s 1 + 2</p>"
    )
    head = '<meta name="description" content="f\'s"><meta property="og:title" content="g\'s">'
    page = Page("a.html", f"<head>{head}</head><nav>d's</nav><article>{html}<input placeholder=\"h's\"></article>")
    page.typeset()
    text = page.html
    for expected in (
        "BERT’s <code>a's</code>’s",
        "<pre>b's</pre>",
        "<text>c’s</text>",
        "d’s",
        'data-head="e’s"',
        'content="f’s"',
        'content="g’s"',
        'placeholder="h’s"',
        "</b></span>’s",
        'title="BERT\'s"',
    ):
        assert expected in text, expected
