"""The one style sheet keeps what can match and drops what cannot."""

import pytest

from macros.publish.used_styles import used_styles

PAGE = '<body dir="ltr" data-md-color-scheme="slate"><p class="note big" id="top">abc</p></body>'

SCRIPT = """// a word too
x.classList.add("added","tabbed-set");var w=1;y.property(2);x.append(create("aside"),`<mark>`);x.dataset.mdState=1"""


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
