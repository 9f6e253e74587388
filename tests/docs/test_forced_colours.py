"""With forced colours, as in Windows' contrast themes, swatches keep the colours of areas, and words are legible."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page

from tests.docs.conftest import Pages
from tests.docs.windows import SCHEMES, THEMES, go_to

SWATCHES = ".bc-key, .bc-key-thin, .bc-shares li"
"""A selector for the colours in legends and the bars of shares."""

WRONG_COLOURS = """() => {
  const selector = ".bc-key:not(.bc-layer), .bc-key-thin, .bc-shares li, .bc-grid tbody td"
  const probe = document.createElementNS("http://www.w3.org/2000/svg", "svg")
  probe.innerHTML = "<rect/>"
  probe.firstElementChild.style.fill = "var(--bc-ink)"
  return [...document.querySelectorAll(`article :is(${selector})`)].flatMap((element) => {
    const style = getComputedStyle(element, element.matches("li") ? "::after" : null)
    element.append(probe)
    const { fill } = getComputedStyle(probe.firstElementChild)
    const isColoured = style.getPropertyValue("--bc-ink")
    probe.remove()
    const colours = element.matches(".bc-key-thin") ? style.borderTopColor : style.backgroundColor + style.boxShadow
    const isRight = !isColoured || element.ariaSelected === "true" || colours.includes(fill)
    return isRight ? [] : [`${element.className}: ${colours}, not ${fill}`]
  })
}"""
"""Returns the swatches, bars and cells whose colour differs from that of the areas of their kind.

The colour may be that of the background, of the shadow of a hollow swatch, or of the border that represents a block too
thin to see.
"""

LAYER_SWATCHES = (
    "[...document.querySelectorAll('article .bc-key.bc-layer')].map((key) => getComputedStyle(key).backgroundImage)"
)
"""Evaluates to the background images of the swatches of layers, which have two colours."""

INVISIBLE_SWATCHES = """() => {
  const background = getComputedStyle(document.body).backgroundColor
  const isFramed = ({ outlineStyle, outlineColor }) => outlineStyle !== "none" && outlineColor !== background
  return [...document.querySelectorAll("article .bc-key")].filter((key) => !isFramed(getComputedStyle(key)))
    .map((key) => key.className)
}"""
"""Returns the swatches without an outline that is visible against the background, whatever their own colour."""

WRONG_TEXT_COLOURS = """colour =>
  [...document.querySelectorAll("article .bc-figure text:not(.bc-map text, .bc-inside)")]
  .map((text) => getComputedStyle(text).fill).filter((fill) => fill !== colour)"""
"""Returns the colours of words next to areas, except the colour that the reader has chosen."""

TEXT_COLOUR = "getComputedStyle(document.querySelector('article h1')).color"
"""Evaluates to the colour that the reader has chosen for text."""


@pytest.fixture(scope="module")
def page(open_tab: Callable[..., Page]) -> Iterator[Page]:
    """A tab for all tests of this file, without forced colours at first and after the tests."""
    page = open_tab(reduced_motion="reduce")
    yield page
    page.emulate_media(forced_colors="none", color_scheme="light")


def test_swatches_keep_the_colours_of_areas_and_stand_out(page: Page, pages: Pages) -> None:
    names = [name for name, soup in pages.items() if name != "404.html" and soup.select(f"article :is({SWATCHES})")]
    assert {"index.html", "map.html", "try/calculator.html"} <= {*names}
    page.emulate_media(forced_colors="active")
    for name in [*names, "map.html#base/layer/feed-forward/output/weights"]:
        go_to(page, name)
        assert (name, []) == (name, page.evaluate(WRONG_COLOURS))
        assert (name, []) == (name, page.evaluate(INVISIBLE_SWATCHES))
        assert "none" not in page.evaluate(LAYER_SWATCHES)


def test_words_next_to_areas_have_the_colour_that_the_reader_chose(page: Page, pages: Pages) -> None:
    """If a theme of the site overrode this colour, dark words could vanish on a dark background."""
    names = [name for name, soup in pages.items() if name != "404.html" and soup.select("article .bc-bars text")]
    assert names
    for name in names:
        page.goto(name, wait_until="load")
        for scheme, other_scheme in zip(SCHEMES, reversed(SCHEMES), strict=True):
            page.emulate_media(forced_colors="active", color_scheme=scheme)
            page.evaluate("theme => (document.body.dataset.mdColorScheme = theme)", THEMES[other_scheme])
            assert (name, []) == (name, page.evaluate(WRONG_TEXT_COLOURS, page.evaluate(TEXT_COLOUR)))


def test_the_icons_of_the_theme_stay_visible(page: Page) -> None:
    """Icons such as that of a fold are masked backgrounds, which browsers would paint in the colour of the page."""
    page.emulate_media(forced_colors="active", color_scheme="dark")
    page.goto("parts/attention.html", wait_until="load")
    colour = "getComputedStyle(document.querySelector('article summary'), '::after').backgroundColor"
    assert page.evaluate(TEXT_COLOUR) == page.evaluate(colour)
