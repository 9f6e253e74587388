"""A figure's file has the drawing, the texts and the colours of the page, at the right positions and sizes."""

import re
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from selectolax.lexbor import LexborNode

from macros.publish.figures.styles import read_sheet
from macros.publish.figures.svg_file import Figure, svg_file
from macros.publish.page import Page

SHEET = read_sheet(
    """
    [data-md-color-scheme="default"] { --md-default-fg-color: #111111; --md-default-fg-color--light: #666666; }
    .bc-embeddings { --bc-ink: #0000ff; }
    .bc-cell { --bc-ink: #00ff00; }
    .bc-figure > svg > rect { fill: #123456; }
    .md-typeset rect + rect { fill: #654321; }
    """
)

TITLES = "<title>A title &amp; more</title><desc>What it shows.</desc>"
DRAWING = f'<svg viewBox="0 0 400 100" width="400" height="100">{TITLES}<rect/></svg>'


def element(html: str) -> LexborNode:
    """The element with this HTML."""
    return Page("a.html", "").fragment(html)


def caption_of(html: str) -> LexborNode:
    """The caption with this inner HTML."""
    return element(f"<figcaption>{html}</figcaption>")


FIGURE = Figure(Page("a.html", ""), "a", element(DRAWING), caption_of("A caption."), "From there.")


def file_of(figure: Figure) -> Element:
    """The file of a figure, parsed as XML without a namespace."""
    text = svg_file(figure, SHEET, "light").replace(' xmlns="http://www.w3.org/2000/svg"', "")
    return ElementTree.fromstring(text)  # noqa: S314  it is our own


def drawing(html: str) -> Element:
    """A drawing as the file of its figure contains it."""
    svg = file_of(FIGURE._replace(drawing=element(html))).find("svg")
    assert svg is not None
    return svg


def lines(figure: Figure) -> list[str]:
    """The lines of caption and source in a file, which are its texts outside the drawing and after the title."""
    return ["".join(text.itertext()) for text in file_of(figure).findall("text")][1:]


def test_title_drawing_caption_and_source_are_stacked() -> None:
    """A file shows the title, the drawing, the caption and, after a gap, the source, with a margin below."""
    file = file_of(FIGURE)
    assert ("800", "229.4", "0 0 800 229.4") == (file.get("width"), file.get("height"), file.get("viewBox"))
    background = file.find("rect")
    assert background is not None
    assert {"width": "800", "height": "229.4", "fill": "#ffffff"} == background.attrib
    assert [
        {"x": "24", "y": "36", "font-size": "16", "font-weight": "700", "fill": "#111111"},
        # Below the margin, the title, the drawing and a gap: 24 + 34 + 100 + 10, and a line of 1.55 × 13.
        {"x": "24", "y": "188.15", "font-size": "13", "fill": "#111111"},
        # Below another gap of 1.55 × 4, and a line of 1.55 × 11.
        {"x": "24", "y": "211.4", "font-size": "11", "fill": "#666666"},
    ] == [text.attrib for text in file.findall("text")]
    assert ["A title & more", "What it shows. From there."] == [file.findtext("title"), file.findtext("desc")]


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        # A drawing is centred. If it does not fit between the margins, it is scaled down in proportion.
        ('viewBox="0 0 1 1" width="400" height="100"', ("400", "100", "200", "58")),
        ('viewBox="0 0 1 1" width="1504" height="100"', ("752", "50", "24", "58")),
        # A drawing without a fixed width fills the width between the margins, and has the usual height for its kind.
        ('class="bc-map"', ("752", "380", "24", "58")),
        ('class="bc-map bc-small-map"', ("752", "240", "24", "58")),
    ],
)
def test_a_drawing_has_a_size(attributes: str, expected: tuple[str, ...]) -> None:
    svg = drawing(f"<svg {attributes}/>")
    assert expected == tuple(svg.get(name) for name in ("width", "height", "x", "y"))


