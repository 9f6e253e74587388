"""That no line ends with a sign: how texts are parted, in both languages, and what of a page is kept together."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from macros.publish.line_ends import pieces_of
from macros.publish.page import Page
from tests.docs.building import ROOT

CASES: list[tuple[str, list[str]]] = json.loads(Path(__file__).with_name("line_ends.json").read_text(encoding="utf-8"))
"""A text, and its pieces, of which every second one is a sign with what follows it."""

IN_NODE = """
const { piecesOf } = await import(process.argv[1])
let typed = ""
for await (const piece of process.stdin) typed += piece
console.log(JSON.stringify(JSON.parse(typed).map(piecesOf)))
"""


def test_texts_of_pages_are_parted() -> None:
    """Before each sign that stands by itself and has something after it."""
    assert [pieces for _, pieces in CASES] == [pieces_of(text) for text, _ in CASES]


def test_scripts_part_them_alike() -> None:
    """With the same cases, by Node.js, which CI has."""
    if not shutil.which("node") and not os.environ.get("CI"):
        pytest.skip("Node.js is not installed; install it to run this test")
    module = (ROOT / "docs" / "assets" / "drawing" / "html.js").as_uri()
    command = ["node", "--input-type=module", "--eval", IN_NODE, module]
    typed = json.dumps([text for text, _ in CASES])
    done = subprocess.run(command, input=typed, capture_output=True, text=True, check=True)
    assert [pieces for _, pieces in CASES] == json.loads(done.stdout)


def joined(html: str) -> list[str]:
    """What is kept together in an article."""
    page = Page("a.html", f"<article>{html}</article>")
    before = page.article.text() if page.article else ""
    page.join_signs()
    assert page.article
    assert before == page.article.text()  # what a reader copies
    return [each.text() for each in page.article.css(".bc-joined")]


@pytest.mark.parametrize(
    ("html", "kept"),
    [
        ("<p>4 × 5 = 20</p>", ["× 5", "= 20"]),
        ("<h2>V = 30,522 &lt; 2</h2><table><th>a ·\nb", ["V = 30,522", "·\nb"]),
        ('<p>H = <data data-how="a < b = c">768</data> numbers', ["H = 768"]),
        ("<p>2 × H = <data>1,536</data>", ["× H", "= 1,536"]),
        ('<p>1 + <span class="bc-term">2 × 3</span> = <b class="bc-term">7</b>', ["+ 2 × 3", "= 7"]),
        ("<p>a × <math><mi>H</mi> <mo>+</mo> <mi>F</mi></math>", ["× H + F"]),
        # What follows would be too long a line, or there is nothing.
        ("<p>a = <em>two words</em></p><p>b = <br>5</p><p>c = </p>", []),
        ("<pre>a = 5</pre><svg><text>a = 5</text></svg><select><option>a = 5</select>", []),
        ('<p class="bc-joined">a = 5</p><p class="bc-level-sum"><span>+ <a>12 × 5</a></span></p>', ["a = 5"]),
    ],
)
def test_a_sign_is_kept_with_what_it_stands_before(html: str, kept: list[str]) -> None:
    """A word, a number with its sum, a formula; what has lines of its own is left alone, and no text changes."""
    assert kept == joined(html)


def test_what_else_is_on_a_page_is_left_alone() -> None:
    """A page without an article, and what is around one."""
    for html in ("<p>a = 5</p>", "<nav>a = 5</nav><article><p>b</article>"):
        page = Page("a.html", html)
        before = page.html
        page.join_signs()
        assert before == page.html
