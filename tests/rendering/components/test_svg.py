"""The pieces of drawings have exact positions and lengths, and their texts are escaped."""

import pytest
from bs4 import BeautifulSoup

from macros.rendering.components import svg
from macros.rendering.components.svg import CARET_CLASS, Bar, Segment

BARS = [
    Bar(
        "a <b>", "9 & 10", [Segment("embeddings", 300, "e <300>"), Segment("cell", 699, "c"), Segment("taken", 1, "t")]
    ),
    Bar("second", "half", [Segment("total", 250, "x")], 500),
]


def test_bars_are_below_one_another() -> None:
    """Bars share a scale unless a bar sets its own, as the second does."""
    drawing = BeautifulSoup(svg.bars(BARS), "html.parser").svg
    assert drawing
    # 2 × (22 + 26 + 14), minus the space of 14 below the last bar.
    assert ("100%", "110", "1000") == (drawing["width"], drawing["height"], drawing["data-full"])
    assert [None, "500"] == [row.get("data-full") for row in drawing.find_all("g")]
    texts = [
        (element.get_text(), element["x"], element["y"], element.get("text-anchor"))
        for element in drawing.find_all("text")
    ]
    assert [
        ("a <b>", "0", "15", None),
        ("9 & 10", "100%", "15", "end"),
        ("second", "0", "77", None),
        ("half", "100%", "77", "end"),
    ] == texts
    pieces = [tuple(element[key] for key in ("x", "width", "y", "height")) for element in drawing.select("[data-from]")]
    assert [
        ("0.0000%", "30.0000%", "22", "26"),
        ("30.0000%", "69.9000%", "22", "26"),
        ("99.9000%", "0.1000%", "22", "26"),
        ("0.0000%", "50.0000%", "84", "26"),
    ] == pieces
    # A segment that is taken away is an outline within its true edges, which requires a nested `svg`.
    assert ["rect", "rect", "svg", "rect"] == [element.name for element in drawing.select("[data-from]")]
    ends = [(element["data-from"], element["data-to"]) for element in drawing.select("[data-from]")]
    assert [("0", "300"), ("300", "999"), ("999", "1000"), ("0", "250")] == ends
    assert ["e <300>", "c", "t", "x"] == [element.get_text() for element in drawing.find_all("title")]


@pytest.mark.parametrize(("width", "has_mark"), [(4, True), (5, False)])
def test_segments_too_thin_to_see_are_marked(width: int, has_mark: bool) -> None:
    """A segment narrower than 0.5% has a mark below its middle, in its colour."""
    drawing = svg.bars([Bar("a", "b", [Segment("cell", 1000 - width, "c"), Segment("pooler", width, "p")])])
    mark = '<svg x="99.8000%" y="49" class="bc-caret"><path d="M0 0l4.5 8h-9z" class="bc-pooler"/></svg>'
    assert has_mark == (mark in drawing)
    assert has_mark == ("bc-caret" in drawing)


def test_a_figure_is_described_for_screen_readers() -> None:
    assert svg.figure("n", "T & t", "<D>", '<svg class="x">body</svg>', "<i>c</i>") == (
        '<figure class="bc-figure" id="n" aria-labelledby="n-title" data-search-exclude>'
        '<svg role="img" aria-labelledby="n-title n-description" focusable="false" class="x">'
        '<title id="n-title">T &amp; t</title><desc id="n-description">&lt;D&gt;</desc>body</svg>'
        '<figcaption><i>c</i>&nbsp;<a class="bc-permalink" href="#n" title="Link to this figure"'
        ' aria-label="Link to this figure">#</a></figcaption></figure>'
    )


def test_a_figure_with_marks_explains_them() -> None:
    html = svg.figure("n", "T", "D", f'<svg class="x"><svg {CARET_CLASS}></svg></svg>', "c", role="group", link="m")
    assert '<figcaption>c&nbsp;<a class="bc-permalink" href="#m"' in html
    assert '>#</a><p class="bc-carets">▲ marks what is too thin to see clearly at this scale.</p>' in html
    # Only the outer drawing has a role and a name.
    assert 1 == html.count("<svg role") == html.count('<svg role="group" aria-labelledby="n-title n-description"')
