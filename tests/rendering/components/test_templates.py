"""Templates: line breaks, escaping, and missing values."""

import ast
import re
from pathlib import Path

import pytest
from jinja2 import UndefinedError

from macros.rendering.components.templates import ENVIRONMENT, FOLDERS, render
from tests.docs.building import ROOT


def filled_in(text: str, /, **values: object) -> str:
    """A template that the test writes, with its values filled in."""
    return ENVIRONMENT.from_string(text).render(values)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<ul>\n  <li>one</li>\n\n  <li>two</li>\n</ul>\n", "<ul><li>one</li><li>two</li></ul>"),
        ("<p>\n  some words\n  and more\n</p>", "<p>some words and more</p>"),
        ('<input id="a"\n  name="b"\n>', '<input id="a" name="b">'),
        ("<p>see <a>the map</a> of it</p>", "<p>see <a>the map</a> of it</p>"),
        ("{# a note #}\n<p>\n  {# another #}\n  {{ 1 }}\n  {{ 2 }}\n</p>", "<p>12</p>"),
        ("{% for each in 'ab' %}\n  <b>{{ each }}</b> \n{% endfor %}\n", "<b>a</b><b>b</b>"),
        ("{{ 1 }} {{ 2 }}", "1 2"),
        ("<!doctype html>\n<p>\n  {{ 1 }}\n</p>\n", "<!doctype html>\n<p>\n  1\n</p>\n"),
    ],
)
def test_indentation_leaves_nothing(text: str, html: str) -> None:
    """Line breaks next to tags, calls and blocks are removed, others become spaces, and whole pages keep theirs."""
    assert html == filled_in(text)


def test_values_are_escaped() -> None:
    """Values are escaped in texts and in attributes, unless the template says that they are HTML."""
    assert '<a title="&lt;&#34;">&lt;b&gt;<b></a>' == filled_in(
        '<a title="{{ title }}">{{ text }}{{ text | safe }}</a>', title='<"', text="<b>"
    )


def test_a_value_that_is_missing_is_an_error() -> None:
    """A missing value is an error with its name and with the right line of the file."""
    with pytest.raises(UndefinedError, match="'mising' is undefined") as caught:
        filled_in("<p>\n  a\n</p>\n{{ mising }}", missing=1)
    assert [4] == [item.lineno + 1 for item in caught.traceback if str(item.path) == "<template>"]


@pytest.mark.parametrize("name", ENVIRONMENT.list_templates())
def test_every_template_can_be_read(name: str) -> None:
    """Every template can be parsed, and none has the same path as one in another folder."""
    ENVIRONMENT.get_template(name)
    assert 1 == sum((folder / name).exists() for folder in FOLDERS)


def test_values_reach_a_template() -> None:
    """A template gets its values by their names."""
    html = render("calculator/panel.html", name="what-if", methods={"a": "<A>"})
    assert '<div class="bc-panel-place" id="what-if-place" data-search-exclude><div class="bc-what-if' in html
    assert '<option value="a">&lt;A&gt;</option>' in html


MAX_TAGS = 3
"""The largest number of elements in a string: one with more is a piece of a page, which belongs in a template."""

TAG = re.compile(r"<[a-z][\w-]*[\s>]")
"""The beginning of an element."""

FOLDERS_OF_MARKUP = ("rendering/components", "rendering/figures", "rendering/tables", "teaching/banks")
"""Folders whose modules draw SVG, fill cells of tables or write XML."""


def pieces_of_pages(source: str) -> list[int]:
    """The lines of code on which strings with more than the allowed elements begin."""
    strings = [
        (node.lineno, ast.unparse(node))
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
    ]
    return sorted({line for line, text in strings if len(TAG.findall(text)) > MAX_TAGS})


def test_code_holds_no_piece_of_a_page() -> None:
    """No module has a piece of a page in a string; it belongs in a template."""
    modules = [
        path.relative_to(ROOT / "macros")
        for layer in ("rendering", "teaching", "publish")
        for path in sorted((ROOT / "macros" / layer).rglob("*.py"))
    ]
    checked_modules = [path for path in modules if not path.as_posix().startswith(FOLDERS_OF_MARKUP)]
    assert Path("rendering/calculator.py") in checked_modules
    assert {} == {
        str(path): lines for path in checked_modules if (lines := pieces_of_pages((ROOT / "macros" / path).read_text()))
    }


def test_a_piece_of_a_page_is_found() -> None:
    """A piece of a page is found in one string, in adjacent ones, and in f-strings."""
    code = "a = 1\nb = (\n    '<form><p class=\"c\"><label>'\n    f'{a}</label><input>'\n)\n"
    assert [3] == pieces_of_pages(code)
    assert [] == pieces_of_pages(code.replace("<input>", ""))
