"""Cutting things out of finished pages, on pages that are written here."""

from __future__ import annotations

from pathlib import Path

import pytest

from macros.publish import embeds
from macros.publish.embeds import Tool, cut_out, is_embed, with_mark
from macros.publish.errors import PublishError

SITE = Path("/site")


def sign(place: str, what: str = "table") -> str:
    """The sign # as pages have it."""
    return f'<a class="bc-permalink" href="#{place}" title="Link to this {what}">#</a>'


TABLE = (
    f'<div class="bc-table" id="t"><div><table><caption>A &amp; B {sign("t")}</caption><tr><td>'
    '<a href="../totals/base.html?a=1#b">base</a> <a href="#t2">below</a> <a href="https://example.org/x">out</a> '
    '<data value="7">7</data></td></tr></table></div></div>'
)
FIGURE = (
    '<figure class="bc-figure" id="f" data-file="../figures/a" data-kinds="svg">'
    f'<svg><title id="f-t">Drawn</title></svg>{sign("f", "figure")}</figure>\n'
    '<p class="bc-summed"><b>9</b></p>'
)
SUM = f'<h2 id="s">Worked out</h2><p id="w">BERT base: {sign("w", "sum")}</p><ol class="bc-steps"><li>1 + 1</li></ol>'
HEAD = '<head><meta charset="utf-8"><link rel="canonical" href="https://example.org/parts/a.html"></head>'
PAGE = f'{HEAD}<article class="c"><h1 id="h">How many?</h1>{TABLE}{FIGURE}{SUM}<p>after</p></article>'


def cut(html: str = PAGE, name: str = "parts/a.html", moved: dict[str, str] | None = None) -> dict[str, str]:
    """What is cut out of one page, by address."""
    made = cut_out(SITE, {SITE / name: html}, moved or {})
    return {path.relative_to(SITE).as_posix(): text for path, text in made.items()}


def shown(html: str) -> str:
    """What a page for a frame shows above the line at its foot."""
    return html.partition('md-typeset">')[2].partition('\n<p class="bc-credit">')[0]


def test_a_thing_is_cut_out_as_a_whole() -> None:
    """A table, a figure with its sum, the lines of a sum; without the signs that link to them."""
    found = cut()
    assert {"embed/parts/a/t.html", "embed/parts/a/f.html", "embed/parts/a/w.html"} == set(found)
    assert shown(found["embed/parts/a/t.html"]).startswith(
        '<div class="bc-table" id="t"><div><table><caption>A &amp; B<'
    )
    assert shown(found["embed/parts/a/t.html"]).endswith("</table></div></div>")
    assert shown(found["embed/parts/a/f.html"]).startswith('<figure class="bc-figure" id="f"><svg>')
    assert shown(found["embed/parts/a/f.html"]).endswith('</figure>\n<p class="bc-summed"><b>9</b></p>')
    worked = '<p id="w">BERT base:</p><ol class="bc-steps"><li>1 + 1</li></ol>'
    assert f'<div class="bc-worked">{worked}</div>' == shown(found["embed/parts/a/w.html"])


def test_it_says_what_it_is_and_where_it_is_from() -> None:
    """By its caption, its drawing, or its section and model; the line at the foot leads to its place."""
    titles = {name: html.partition("<title>")[2].partition("</title>")[0] for name, html in cut().items()}
    assert "A &amp; B - BERT, counted" == titles["embed/parts/a/t.html"]
    assert "Drawn - BERT, counted" == titles["embed/parts/a/f.html"]
    assert "Worked out, BERT base - BERT, counted" == titles["embed/parts/a/w.html"]
    table = cut()["embed/parts/a/t.html"]
    assert '<a href="../../../parts/a.html#t" target="_blank" rel="noopener">“How many?”</a>' in table
    assert '\n<link rel="canonical" href="https://example.org/parts/a.html">\n' in table
    assert "<base" not in table  # its links say themselves where they open
    assert '<link rel="canonical" href="../../../parts/a.html">' in cut(PAGE.replace(HEAD, ""))["embed/parts/a/t.html"]