def test_links_and_classes_are_removed_from_files() -> None:
    """Hints on parts are kept, and marks may overflow."""
    svg = drawing(
        '<svg class="bc-map" role="img" aria-labelledby="t" height="9" focusable="false"><title id="t">T</title>'
        '<desc id="d">D</desc><a class="k" href="#x" data-part="y"><title>a hint</title><rect id="r"/></a>'
        '<svg class="bc-caret"/><svg class="bc-mark"/><svg class="bc-other"/></svg>'
    )
    text = ElementTree.tostring(svg, encoding="unicode").strip()
    assert '<g><title>a hint</title><rect id="r" /></g>' in text
    assert text.endswith('<svg overflow="visible" /><svg overflow="visible" /><svg /></svg>')
    assert not re.search(r"class|role|aria|href|data-|focusable|<desc|>T<", text)
    assert "visible" == svg.get("overflow")


def test_styles_are_those_of_a_figure_on_its_page() -> None:
    """Selectors may refer to elements around the drawing on its page, and to siblings within the drawing."""
    svg = drawing('<svg height="9"><rect class="a"/><rect class="b"/></svg>')
    assert ["#123456", "#654321"] == [rectangle.get("fill") for rectangle in svg]


WORD = "nine.char"
"""A word of ten characters, including the space after it.

A line of the caption has room for 101 characters, and a line of the source for 119.
"""


def test_lines_fill_the_width() -> None:
    texts = lines(FIGURE._replace(caption=caption_of(" ".join([WORD] * 21)), source=" ".join([WORD] * 12)))
    assert [10, 10, 1, 11, 1] == [len(line.split()) for line in texts]
    long_word = "a" * 120
    assert ["a", long_word, "b", "From there."] == lines(FIGURE._replace(caption=caption_of(f"a {long_word} b")))
    for letters, words in ((8, 11), (9, 10)):
        first, *_ = lines(FIGURE._replace(caption=caption_of(" ".join([WORD] * 9 + ["a", "b" * letters]))))
        assert words == len(first.split())


KEY = '<i class="bc-key bc-embeddings"></i>'


@pytest.mark.parametrize(
    ("classes", "expected"),
    [
        ("bc-key bc-embeddings", '<tspan fill="#0000ff" stroke="#0000ff">■</tspan>'),
        ("bc-key bc-cell", '<tspan fill="#00ff00" stroke="#00ff00">■</tspan>'),
        ("bc-key bc-cell bc-taken", '<tspan fill="#ffffff" stroke="#00ff00">■</tspan>'),
        ("bc-key", '<tspan fill="#111111" stroke="#111111">■</tspan>'),
        ("bc-key-thin bc-cell", '<tspan fill="#00ff00">▼</tspan>'),
    ],
)
def test_the_sign_of_a_colour_is_filled_as_on_the_page(classes: str, expected: str) -> None:
    """A part that is too thin to see has a triangle instead of a square."""
    file = svg_file(FIGURE._replace(caption=caption_of(f'<i class="{classes}"></i>a &lt; b')), SHEET, "light")
    assert f'fill="#111111">{expected} a &lt; b</text>' in file


def test_the_sign_of_a_colour_is_kept_with_its_name() -> None:
    caption = caption_of(f'One <span class="bc-joined">{KEY}two</span> <span class="bc-joined">{KEY}three.</span> Four')
    assert ["One ■ two ■ three. Four", "From there."] == lines(FIGURE._replace(caption=caption))


def test_a_caption_keeps_its_paragraphs() -> None:
    caption = f'One <b>and</b> <a href="#">not this</a><p>two</p>three<ul><li>{KEY}four</li><li><i>five</i></li></ul>'
    assert ["One and", "two", "three", "■ four five", "From there."] == lines(
        FIGURE._replace(caption=caption_of(caption))
    )


def test_only_a_large_map_has_its_description() -> None:
    large_map = FIGURE._replace(drawing=element(f'<svg class="bc-map">{TITLES}</svg>'))
    assert ["A caption.", "What it shows.", "From there."] == lines(large_map)
    small_map = FIGURE._replace(drawing=element(f'<svg class="bc-map bc-small-map">{TITLES}</svg>'))
    assert ["A caption.", "From there."] == lines(small_map) == lines(FIGURE)
