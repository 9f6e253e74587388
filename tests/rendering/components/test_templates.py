"""Templates lose their indentation, escape values and refuse missing ones, and no long markup is outside them."""

import ast
import re
from pathlib import Path

import pytest
from jinja2 import UndefinedError

from macros.rendering.components.templates import ENVIRONMENT, FOLDERS, render
from tests.docs.building import ROOT


def render_text(text: str, /, **values: object) -> str:
    """The result of rendering a template that is given as a string."""
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
def test_indentation_is_removed(text: str, html: str) -> None:
    """Line breaks next to tags, calls and blocks are removed; others become spaces. Whole documents keep theirs."""
    assert html == render_text(text)


def test_values_are_escaped_unless_marked_as_safe() -> None:
    assert '<a title="&lt;&#34;">&lt;b&gt;<b></a>' == render_text(
        '<a title="{{ title }}">{{ text }}{{ text | safe }}</a>', title='<"', text="<b>"
    )


def test_a_missing_value_is_an_error() -> None:
    """The error gives the name of the value and its line in the template before whitespace is removed."""
    with pytest.raises(UndefinedError, match="'mising' is undefined") as error:
        render_text("<p>\n  a\n</p>\n{{ mising }}", missing=1)
    assert [4] == [item.lineno + 1 for item in error.traceback if str(item.path) == "<template>"]


@pytest.mark.parametrize("name", ENVIRONMENT.list_templates())
def test_every_template_can_be_parsed_and_is_in_one_folder(name: str) -> None:
    ENVIRONMENT.get_template(name)
    assert 1 == sum((folder / name).exists() for folder in FOLDERS)


def test_keyword_arguments_are_available_in_a_template() -> None:
    html = render("calculator/panel.html", name="what-if", methods={"a": "<A>"})
    assert '<div class="bc-panel-place" id="what-if-place" data-search-exclude><div class="bc-what-if' in html
    assert '<option value="a">&lt;A&gt;</option>' in html


MAX_TAGS = 3
"""Maximum number of elements in a string; markup with more elements belongs in a template."""

TAG = re.compile(r"<[a-z][\w-]*[\s>]")
"""The start of an opening tag."""

FOLDERS_OF_MARKUP = ("rendering/components", "rendering/figures", "rendering/tables", "teaching/banks")
"""Folders exempt from the limit, because their modules draw SVG, fill table cells or write XML."""


def lines_with_markup(source: str) -> list[int]:
    """The line numbers of strings that contain more than `MAX_TAGS` elements."""
    strings = [
        (node.lineno, ast.unparse(node))
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
    ]
    return sorted({line for line, text in strings if len(TAG.findall(text)) > MAX_TAGS})


def test_code_contains_no_long_markup() -> None:
    modules = [
        path.relative_to(ROOT / "macros")
        for layer in ("rendering", "teaching", "publish")
        for path in sorted((ROOT / "macros" / layer).rglob("*.py"))
    ]
    checked_modules = [path for path in modules if not path.as_posix().startswith(FOLDERS_OF_MARKUP)]
    assert Path("rendering/calculator.py") in checked_modules
    sources = {str(path): (ROOT / "macros" / path).read_text() for path in checked_modules}
    assert {} == {name: lines for name, source in sources.items() if (lines := lines_with_markup(source))}


def test_markup_split_between_strings_is_found() -> None:
    code = "a = 1\nb = (\n    '<form><p class=\"c\"><label>'\n    f'{a}</label><input>'\n)\n"
    assert [3] == lines_with_markup(code)
    assert [] == lines_with_markup(code.replace("<input>", ""))
