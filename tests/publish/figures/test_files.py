"""Every figure that makes sense by itself is a file, and pages and the list of figures link to it."""

import re
from datetime import date
from xml.etree import ElementTree

import pytest

from macros.build_cache import CachedTexts
from macros.publish import figures
from macros.publish.figures import figures_of, link_files
from macros.publish.figures.svg_file import Figure
from macros.publish.page import Page
from macros.rendering.citations import Work
from macros.rendering.components.svg import Bar, Segment, bars, figure, legend

WORK = Work("A", "The site", "1", date(2026, 1, 1), "0123456789ab", date(2026, 2, 3), "")

STYLES = """
:root, [data-md-color-scheme="default"] { --md-default-fg-color: #111111; --md-default-fg-color--light: #666666; }
@media screen { [data-md-color-scheme="slate"] { --md-default-bg-color: #222222; --md-default-fg-color: #eeeeee; } }
.bc-embeddings { --bc-ink: #0000ff; }
.bc-bars rect { fill: var(--bc-ink); }
"""

FIGURE = figure(
    "figure-share",
    "A share & more",
    "Half of it.",
    bars([Bar("one", "1 of 2", [Segment("embeddings", 1, "one: 1"), Segment("cell", 1, "rest: 1")])]),
    f"{'To scale, from zero. ' * 9}{legend({'embeddings': 'embeddings'})}",
)

PAGE = (
    f'<link rel="canonical" href="https://example.org/parts/a.html"><article><h1>How much?</h1>{FIGURE}</article>'
    '<ul class="bc-gallery" id="figures"></ul>'
)

STEM = "figures/parts/a/share"


def figures_on(html: str = PAGE) -> list[Figure]:
    """The figures on a page."""
    return list(figures_of(Page("parts/a.html", html), WORK))


def files(html: str = PAGE, css: str = STYLES, cache: CachedTexts | None = None) -> dict[str, str]:
    """The files of the figures on a page."""
    return figures.files(figures_on(html), css, cache or CachedTexts("figures.json"))


def as_xml(text: str) -> ElementTree.Element:
    """A file parsed as XML."""
    return ElementTree.fromstring(text)  # noqa: S314  it is our own


def test_a_file_is_self_contained_and_always_the_same() -> None:
    files_of_page = files()
    assert [f"{STEM}-light.svg", f"{STEM}-dark.svg"] == list(files_of_page)
    for text in files_of_page.values():
        assert as_xml(text).tag == "{http://www.w3.org/2000/svg}svg"
        assert not re.search(r"class=|var\(|href|data-|<style|<a ", text)
    assert files_of_page == files()


@pytest.mark.parametrize(
    ("html", "css"),
    [
        (PAGE.replace("To scale", "Drawn to scale"), STYLES),
        (PAGE.replace("1 of 2", "1 of 3"), STYLES),
        (PAGE.replace("example.org", "example.com"), STYLES),
        (PAGE, STYLES.replace("#0000ff", "#ff0000")),
    ],
    ids=["caption", "drawing", "source", "style"],
)
def test_a_cached_file_is_replaced_when_its_figure_changes(html: str, css: str) -> None:
    cache = CachedTexts("figures.json")
    files_before = files(cache=cache)
    cache.texts = {key: f"cached {text}" for key, text in cache.texts.items()}
    assert {name: f"cached {text}" for name, text in files_before.items()} == files(cache=cache)
    assert files(html, css) == files(html, css, cache)
    assert files_before != files(html, css)


def test_a_file_has_title_caption_and_source() -> None:
    light, dark = files().values()
    texts = ["".join(element.itertext()) for element in as_xml(light).iter("{http://www.w3.org/2000/svg}text")]
    assert texts[:3] == ["A share & more", "one", "1 of 2"]
    caption = " ".join(texts[3:-1])
    assert caption == "To scale, from zero. " * 9 + "■ embeddings"
    source = "“How much?”, The site. https://example.org/parts/a.html#figure-share Built from commit 0123456789ab"
    assert f"{source} of 2026-02-03." == texts[-1]
    backgrounds = [re.findall(r'<rect [^>]*fill="(.*?)"', file)[0] for file in (light, dark)]
    assert ["#ffffff", "#222222"] == backgrounds
    assert 'fill="#0000ff"' in light


def test_a_figure_that_depends_on_its_page_has_no_file() -> None:
    """Figures of hand-outs, interactive figures and steps of an example depend on their page.

    They repeat figures of other pages or mean little without the surrounding text.
    """
    assert figures_on() != []
    assert figures_on(f'<div class="bc-sheet">{PAGE}</div>') == []
    assert figures_on(PAGE.replace('"figure-share"', '"figure-example-share"')) == []
    assert figures_on(PAGE.replace('"figure-share"', '"calculator-map"')) == []


@pytest.mark.parametrize("kinds", [["svg"], ["svg", "png"]])
def test_a_page_names_only_the_files_of_its_own_figures(kinds: list[str]) -> None:
    """Another page may have a figure with the same id."""
    for name, file in (("parts/a.html", f"../{STEM}"), ("parts/b.html", None)):
        page = Page(name, PAGE)
        link_files(page, figures_on(), kinds)
        figure = page.element("figure-share")
        assert figure
        assert (file, " ".join(kinds) if file else None) == (
            figure.attributes.get("data-file"),
            figure.attributes.get("data-kinds"),
        )


@pytest.mark.parametrize("kinds", [["svg"], ["svg", "png"]])
def test_the_list_has_every_figure(kinds: list[str]) -> None:
    page = Page("parts/a.html", PAGE)
    link_files(page, figures_on(), kinds)
    files = [f"../{STEM}-{scheme}.{kind}" for kind in kinds for scheme in ("light", "dark")]
    assert ["../parts/a.html#figure-share", *files] == [
        link.attributes["href"] for link in page.tree.css(".bc-gallery a")
    ]
    (item,) = page.tree.css(".bc-gallery li")
    names_of_files = " ".join(f"{kind.upper()} light dark" for kind in kinds)
    for line_break in item.css("br"):
        line_break.replace_with(" ")
    assert f"A share & more How much? {names_of_files}" == " ".join(item.text().split())
    page_without_list = Page("parts/a.html", "<p></p>")
    html_before = page_without_list.html
    link_files(page_without_list, figures_on(), kinds)
    assert html_before == page_without_list.html
