"""Adds up sums and bridges from the text that a browser shows, in answers and on a few pages.

`test_pages.py` does so for every page while it is open.
"""

from typing import NamedTuple

import pytest
from playwright.sync_api import ElementHandle, Page

from tests.docs.arithmetic import equations
from tests.docs.scripts import measure, with_scripts
from tests.docs.shown import Content, faults_of, read, unnoticed

ANSWERED = (
    # Parts: one, several of a size, layers, one head's share.
    "2362368",
    "590592",
    "85,054,464",
    "21263616",
    "49152",
    "23,837,184",
    "3072",
    # Right totals, exact and rounded, and a sum that is typed.
    "109482240",
    "335,141,888",
    "110106428",
    "38826290",
    "110M",
    "0.34B",
    "12*768*768*4",
    # Deviations: one, two, three and more; with another size.
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
    # A near miss, an unknown number, and no number.
    "109428240",
    "97531246",
    "many",
)

SOME = (
    "index.html",
    "map.html",
    "parts/attention.html",
    "parts/attention-heads.html",
    "disagreements/conventions.html",
    "disagreements/mistakes.html",
    "disagreements/why-110m.html",
    "totals/base.html",
)
"""Pages that together show everything of each kind."""

ANSWER = measure("scripts.js", "shownAnswer")

OTHER_MODELS = measure("scripts.js", "otherModels")
"""Makes the map draw some of the other models; the same code draws all of them."""


class Shown(NamedTuple):
    """The texts that a browser shows, by page and by answer."""

    pages: dict[str, Content]
    answers: dict[str, Content]

    def all(self) -> dict[str, Content]:
        """Pages and answers together."""
        return {**self.pages, **self.answers}


def answer(page: Page, text: str) -> ElementHandle:
    """An answer at the end of the page that gives answers, which must be open."""
    element = page.evaluate_handle(ANSWER, text).as_element()
    assert element
    return element


@pytest.fixture(scope="module")
def shown_on_pages(desktop: Page, address: str) -> Shown:
    """Some pages, the map for several models, and the answers."""
    pages = {}
    for name in SOME:
        desktop.goto(f"{address}/{name}", wait_until="domcontentloaded")
        if name == "map.html":
            desktop.locator(".bc-choice select").evaluate(OTHER_MODELS)
        pages[name] = read(desktop.query_selector("article"))
    with_scripts(desktop, address)
    return Shown(pages, {text: read(answer(desktop, text)) for text in ANSWERED})


def test_everything_adds_up(shown_on_pages: Shown) -> None:
    """Every equation holds, every line starts at the result of the line before, and every bridge adds up."""
    assert {} == {name: faults for name, read_page in shown_on_pages.all().items() if (faults := faults_of(read_page))}


# The least of each that must be read, on these pages and in answers, so that nothing is overlooked.
LEAST_READ = {
    "explanations": (500, 0),
    "sums": (3, 25),
    "levels": (110, 0),
    "bridges": (1, 12),
    "compared": (0, 3),
    "waterfalls": (1, 12),
}


def test_enough_of_every_kind_is_read(shown_on_pages: Shown) -> None:
    """Enough of every kind is read, so the test above does not pass for want of anything to add up."""
    for key, least in LEAST_READ.items():
        counts = tuple(sum(len(read_page[key]) for read_page in group.values()) for group in shown_on_pages)
        assert all(many >= few for many, few in zip(counts, least, strict=True)), (key, counts)
    assert 500 < sum(
        len(equations(text)) for read_page in shown_on_pages.pages.values() for text in read_page["explanations"]
    )


def test_a_changed_digit_is_noticed(shown_on_pages: Shown) -> None:
    """Any changed digit of an equation is noticed; in a rounded result, the first."""
    assert [] == [line for read_page in shown_on_pages.all().values() for line in unnoticed(read_page)]


PLANT = measure("scripts.js", "plant")

BRIDGED = "75641856"


@pytest.mark.parametrize(
    ("name", "selector", "old", "now"),
    [
        # A sign is turned.
        (BRIDGED, "#bridge td", "+36,864", "−36,864"),
        (BRIDGED, "text.bc-figures", "+25,952,256", "−25,952,256"),
        ("disagreements/conventions.html", "data[data-how]", "− 23,471,418", "+ 23,471,418"),
        # A digit is changed.
        ("2362368", "li code", "768 × 768", "768 × 769"),
        ("417.6 MiB", ".bc-answer", "437,928,960", "437,928,961"),
        ("124645632", "#bridge tbody td", "39,000,576", "39,000,577"),
        ("index.html", ".bc-level-sum strong, .bc-level-sum a", "7,087,872", "7,087,873"),
        # A line begins with another number than the result of the line before.
        ("parts/attention.html", "ol.bc-steps li:last-child .bc-line-of-sum", "4 × 590,592", "2 × 1,181,184"),
    ],
)
def test_a_planted_error_is_noticed(desktop: Page, address: str, name: str, selector: str, old: str, now: str) -> None:
    """A reversed sign, a changed digit and a line that starts at another number are noticed."""
    if name.endswith(".html"):
        if not desktop.url.endswith(name):
            desktop.goto(f"{address}/{name}", wait_until="domcontentloaded")
        element = desktop.query_selector("article")
    else:
        if "i-got" not in desktop.url:
            with_scripts(desktop, address)
        element = answer(desktop, name)
    assert element
    html = element.inner_html()
    assert [] == faults_of(read(element))
    element.evaluate(PLANT, [selector, old, now])
    assert [] != faults_of(read(element))
    element.evaluate("(place, html) => place.innerHTML = html", html)
