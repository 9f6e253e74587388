"""Elements become the Markdown in `markdown.toml`, where markdownify's own would be different."""

import tomllib
from pathlib import Path

import pytest

from macros.publish.markdown import as_markdown
from macros.publish.page import Page

EXAMPLES = tomllib.loads(Path(__file__).with_name("markdown.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", EXAMPLES)
def test_each_kind_of_element_becomes_markdown(kind: str) -> None:
    html, expected = EXAMPLES[kind]["html"], EXAMPLES[kind]["markdown"]
    article = Page("a.html", f'<header>x</header><article class="a">{html}</article>').article
    assert article
    assert f"{expected}\n" == as_markdown(article)
