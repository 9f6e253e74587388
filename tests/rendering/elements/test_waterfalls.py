"""Waterfalls: steps from total to total, small ones framed and drawn again in a panel below."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from bs4 import BeautifulSoup, Tag

from macros.rendering.elements.waterfalls import Stretch, waterfall


def drawn(*ends: int, label: str = "step") -> Tag:
    """A waterfall over these totals."""
    steps = [Stretch("added" if a < b else "taken", label, f"{b - a:+,}", a, b) for a, b in pairwise(ends)]
    totals = [Stretch("total", name, f"{end:,}", 0, end) for name, end in (("start", ends[0]), ("end", ends[-1]))]
    found = BeautifulSoup(waterfall([totals[0], *steps, totals[1]]), "html.parser").svg
    assert found
    return found


def texts(drawing: Tag) -> list[tuple[str, str, str]]:
    """Every text with its place."""
    return [(each.get_text(), str(each["x"]), str(each["y"])) for each in drawing.find_all("text")]


def bars(drawing: Tag, selector: str = "[data-from]") -> list[tuple[str, str, str]]:
    """Left edge, width and top of bars."""
    return [(str(each["x"]), str(each["width"]), str(each["y"])) for each in drawing.select(selector)]


def test_steps_that_can_be_read() -> None:
    """Each 62 pixels below the one before: its label, its bar from where the last one ended, and space."""
    drawing = drawn(20, 80, 40, 100)
    assert ("296", "100") == (drawing["height"], drawing["data-full"])  # 5 × 62, without the last space of 14
    assert [
        ("0.0000%", "20.0000%", "22"),
        ("20.0000%", "60.0000%", "84"),
        ("40.0000%", "40.0000%", "146"),
        ("40.0000%", "60.0000%", "208"),
        ("0.0000%", "100.0000%", "270"),
    ] == bars(drawing)
    labels = [("start", "15"), ("step", "77"), ("step", "139"), ("step", "201"), ("end", "263")]
    assert [(words, "0", y) for words, y in labels] == texts(drawing)[::2]
    notes = ["20", "+60", "-40", "+60", "100"]
    assert [(note, "100%", y) for note, (_, y) in zip(notes, labels, strict=True)] == texts(drawing)[1::2]
    assert ["start: 20", "step: +60", "step: -40", "step: +60", "end: 100"] == [
        each.get_text() for each in drawing.find_all("title")
    ]


def test_small_steps_are_framed_and_drawn_again() -> None:
    """Two of 1% each: 1,020,000 ÷ 20,000 is 51, so there is room for 50 times, and the panel shows 20,400."""
    drawing = drawn(1_000_000, 1_010_000, 1_020_000)
    assert "366" == drawing["height"]
    outside, again = ("98.0392%", "0.9804%", "84"), ("99.0196%", "0.9804%", "84")
    assert [outside, again] == bars(drawing)[1:3]
    # It ends where the drawing ends, so 400 are free at its left: 400 ÷ 20,400 = 1.96%.
    panel = drawing.select_one("[data-times]")
    assert panel
    assert ("50", "999600") == (panel["data-times"], panel["data-origin"])
    assert [("1.9608%", "49.0196%", "186"), ("50.9804%", "49.0196%", "248")] == bars(panel)
    # The frame is 4 pixels larger than the bars, above and below.
    frame = drawing.select_one(".bc-window")
    assert frame
    assert ("98.0000%", "2.0000%", "80", "34") == tuple(str(frame[key]) for key in ("x", "width", "y", "height"))


def lines(element: Tag) -> list[tuple[str, ...]]:
    """Where the straight lines right in an element begin and end."""
    found = element.find_all("line", recursive=False)
    return [tuple(str(each[key]) for key in ("x1", "y1", "x2", "y2")) for each in found]


def test_a_frame_leads_to_the_ends_of_its_panel() -> None:
    """From the foot of the frame's edges to both ends of the drawing, 6 pixels above the panel."""
    drawing = drawn(1_000_000, 1_010_000, 1_020_000)
    assert [("98.0000%", "114", "0%", "130"), ("100.0000%", "114", "100%", "130")] == lines(drawing)
    panel = drawing.select_one("[data-times]")
    assert panel
    ground = panel.select_one(".bc-panel")
    assert ground
    assert ("136", "162", "100%") == (ground["y"], ground["height"], ground["width"])


def test_a_panel_has_an_axis_with_both_totals() -> None:
    """A line below the bars, a tick at either end of the steps, and the totals there, each on its own side."""
    drawing = drawn(1_000_000, 1_010_000, 1_020_000)
    panel = drawing.select_one("[data-times]")
    assert panel
    assert [
        ("0", "278", "100%", "278"),
        ("1.9608%", "274", "1.9608%", "282"),
        ("100.0000%", "274", "100.0000%", "282"),
    ] == lines(panel)
    assert [
        ("magnified 50 times", "0", "151"),
        ("step", "0", "179"),
        ("+10,000", "100%", "179"),
        ("step", "0", "241"),
        ("+10,000", "100%", "241"),
        ("1,000,000", "1.9608%", "294"),
        ("1,020,000", "100.0000%", "294"),
    ] == texts(panel)
    assert ["start", "end"] == [str(each["text-anchor"]) for each in panel.select("text.bc-small")]
    # Above the frame stands what the small steps are together, and the last total below the panel.
    assert [("2 small steps, together", "0", "77"), ("+20,000", "100%", "77")] == texts(drawing)[2:4]
    assert [("end", "0", "333"), ("1,020,000", "100%", "333")] == texts(drawing)[-2:]
    assert ("0.0000%", "100.0000%", "340") == bars(drawing)[-1]


