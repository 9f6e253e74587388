"""What programs read: each page as Markdown beside it, and `llms.txt`, which lists them all; see llmstxt.org."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from html import unescape
from pathlib import Path
from typing import NamedTuple

from macros.counting import count, load_models
from macros.rendering.elements.asking import SHORT
from macros.rendering.elements.numbers import whole
from macros.rendering.elements.pages import DOWNLOADS

from .as_markdown import as_markdown
from .errors import PublishError
from .moved import CANONICAL, REFRESH

LIST = "llms.txt"
"""The address of the list."""

ERROR_PAGE = "404.html"

FIRST = "index.html"

END_OF_TITLE = "</title>"

DESCRIPTION = re.compile(r'<meta name="description" content="([^"]*)">')

NAVIGATION = re.compile(r'<nav class="md-nav md-nav--primary.*?</nav>\s*</div>', re.DOTALL)
ENTRY = re.compile(
    r'<label class="md-nav__title" for="__nav_\d+"[^>]*>\s*<span[^>]*>\s*</span>\s*(?P<section>[^<]+?)\s*</label>'
    r'|<a href="(?:\./)?(?P<page>[^"#]+)" class="md-nav__link|(?P<end></nav>)'
)
"""In the navigation: the title of a section, a page, the end of a section."""

START, MORE = "Start here", "More"
"""The sections of pages at the top of the navigation, and of those that it lacks."""

FILES = {
    "totals.json": "the total of every model in every class, with its sizes and source",
    "names.csv": "every tensor's name in each framework",
    "table.json": "the rows, symbols, models and deviations that every number is counted from",
}
"""Downloads that the list names; `teach/downloads` has all of them."""


ABOUT = (
    "Every number is computed while the site is built, from the shapes of the tensors. "
    "Each page below is the Markdown of the page of the same name that ends in `.html`, which is the one to cite."
)


class Listed(NamedTuple):
    """A page in the list."""

    section: str
    page: str


def beside(page: str) -> str:
    """The address of a page's Markdown."""
    return page.removesuffix(".html") + ".md"


def for_machines(site: Path, pages: Mapping[Path, str]) -> dict[Path, str]:
    """Every page as Markdown, and the list of them all.

    Args:
        site: the folder of the site.
        pages: its pages as they are published.

    Raises:
        PublishError: a page cannot be written as Markdown.
    """
    written = {}
    for path, html in pages.items():
        name = path.relative_to(site).as_posix()
        if name != ERROR_PAGE and REFRESH not in html and (text := _text(name, html)):
            # A link within a page leads to the page, which has the places that Markdown lacks.
            written[name] = f"{text.replace('](#', f']({path.name}#')}\nSource: {_address(html) or path.name}\n"
    made = {site / beside(name): text for name, text in written.items()}
    if FIRST in written:
        made[site / LIST] = _list({path.relative_to(site).as_posix(): html for path, html in pages.items()}, written)
    return made


def with_alternate(name: str, html: str) -> str:
    """A page whose head names its Markdown."""
    link = f'<link rel="alternate" type="text/markdown" href="{beside(Path(name).name)}">'
    if name == ERROR_PAGE or REFRESH in html or link in html:
        return html
    return html.replace(END_OF_TITLE, f"{END_OF_TITLE}{link}", 1)


def _text(name: str, html: str) -> str:
    try:
        return as_markdown(html)
    except PublishError as error:
        raise PublishError(f"{name} cannot be written as Markdown: {error}") from error


def _address(html: str) -> str:
    """The address of a page where the site is published; empty where nobody said."""
    found = CANONICAL.search(html)
    return unescape(found[1]) if found else ""


def _list(pages: Mapping[str, str], written: Mapping[str, str]) -> str:
    """The list: what the site is, its pages by section with what each says, and files of data."""
    start = _address(pages[FIRST]).removesuffix(FIRST)
    totals = " and ".join(f"BERT {short} has {whole(count(load_models()[model]))}" for model, short in SHORT.items())
    lines = [
        "# BERT, counted",
        "",
        f"> {_description(pages[ERROR_PAGE] if ERROR_PAGE in pages else pages[FIRST])}",
        "",
        f"As `BertModel` with the uncased vocabulary, {totals} parameters. {ABOUT}",
    ]
    section = ""
    for each in in_order(pages[FIRST], written):
        if each.section != section:
            section = each.section
            lines += ["", f"## {section}", ""]
        title = written[each.page].partition("\n")[0].removeprefix("# ")
        lines.append(f"- [{title}]({start}{beside(each.page)}): {_description(pages[each.page])}")
    lines += ["", "## Data", ""]
    lines += [f"- [{name}]({start}{DOWNLOADS}/{name}): {what}" for name, what in FILES.items()]
    return "\n".join(lines) + "\n"


def _description(html: str) -> str:
    found = DESCRIPTION.search(html)
    return unescape(found[1]) if found else ""


def in_order(first: str, written: Collection[str]) -> list[Listed]:
    """The pages in the order of the navigation, with their sections, those of its top level first.

    Args:
        first: the first page, which has the navigation.
        written: the addresses of the pages that are asked for.
    """
    navigation = NAVIGATION.search(first)
    found: dict[str, str] = {}
    section = START
    for each in ENTRY.finditer(navigation[0] if navigation else ""):
        if each["section"]:
            section = unescape(each["section"])
        elif each["end"]:
            section = START
        elif each["page"] in written:
            found.setdefault(each["page"], section)
    listed = [Listed(section, page) for page, section in found.items()]
    listed += [Listed(MORE, page) for page in written if page not in found]
    return sorted(listed, key=lambda each: each.section != START)