def test_links_lead_outside() -> None:
    """Each to where it led, in a window of its own."""
    html = shown(cut()["embed/parts/a/t.html"])
    out = 'target="_blank" rel="noopener"'
    for link in ("../../../totals/base.html?a=1#b", "../../../parts/a.html#t2", "https://example.org/x"):
        assert f'<a href="{link}" {out}>' in html


def test_it_has_the_scripts_that_it_needs() -> None:
    """Those that move between numbers and light what belongs together, where there is either."""
    keys, links = ("numbers.js", "links.js")
    scripts = {name[-6]: [each for each in (keys, links) if each in html] for name, html in cut().items()}
    assert {"t": [keys], "f": [], "w": [links]} == scripts


TOOL = Tool(
    "A tool", (('<div id="form"', '<h2 id="x">'), ('<h2 id="y">', '<h2 id="z">')), (('<h2 id="x">', '<h2 id="y">'),)
)
OWN = '<script type="text/plain" data-src="../assets/own.js" data-own></script>'
TOOL_PAGE = (
    f'{HEAD}<article><h1>A tool?</h1><div id="form"><a href="#y">y</a><a href="#x">x</a></div>'
    f'<h2 id="x">x</h2><h2 id="y">y</h2><h2 id="z">z</h2></article>{OWN}'
)


def test_a_tool_is_cut_out_with_its_scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Links to what is shown stay in the frame; what only its scripts need is hidden, and links to it lead outside."""
    monkeypatch.setattr(embeds, "TOOLS", {"parts/a.html": TOOL})
    html = cut(TOOL_PAGE)["embed/parts/a.html"]
    assert '<h2 id="y">y</h2><div hidden><h2 id="x">x</h2></div>' in html
    assert '<a href="#y" target="_self">' in html
    assert '<a href="../../parts/a.html#x" target="_blank" rel="noopener">' in html
    assert '<script defer src="../../assets/own.js">' in html
    assert '<base target="_blank">' in html
    with pytest.raises(PublishError, match=r'parts/a\.html needs <div id="form" and after it <h2 id="x">'):
        cut(TOOL_PAGE.replace('<h2 id="x">', "<h2>"))
    with pytest.raises(PublishError, match=r'parts/a\.html needs <div id="form" and after it <h2 id="x">'):
        cut(TOOL_PAGE.replace('<div id="form">', "<div>"))


@pytest.mark.parametrize("broken", [' id="t"', "</table></div></div>"])
def test_a_page_that_lacks_its_thing_is_named(broken: str) -> None:
    """A sign that leads nowhere, and an element that does not end."""
    with pytest.raises(PublishError, match=r"parts/a\.html links to #t, which is not there as a whole"):
        cut(PAGE.replace(broken, "").replace("</div>", "" if "</" in broken else "</div>"))


def test_a_page_says_where_its_things_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, however often it is published; one that has none says nothing."""
    marked = with_mark("parts/a.html", PAGE)
    assert '<article class="c" data-embeds="../embed/parts/a/">' in marked
    assert marked == with_mark("parts/a.html", marked)
    assert cut() == cut(marked)
    monkeypatch.setattr(embeds, "TOOLS", {"a.html": TOOL})
    assert 'data-embeds="embed/a/" data-embed="embed/a.html">' in with_mark("a.html", PAGE)
    for without in ("<article><p>a</p></article>", sign("a"), f'<meta http-equiv="refresh">{PAGE}'):
        assert without == with_mark("parts/a.html", without)
        assert {} == cut(without)


def test_what_has_moved_is_shown_from_where_it_was() -> None:
    """The old address of a thing leads to the new one, in the frame."""
    moved = {"parts/a.html#old": "parts/a.html#t", "parts/a.html#x": "parts/a.html#h", "parts/b.html": "parts/a.html"}
    found = cut(moved=moved)
    assert {"embed/parts/a/old.html"} == set(found) - set(cut())
    assert 'http-equiv="refresh" content="0; url=t.html"' in found["embed/parts/a/old.html"]


def test_what_is_cut_out_is_known_by_its_address() -> None:
    """So that nothing is cut out of it when a site is published again."""
    assert is_embed(SITE, SITE / "embed/parts/a/t.html")
    assert not is_embed(SITE, SITE / "parts/embed.html")
