"""If a call on a page fails, the message names the page, the line and the call, and gives the error."""

from types import SimpleNamespace

import pytest
from jinja2 import Environment, StrictUndefined

from macros.page_errors import error_message
from macros.site import MACROS, TOPICS, VARIABLES

FRONT_MATTER = "---\ntitle: A\nscripts: [a.js]\n---\n\n"
"""The first five lines of a page, which MkDocs removes before a page is rendered."""


def message_lines(text: str, body: str = "") -> list[str]:
    """The lines of the message before its traceback.

    Args:
        text: the text of the page below its front matter.
        body: the text to render, if it is not the whole text.
    """
    environment = Environment(undefined=StrictUndefined, autoescape=True)
    environment.globals.update(MACROS)
    environment.globals.update({topic: SimpleNamespace(**members) for topic, members in TOPICS.items()})

    def render(template: str) -> str:
        return environment.from_string(template).render(VARIABLES)

    source = FRONT_MATTER + text
    try:
        render(body or text)
    except Exception as error:
        message = error_message(error, body or text, source, "parts/a.md", render)
        summary, traceback, _ = message.partition("\n\nTraceback (most recent call last):\n")
        assert traceback
        return summary.splitlines()
    pytest.fail("the page renders without an error")


@pytest.mark.parametrize(
    ("text", "line", "call", "words"),
    [
        ('a\n\n{{ size("H") }} {{ number("bert/poler") }} {{ size("L") }}', 8, '{{ number("bert/poler") }}', "pooler"),
        ("{{ numbr() }}", 6, "{{ numbr() }}", "UndefinedError: 'numbr' is undefined; did you mean \"number\"?"),
        ("{{ size('H') }}{{ terms.tokn }}", 6, "{{ terms.tokn }}", 'did you mean "token"?'),
        ("a\n{{ size('H' }}\n", 7, "{{ size('H' }}", "TemplateSyntaxError: unexpected '}'"),
        ("a {{ size('H') }}\nb {{ size(", 7, "b {{ size(", "TemplateSyntaxError: "),
        ("{{ size() }}", 6, "{{ size() }}", "call size(letter, model='bert-base-uncased')"),
        ("{{ calculater.form() }}", 6, "{{ calculater.form() }}", 'did you mean "calculator"?'),
        ("{{ calculator.from() }}", 6, "{{ calculator.from() }}", 'did you mean "form"?'),
        ("{{ calculator.panel() }}", 6, "{{ calculator.panel() }}", "call calculator.panel(name)"),
        ("{{ figure('heads', hue=1) }}", 6, "{{ figure('heads', hue=1) }}", "call figure("),
        ("a\n{{\n  number(\n    'nowhere')\n}}", 8, "{{\n  number(\n    'nowhere')\n}}", "UnknownPart: "),
        (
            "{% for part in ['bert/pooler', 'no'] %}\n\n{{ number(part) }} {{ size('H') }}\n{% endfor %}",
            8,
            "{{ number(part) }} {{ size('H') }}",  # both calls, because only the loop decides which of them fails
            "UnknownPart: ",
        ),
        ("{{ says('twice', 'H == 2 * H') }}", 6, "{{ says('twice', 'H == 2 * H') }}", "FalseWords: "),
    ],
)
def test_the_message_begins_with_page_line_and_call(text: str, line: int, call: str, words: str) -> None:
    """The error and any advice follow, because authors of pages look for the line first."""
    message = "\n".join(message_lines(text))
    beginning = f"parts/a.md, line {line}: {call}\n"
    assert message.startswith(beginning)
    assert words in message.removeprefix(beginning)


def test_the_message_has_the_line_of_an_error_in_a_title() -> None:
    """mkdocs-macros renders titles separately, so the error does not contain the line on the page."""
    assert (
        "parts/a.md, line 7: {{ numbr() }}"
        == message_lines("\n# All {{ numbr() }} of it\n", "All {{ numbr() }} of it")[0]
    )
