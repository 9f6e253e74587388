"""The scripts of a page, joined into as few files as there can be."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from macros.publish import PublishError
from macros.publish.scripts import (
    IN_OTHER_LANGUAGES,
    WHEN_COLOURS_CHANGE,
    WHEN_SEARCHED,
    joined,
    on_pages,
    theme_script,
    worker_in_page,
)


def named(src: str, data: str = "") -> str:
    """An element that names a script."""
    return f'<script type="text/plain" data-src="{src}"{data}></script>\n'


def scripts_of(site: Path, **codes: str) -> dict[Path, str]:
    """Scripts in the folder of a site, by path."""
    found = {site / "assets" / f"{name}.js": code for name, code in codes.items()}
    for path, code in found.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code)
    return found


def test_scripts_are_joined_by_whom_they_are_for(tmp_path: Path) -> None:
    """Those of all pages in one file, those of one page in another, each in their order, with what they are told."""
    scripts = scripts_of(tmp_path, a="one()\n", b="two()\n", c="own()\n", d="more()\n")
    html = named("../assets/a.js", ' data-x="1"') + named("../assets/b.js") + "<p>"
    html += named("../assets/c.js", " data-own") + named("../assets/d.js", " data-own")
    done = joined(tmp_path, tmp_path / "parts" / "a.html", html, scripts)
    assert ["one()\ntwo()\n", "own()\nmore()\n"] == list(done.scripts.values())
    first, second = (f"../{path.relative_to(tmp_path).as_posix()}" for path in done.scripts)
    expected = named(first, ' data-x="1"') + "<p>" + named(second, " data-own")
    assert re.sub(r"\s", "", expected) == re.sub(r"\s", "", done.html)
    again = joined(tmp_path, tmp_path / "parts" / "a.html", done.html, {**scripts, **done.scripts})
    assert (done.html, {}) == again


@pytest.mark.parametrize("folder", ["/", "/bert/"])
def test_the_page_of_errors_names_scripts_from_the_top(tmp_path: Path, folder: str) -> None:
    """It is shown at any address; the site may be in a folder of its host."""
    scripts = scripts_of(tmp_path, a="one()", b="two()")
    html = named(f"{folder}assets/a.js") + named(f"{folder}assets/b.js")
    done = joined(tmp_path, tmp_path / "404.html", html, scripts)
    (path,) = done.scripts
    assert f'data-src="{folder}{path.relative_to(tmp_path).as_posix()}"' in done.html


def test_a_page_with_another_script_gets_another_file(tmp_path: Path) -> None:
    """The name follows from what the file holds, so no browser keeps an old one."""
    html = named("assets/a.js") + named("assets/b.js")
    one, other = (
        joined(tmp_path, tmp_path / "a.html", html, scripts_of(tmp_path, a="one()", b=code)).scripts
        for code in ("two()", "three()")
    )
    assert set(one).isdisjoint(other)


def test_styles_are_kept_for_scripts_that_act_on_pages(tmp_path: Path) -> None:
    """The theme's own and ours; what its workers hold, and what they fetch, makes no element."""
    theme = tmp_path / "assets" / "javascripts"
    scripts = {
        theme / "bundle.js": "one()",
        theme / "workers" / "search.js": "two()",
        theme / "lunr" / "min" / "lunr.de.js": "three()",
        tmp_path / "assets" / "pages" / "later.js": "four()",
    }
    assert "one()\nfour()" == on_pages(Path(str(tmp_path)), scripts)


def test_a_single_script_is_not_joined(tmp_path: Path) -> None:
    """It is one file already; with another, both are."""
    scripts = scripts_of(tmp_path, a="one()", b="two()")
    assert (named("assets/a.js"), {}) == joined(tmp_path, tmp_path / "a.html", named("assets/a.js"), scripts)
    both = joined(tmp_path, tmp_path / "a.html", named("assets/a.js") + named("assets/b.js"), scripts)
    # Source: printf 'one()\ntwo()\n' | sha256sum
    assert [tmp_path / "assets/joined/fd8d6fe91fd9.js"] == list(both.scripts)


def test_a_page_names_each_joined_script_once(tmp_path: Path) -> None:
    """Of what it named before nothing is left, and nothing is named twice."""
    scripts = scripts_of(tmp_path, a="one()", b="two()", c="three()")
    html = "".join(named(f"assets/{name}.js") for name in "abc")
    assert 1 == joined(tmp_path, tmp_path / "a.html", html, scripts).html.count("<script")
    assert "one()\ntwo()\nthree()\n" in joined(tmp_path, tmp_path / "a.html", html, scripts).scripts.values()


