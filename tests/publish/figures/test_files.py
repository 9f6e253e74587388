"""A figure as a file, the list of all, and what pages say of the files."""

import re
from datetime import date
from xml.etree import ElementTree

import pytest

from macros.publish import figures
from macros.publish.figures import figures_of, name_files
from macros.publish.figures.svg_file import Figure
from macros.publish.page import Page
from macros.rendering.citations import Cited
from macros.rendering.components.svg import Bar, Segment, bars, figure, legend

CITED = Cited("A", "The site", "1", date(2026, 1, 1), "0123456789ab", date(2026, 2, 3), "")

STYLES = """
:root, [data-md-color-scheme="default"] { --md-default-fg-color: #111111; --md-default-fg-color--light: #666666; }
@media screen { [data-md-color-scheme="slate"] { --md-default-bg-color: #222222; --md-default-fg-color: #eeeeee; } }
.bc-embeddings { --bc-ink: #0000ff; }
.bc-bars rect { fill: var(--bc-ink); }
"""

DRAWN = figure(
    "figure-share",
    "A share & more",
    "Half of it.",
    bars([Bar("one", "1 of 2", [Segment("embeddings", 1, "one: 1"), Segment("cell", 1, "rest: 1")])]),
    f"{'To scale, from zero. ' * 9}{legend({'embeddings': 'embeddings'})}",
)

PAGE = (
    f'<link rel="canonical" href="https://example.org/parts/a.html"><article><h1>How much?</h1>{DRAWN}</article>'
    '<ul class="bc-gallery" id="figures"></ul>'
)

STEM = "figures/parts/a/share"


def found(html: str = PAGE) -> list[Figure]:
    """The figures of the page."""
    return list(figures_of(Page("parts/a.html", html), CITED))


def parsed(text: str) -> ElementTree.Element:
    """A file as XML."""
    return ElementTree.fromstring(text)  # noqa: S314  it is our own


def test_a_file_needs_nothing_else() -> None:
    """No class, no variable, no address to fetch, no trace of the page it is from; the same every time."""
    made = figures.files(found(), STYLES)
    assert [f"{STEM}-light.svg", f"{STEM}-dark.svg"] == list(made)
    for text in made.values():
        assert parsed(text).tag == "{http://www.w3.org/2000/svg}svg"
        assert not re.search(r"class=|var\(|href|data-|<style|<a ", text)
    assert made == figures.files(found(), STYLES)


def test_it_has_title_caption_and_source() -> None:
    """And the colours of its scheme."""
    light, dark = figures.files(found(), STYLES).values()
    texts = ["".join(each.itertext()) for each in parsed(light).iter("{http://www.w3.org/2000/svg}text")]
    assert texts[:3] == ["A share & more", "one", "1 of 2"]
    caption = " ".join(texts[3:-1])
    assert caption.split() == [*("To scale, from zero. " * 9).split(), "■", "embeddings"]
    source = "“How much?”, The site. https://example.org/parts/a.html#figure-share Built from commit 0123456789ab"
    assert f"{source} of 2026-02-03." == texts[-1]
    assert ("#ffffff", "#222222") == tuple(re.findall(r'<rect [^>]*fill="(.*?)"', each)[0] for each in (light, dark))
    assert 'fill="#0000ff"' in light


def test_what_is_not_for_itself_has_none() -> None:
    """They repeat figures of other pages, change as one types, or are steps of an example, which need their text."""
    assert found() != []
    assert found(f'<div class="bc-sheet">{PAGE}</div>') == []
    assert found(PAGE.replace('"figure-share"', '"figure-example-share"')) == []
    assert found(PAGE.replace('"figure-share"', '"calculator-map"')) == []


@pytest.mark.parametrize("kinds", [["svg"], ["svg", "png"]])
def test_a_page_names_the_files_of_its_figures(kinds: list[str]) -> None:
    """And of no figure of another page, even where that has its ids."""
    for name, file in (("parts/a.html", f"../{STEM}"), ("parts/b.html", None)):
        page = Page(name, PAGE)
        name_files(page, found(), kinds)
        figure = page.element("figure-share")
        assert figure
        assert (file, " ".join(kinds) if file else None) == (
            figure.attributes.get("data-file"),
            figure.attributes.get("data-kinds"),
        )


@pytest.mark.parametrize("kinds", [["svg"], ["svg", "png"]])
def test_the_list_has_every_figure(kinds: list[str]) -> None:
    """With its place and its files; a page without a list stays as it is."""
    page = Page("parts/a.html", PAGE)
    name_files(page, found(), kinds)
    files = [f"../{STEM}-{scheme}.{kind}" for kind in kinds for scheme in ("light", "dark")]
    assert ["../parts/a.html#figure-share", *files] == [
        each.attributes["href"] for each in page.tree.css(".bc-gallery a")
    ]
    without = Page("parts/a.html", "<p></p>")
    before = without.html
    name_files(without, found(), kinds)
    assert before == without.html
