"""Forced colours, as in Windows' contrast themes: swatches keep the colours of the areas that they name."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page

from tests.docs.conftest import Pages
from tests.docs.windows import SCHEMES, THEMES, go_to

SWATCHES = ".bc-key, .bc-key-thin, .bc-shares li"

OTHERWISE_COLOURED = """() => {
  const painted = ".bc-key:not(.bc-layer), .bc-key-thin, .bc-shares li, .bc-grid tbody td"
  const probe = document.createElementNS("http://www.w3.org/2000/svg", "svg")
  probe.innerHTML = "<rect/>"
  probe.firstElementChild.style.fill = "var(--bc-ink)"
  return [...document.querySelectorAll(`article :is(${painted})`)].flatMap((element) => {
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
"""Swatches, bars and cells whose colour differs from that of an area of their kind.

The colour may be a background, the shadow of a hollow one, or the border that marks what is too
thin to see.
"""

LAYERS = (
    "[...document.querySelectorAll('article .bc-key.bc-layer')].map((each) => getComputedStyle(each).backgroundImage)"
)
"""How the swatches of layers, which have two colours, are painted."""

UNSEEN = """() => {
  const ground = getComputedStyle(document.body).backgroundColor
  const isFramed = ({ outlineStyle, outlineColor }) => outlineStyle !== "none" && outlineColor !== ground
  return [...document.querySelectorAll("article .bc-key")].filter((each) => !isFramed(getComputedStyle(each)))
    .map((each) => element.className)
}"""
"""Swatches without an edge that sets them off from the background, whatever their colour."""

OFF_GROUND = """(ink) => [...document.querySelectorAll("article .bc-figure text:not(.bc-map text, .bc-inside)")]
  .map((each) => getComputedStyle(each).fill).filter((fill) => fill !== ink)"""
"""Colours of words beside areas that differ from the reader's own."""

INK = "getComputedStyle(document.querySelector('article h1')).color"


@pytest.fixture(scope="module")
def page(tab: Callable[..., Page]) -> Iterator[Page]:
    """A tab for the whole file, at first without forced colours."""
    page = tab(reduced_motion="reduce")
    yield page
    page.emulate_media(forced_colors="none", color_scheme="light")


def test_swatches_keep_the_colours_of_areas(page: Page, pages: Pages) -> None:
    """On every page, and in the calculator and the map, swatches have their areas' colours and stand out."""
    names = [name for name, soup in pages.items() if name != "404.html" and soup.select(f"article :is({SWATCHES})")]
    assert {"index.html", "map.html", "try/calculator.html"} <= {*names}
    page.emulate_media(forced_colors="active")
    for name in [*names, "map.html#base/layer/feed-forward/output/weights"]:
        go_to(page, name)
        assert (name, []) == (name, page.evaluate(OTHERWISE_COLOURED))
        assert (name, []) == (name, page.evaluate(UNSEEN))
        assert "none" not in page.evaluate(LAYERS)


def test_words_beside_areas_have_the_reader_s_colour(page: Page, pages: Pages) -> None:
    """Words are in the reader's colour whatever theme was chosen: dark words would vanish on a dark background."""
    for name in [name for name, soup in pages.items() if name != "404.html" and soup.select("article .bc-bars text")]:
        page.goto(name, wait_until="load")
        for ground, other in zip(SCHEMES, reversed(SCHEMES), strict=True):
            page.emulate_media(forced_colors="active", color_scheme=ground)
            page.evaluate("theme => (document.body.dataset.mdColorScheme = theme)", THEMES[other])
            assert (name, []) == (name, page.evaluate(OFF_GROUND, page.evaluate(INK)))


def test_the_theme_s_signs_are_there(page: Page) -> None:
    """Signs such as that of a fold stay visible.

    They are backgrounds within masks, which browsers would paint in the background's colour.
    """
    page.emulate_media(forced_colors="active", color_scheme="dark")
    page.goto("parts/attention.html", wait_until="load")
    colour = "getComputedStyle(document.querySelector('article summary'), '::after').backgroundColor"
    assert page.evaluate(INK) == page.evaluate(colour)
