"""What a style sheet says of an element: variables and schemes."""

from xml.etree.ElementTree import Element, fromstring

from cssselect2 import ElementWrapper

from macros.publish.figures.styles import Sheet, read_sheet, resolve, set_attributes

DRAWING = (
    '<svg class="map"><a class="thin one"><g><rect/></g><rect class="last"/><text>a<tspan>b</tspan></text></a></svg>'
)


def placed(path: str) -> ElementWrapper:
    """An element of the drawing by the places of those around it: "0 1" is the second child of the first."""
    found = ElementWrapper.from_html_root(fromstring(DRAWING))  # noqa: S314  it is our own
    for place in map(int, path.split()):
        found = list(found.iter_children())[place]
    return found


SCHEMES = """
/* Both schemes. */
@font-face { font-family: a; src: url(b) }
:root, [data-md-color-scheme="default"] { --md-default-fg-color: #111111; --red: #ff0000; }
@media screen { [data-md-color-scheme="slate"] { --md-default-fg-color: #eeeeee; } }
.thin { /* as on the page */ --bc-ink: var(--red); }
rect { fill: var(--bc-ink, none); stroke-width: 2px }
text { fill: var(--md-default-fg-color) }
svg { fill: transparent }
"""


def drawn(scheme: str) -> Element:
    """The drawing with its attributes."""
    sheet: Sheet = read_sheet(SCHEMES)
    root = placed("")
    set_attributes(root, sheet, sheet.variables[scheme])
    drawing: Element = root.etree_element
    return drawing


def test_variables_are_put_in() -> None:
    """Of the scheme, or of an element around."""
    light, dark = drawn("light"), drawn("dark")
    assert {"fill": "#ff0000", "stroke-width": "2", "class": "last"} == light[0][1].attrib
    assert ("#111111", "#eeeeee") == (light[0][2].get("fill"), dark[0][2].get("fill"))
    assert light.get("fill") == "none"


def test_a_variable_may_have_a_stand_in() -> None:
    """Or nothing."""
    assert resolve("var(--a, 1) var(--b)", {"--b": "var(--c)", "--c": "2"}) == "1 2"
    assert resolve("var(--a)", {}) == ""