def test_what_scripts_are_told_is_said_once(tmp_path: Path) -> None:
    """In the order of the page, each attribute once."""
    scripts = scripts_of(tmp_path, a="one()", b="two()")
    html = named("assets/a.js", ' data-y="1" data-x="1"') + named("assets/b.js", ' data-x="1" data-z="1"')
    assert ' data-y="1" data-x="1" data-z="1"></script>' in joined(tmp_path, tmp_path / "a.html", html, scripts).html


def test_the_page_of_errors_says_what_it_misses(tmp_path: Path) -> None:
    """The whole address as the page has it, since nobody knows in which folder the site is."""
    html = named("/bert/assets/a.js") + named("/bert/assets/typo.js")
    with pytest.raises(PublishError, match=r"names the script bert/assets/typo\.js, which"):
        joined(tmp_path, tmp_path / "404.html", html, scripts_of(tmp_path, a="one()"))


def test_the_first_script_that_is_missing_is_named(tmp_path: Path) -> None:
    """One is mended after the other, in the order of the page."""
    html = named("assets/one.js") + named("assets/two.js")
    with pytest.raises(PublishError, match=r"names the script assets/one\.js, which is not there"):
        joined(tmp_path, tmp_path / "a.html", html, {})


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("run()\n//# sourceMappingURL=bundle.js.map\n", "run()\n"),
        ("run()//# sourceMappingURL=bundle.js.map", "run()"),
        ('if(location.protocol!=="file:")a()', "if(!1)a()"),
        ('b=("search.highlight")?c:d', 'b=("search.highlight")&&/[?&]h=./.test(location.search)?c:d'),
    ],
)
def test_a_script_of_the_theme_asks_for_less(code: str, expected: str) -> None:
    """No source map, which is not published; no search index before there is a search."""
    assert expected == theme_script(code)
    assert expected == theme_script(expected)


def test_a_script_that_is_not_there_is_named(tmp_path: Path) -> None:
    """The error says which page names it, and where."""
    html = named("assets/a.js") + named("assets/typo.js")
    with pytest.raises(PublishError, match=r"a\.html names the script assets/typo\.js, which is not there"):
        joined(tmp_path, tmp_path / "a.html", html, scripts_of(tmp_path, a="one()"))


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("// What it owns.\n{\n  a() // why\n}\n", "{\na() // why\n}\n"),
        ("/**\n * Types.\n */\na()\n\n  /** @type {x} */\n  b()", "a()\nb()\n"),
        ("  /** @type {x} */ (a)", "/** @type {x} */ (a)\n"),
        ('a("/** b */")', 'a("/** b */")\n'),
        ("a(`\n  b`)", "a(`\n  b`)\n"),
    ],
)
def test_comments_are_left_out(tmp_path: Path, code: str, expected: str) -> None:
    """Those that have their lines to themselves; a text over several lines keeps them."""
    html = named("assets/a.js") + named("assets/b.js")
    done = joined(tmp_path, tmp_path / "a.html", html, scripts_of(tmp_path, a=code, b=""))
    assert expected == next(iter(done.scripts.values())).rstrip("\n") + "\n"


def test_the_theme_does_what_is_needed_when_it_is_needed() -> None:
    """What is changed in the theme's script is there exactly once, and no longer; doing it again changes nothing."""
    theme = find_spec("material")
    assert theme
    assert theme.origin
    (bundle,) = Path(theme.origin).parent.glob("templates/assets/javascripts/bundle.*.min.js")
    code = bundle.read_text(encoding="utf-8")
    changes = WHEN_SEARCHED | WHEN_COLOURS_CHANGE | IN_OTHER_LANGUAGES
    assert dict.fromkeys(changes, 1) == {old: code.count(old) for old in changes}
    changed = theme_script(code)
    assert [new in changed for new in changes.values()] == [True] * len(changes)
    assert not [old for old, new in changes.items() if old in changed.replace(new, "")]
    assert "sourceMappingURL" not in changed
    assert changed == theme_script(changed)


def test_the_worker_is_a_function_of_what_it_listens_to() -> None:
    """Its listener and its answers are the page's, not those of the window."""
    assert worker_in_page("work()").startswith(
        "function bertSearch(addEventListener,postMessage){const self=window;work()"
    )
