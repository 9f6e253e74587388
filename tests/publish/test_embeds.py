"""Every embeddable piece of a page becomes a page of its own, with its title, its source and its scripts."""

import pytest

from macros.publish import embeds
from macros.publish.embeds import Tool, add_addresses, frame_pages
from macros.publish.page import Page, PublishError


def sign(id_: str, kind: str = "table") -> str:
    """The # sign that links to an element on its page."""
    return f'<a class="bc-permalink" href="#{id_}" title="Link to this {kind}">#</a>'


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

HAND_OUT_PAGE, EXAMPLE_PAGE = (
    f'<article><div {attribute}><p id="a">{sign("a")}</p></div></article>'
    for attribute in ('class="bc-sheet"', 'id="figure-example-a"')
)


def pieces_of(html: str = PAGE, name: str = "parts/a.html") -> dict[str, str]:
    """The pages for frames that are cut out of a page, by address."""
    return frame_pages({name: Page(name, html)})


def content(html: str) -> str:
    """The HTML of a page for a frame above the line at its foot."""
    return html.partition('md-typeset">')[2].partition('\n<p class="bc-credit">')[0]


def test_a_piece_is_cut_out_as_a_whole() -> None:
    pieces = pieces_of()
    assert {"embed/parts/a/t.html", "embed/parts/a/f.html", "embed/parts/a/w.html"} == set(pieces)
    assert content(pieces["embed/parts/a/t.html"]).startswith(
        '<div class="bc-table" id="t"><div><table><caption>A &amp; B '
    )
    assert content(pieces["embed/parts/a/t.html"]).endswith("</table></div></div>")
    assert content(pieces["embed/parts/a/f.html"]).startswith('<figure class="bc-figure" id="f"><svg>')
    assert content(pieces["embed/parts/a/f.html"]).endswith('</figure><p class="bc-summed"><b>9</b></p>')
    worked_sum = '<p id="w">BERT base: </p><ol class="bc-steps"><li>1 + 1</li></ol>'
    assert f'<div class="bc-worked">{worked_sum}</div>' == content(pieces["embed/parts/a/w.html"])


def test_a_page_for_a_frame_names_its_content_and_source() -> None:
    """The title comes from a caption, a drawing, or a section and a model."""
    titles = {name: html.partition("<title>")[2].partition("</title>")[0] for name, html in pieces_of().items()}
    assert "A &amp; B – BERT, counted" == titles["embed/parts/a/t.html"]
    assert "Drawn – BERT, counted" == titles["embed/parts/a/f.html"]
    assert "Worked out, BERT base – BERT, counted" == titles["embed/parts/a/w.html"]
    table = pieces_of()["embed/parts/a/t.html"]
    assert '<a href="../../../parts/a.html#t" target="_blank" rel="noopener">“How many?”</a>' in table
    assert '\n<link rel="canonical" href="https://example.org/parts/a.html">\n' in table
    assert "<base" not in table  # each link sets its own target
    assert (
        '<link rel="canonical" href="../../../parts/a.html">'
        in pieces_of(PAGE.replace(HEAD, ""))["embed/parts/a/t.html"]
    )


def test_a_list_of_tables_has_its_own_title() -> None:
    tables = "".join(f"<table><caption>{name}</caption></table>" for name in ("First", "Second"))
    html = f'{HEAD}<article><h1>A</h1><div id="l">{sign("l")}<p id="l-caption">Both tables</p>{tables}</div></article>'
    assert "<title>Both tables – BERT, counted</title>" in pieces_of(html)["embed/parts/a/l.html"]


def test_a_page_for_a_frame_has_a_heading_for_screen_readers() -> None:
    assert '<main>\n<h1 class="bc-hidden">A &amp; B</h1>\n<article' in pieces_of()["embed/parts/a/t.html"]


def test_a_page_for_a_frame_has_only_the_scripts_that_it_needs() -> None:
    numbers, links = "numbers.js", "links.js"
    expected = {"t": [numbers], "f": [], "w": [numbers, links]}
    scripts = {name: [script for script in (numbers, links) if script in html] for name, html in pieces_of().items()}
    assert {f"embed/parts/a/{id_}.html": scripts_of_piece for id_, scripts_of_piece in expected.items()} == scripts


TOOL = Tool("A tool", (("#form", "#x"), ("#y", "#z")), (("#x", "#y"),))
TOOL_SCRIPT = '<script type="module" src="../assets/own.js" data-own></script>'
TOOL_PAGE = (
    f'{HEAD}<article><h1>A tool?</h1><div id="form"><a href="#y">y</a><a href="#x">x</a></div>'
    f'<h2 id="x">x</h2><h2 id="y">y</h2><h2 id="z">z</h2></article>{TOOL_SCRIPT}'
)


def test_a_tool_is_cut_out_with_its_scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Links to the visible parts of a tool open in the frame.

    Parts that only the scripts need are hidden, and links to them open outside the frame.
    """
    monkeypatch.setattr(embeds, "TOOLS", {"parts/a.html": TOOL})
    html = pieces_of(TOOL_PAGE)["embed/parts/a.html"]
    assert '<h2 id="y">y</h2><div hidden=""><h2 id="x">x</h2></div>' in html
    assert '<a href="#y" target="_self">' in html
    assert '<a href="../../parts/a.html#x" target="_blank" rel="noopener">' in html
    assert '<script type="module" src="../../assets/own.js">' in html
    assert '<base target="_blank">' in html
    for missing_id in ('id="x"', 'id="form"'):
        with pytest.raises(
            PublishError, match=r"parts/a\.html needs #form, followed by its sibling #x, to be embedded"
        ):
            pieces_of(TOOL_PAGE.replace(missing_id, ""))


def test_a_sign_that_leads_nowhere_is_an_error() -> None:
    with pytest.raises(PublishError, match=r"parts/a\.html links to #t, which is not there; give an element that id"):
        pieces_of(PAGE.replace(' id="t"', ""))


def test_only_a_page_with_embeddable_elements_has_their_address(monkeypatch: pytest.MonkeyPatch) -> None:
    def attributes_of(name: str, html: str) -> dict[str, str | None]:
        """The attributes that `add_addresses` adds to the article of a page."""
        page = Page(name, html)
        add_addresses(page)
        return {key: value for key, value in page.article.attributes.items() if key != "class"} if page.article else {}

    assert {"data-embeds": "../embed/parts/a/"} == attributes_of("parts/a.html", PAGE)
    for plain_html in ("<article><p>a</p></article>", sign("a"), HAND_OUT_PAGE, EXAMPLE_PAGE):
        assert {} == attributes_of("parts/a.html", plain_html) == pieces_of(plain_html)
    monkeypatch.setattr(embeds, "TOOLS", {"a.html": TOOL})
    assert {"data-embeds": "embed/a/", "data-embed": "embed/a.html"} == attributes_of("a.html", PAGE)
