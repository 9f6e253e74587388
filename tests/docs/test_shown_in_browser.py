"""Sums and bridges add up in the text that a browser shows, in answers and on a selection of pages.

`test_pages.py` tests this for every page.
"""

from typing import NamedTuple

import pytest
from playwright.sync_api import ElementHandle, Page

from tests.docs.arithmetic import equations
from tests.docs.scripts import function_in, open_with_modules
from tests.docs.shown import Content, faults_of, read, undetected_changes

ANSWERED_TEXTS = (
    # Parts: one, several of the same size, layers, the share of one head.
    "2362368",
    "590592",
    "85,054,464",
    "21263616",
    "49152",
    "23,837,184",
    "3072",
    # Right totals, exact and rounded, and a sum.
    "109482240",
    "335,141,888",
    "110106428",
    "38826290",
    "110M",
    "0.34B",
    "12*768*768*4",
    # Deviations: one, two, three and more, and some with a different size.
    "133577846",
    "108891648",
    "324472832",
    "108808704",
    "133547324",
    "85646592",
    "330319285",
    "133920572",
    "108844032",
    "75641856",
    "109705010",
    "102394368",
    "106535424",
    "108890112",
    # Relatives and other models, differences, shares.
    "124645632",
    "66362880",
    "11683584",
    "13548800",
    "124439808",
    "225659648",
    "77.7%",
    # Memory, files, training.
    "417.6 MiB",
    "639 MiB",
    "72.1 MB",
    "440473133",
    "1751715840",
    "110072064",
    "14766336",
    # A mistyped digit, an unknown number, and no number.
    "109428240",
    "97531246",
    "many",
)
"""Texts with different kinds of answers."""

PAGES = (
    "map.html",
    "disagreements/conventions.html",
    "disagreements/mistakes.html",
    "totals/base.html",
)
"""Pages that together have all kinds of content."""

APPEND_ANSWER = function_in("scripts.js", "appendAnswer")
"""Appends the answer to a text to the article, and returns the element that contains it."""

CHOOSE_OTHER_MODELS = function_in("scripts.js", "chooseOtherModels")
"""Makes the map draw some of the models that are not on its page. The same code draws all of them."""


class ShownContents(NamedTuple):
    """The contents read from the screen: those of pages by their names, and those of answers by the texts answered."""

    pages: dict[str, Content]
    answers: dict[str, Content]

    def all(self) -> dict[str, Content]:
        """The contents of pages and answers."""
        return {**self.pages, **self.answers}


def answer(page: Page, text: str) -> ElementHandle:
    """Append an answer to the page that explains numbers, which must be open, and return its element."""
    element = page.evaluate_handle(APPEND_ANSWER, text).as_element()
    assert element
    return element


@pytest.fixture(scope="module")
def shown_contents(desktop: Page, address: str) -> ShownContents:
    """The contents of the pages, including the map of several models, and of the answers."""
    pages = {}
    for name in PAGES:
        desktop.goto(f"{address}/{name}", wait_until="domcontentloaded")
        if name == "map.html":
            desktop.locator(".bc-choice select").evaluate(CHOOSE_OTHER_MODELS)
        pages[name] = read(desktop.query_selector("article"))
    open_with_modules(desktop, address)
    return ShownContents(pages, {text: read(answer(desktop, text)) for text in ANSWERED_TEXTS})


def test_everything_adds_up(shown_contents: ShownContents) -> None:
    assert {} == {name: faults for name, content in shown_contents.all().items() if (faults := faults_of(content))}


MINIMUM_COUNTS = {
    "explanations": (300, 0),
    "sums": (3, 25),
    "levels": (110, 0),
    "bridges": (1, 12),
    "comparisons": (0, 3),
    "waterfalls": (1, 12),
}
"""The minimum numbers of items of each kind that must be read from pages and from answers."""


def test_enough_of_every_kind_is_read(shown_contents: ShownContents) -> None:
    """The test above would also pass if there were nothing to add up."""
    for key, minima in MINIMUM_COUNTS.items():
        counts = tuple(sum(len(content[key]) for content in contents.values()) for contents in shown_contents)
        assert all(count >= minimum for count, minimum in zip(counts, minima, strict=True)), (key, counts)
    assert 500 < sum(
        len(equations(text)) for content in shown_contents.pages.values() for text in content["explanations"]
    )


def test_a_changed_digit_is_noticed(shown_contents: ShownContents) -> None:
    """The digit may be any in an equation or, if the result is rounded, the first digit of the result."""
    assert [] == [line for content in shown_contents.all().values() for line in undetected_changes(content)]


PLANT_FAULT = function_in("scripts.js", "plantFault")
"""Replaces a string in the first text or explanation within an element that contains it."""

NUMBER_WITH_BRIDGE = "75641856"
"""A number whose answer has a bridge of several steps."""


@pytest.mark.parametrize(
    ("name", "selector", "correct", "wrong"),
    [
        # A sign is reversed.
        (NUMBER_WITH_BRIDGE, "#bridge td", "+36,864", "−36,864"),
        (NUMBER_WITH_BRIDGE, "text.bc-figures", "+25,952,256", "−25,952,256"),
        ("disagreements/conventions.html", "data[data-how]", "− 23,471,418", "+ 23,471,418"),
        # A digit is changed.
        ("2362368", "li code", "768 × 768", "768 × 769"),
        ("417.6 MiB", ".bc-answer", "437,928,960", "437,928,961"),
        ("124645632", "#bridge tbody td", "39,000,576", "39,000,577"),
        ("index.html", ".bc-level-sum strong, .bc-level-sum a", "7,087,872", "7,087,873"),
        # A line does not begin with the result of the previous line.
        ("parts/attention.html", "ol.bc-steps li:last-child .bc-line-of-sum", "4 × 590,592", "2 × 1,181,184"),
    ],
)
def test_a_planted_error_is_noticed(
    desktop: Page, address: str, name: str, selector: str, correct: str, wrong: str
) -> None:
    """`name` is that of a page, or a text. The error is planted in the page or in the answer to the text."""
    if name.endswith(".html"):
        if not desktop.url.endswith(name):
            desktop.goto(f"{address}/{name}", wait_until="domcontentloaded")
        element = desktop.query_selector("article")
    else:
        if "i-got" not in desktop.url:
            open_with_modules(desktop, address)
        element = answer(desktop, name)
    assert element
    html = element.inner_html()
    assert [] == faults_of(read(element))
    element.evaluate(PLANT_FAULT, [selector, correct, wrong])
    assert [] != faults_of(read(element))
    element.evaluate("(element, html) => element.innerHTML = html", html)
