"""Sums and bridges that a browser shows, added up again from its own text: those of answers and of a few pages.

Those of every page are added up where the page is open anyway, in `pages/`.
"""

from typing import NamedTuple

import pytest
from playwright.sync_api import ElementHandle, Page

from tests.docs.arithmetic import equations
from tests.docs.scripts import measure, with_scripts
from tests.docs.shown import Read, faults_of, read, unnoticed

ANSWERED = (
    # Parts: one, several of a size, layers, one head's share.
    *("2362368", "590592", "85,054,464", "21263616", "49152", "23,837,184", "3072"),
    # Right totals, exact and rounded, and a sum that is typed.
    *("109482240", "335,141,888", "110106428", "38826290", "110M", "0.34B", "12*768*768*4"),
    # What is counted otherwise: one, two, three ways and more; with another size.
    *("133577846", "108891648", "324472832", "108808704", "133547324", "85646592", "330319285"),
    *("133920572", "108844032", "75641856", "109705010", "102394368", "106535424", "108890112"),
    # Relatives and other models, differences, shares.
    *("124645632", "66362880", "11683584", "13548800", "124439808", "225659648", "77.7%"),
    # Memory, files, training.
    *("417.6 MiB", "639 MiB", "72.1 MB", "440473133", "1751715840", "110072064", "14766336"),
    # What is near, and what is none.
    *("109428240", "97531246", "many"),
)

SOME = (
    "index.html",
    "map.html",
    "parts/attention.html",
    "parts/attention-heads.html",
    "disagreements/conventions.html",
)
"""Pages that together show something of each kind."""

ANSWER = measure("scripts.js", "shownAnswer")

OTHER_MODELS = measure("scripts.js", "otherModels")
"""Have the map drawn for some of the models that it can be drawn for; others are drawn alike."""


class Shown(NamedTuple):
    """What a browser shows, by page and by answer."""

    pages: dict[str, Read]
    answers: dict[str, Read]

    def all(self) -> dict[str, Read]:
        """All of it."""
        return {**self.pages, **self.answers}


def answer(page: Page, text: str) -> ElementHandle:
    """An answer at the end of the page that gives answers, which has to be open."""
    place = page.evaluate_handle(ANSWER, text).as_element()
    assert place
    return place


@pytest.fixture(scope="module")
def shown(desk: Page, address: str) -> Shown:
    """Some pages, the map for several models, and the answers."""
    pages = {}
    for name in SOME:
        desk.goto(f"{address}/{name}", wait_until="domcontentloaded")
        if name == "map.html":
            desk.locator(".bc-choice select").evaluate(OTHER_MODELS)
        pages[name] = read(desk.query_selector("article"))
    with_scripts(desk, address)
    return Shown(pages, {text: read(answer(desk, text)) for text in ANSWERED})


def test_everything_adds_up(shown: Shown) -> None:
    """Each line is so, each goes on from the one before, each bridge leads to its end."""
    assert {} == {name: faults for name, each in shown.all().items() if (faults := faults_of(each))}


# How many of each there are at least, on these pages and in answers: fewer would be read than are shown.
LEAST = {
    "explanations": (500, 0),
    "sums": (3, 25),
    "levels": (110, 0),
    "bridges": (1, 12),
    "compared": (0, 3),
    "waterfalls": (1, 12),
}


def test_all_of_it_is_read(shown: Shown) -> None:
    """Nothing adds up because nothing was found."""
    for key, least in LEAST.items():
        found = tuple(sum(len(each[key]) for each in group.values()) for group in shown)
        assert all(many >= few for many, few in zip(found, least, strict=True)), (key, found)
    assert 500 < sum(len(equations(text)) for each in shown.pages.values() for text in each["explanations"])


def test_a_changed_digit_is_noticed(shown: Shown) -> None:
    """In every equation that is read, whichever digit it is; where the result is rounded, its first."""
    assert [] == [line for each in shown.all().values() for line in unnoticed(each)]


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
        # A line goes on from another number than the one before.
        ("parts/attention.html", "ol.bc-steps li:last-child .bc-line-of-sum", "4 × 590,592", "2 × 1,181,184"),
    ],
)
def test_a_planted_error_is_noticed(desk: Page, address: str, name: str, selector: str, old: str, now: str) -> None:
    """A sign that is turned, a digit that is changed, a line that goes on from elsewhere."""
    if name.endswith(".html"):
        if not desk.url.endswith(name):
            desk.goto(f"{address}/{name}", wait_until="domcontentloaded")
        place = desk.query_selector("article")
    else:
        if "i-got" not in desk.url:
            with_scripts(desk, address)
        place = answer(desk, name)
    assert place
    html = place.inner_html()
    assert [] == faults_of(read(place))
    place.evaluate(PLANT, [selector, old, now])
    assert [] != faults_of(read(place))
    place.evaluate("(place, html) => place.innerHTML = html", html)
