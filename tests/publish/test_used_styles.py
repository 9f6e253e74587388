"""The one style sheet keeps what can match and drops what cannot."""

import pytest

from macros.publish.used_styles import used_styles

PAGE = '<body dir="ltr" data-md-color-scheme="slate"><p class="note big" id="top">abc</p></body>'

SCRIPT = """// a word too
x.classList.add("added","tabbed-set");var w=1;y.property(2);x.append(create("aside"),`<mark>`);x.dataset.mdState=1
x.toggle("xy","xyz")"""


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        (".note{a:b}", ".note{a:b}"),
        (".gone{a:b}", ""),
        (".note,.gone{a:b}", ".note{a:b}"),
        ("#top{a:b}#else{a:b}", "#top{a:b}"),
        ("p>.gone{a:b}p{a:b}", "p{a:b}"),
        ("p:not(.gone){a:b}", "p:not(.gone){a:b}"),
        (".abc{a:b}", ""),  # a word of the text is no class
        (".added{a:b}", ".added{a:b}"),  # scripts add classes too
        (".w{a:b}", ""),  # a minified variable is no class
        ("@media print{.gone{a:b}}", ""),
        ("@media print{.note{a:b}.gone{a:b}}", "@media print{.note{a:b}}"),
        ('[data-md-color-scheme="slate"]{a:b}', '[data-md-color-scheme="slate"]{a:b}'),
        ("[data-md-color-scheme=default]{a:b}", ""),
        ("@font-face{src:url(a)}", "@font-face{src:url(a)}"),
        ("/* words */p{a:b}", "p{a:b}"),
        ("p {\n  a: b  c;\n  d: '; e';\n}", 'p{a:b  c;d:"; e";}'),
        (":root{--read:1;--unread:2}p{a:var(--read)}", ":root{--read:1}p{a:var(--read)}"),
        (".tabbed-set{a:b}", ""),  # a feature that scripts name and no page has
        (".word{a:b}", ""),  # a word of a comment is no class
        (".property{a:b}", ""),  # nor is what an object has
        ("kbd{a:b}", ""),
        ("p>kbd,p::before{a:b}", "p::before{a:b}"),
        ("aside{a:b}", "aside{a:b}"),  # scripts add elements
        ("mark{a:b}", "mark{a:b}"),  # also as HTML
        ("[dir=rtl] p{a:b}", ""),
        ("[dir=ltr] p{a:b}", "[dir=ltr] p{a:b}"),
        ("p[align]{a:b}", ""),
        ("p[class^=no]{a:b}", "p[class^=no]{a:b}"),
        ("p[id=top]{a:b}", "p[id=top]{a:b}"),
        ("p[id=bottom]{a:b}", ""),
        ("[data-md-state]{a:b}", "[data-md-state]{a:b}"),  # set as dataset.mdState
        ("[open]{a:b}", "[open]{a:b}"),  # what a browser sets
        ("p{--read:1;--unread:2;a:var(--read)}q{--unread:3}", "p{--read:1;a:var(--read)}"),
        (":root{--deep:1;--read:var(--deep)}", ""),  # what only the unread reads is unread
        (".xy{a:b}.xyz{a:b}", ".xyz{a:b}"),  # a word of two letters in a script is no class
        ("p.note.big{a:b}p.note.gone{a:b}", "p.note.big{a:b}"),  # all of a selector must be there
        ("P{a:b}", "P{a:b}"),  # elements have no capitals, and selectors may
        ("p:hover{a:b}p::after{a:b}:is(.gone){a:b}", "p:hover{a:b}p::after{a:b}:is(.gone){a:b}"),
        ("p , .gone ,\n#top{a:b}", "p,#top{a:b}"),
        ("@supports (a:b){.note{a:b}.gone{a:b}}@supports (a:b){.gone{a:b}}", "@supports (a:b){.note{a:b}}"),
        ("@layer a;@layer a{.note{a:b}}", "@layer a;@layer a{.note{a:b}}"),
        ("@keyframes gone{from{a:b}}", "@keyframes gone{from{a:b}}"),
        ("@media print{@supports (a:b){.gone{a:b}}}", ""),
        ("p[class$=gone]{a:b}p[class*=gone]{a:b}p[lang|=gone]{a:b}", "p[class$=gone]{a:b}p[class*=gone]{a:b}"),
        ("p[class~=note]{a:b}p[class~=gone]{a:b}", "p[class~=note]{a:b}"),  # one of the words
        ("p[ id = 'top' ]{a:b}", 'p[ id = "top" ]{a:b}'),
        ("[dir]{a:b}[dir^=r]{a:b}", "[dir]{a:b}"),
        ("[hidden]{a:b}[checked]{a:b}[disabled]{a:b}a[href]{a:b}", "[hidden]{a:b}[checked]{a:b}[disabled]{a:b}"),
        ("@media print{p{--unread:1}}", ""),
        ("@media print{p{--unread:1;a:b}}", "@media print{p{a:b}}"),
        ("p{--unread:1}", ""),
        ("p{a:b;;}", "p{a:b;;}"),
        ("p{--unread:1;&:hover{a:b}}", "p{--unread:1;&:hover{a:b}}"),  # rules within rules stay as they are
        ("p{a:b}\n\n.big {a:b}\n", "p{a:b}.big{a:b}"),
        ("@media print{ .note{a:b} /* c */ p{a:b}\n}", "@media print{.note{a:b}p{a:b}}"),
        ("p{--unread:1;/* c */ a:b}", "p{a:b}"),
        ("p{a:var( --spaced );--spaced:1}", "p{a:var( --spaced );--spaced:1}"),
    ],
)
def test_used_styles(css: str, expected: str) -> None:
    """One rule of each kind."""
    assert expected == used_styles(css, PAGE, SCRIPT)


