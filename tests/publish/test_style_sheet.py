"""The single published style sheet has every rule that a page can use, in the right order, and no others."""

import re
from pathlib import Path

import pytest

from macros.publish import PublishError
from macros.publish.style_sheet import (
    check_style_sheet,
    our_style_sheets,
    replaced_files,
    used_styles,
    whole_style_sheet,
)
from tests.docs.building import ROOT
from tests.publish.test_publish import write

SHEETS = {
    "assets/stylesheets/2.css": ".b{x:2}",
    "assets/stylesheets/1.css": ".a{x:1}",
    "assets/styles/2.css": ".d{x:4}",
    "assets/styles/1.css": ".c{x:3}",
}


def test_our_styles_come_after_those_of_the_theme(tmp_path: Path) -> None:
    """Our style sheets follow the theme's, because the later rule wins. Both groups are sorted by name.

    The single style sheet replaces them all. Zensical has a folder for each of its two looks; the classic look is used.
    """
    site = write(tmp_path / "material", SHEETS)
    assert ".a{x:1}.b{x:2}.c{x:3}.d{x:4}" == whole_style_sheet(site)
    assert sorted(SHEETS) == sorted(path.relative_to(site).as_posix() for path in replaced_files(site))
    sheets_of_looks = {"assets/stylesheets/classic/a.css": ".a{}", "assets/stylesheets/modern/a.css": ".b{}"}
    assert ".a{}.c{}" == whole_style_sheet(
        write(tmp_path / "zensical", {**sheets_of_looks, "assets/styles/1.css": ".c{}"})
    )


@pytest.mark.parametrize(
    ("css", "fault"),
    [
        ("a{}\n.a{b:c", "line 2: a block, string or comment that begins here is not closed"),
        ("a{}\n.a{b:c\n.d{e:f}\n", "line 2: a block, string or comment that begins here is not closed"),
        ("@media print{\n.a{b:c}\n.d{e:f", "line 1: a block, string or comment that begins here is not closed"),
        ("a{}\n/* b", "line 2: a block, string or comment that begins here is not closed"),
        ("a{}}\n.b{c:d}", "line 1: Unmatched }"),
        (".a b:c}\n.d{e:f}", "line 1: Unmatched }"),
        ("a{}\n.b{c d}", "line 2: this is neither a rule"),
        ("@media print{\n.a{b c}}", "line 2: this is neither a rule"),
        ("a{}\n.b", "line 2: "),
        ("a{b:'c\n}", "line 1: Bad string token"),
        ("a{b:calc(1px]}", "line 1: Unmatched ]"),
    ],
)
def test_a_syntax_error_is_named(css: str, fault: str) -> None:
    """A browser would silently drop rules instead of reporting the error."""
    with pytest.raises(PublishError, match=rf"^docs/assets/styles/1\.css, {re.escape(fault)}"):
        check_style_sheet("assets/styles/1.css", css)


def test_our_style_sheets_have_no_syntax_error() -> None:
    style_sheets = our_style_sheets(ROOT / "docs")
    assert style_sheets
    for name, css in style_sheets.items():
        check_style_sheet(name, css)


def test_nested_rules_are_no_syntax_error() -> None:
    check_style_sheet("a.css", "a { b: c; &:hover { d: e } @media print { f: g } }\n@page { @top-left { h: 'i' } }")


TEXTS = ['<p class="note big" id="top">', 'x.classList.add("added")']
"""Excerpts from a page and a script."""


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        (".note{a:b}", ".note{a:b}"),
        (".gone{a:b}#gone{a:b}", ""),
        (".note , .gone,\n#top{a:b}", ".note,#top{a:b}"),
        (".note.gone{a:b}.note .gone{a:b}", ""),
        ("[data-md-color-switching] *,.note{a:b}", ".note{a:b}"),
        (".added{a:b}", ".added{a:b}"),  # a script adds this class
        ("p:is(.note, .gone) kbd{a:b}p:not(.gone){a:b}", "p:is(.note, .gone) kbd{a:b}p:not(.gone){a:b}"),
        ("@media print{.gone{a:b}}", ""),
        ("@media print{.note{a:b} /* c */ .gone{a:b}}", "@media print{.note{a:b}}"),
        ("@supports (a:b){@media print{.gone{a:b}}}", ""),
        ("@font-face{src:url(a)}/* c */@keyframes gone{from{a:b}}", "@font-face{src:url(a)}@keyframes gone{from{a:b}}"),
    ],
)
def test_styles_that_nothing_can_use_are_left_out(css: str, expected: str) -> None:
    """A rule is left out if its class or id is on no page and in no script."""
    assert expected == used_styles(css, TEXTS)


def widths_with_two_layouts(styles: str) -> set[str]:
    """The widths of windows, in em, at which the rules for narrower and for wider windows both apply."""
    widest, narrowest = (re.findall(rf"\({limit}-width: ([0-9.]+)em\)", styles) for limit in ("max", "min"))
    return {*widest} & {*narrowest}


def test_no_window_has_the_layouts_of_two_widths() -> None:
    """A rule for wider windows begins just above the width at which one for narrower windows ends."""
    styles = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs/assets/styles").glob("*.css"))
    assert set() == widths_with_two_layouts(styles)
    assert {"45"} == widths_with_two_layouts(styles.replace("(min-width: 45.01em)", "(min-width: 45em)", 1))
