"""The one style sheet: of what it is made, in which order, and what it replaces."""

from __future__ import annotations

from pathlib import Path

import pytest

from macros.publish import PublishError
from macros.publish.style_sheet import one_style_sheet, replaced, whole_style_sheet

PAGE = '<p class="a b c">'

SHEETS = {
    "assets/stylesheets/2.css": ".b{x:2}",
    "assets/stylesheets/1.css": ".a{x:1}",
    "assets/site.css": ".c{x:3}",
    "assets/stylesheets/1.css.map": "{}",
    "assets/javascripts/run.js.map": "{}",
}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with the style sheets of a theme, and ours."""
    for name, text in SHEETS.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_ours_comes_last(site: Path) -> None:
    """What comes later wins; the theme's are in the order of their names."""
    assert ".a{x:1}.b{x:2}.c{x:3}" == whole_style_sheet(site)
    assert ".a{x:1}.b{x:2}.c{x:3}" == one_style_sheet(site, PAGE, "")


def test_a_missing_theme_is_named(site: Path) -> None:
    """A site without the theme's styles is not published."""
    for path in (site / "assets/stylesheets").glob("*.css"):
        path.unlink()
    with pytest.raises(
        PublishError, match=r"assets/stylesheets holds no style sheet of the theme; build the site anew"
    ):
        whole_style_sheet(site)


def test_what_is_made_already_stays(site: Path) -> None:
    """Once ours has gone the one is complete; with neither the site is not whole."""
    (site / "assets/site.css").unlink()
    with pytest.raises(
        PublishError, match=r"has neither assets/site\.css nor assets/bert-counted\.css; build the site"
    ):
        one_style_sheet(site, PAGE, "")
    (site / "assets/bert-counted.css").write_text(".kept{x:4}")
    assert ".kept{x:4}" == one_style_sheet(site, PAGE, "")


def test_what_is_replaced(site: Path) -> None:
    """Ours first, then the theme's, then every source map, which would describe code that has changed."""
    expected = [
        "assets/site.css",
        "assets/stylesheets/1.css",
        "assets/stylesheets/2.css",
        "assets/javascripts/run.js.map",
        "assets/stylesheets/1.css.map",
    ]
    assert expected == [path.relative_to(site).as_posix() for path in replaced(site)]
    (site / "assets/site.css").unlink()
    assert expected[1:] == [path.relative_to(site).as_posix() for path in replaced(site)]
