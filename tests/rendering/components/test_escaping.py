"""Functions that put text into HTML escape it."""

from collections.abc import Callable

import pytest
from bs4 import BeautifulSoup

from macros.rendering.components import numbers, svg, tables
from macros.rendering.components.waterfalls import TOTAL, WaterfallBar, waterfall

TEXT = """<b>a</b> & "b" & 'c'"""

HTML_WITH_TEXT: dict[str, Callable[[str], str]] = {
    "the caption of a table": lambda text: tables.table("a", text, [tables.Column("b")], [["c"]]),
    "a heading of a table": lambda text: tables.table("a", "b", [tables.Column(text)], [["c"]]),
    "a number": lambda text: numbers.data(1, text, ""),
    "an explanation": lambda text: numbers.data(1, "1", text),
    "a question": lambda text: numbers.data(1, "1", "", part=text),
    "the title of a figure": lambda text: svg.figure("a", text, "b", "<svg ></svg>", "c"),
    "the description of a figure": lambda text: svg.figure("a", "b", text, "<svg ></svg>", "c"),
    "the label of a bar": lambda text: svg.bars([svg.Bar(text, "1", [svg.Segment("total", 1, "b")])]),
    "the note of a bar": lambda text: svg.bars([svg.Bar("a", text, [svg.Segment("total", 1, "b")])]),
    "the title of a bar": lambda text: svg.bars([svg.Bar("a", "1", [svg.Segment("total", 1, text)])]),
    "the title of an area": lambda text: svg.area(0, 0, 1, (1, 1), "pooler", text, ""),
    "a text in a drawing": lambda text: svg.text(0, 0, text),
    "a step of a waterfall": lambda text: waterfall([WaterfallBar(TOTAL, text, "1", 0, 1)]),
    "a number of a waterfall": lambda text: waterfall([WaterfallBar(TOTAL, "a", text, 0, 1)]),
}
"""Functions that put text into HTML, by the place of the text."""


def texts_and_values(html: str) -> list[str]:
    """Every string and attribute value in the HTML; empty if the text's `<b>` became an element."""
    soup = BeautifulSoup(html, "html.parser")
    values = [str(value) for tag in soup.find_all(True) for value in tag.attrs.values()]
    return [*soup.strings, *values] if not soup.b else []


@pytest.mark.parametrize("place", HTML_WITH_TEXT)
def test_text_never_becomes_html(place: str) -> None:
    assert any(TEXT in text for text in texts_and_values(HTML_WITH_TEXT[place](TEXT)))
