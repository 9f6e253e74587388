"""Tests of the message for a call on a page that fails."""

from types import SimpleNamespace

import pytest
from jinja2 import Environment, StrictUndefined

from macros.page_errors import error_message
from macros.site import MACROS, TOPICS, VARIABLES

FRONT_MATTER = "---\ntitle: A\nscripts: [a.js]\n---\n\n"


def message_of(text: str, body: str = "") -> list[str]:
    """The lines before the traceback, for a page that is rendered without its front matter, or only in part."""
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
    ("text", "line", "call", "says"),
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
            "{{ number(part) }} {{ size('H') }}",  # Both calls are named, because the loop decides which of them fails.
            "UnknownPart: ",
        ),
        ("{{ says('twice', 'H == 2 * H') }}", 6, "{{ says('twice', 'H == 2 * H') }}", "FalseWords: "),
    ],
)
def test_page_line_and_call_come_first(text: str, line: int, call: str, says: str) -> None:
    """Then come the error and what to do about it, because writers look for the line first."""
    message = "\n".join(message_of(text))
    assert message.startswith(f"parts/a.md, line {line}: {call}\n")
    assert says in message.removeprefix(f"parts/a.md, line {line}: {call}\n")


def test_an_error_in_a_title_has_its_line() -> None:
    """Titles are rendered separately by mkdocs-macros, so the error itself does not say where it is."""
    assert (
        "parts/a.md, line 7: {{ numbr() }}" == message_of("\n# All {{ numbr() }} of it\n", "All {{ numbr() }} of it")[0]
    )
