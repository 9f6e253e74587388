"""The waterfalls that a script draws match their numbers, like those that the build draws."""

from itertools import accumulate

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Page

from tests.docs.figures import faults_of

DRAW_WATERFALL = """([start, steps]) =>
  bertCounted.waterfall(start, steps.map(([label, value]) => ({ label, value })), ["before", "after"]).outerHTML"""
"""Returns the HTML of the waterfall for a bridge with the given first number and steps."""

BRIDGES = [
    (133_577_846, [("sum the parameters and not the state dict", -23_471_418)]),
    (108_891_648, [("add the pooler", 590_592)]),
    (
        75_641_856,
        [
            ("count attention in all layers", 25_952_256),
            ("add the biases of attention", 36_864),
            ("add the biases of the feed-forward network, of which there are two in each layer", 46_080),
            ("add the pooler", 590_592),
        ],
    ),
    (38_826_290, [("change vocab_size", 401_418), ("change num_hidden_layers", 70_878_720), ("take away", -768)]),
    (109_482_240, [("one token", -768), ("the pooler", 590_592), ("the same again", -590_592)]),
    (1_536, [("everything else", 109_480_704)]),
    # The panel for such a small total covers only a few dozen parameters.
    (2_998, [("one more", 7), ("less", -30), ("and so on", 14)]),
    # The last step takes up just over half a percent of the panel, below which it would be marked.
    (1_000_000, [("most", 9_945), ("what can just be seen", 55)]),
    (1_000_000, [(f"step {number}", 19_000) for number in range(60)]),
]
"""Bridges, each with its first number and its labelled steps.

They cover a single large step, a single small step, several steps, two small steps that are not adjacent, steps up and
down, a step too small even for a panel, a step from almost nothing, and so many steps that a panel would show most of
them.
"""


@pytest.mark.parametrize("bridge", BRIDGES, ids=[steps[0][0] for _, steps in BRIDGES])
def test_a_waterfall_matches_its_numbers(page: Page, bridge: tuple[int, list[tuple[str, int]]]) -> None:
    """Small steps are also drawn in a panel."""
    figure = BeautifulSoup(page.evaluate(DRAW_WATERFALL, bridge), "html.parser").figure
    assert figure
    assert [] == faults_of(figure)
    assert "to scale" in figure.get_text()
    start, steps = bridge
    largest_total = max(accumulate([value for _, value in steps], initial=start))
    has_small_step = any(abs(value) < 0.02 * largest_total for _, value in steps)
    assert bool(figure.select(".bc-panel")) is (has_small_step and len(steps) < 60)


def test_a_step_that_changes_nothing_has_no_bar(page: Page) -> None:
    figure = BeautifulSoup(
        page.evaluate(DRAW_WATERFALL, (1_000, [("more", 500), ("nothing", 0), ("less", -300), ("frozen", 0)])),
        "html.parser",
    )
    assert ["before: 1,000", "more: +500", "less: −300", "after: 1,200"] == [
        title.get_text() for title in figure.select("title")
    ]


def test_the_waterfall_of_an_answer_has_the_steps_of_its_table(page: Page) -> None:
    page.get_by_label("Your number").fill("75,641,856")
    page.get_by_role("button", name="Explain").click()
    page.locator("#answer #bridge").wait_for()
    rows = page.locator("#bridge :is(tbody, tfoot) tr td:nth-child(2)").all_inner_texts()
    bars = page.locator("#answer figure .bc-bars > [data-from]")
    numbers_of_bars = bars.evaluate_all(
        "bars => bars.map(bar => bar.querySelector('title').textContent.split(': ').pop())"
    )
    assert len(rows) == 6
    assert rows == numbers_of_bars
