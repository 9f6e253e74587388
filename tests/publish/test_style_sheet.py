"""The one style sheet: of what it is made, in which order, and what is left out."""

from pathlib import Path

import pytest

from macros.publish.style_sheet import replaced, used_styles, whole_style_sheet
from tests.publish.test_publish import written

SHEETS = {"assets/stylesheets/2.css": ".b{x:2}", "assets/stylesheets/1.css": ".a{x:1}", "assets/site.css": ".c{x:3}"}


def test_ours_comes_last(tmp_path: Path) -> None:
    """What comes later wins; the theme's are in the order of their names. All of them are replaced.

    Zensical keeps the style sheets of two looks in folders, of which the classic one is taken.
    """
    site = written(tmp_path / "material", SHEETS)
    assert ".a{x:1}.b{x:2}.c{x:3}" == whole_style_sheet(site)
    assert sorted(SHEETS) == sorted(path.relative_to(site).as_posix() for path in replaced(site))
    looks = {"assets/stylesheets/classic/a.css": ".a{}", "assets/stylesheets/modern/a.css": ".b{}"}
    assert ".a{}.c{}" == whole_style_sheet(written(tmp_path / "zensical", {**looks, "assets/site.css": ".c{}"}))


TEXTS = ['<p class="note big" id="top">', 'x.classList.add("added")']


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        (".note{a:b}", ".note{a:b}"),
        (".gone{a:b}#gone{a:b}", ""),
        (".note , .gone,\n#top{a:b}", ".note,#top{a:b}"),
        (".note.gone{a:b}.note .gone{a:b}", ""),
        ("[data-md-color-switching] *,.note{a:b}", ".note{a:b}"),
        (".added{a:b}", ".added{a:b}"),  # scripts add classes too
        ("p:is(.note, .gone) kbd{a:b}p:not(.gone){a:b}", "p:is(.note, .gone) kbd{a:b}p:not(.gone){a:b}"),
        ("@media print{.gone{a:b}}", ""),
        ("@media print{.note{a:b} /* c */ .gone{a:b}}", "@media print{.note{a:b}}"),
        ("@supports (a:b){@media print{.gone{a:b}}}", ""),
        ("@font-face{src:url(a)}/* c */@keyframes gone{from{a:b}}", "@font-face{src:url(a)}@keyframes gone{from{a:b}}"),
    ],
)
def test_styles_that_nothing_can_use_are_left_out(css: str, expected: str) -> None:
    """A class or an id that neither a page nor a script names."""
    assert expected == used_styles(css, TEXTS)