def test_a_single_small_step_keeps_its_name() -> None:
    """Its label and number stand above the frame, and not once more in the panel."""
    drawing = drawn(1_000_000, 1_010_000)
    assert "276" == drawing["height"]
    assert [
        ("start", "0", "15"),
        ("1,000,000", "100%", "15"),
        ("step", "0", "77"),
        ("+10,000", "100%", "77"),
        ("magnified 100 times", "0", "151"),
        ("1,000,000", "0.9901%", "204"),
        ("1,010,000", "100.0000%", "204"),
        ("end", "0", "243"),
        ("1,010,000", "100%", "243"),
    ] == texts(drawing)
    assert ("0.9901%", "99.0099%", "158") == bars(drawing, "[data-times] [data-from]")[0]
    ground = drawing.select_one(".bc-panel")
    assert ground
    assert ("136", "72") == (ground["y"], ground["height"])


@pytest.mark.parametrize(
    ("step", "times"),
    [
        (19_999, "50"),  # 1,019,999 ÷ 19,999 = 51.0
        (20_409, "None"),  # two per cent of the width can be read
        (17_000, "50"),  # 59.8
        (16_000, "60"),  # 63.5
        (12_000, "80"),  # 84.3: ninety is no round number
        (10_100, "100"),  # exactly a hundred times and one
        (1_300, "600"),  # 770
        (130, "6000"),
    ],
)
def test_magnifications_are_round(step: int, times: str) -> None:
    """The largest of 1, 2, 3, 4, 5, 6, 8 with zeros that there is room for."""
    panel = drawn(1_000_000, 1_000_000 + step).select_one("[data-times]")
    assert times == (str(panel["data-times"]) if panel else "None")


def test_what_is_thin_in_a_panel_is_marked_there() -> None:
    """A mark a pixel below the bar, at its middle, in its colour."""
    (mark,) = drawn(10_000_000, 10_000_001, 10_010_001).select(".bc-caret")
    # The panel begins at 9,999,991: nine and a half of 10,010 is 0.09%.
    assert ("0.0949%", "213") == (mark["x"], mark["y"])
    assert '<path class="bc-added" d="M0 0l4.5 8h-9z">' in str(mark)


def test_small_steps_are_in_the_middle_of_their_panel() -> None:
    """If there is room: 2,040,000 ÷ 20,000 is 102, so the panel shows 20,400, with 200 at either side of them."""
    panel = drawn(1_000_000, 1_010_000, 1_020_000, 2_040_000).select_one("[data-times]")
    assert panel
    assert ("100", "999800") == (panel["data-times"], panel["data-origin"])
    assert [("0.9804%", "49.0196%", "186"), ("50.0000%", "49.0196%", "248")] == bars(panel)
    # Of an odd number, 401 of 20,401, there is one more before them than after.
    odd = drawn(1_000_000, 1_010_000, 1_020_000, 2_040_100).select_one("[data-times]")
    assert odd
    assert ("100", "999799") == (odd["data-times"], odd["data-origin"])


def test_a_panel_begins_where_the_drawing_begins() -> None:
    """At the left edge there is no room before small steps: 1,000 ÷ 13 is 76.9, so the panel shows the first 16.7."""
    of_total, panel = drawn(1, 14, 1_000).select("[data-times]")
    assert ("1000", "0") == (of_total["data-times"], of_total["data-origin"])
    assert ("60", "0") == (panel["data-times"], panel["data-origin"])


def test_nothing_leaves_a_panel() -> None:
    """Of small totals too, of which a panel shows a few dozen: the last bar ends before its right edge."""
    chance = random.Random(3)  # noqa: S311  the same totals every time
    for _ in range(300):
        ends = [chance.randrange(20, 10_000)]
        while len(ends) < 5:
            ends.append(max(1, ends[-1] + chance.choice((-40, -7, -1, 1, 2, 9, 30))))
        if len(set(ends)) < len(ends):
            continue
        for panel in drawn(*ends).select("[data-times]"):
            for bar in panel.select("[data-from]"):
                left, wide = (float(str(bar[key]).removesuffix("%")) for key in ("x", "width"))
                assert 0 <= left <= left + wide < 100.001, (ends, str(bar))


def test_a_label_of_two_lines_moves_the_bar_down() -> None:
    """By a line of 17 pixels; the number stays beside the first."""
    drawing = drawn(100, 200, label="undo what was done to every layer of the encoder")
    assert [
        ("undo what was done to every layer of the", "0", "77"),
        ("encoder", "0", "94"),
        ("+100", "100%", "77"),
    ] == texts(drawing)[2:5]
    assert "101" == bars(drawing)[1][2]
    framed = drawn(1_000_000, 1_010_000, label="undo what was done to every layer of the encoder")
    assert ("99.0099%", "0.9901%", "101") == bars(framed)[1]
    assert "293" == framed["height"]
