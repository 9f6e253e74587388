"""No line ends with a sign such as `+`, because a sign is kept together with the term after it."""

import json
from pathlib import Path

import pytest

from macros.publish.line_ends import pieces_of
from macros.publish.page import Page
from tests.publish.in_node import results_in_node

CASES: list[tuple[str, list[str]]] = json.loads(Path(__file__).with_name("line_ends.json").read_text(encoding="utf-8"))
"""Texts and their pieces; every second piece is a sign and the term after it."""


def test_texts_are_split_at_signs() -> None:
    assert [pieces for _, pieces in CASES] == [pieces_of(text) for text, _ in CASES]


def test_scripts_split_texts_as_the_build_does() -> None:
    assert [pieces for _, pieces in CASES] == results_in_node("piecesOf", [text for text, _ in CASES])


def joined_texts(html: str) -> list[str]:
    """The texts that an article keeps together."""
    page = Page("a.html", f"<article>{html}</article>")
    text_before = page.article.text() if page.article else ""
    page.typeset()
    assert page.article
    assert text_before == page.article.text()  # a reader copies the same text
    return [element.text() for element in page.article.css(".bc-joined")]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>4 × 5 = 20</p>", ["× 5", "= 20"]),
        ("<h2>V = 30,522 &lt; 2</h2><table><th>a ·\nb", ["V = 30,522", "·\nb"]),
        ('<p>H = <data data-how="a < b = c">768</data> numbers', ["H = 768"]),
        ("<p>2 × H = <data>1,536</data>", ["× H", "= 1,536"]),
        ('<p>1 + <span class="bc-term">2 × 3</span> = <b class="bc-term">7</b>', ["+ 2 × 3", "= 7"]),
        ("<p>a × <math><mi>H</mi> <mo>+</mo> <mi>F</mi></math>", ["× H + F"]),
        # Several words in one element follow the sign, or nothing follows it on its line.
        ("<p>a = <em>two words</em></p><p>b = <br>5</p><p>c = </p>", []),
        ("<pre>a = 5</pre><svg><text>a = 5</text></svg><select><option>a = 5</select>", []),
        ('<p class="bc-joined">a = 5</p><p class="bc-level-sum"><span>+ <a>12 × 5</a></span></p>', ["a = 5"]),
    ],
)
def test_a_sign_is_kept_with_the_term_after_it(html: str, expected: list[str]) -> None:
    """Code, drawings and the options of a `<select>` are left alone.

    They break only at their own line ends or not at all.
    """
    assert expected == joined_texts(html)


def test_text_outside_an_article_is_left_alone() -> None:
    for html in ("<p>a = 5</p>", "<nav>a = 5</nav><article><p>b</article>"):
        page = Page("a.html", html)
        html_before = page.html
        page.typeset()
        assert html_before == page.html
