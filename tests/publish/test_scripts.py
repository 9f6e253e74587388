"""The scripts of a page, joined into as few files as there can be."""

from __future__ import annotations

import pytest

from macros.publish import PublishError
from macros.publish.page import Page
from macros.publish.scripts import join_scripts, without_comments, worker_in_page

SCRIPTS = {"assets/a.js": "one()\n", "assets/b.js": "two()\n", "assets/c.js": "own()\n", "assets/d.js": "more()\n"}


def page(*named: str, name: str = "parts/x.html") -> Page:
    """A page that names scripts, each by its address and what it is told."""
    elements = (
        f'<script type="text/plain" data-src="{src}"{more}></script>'
        for src, _, more in (each.partition(" ") for each in named)
    )
    return Page(name, "".join(each.replace('"data', '" data') for each in elements))


def names(on: Page) -> list[dict[str, str | None]]:
    """What a page says of each script that it names."""
    return [{key: value for key, value in each.attributes.items() if key != "type"} for each in on.tree.css("script")]


def test_scripts_are_joined_by_whom_they_are_for() -> None:
    """Those of all pages in one file, those of one page in another, each in their order, with what they are told."""
    on = page(
        '../assets/a.js data-x="1"', '../assets/b.js data-z="2"', "../assets/c.js data-own", "../assets/d.js data-own"
    )
    made = join_scripts(on, SCRIPTS)
    assert ["one()\ntwo()\n", "own()\nmore()\n"] == list(made.values())
    first, second = (f"../{address}" for address in made)
    assert [{"data-src": first, "data-x": "1", "data-z": "2"}, {"data-src": second, "data-own": None}] == names(on)


@pytest.mark.parametrize("folder", ["/", "/bert/"])
def test_the_page_of_errors_names_scripts_from_the_top(folder: str) -> None:
    """It is shown at any address; the site may be in a folder of its host."""
    on = page(f"{folder}assets/a.js", f"{folder}assets/b.js", name="404.html")
    (address,) = join_scripts(on, SCRIPTS)
    assert [{"data-src": f"{folder}{address}"}] == names(on)


def test_a_page_with_another_script_gets_another_file() -> None:
    """The name follows from what the file holds, so no browser keeps an old one; a single script is one already."""
    (one,), (other,) = (join_scripts(page("../assets/a.js", f"../assets/{each}.js"), SCRIPTS) for each in "bc")
    assert one != other
    assert {} == join_scripts(page("../assets/a.js"), SCRIPTS)


@pytest.mark.parametrize("src", ["../assets/typo.js", "/bert/assets/typo.js"])
def test_a_script_that_is_not_there_is_named(src: str) -> None:
    """The error says which page names it."""
    with pytest.raises(
        PublishError, match=r"parts/x\.html names the script (/bert/)?assets/typo\.js, which is not there"
    ):
        join_scripts(page("../assets/a.js", src), SCRIPTS)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("// What it owns.\n{\n  a() // why\n}\n", "{\na() // why\n}"),
        ("/**\n * Types.\n */\na()\n\n  /** @type {x} */\n  b()", "a()\nb()"),
        ("  /** @type {x} */ (a)", "/** @type {x} */ (a)"),
        ("a(`\n  b`)", "a(`\n  b`)"),
    ],
)
def test_comments_are_left_out(code: str, expected: str) -> None:
    """Those that have their lines to themselves; a text over several lines keeps them."""
    assert expected == without_comments(code)


def test_the_search_worker_is_a_function_of_what_it_listens_to() -> None:
    """Its listener and its answers are the page's, not those of the window."""
    (made,) = worker_in_page({**SCRIPTS, "assets/javascripts/workers/search.1.js": "work()"}).values()
    assert made.startswith("function bertSearch(addEventListener,postMessage){const self=window;work()")
