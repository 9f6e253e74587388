"""Style sheets become attributes, in which variables have the values of a colour scheme."""

from xml.etree.ElementTree import Element, fromstring

from cssselect2 import ElementWrapper

from macros.publish.figures.styles import FigureStyles, read_sheet, resolve, set_attributes

DRAWING = (
    '<svg class="map"><a class="thin one"><g><rect/></g><rect class="last"/><text>a<tspan>b</tspan></text></a></svg>'
)


def element_at(path: str) -> ElementWrapper:
    """The element of the drawing at a path, where "0 1" is the second child of the first child."""
    element = ElementWrapper.from_html_root(fromstring(DRAWING))  # noqa: S314  it is our own
    for index in map(int, path.split()):
        element = list(element.iter_children())[index]
    return element


STYLE_SHEET = """
/* Both schemes. */
@font-face { font-family: a; src: url(b) }
:root, [data-md-color-scheme="default"] { --md-default-fg-color: #111111; --red: #ff0000; }
@media screen { [data-md-color-scheme="slate"] { --md-default-fg-color: #eeeeee; } }
.thin { /* as on the page */ --bc-ink: var(--red); }
rect { fill: var(--bc-ink, none); stroke-width: 2px }
text { fill: var(--md-default-fg-color) }
svg { fill: transparent }
"""


def drawing_in(scheme: str) -> Element:
    """The drawing with the style sheet applied to its attributes."""
    sheet: FigureStyles = read_sheet(STYLE_SHEET)
    root = element_at("")
    set_attributes(root, sheet, sheet.variables[scheme])
    drawing: Element = root.etree_element
    return drawing


def test_variables_are_resolved() -> None:
    light, dark = drawing_in("light"), drawing_in("dark")
    assert {"fill": "#ff0000", "stroke-width": "2", "class": "last"} == light[0][1].attrib
    assert ("#111111", "#eeeeee") == (light[0][2].get("fill"), dark[0][2].get("fill"))
    assert light.get("fill") == "none"


def test_a_variable_may_have_a_fallback() -> None:
    assert resolve("var(--a, 1) var(--b)", {"--b": "var(--c)", "--c": "2"}) == "1 2"
    assert resolve("var(--a)", {}) == ""
