"""The page of exercises, to the last attribute: what was read when it was recorded.

Its numbers are tested in test_exercises.py; here nothing changes unseen
besides. `make record` records what it shows now, and the difference is there
to be read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag
from bs4.element import PageElement
from playwright.sync_api import Browser, Page

from tests.docs.conftest import page_of_new_site

RECORDED = Path(__file__).with_name("exercises.txt")
READ = RECORDED.read_text(encoding="utf-8").removesuffix("\n")

COORDINATES = ("x", "y", "x1", "x2", "y1", "y2", "dx", "dy", "d", "width", "height", "viewbox", "transform", "points")
ELSEWHERE = (
    "option:not([selected])[value=''], optgroup option:not([selected]), "
    ".bc-waterfall figcaption, .bc-waterfall svg > :not([data-from])"
)
"""Models that are not chosen; what is announced, as it comes in its time; and what another script draws."""

ON_LINES = [
    *("div", "figure", "form", "fieldset", "table", "thead", "tbody", "tfoot", "caption", "tr", "ul", "ol", "li", "p"),
    *("pre", "details", "summary", "textarea", "select", "option", "svg", "g", "figcaption", "legend"),
]


def outline(html: str) -> list[str]:
    """A line for each element that is more than a piece of a line, with those within it indented."""
    page = BeautifulSoup(html, "html.parser")
    for each in page.select(ELSEWHERE):
        each.decompose()
    for each in page.select("optgroup:not(:has(option))"):
        each.decompose()
    for drawing in page.select("svg, svg *"):
        for name in COORDINATES:
            del drawing[name]
    return [line for each in page.children for line in lines_of(each, "")]


def changed(now: str, read: str) -> list[tuple[str, str]]:
    """The lines that differ from those recorded under the same heading: as they were read, and as they are."""
    heading, _, lines = now.partition("\n")
    before = read.partition(f"{heading}\n")[2].partition("\n=== ")[0].split("\n")
    after = lines.split("\n")
    longest = max(len(before), len(after))
    pairs = zip(*((*each, *[""] * (longest - len(each))) for each in (before, after)), strict=True)
    return [pair for pair in pairs if pair[0] != pair[1]][:3]


def lines_of(node: PageElement, before: str) -> list[str]:
    """An element on one line, or the tag that begins it and below it what it holds."""
    if not isinstance(node, Tag):
        return [f"{before}{node}"] if str(node).strip() else []
    if not node.find(ON_LINES):
        return [before + str(node)]
    begins = re.match("<[^>]*>", str(node))
    assert begins
    return [before + begins[0], *(line for each in node.children for line in lines_of(each, f"{before}  "))]


MADE = """() => {
  for (const each of document.querySelectorAll("#exercise input, #ledger input")) {
    each.setAttribute("value", each.value)
    each.toggleAttribute("checked", each.checked)
    each.removeAttribute("class") // the theme's, while it has the keyboard
  }
  return ["#exercise", "#ledger"].map(each => {
    const place = document.querySelector(each).cloneNode(true)
    place.querySelectorAll("option").forEach(option => option.remove()) // all models, and their classes
    return place.outerHTML
  }).join("")
}"""
"""The HTML of both halves of the page, in which fields hold what they show."""


def press(page: Page, *names: str) -> None:
    """Press buttons of the exercise, one after the other."""
    for name in names:
        page.locator("#exercise").get_by_role("button", name=name).click()


def with_all_help(page: Page) -> None:
    """Every hint and the solution, and an answer with a slip."""
    press(page, "Hint", "Next hint", "Next hint", "Solution")
    page.locator("#exercise-answer").fill("590593")
    press(page, "Check")
    page.locator(".bc-verdict[data-kind=slip]").wait_for(timeout=20_000)


def chosen(page: Page) -> None:
    """The first of the answers to choose from, and the solution."""
    page.locator("#exercise input[type=radio]").first.check()
    press(page, "Check", "Solution")


def solved(page: Page) -> None:
    """The right number of bytes, in their unit."""
    page.locator("#exercise-answer").fill("216.62 MB")
    press(page, "Check")


def counted(page: Page) -> None:
    """Another class, the first fields right, and one that is not."""
    page.get_by_label("Class").select_option("BertForMaskedLM")
    for place, typed in enumerate(("23440896", "393216", "1536", "768")):
        page.locator(f"#ledger-{place}").fill(typed)
    page.locator("#ledger-4").fill("7")
    page.locator("#ledger-4").press("Enter")


STATES: dict[str, Callable[[Page], None]] = {
    "?set=part&seed=24": with_all_help,
    "?set=mistake&seed=28": chosen,
    "?set=configuration&seed=5": chosen,
    "?set=memory&seed=36": solved,
    "?set=tensor&seed=1": counted,
}
"""What is done at an address."""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """A page that goes from state to state."""
    opened = browser.new_context()
    yield opened.new_page()
    opened.close()


def shown(page: Page, address: str, query: str) -> str:
    """The outline of the page in a state."""
    page.goto(f"{address}/try/exercises.html{query}")
    page.locator("#exercise-title").wait_for()
    STATES[query](page)
    found = outline(page.evaluate(MADE))
    page.evaluate("localStorage.clear()")  # what is solved now is not so in the next state
    return "\n".join([f"=== {query}", *found])


@pytest.mark.parametrize("query", STATES)
def test_the_page_is_as_it_was_read(page: Page, address: str, query: str) -> None:
    """Elements, attributes and words of the exercise and of the ledger below it."""
    assert [] == changed(shown(page, address, query), READ)


@pytest.mark.parametrize(("old", "new"), [("589,824", "589,825"), ('class="bc-what"', 'class=""')])
def test_a_changed_exercise_is_noticed(old: str, new: str) -> None:
    """Another digit and another class."""
    first = READ.partition("\n=== ")[0]
    assert [] == changed(first, READ)
    assert changed(first.replace(old, new, 1), READ)


def main() -> None:
    """Record anew what the page shows."""
    with page_of_new_site() as (page, address):
        RECORDED.write_text("\n".join(shown(page, address, each) for each in STATES) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
