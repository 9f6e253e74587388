"""Waterfalls are to scale, and small steps are magnified in a panel or marked."""

import random
from itertools import pairwise

import pytest
from bs4 import BeautifulSoup, Tag

from macros.rendering.components.waterfalls import WaterfallBar, waterfall
from tests.docs.figures import faults_of


def draw(*ends: int, label: str = "step") -> Tag:
    """The drawing of a waterfall whose steps lead through the totals `ends`."""
    steps = [
        WaterfallBar("added" if start < end else "taken", label, f"{end - start:+,}".replace("-", "−"), start, end)
        for start, end in pairwise(ends)
    ]
    totals = [WaterfallBar("total", name, f"{end:,}", 0, end) for name, end in (("start", ends[0]), ("end", ends[-1]))]
    drawing = BeautifulSoup(f"<figure>{waterfall([totals[0], *steps, totals[1]])}</figure>", "html.parser").svg
    assert drawing
    return drawing


@pytest.mark.parametrize(
    ("step", "times"),
    [
        (19_999, "50"),  # 1,019,999 ÷ 19,999 = 51.0
        (20_409, "None"),  # 2% of the width is legible
        (17_000, "50"),  # 59.8
        (16_000, "60"),  # 63.5
        (12_000, "80"),  # 84.3; the next round number is 100
        (10_100, "100"),  # 101.0
        (1_300, "600"),  # 770
        (130, "6000"),
    ],
)
def test_a_magnification_is_the_largest_round_number_that_fits(step: int, times: str) -> None:
    panel = draw(1_000_000, 1_000_000 + step).select_one("[data-times]")
    assert times == (str(panel["data-times"]) if panel else "None")


def test_random_waterfalls_are_to_scale() -> None:
    chance = random.Random(3)  # noqa: S311  the same totals every time
    for _ in range(100):
        ends = [chance.randrange(20, 10_000)]
        while len(ends) < 5:
            ends.append(max(1, ends[-1] + chance.choice((-40, -7, -1, 1, 2, 9, 30))))
        if len(set(ends)) < len(ends):
            continue
        drawing = draw(*ends)
        assert [] == faults_of(drawing.parent), ends  # type: ignore[arg-type]
        tops = [float(str(element["y"])) for element in drawing.select("[data-from]")]
        assert sorted(tops) == tops, ends
        for panel in drawing.select("[data-times]"):
            for bar in panel.select("[data-from]"):
                left, width = (float(str(bar[key]).removesuffix("%")) for key in ("x", "width"))
                assert 0 <= left <= left + width < 100.001, (ends, str(bar))


@pytest.mark.parametrize(
    ("ends", "panel_count", "mark_count"),
    [
        ((1000, 2000), 0, 0),  # a legible step
        ((1000, 1010, 2000, 2001, 2000), 2, 0),  # small steps in two places, each with its own panel
        ((1_000_000, 1_000_001, 1_010_001), 1, 1),  # a step that is too small to see even in the panel
        (tuple(range(100, 252, 2)), 0, 0),  # adjacent small steps that span more than half the width
    ],
)
def test_small_steps_are_magnified_or_marked(ends: tuple[int, ...], panel_count: int, mark_count: int) -> None:
    drawing = draw(*ends)
    assert (panel_count, mark_count) == (len(drawing.select("[data-times]")), len(drawing.select(".bc-caret")))
