"""Without MkDocs, every macro returns the expected parts for good calls, and explains why it refuses bad ones."""

import re
import tomllib
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment as Jinja

from macros.counting import CountingError
from macros.rendering.components.pages import ROOT
from macros.rendering.figures import FIGURES
from macros.rendering.snippets import OTHER_SNIPPETS, SNIPPETS
from macros.site import ENCLOSING_MACROS, MACROS, TOPICS, VARIABLES, define_env, put_back

PAGE_ENVIRONMENT = Jinja(autoescape=False)  # noqa: S701  macros return HTML

CALLS = tomllib.loads(Path(__file__).with_name("macro_calls.toml").read_text(encoding="utf-8"))
"""Good calls to each macro with parts of their results, and bad calls with parts of their errors."""


def result_of(call: str) -> str:
    """The text that a macro call produces on a page."""
    return PAGE_ENVIRONMENT.from_string(f"{{{{ {call} }}}}").render(**MACROS, **VARIABLES, **TOPICS)


@pytest.mark.parametrize("call", CALLS["good"])
def test_a_good_call_returns_the_expected_parts(call: str) -> None:
    """The result contains every part listed for the call; the text between them may change."""
    result, parts = result_of(call), CALLS["good"][call]
    assert [] == [part for part in ([parts] if isinstance(parts, str) else parts) if part not in result]
    assert not re.search(r"(?<!\()\bNone\b", result)  # Keras prints (None, 512) as a shape


@pytest.mark.parametrize("call", CALLS["bad"])
def test_a_bad_call_is_explained(call: str) -> None:
    with pytest.raises(CountingError, match=re.escape(CALLS["bad"][call])):
        result_of(call)


@pytest.mark.parametrize("name", [name for name in MACROS if name not in ("figure", "snippet", "latex")])
def test_an_unknown_argument_is_an_error(name: str) -> None:
    """A misspelt argument is an error, because ignoring it would silently put a wrong number on the page."""
    with pytest.raises(TypeError):
        MACROS[name](modle="bert-base-uncased")


def test_every_macro_has_a_good_call_and_a_bad_one_if_it_has_arguments() -> None:
    macros: dict[str, Callable[..., object]] = {**MACROS}
    for topic, members in TOPICS.items():
        macros |= {f"{topic}.{name}": member for name, member in members.items() if callable(member)}
    assert set(macros) == {call.partition("(")[0] for call in CALLS["good"]}
    # A macro without arguments has no bad calls.
    macros_with_arguments = {name for name, macro in macros.items() if signature(macro).parameters}
    assert macros_with_arguments == {call.partition("(")[0] for call in CALLS["bad"]}


@pytest.mark.parametrize("name", FIGURES)
def test_figures_have_a_title_a_description_and_no_style_attribute(name: str) -> None:
    html = MACROS["figure"](name)
    assert f'id="figure-{name}"' in html
    assert html.count("<title id=") == html.count("<desc id=") == html.count("<figure ") >= 1
    assert " style=" not in html


@pytest.mark.parametrize("name", [*SNIPPETS, *OTHER_SNIPPETS])
def test_snippets_compile_and_print_once_for_each_line_of_output(name: str) -> None:
    blocks = re.findall(r"```\w+\n(.*?)```", MACROS["snippet"](name), re.DOTALL)
    assert len(blocks) == 2
    compile(blocks[0], name, "exec")
    assert blocks[0].count("print(") == len(blocks[1].splitlines())


class EnvironmentStub:
    """A stub of the object that mkdocs-macros passes to `define_env`."""

    def __init__(self) -> None:
        self.variables: dict[str, Any] = {}
        self.macros: dict[str, Any] = {}
        self.page = type("Page", (), {"url": "parts/heads.html"})()

    def macro(self, function: Any, name: str) -> None:
        """Register a macro."""
        self.macros[name] = function


def test_registration_makes_links_relative_to_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Registered macros return links relative to their page; with the hook, they return a placeholder for the HTML."""
    monkeypatch.setattr("macros.site.has_hook", False)
    environment = EnvironmentStub()
    define_env(environment)
    assert {*MACROS, *ENCLOSING_MACROS} == set(environment.macros)
    assert {*VARIABLES, *TOPICS} == set(environment.variables)
    html = environment.macros["parts_table"]()
    assert ROOT not in html
    monkeypatch.setattr("macros.site.has_hook", True)
    assert "<!--aside 0-->" == environment.macros["parts_table"]()
    assert html == put_back("<!--aside 0-->")
    assert 'href="../parts/attention.html"' in html
    assert environment.macros["number"].__doc__ == MACROS["number"].__doc__