def test_a_feature_that_a_page_has_is_kept() -> None:
    """Its other classes are added by scripts, so they are kept as well."""
    page = '<div class="tabbed-set"></div>'
    assert ".tabbed-button{a:b}" == used_styles(".tabbed-button{a:b}", page, 'add("tabbed-button")')


@pytest.mark.parametrize(
    "page",
    [
        "<p class=note id=top lang=en></p>",
        "<p class='note' id='top' lang='en'></p>",
        '<p\n  class="big note"\n  id="top"\n  lang="en"></p>',
    ],
)
def test_attributes_may_be_written_in_any_way(page: str) -> None:
    """Without quotation marks, with either kind, over several lines."""
    css = "[lang=en]{a:b}[class~=note]{a:b}[id=top]{a:b}"
    assert css == used_styles(css, page, "")
    assert "" == used_styles("[lang=de]{a:b}[class~=no]{a:b}[id=to]{a:b}", page, "")


def test_what_pages_have_and_scripts_name_is_kept() -> None:
    """Attributes, classes and elements that occur in both."""
    css = "[lang]{a:b}.note{a:b}aside{a:b}"
    assert css == used_styles(css, '<aside class="note" lang="en">', 'x("lang","note","aside")')


def test_pages_read_custom_properties_too() -> None:
    """Drawings use the colours of the theme."""
    css = ":root{--blue:1;--red:2}"
    assert ":root{--blue:1}" == used_styles(css, '<p style="a:var(--blue)">', "")
    assert ":root{--red:2}" == used_styles(css, "<p>", "x.style.color = 'var(--red)'")


@pytest.mark.parametrize(
    ("page", "kept"), [('<table id="a" class="b"><td>', False), ("<table><td>", True), ('<table id="a"><td>', True)]
)
def test_rules_for_elements_without_a_class(page: str, kept: bool) -> None:
    """Kept where a page has such an element; those for elements with a class always are."""
    rule = ".b table:not([class]) td{a:b}"
    assert (rule if kept else "") == used_styles(rule, f'<p class="b"></p>{page}', "")
    assert "table:not([id]) td{a:b}" == used_styles("table:not([id]) td{a:b}", f'<p id="b"></p>{page}', "")


@pytest.mark.parametrize("state", ["checked", "disabled", "hidden", "href", "open"])
def test_what_a_browser_or_a_reader_sets_is_kept(state: str) -> None:
    """No page has the attribute yet, and no script names it."""
    assert f"[{state}]{{a:b}}" == used_styles(f"[{state}]{{a:b}}", PAGE, SCRIPT)
    assert f"p[{state}]{{a:b}}" == used_styles(f"p[{state}]{{a:b}}", PAGE, SCRIPT)
