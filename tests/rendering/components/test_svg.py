"""The pieces that drawings are made of: exactly as long and as large as what they show, and safe with any words."""

import pytest
from bs4 import BeautifulSoup

from macros.rendering.components import svg
from macros.rendering.components.svg import MARK, Bar, Segment

BARS = [
    Bar(
        "a <b>", "9 & 10", [Segment("embeddings", 300, "e <300>"), Segment("cell", 699, "c"), Segment("taken", 1, "t")]
    ),
    Bar("second", "half", [Segment("total", 250, "x")], 500),
]


def test_bars_stand_below_one_another() -> None:
    """Label and note 22 pixels, bar 26, 14 below; the longest is the whole width, one with its own width fills it."""
    drawing = BeautifulSoup(svg.bars(BARS), "html.parser").svg
    assert drawing
    # 2 × (22 + 26 + 14), without the space below the last.
    assert ("100%", "110", "1000") == (drawing["width"], drawing["height"], drawing["data-full"])
    assert [None, "500"] == [row.get("data-full") for row in drawing.find_all("g")]
    texts = [(each.get_text(), each["x"], each["y"], each.get("text-anchor")) for each in drawing.find_all("text")]
    assert [
        ("a <b>", "0", "15", None),
        ("9 & 10", "100%", "15", "end"),
        ("second", "0", "77", None),
        ("half", "100%", "77", "end"),
    ] == texts
    pieces = [tuple(each[key] for key in ("x", "width", "y", "height")) for each in drawing.select("[data-from]")]
    assert [
        ("0.0000%", "30.0000%", "22", "26"),
        ("30.0000%", "69.9000%", "22", "26"),
        ("99.9000%", "0.1000%", "22", "26"),
        ("0.0000%", "50.0000%", "84", "26"),
    ] == pieces
    # What is taken away is an outline within its true edges.
    assert ["rect", "rect", "svg", "rect"] == [each.name for each in drawing.select("[data-from]")]
    ends = [(each["data-from"], each["data-to"]) for each in drawing.select("[data-from]")]
    assert [("0", "300"), ("300", "999"), ("999", "1000"), ("0", "250")] == ends
    assert ["e <300>", "c", "t", "x"] == [each.get_text() for each in drawing.find_all("title")]


@pytest.mark.parametrize(("thin", "marked"), [(4, True), (5, False)])
def test_what_is_too_thin_to_see_is_marked(thin: int, marked: bool) -> None:
    """Below half a per cent, at its middle, a pixel below the bar, in its colour; half a per cent can be seen."""
    drawn = svg.bars([Bar("a", "b", [Segment("cell", 1000 - thin, "c"), Segment("pooler", thin, "p")])])
    mark = '<svg x="99.8000%" y="49" class="bc-caret"><path d="M0 0l4.5 8h-9z" class="bc-pooler"/></svg>'
    assert marked == (mark in drawn)
    assert marked == ("bc-caret" in drawn)


def test_a_figure_holds_words_for_those_who_do_not_see_it() -> None:
    """Title and description, named by the drawing; words are escaped, the caption is HTML."""
    assert svg.figure("n", "T & t", "<D>", '<svg class="x">body</svg>', "<i>c</i>") == (
        '<figure class="bc-figure" id="n" aria-labelledby="n-title" data-search-exclude>'
        '<svg role="img" aria-labelledby="n-title n-description" focusable="false" class="x">'
        '<title id="n-title">T &amp; t</title><desc id="n-description">&lt;D&gt;</desc>body</svg>'
        '<figcaption><i>c</i>&nbsp;<a class="bc-permalink" href="#n" title="Link to this figure"'
        ' aria-label="Link to this figure">#</a></figcaption></figure>'
    )


def test_a_figure_with_marks_says_what_they_are() -> None:
    """Only where there are some; only the drawing itself gets a name, not what is drawn in it."""
    drawn = svg.figure("n", "T", "D", f'<svg class="x"><svg {MARK}></svg></svg>', "c", role="group", link="m")
    assert '<figcaption>c&nbsp;<a class="bc-permalink" href="#m"' in drawn
    assert '>#</a><p class="bc-carets">▲ marks what is too thin to see clearly at this scale.</p>' in drawn
    assert 1 == drawn.count("<svg role") == drawn.count('<svg role="group" aria-labelledby="n-title n-description"')
