"""Templates: what a line break leaves, what is escaped, and what is missing."""

import pytest
from jinja2 import UndefinedError

from macros.rendering.elements.templates import ENVIRONMENT, FOLDERS, render


def filled_in(text: str, /, **values: object) -> str:
    """A template that is written here, filled in."""
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
    """Lines that end beside a tag, a call or a block are joined, others by a space; a page of its own keeps its own."""
    assert html == filled_in(text)


def test_what_is_filled_in_is_escaped() -> None:
    """In texts and in attributes, unless the template says that it is HTML."""
    assert '<a title="&lt;&#34;">&lt;b&gt;<b></a>' == filled_in(
        '<a title="{{ title }}">{{ text }}{{ text | safe }}</a>', title='<"', text="<b>"
    )


def test_a_value_that_is_missing_is_an_error() -> None:
    """It is named, and the line on which it stands is that of the file."""
    with pytest.raises(UndefinedError, match="'mising' is undefined") as caught:
        filled_in("<p>\n  a\n</p>\n{{ mising }}", missing=1)
    assert [4] == [each.lineno + 1 for each in caught.traceback if str(each.path) == "<template>"]


@pytest.mark.parametrize("name", ENVIRONMENT.list_templates())
def test_every_template_can_be_read(name: str) -> None:
    """And none hides another of its name in a second folder."""
    ENVIRONMENT.get_template(name)
    assert 1 == sum((folder / name).exists() for folder in FOLDERS)


def test_values_reach_a_template() -> None:
    """By the names that it gives them."""
    shown = render("calculator/panel.html", name="what-if", methods={"a": "<A>"})
    assert '<div class="bc-panel-place" id="what-if-place" data-search-exclude><div class="bc-what-if' in shown
    assert '<option value="a">&lt;A&gt;</option>' in shown
