"""Extended Markdown syntax either becomes an element, or is refused with a message about what to write instead."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from markdown import Markdown
from mkdocs.config import load_config

from macros.hooks import on_config
from macros.page_syntax import PageSyntax, Refusal
from tests.docs.building import ROOT

EXAMPLES = tomllib.loads(Path(__file__).with_name("page_syntax.toml").read_text(encoding="utf-8"))
"""Examples of refused syntax, and of text that only looks like syntax."""

SUPPORTED_SYNTAX = {
    "!!! note\n    a": "div.admonition.note > .admonition-title + p",
    '!!! warning "A title"\n    a': "div.admonition.warning > .admonition-title",
    '!!! note ""\n    a': "div.admonition.note > p:only-child",
    "??? note\n    a": "details.note:not([open]) > summary + p",
    '???+ tip "A title"\n    a': "details.tip[open] > summary + p",
    '=== "A"\n\n    a\n\n=== "B"\n\n    b': ".tabbed-set .tabbed-content > .tabbed-block + .tabbed-block > p",
    "~~a~~": "del",
    "^^a^^": "ins",
    "==a==": "mark",
    "++ctrl+c++": ".keys > kbd.key-control + span + kbd.key-c",
    "a[^note]\n\n[^note]: b": ".footnote li",
    "a\n:   b": "dl > dd",
    "/// note | A title\na\n///": "div.admonition.note > .admonition-title",
    "/// details | A title\na\n///": "details > summary",
    "# A { #a }": "h1#a",
    "- a\n\n    !!! note\n        b": "li > .admonition",
}
"""Supported syntax, each with a selector of the element that it becomes."""


@pytest.fixture(scope="module")
def markdown_and_syntax() -> tuple[Markdown, PageSyntax]:
    """Markdown as MkDocs sets it up for a page, and the extension that collects refused syntax."""
    config: Any = on_config(load_config(str(ROOT / "mkdocs.yml")))
    (syntax,) = [extension for extension in config.markdown_extensions if isinstance(extension, PageSyntax)]
    return Markdown(extensions=config.markdown_extensions, extension_configs=config.mdx_configs), syntax


def html_and_refusals(markdown_and_syntax: tuple[Markdown, PageSyntax], text: str) -> tuple[str, list[Refusal]]:
    """The HTML that `text` becomes, and the refused syntax in `text`."""
    markdown, syntax = markdown_and_syntax
    html = markdown.reset().convert(text)
    return html, syntax.refusals(text, html)


@pytest.mark.parametrize(("text", "fragment", "instead"), EXAMPLES["refused"])
def test_unsupported_syntax_is_refused_with_its_line_and_advice(
    markdown_and_syntax: tuple[Markdown, PageSyntax], text: str, fragment: str, instead: str
) -> None:
    text_above = "A paragraph.\n\n"
    refusal = html_and_refusals(markdown_and_syntax, text_above + text)[1][0]
    assert (fragment, instead in refusal.advice) == (refusal.text, True)
    # An annotation is only found in the HTML, which has no line numbers.
    if fragment != "annotate":
        assert refusal.line == (text_above + text).split(fragment)[0].count("\n") + 1
        assert str(refusal).startswith(f"line {refusal.line}: ")


@pytest.mark.parametrize("text", EXAMPLES["allowed"])
def test_text_that_looks_like_syntax_is_accepted(markdown_and_syntax: tuple[Markdown, PageSyntax], text: str) -> None:
    assert [] == html_and_refusals(markdown_and_syntax, text)[1]


@pytest.mark.parametrize("text", SUPPORTED_SYNTAX)
def test_supported_syntax_becomes_an_element(markdown_and_syntax: tuple[Markdown, PageSyntax], text: str) -> None:
    html, refusals = html_and_refusals(markdown_and_syntax, text)
    assert [] == refusals
    assert BeautifulSoup(html, "html.parser").select(SUPPORTED_SYNTAX[text]), html
    assert not re.search(r"!!!|\?\?\?|===|~~|==|\+\+|\^|///", BeautifulSoup(html, "html.parser").get_text())


def test_the_line_of_a_refusal_is_outside_code(markdown_and_syntax: tuple[Markdown, PageSyntax]) -> None:
    """Code above the refused text may contain the same text, and is not refused."""
    text = "`$H$` is code.\n\n```\n$H$\n```\n\nIt has\n$H$ columns."
    assert [8] == [refusal.line for refusal in html_and_refusals(markdown_and_syntax, text)[1]]


def test_refusals_on_one_page_are_not_reported_for_the_next(markdown_and_syntax: tuple[Markdown, PageSyntax]) -> None:
    """The same extension reads all pages of a build."""
    assert 1 == len(html_and_refusals(markdown_and_syntax, "$H$")[1])
    assert [] == html_and_refusals(markdown_and_syntax, "a")[1]
