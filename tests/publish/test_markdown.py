"""Pages as Markdown: the elements that our pages have and markdownify does not know as we write them."""

import tomllib
from pathlib import Path

import pytest

from macros.publish.markdown import as_markdown
from macros.publish.page import Page

WRITTEN = tomllib.loads(Path(__file__).with_name("markdown.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", WRITTEN)
def test_each_kind_of_element(kind: str) -> None:
    """As Markdown would have it."""
    html, expected = WRITTEN[kind]["html"], WRITTEN[kind]["markdown"]
    article = Page("a.html", f'<header>x</header><article class="a">{html}</article>').article
    assert article
    assert f"{expected}\n" == as_markdown(article)
