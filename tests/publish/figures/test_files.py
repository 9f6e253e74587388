"""A figure as a file, the list of all, and what pages say of the files."""

import re
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import pytest

from macros.publish import figures
from macros.publish.figures import Found, found_on, with_files
from macros.publish.figures.gallery import with_gallery
from macros.rendering.citations import Cited
from macros.rendering.elements.svg import Bar, Segment, bars, figure, legend

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
    '<ul class="bc-gallery" id="figures"><li>later</li></ul>'
)

STEM = "figures/parts/a/share"


def found(html: str = PAGE) -> list[Found]:
    """The figures of the page."""
    return list(found_on("parts/a.html", html, CITED))


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


def test_hand_outs_and_what_scripts_draw_have_none() -> None:
    """They repeat figures of other pages, or change as one types."""
    assert found() != []
    assert found(f'{PAGE}<div class="bc-sheet"></div>') == []
    assert found(PAGE.replace('"figure-share"', '"calculator-map"')) == []


def test_a_page_says_which_files_there_are(tmp_path: Path) -> None:
    """PNG only once a browser has drawn it; saying so again changes nothing."""
    drawn = with_files("parts/a.html", PAGE, found(), tmp_path)
    assert f'id="figure-share" data-file="../{STEM}" data-kinds="svg" data-search' in drawn
    (tmp_path / STEM).parent.mkdir(parents=True)
    (tmp_path / f"{STEM}-light.png").touch()
    both = with_files("parts/a.html", drawn, found(drawn), tmp_path)
    assert both == drawn.replace('data-kinds="svg"', 'data-kinds="svg png"')
    assert both == with_files("parts/a.html", both, found(both), tmp_path)


@pytest.mark.parametrize("page", ["parts/0.html", "parts/b.html"])
def test_a_page_without_files_of_its_own_says_nothing(tmp_path: Path, page: str) -> None:
    """Even where figures of another page have its ids."""
    assert PAGE == with_files(page, PAGE, found(), tmp_path)


@pytest.mark.parametrize("kinds", [["svg"], ["svg", "png"]])
def test_the_list_has_every_figure(tmp_path: Path, kinds: list[str]) -> None:
    """With its place and its files; a list that is filled is filled anew."""
    for kind in kinds:
        (tmp_path / STEM).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"{STEM}-light.{kind}").touch()
    filled = with_gallery("parts/a.html", PAGE, found(), tmp_path)
    links = re.findall(r'href="([^"]*)"', filled[filled.index("bc-gallery") :])
    files = [f"../{STEM}-{scheme}.{kind}" for kind in kinds for scheme in ("light", "dark")]
    assert ["../parts/a.html#figure-share", *files] == links
    assert "later" not in filled
    assert filled.endswith("</li></ul>")
    assert with_gallery("parts/a.html", filled, found(), tmp_path) == filled
    assert with_gallery("parts/a.html", "<p></p>", found(), tmp_path) == "<p></p>"
