"""The Markdown extension that spares whole elements a parser changes no page."""

import pytest
from markdown import Markdown
from mkdocs.config import load_config

from macros.raw_html import RawHtml, ids, whole_elements
from macros.site import TABLES
from tests.docs.building import ROOT


def converted(text: str, *more: RawHtml) -> list[str]:
    """The lines of a page as the site's own extensions make it of Markdown, and some more; no empty ones."""
    config = load_config(str(ROOT / "mkdocs.yml"))
    extensions = [*config.markdown_extensions, *more]
    html = Markdown(extensions=extensions, extension_configs=config.mdx_configs).convert(text)
    return [line for line in html.split("\n") if line]


@pytest.mark.parametrize("name", ["letters", "conventions", "checkpoints", "examples", "question-banks", "figures"])
def test_what_macros_write_comes_out_the_same(name: str) -> None:
    """Whether it is set aside or not; and it is."""
    text = TABLES[name](name)
    assert whole_elements(text.split("\n\n")[0])
    page = f"# Title\n\nBefore *it*.\n\n{text}\n\n## After\n"
    assert converted(page) == converted(page, RawHtml())


@pytest.mark.parametrize(
    "text",
    [
        "<div>a *b*</div>",
        "<div>a</div>\n<p>b</p>",
        "<div>a</div> *b* <div>c</div>",
        "<div>a</div>\n*b*",
        "<div><div>a</div>\n</div>\n\n*b*",
        "<div>\n\n<p>*a*</p>\n\n</div>",
        "<div>a",
        "</div>",
        "<p>*a* <div>b</div>",
        "*a* <span>b</span>",
        "<data>1</data> *a*",
        "<div markdown>\n\n<div>*a*</div>\n\n*b*\n\n</div>\n\n<div>*c*</div>",
        '<div id="a">*a*</div>\n\n<p markdown="span">*b*</p>',
        "```html\n<div>a</div>\n\n<div>b</div>\n```",
        "    <div>a</div>\n\n    <div>b</div>",
        "- a\n\n    <div>*b*</div>\n\n- c",
        "<details>\n<summary>a</summary>\n\n<div>b</div>\n\n</details>",
        "/// note | a\n\n<div>*b*</div>\n\n///",
        "<!--\n\n<div>a</div>\n\n-->\n\n*b*",
        "<div>&amp; & <</div>\n\n*b*",
        '<div title="a > b">c</div>',
    ],
)
def test_what_writers_write_comes_out_the_same(text: str) -> None:
    """Elements with Markdown beside them or in them, that are not whole, or that are no HTML."""
    assert converted(text) == converted(text, RawHtml())


def test_whole_elements() -> None:
    """Each by itself; and none of a text that is more than elements."""
    assert ("<div>a<div></div></div>", "<p>b</p>") == whole_elements("<div>a<div></div></div>\n<p>b</p>")
    assert () == whole_elements("<div>a</div> b")
    assert () == whole_elements("<div>a<div></div>")
    assert () == whole_elements("<data>1</data>")


def test_ids() -> None:
    """Of elements, and not what merely reads so."""
    assert ["a", "b"] == list(ids('<div class="x" id="a">id="c"</div><p id="b" title="t"><code data-id="d">'))
