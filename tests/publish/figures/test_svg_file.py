"""Where things stand in the file of a figure, how large they are, and what stays of the page."""

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
FIXED = f'<svg viewBox="0 0 400 100" width="400" height="100">{TITLES}<rect/></svg>'


def element(html: str) -> LexborNode:
    """An element of a page."""
    return Page("a.html", "").fragment(html)


def captioned(html: str) -> LexborNode:
    """A caption."""
    return element(f"<figcaption>{html}</figcaption>")


FIGURE = Figure(Page("a.html", ""), "a", element(FIXED), captioned("A caption."), "From there.")


def made(figure: Figure) -> Element:
    """The file as XML, without its namespace."""
    text = svg_file(figure, SHEET, "light").replace(' xmlns="http://www.w3.org/2000/svg"', "")
    return ElementTree.fromstring(text)  # noqa: S314  it is our own


def drawing(drawn: str) -> Element:
    """What a file has of a drawing."""
    found = made(FIGURE._replace(drawing=element(drawn))).find("svg")
    assert found is not None
    return found


def lines(figure: Figure) -> list[str]:
    """The texts of a file that are none of the drawing's, after the title."""
    return ["".join(each.itertext()) for each in made(figure).findall("text")][1:]


def test_one_stands_below_the_other() -> None:
    """The title, the drawing, the caption, and after a gap the source; and the file ends a little below that."""
    file = made(FIGURE)
    assert ("800", "229.4", "0 0 800 229.4") == (file.get("width"), file.get("height"), file.get("viewBox"))
    ground = file.find("rect")
    assert ground is not None
    assert {"width": "800", "height": "229.4", "fill": "#ffffff"} == ground.attrib
    assert [
        {"x": "24", "y": "36", "font-size": "16", "font-weight": "700", "fill": "#111111"},
        {"x": "24", "y": "188.15", "font-size": "13", "fill": "#111111"},  # 24 + 34 + 100 + 10, and 1.55 x 13
        {"x": "24", "y": "211.4", "font-size": "11", "fill": "#666666"},  # 1.55 x 4 more, and 1.55 x 11
    ] == [each.attrib for each in file.findall("text")]
    assert ["A title & more", "What it shows. From there."] == [file.findtext("title"), file.findtext("desc")]


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        # In the middle; one that is wider than the file is made smaller, and no less high for its width.
        ('viewBox="0 0 1 1" width="400" height="100"', ("400", "100", "200", "58")),
        ('viewBox="0 0 1 1" width="1504" height="100"', ("752", "50", "24", "58")),
        # In per cent: as wide as the file has room, and as high as its kind is.
        ('class="bc-map"', ("752", "380", "24", "58")),
        ('class="bc-map bc-small-map"', ("752", "240", "24", "58")),
    ],
)
def test_a_drawing_has_a_size(attributes: str, expected: tuple[str, ...]) -> None:
    """Its own, or that of its kind."""
    found = drawing(f"<svg {attributes}/>")
    assert expected == tuple(found.get(name) for name in ("width", "height", "x", "y"))


def test_what_is_for_the_page_alone_goes() -> None:
    """Links, classes, words for screen readers; the hints at its parts stay, and marks may stick out."""
    found = drawing(
        '<svg class="bc-map" role="img" aria-labelledby="t" height="9" focusable="false"><title id="t">T</title>'
        '<desc id="d">D</desc><a class="k" href="#x" data-part="y"><title>a hint</title><rect id="r"/></a>'
        '<svg class="bc-caret"/><svg class="bc-mark"/><svg class="bc-other"/></svg>'
    )
    written = ElementTree.tostring(found, encoding="unicode").strip()
    assert '<g><title>a hint</title><rect id="r" /></g>' in written
    assert written.endswith('<svg overflow="visible" /><svg overflow="visible" /><svg /></svg>')
    assert not re.search(r"class|role|aria|href|data-|focusable|<desc|>T<", written)
    assert "visible" == found.get("overflow")


def test_styles_are_those_of_a_figure_on_its_page() -> None:
    """Selectors may name what is around the drawing there, and siblings in it."""
    found = drawing('<svg height="9"><rect class="a"/><rect class="b"/></svg>')
    assert ["#123456", "#654321"] == [each.get("fill") for each in found]


TEN = "nine.char"
"""With the space after it ten characters, of which a line has room for 101 in the caption and 119 in the source."""


def test_lines_are_as_long_as_there_is_room() -> None:
    """In the size of each: a hundred and one letters with the space after the last; one more goes to the next line."""
    found = lines(FIGURE._replace(caption=captioned(" ".join([TEN] * 21)), source=" ".join([TEN] * 12)))
    assert [10, 10, 1, 11, 1] == [len(each.split()) for each in found]
    long = "a" * 120
    assert ["a", long, "b", "From there."] == lines(FIGURE._replace(caption=captioned(f"a {long} b")))
    for letters, words in ((8, 11), (9, 10)):
        first, *_ = lines(FIGURE._replace(caption=captioned(" ".join([*[TEN] * 9, "a", "b" * letters]))))
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
def test_a_patch_of_colour(classes: str, expected: str) -> None:
    """Filled and framed as on the page; what is too thin to see has its mark."""
    file = svg_file(FIGURE._replace(caption=captioned(f'<i class="{classes}"></i>a &lt; b')), SHEET, "light")
    assert f'fill="#111111">{expected} a &lt; b</text>' in file


def test_a_patch_that_is_kept_with_its_name() -> None:
    """Is there as well, and the full stop after the name is next to it."""
    caption = captioned(f'One <span class="bc-joined">{KEY}two</span> <span class="bc-joined">{KEY}three.</span> Four')
    assert ["One ■ two ■ three. Four", "From there."] == lines(FIGURE._replace(caption=caption))


def test_a_caption_in_paragraphs() -> None:
    """Each begins a line, and so does a list; its entries do not, and links are for the page."""
    caption = f'One <b>and</b> <a href="#">not this</a><p>two</p>three<ul><li>{KEY}four</li><li><i>five</i></li></ul>'
    assert ["One and", "two", "three", "■ four five", "From there."] == lines(
        FIGURE._replace(caption=captioned(caption))
    )


def test_a_map_says_in_words_what_it_shows() -> None:
    """The small one does not, nor what is no map."""
    large = FIGURE._replace(drawing=element(f'<svg class="bc-map">{TITLES}</svg>'))
    assert ["A caption.", "What it shows.", "From there."] == lines(large)
    small = FIGURE._replace(drawing=element(f'<svg class="bc-map bc-small-map">{TITLES}</svg>'))
    assert ["A caption.", "From there."] == lines(small) == lines(FIGURE)
