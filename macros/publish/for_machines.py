"""What programs read: each page as Markdown beside it, and `llms.txt`, which lists them all; see llmstxt.org."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from macros.counting import count, load_models
from macros.kept import code, kept
from macros.rendering.components.asking import SHORT
from macros.rendering.components.numbers import whole
from macros.rendering.components.pages import DOWNLOADS

from .markdown import as_markdown
from .page import Page, words

ERROR_PAGE = "404.html"

FIRST = "index.html"

MORE = "About"
"""The section of pages that the navigation lacks."""


def beside(page: str) -> str:
    """The address of a page's Markdown."""
    return page.removesuffix(".html") + ".md"


def for_machines(pages: Mapping[str, Page]) -> dict[str, str]:
    """Every page that readers read as Markdown, and the list of them all, by address from the top of the site."""
    texts = {beside(name): _kept_text(page) for name, page in pages.items() if _is_text(page)}
    return texts | ({"llms.txt": _list(pages)} if beside(FIRST) in texts else {})


def _is_text(page: Page) -> bool:
    return page.name != ERROR_PAGE and page.article is not None


def _kept_text(page: Page) -> str:
    """A page as Markdown, converted anew only where the page has changed since the last build."""
    article = page.article.html if page.article else ""
    return str(kept(beside(page.name), f"{code()}\n{page.canonical}\n{article}", lambda: _text(page)))


def _text(page: Page) -> str:
    """A page as Markdown; a link within it leads to the page, which has the places that Markdown lacks."""
    name = Path(page.name).name
    text = as_markdown(page.article).replace("](#", f"]({name}#") if page.article else ""
    return f"{text}\nSource: {page.canonical or name}\n"


def name_markdown(page: Page) -> None:
    """Let the head of a page name its Markdown."""
    if _is_text(page) and page.tree.head:
        # The theme takes a link whose relation is just "alternate" for the site in another language.
        link = f'<link rel="alternate nofollow" type="text/markdown" href="{beside(Path(page.name).name)}">'
        page.tree.head.insert_child(page.fragment(link))


def _list(pages: Mapping[str, Page]) -> str:
    """The list: what the site is, its pages by section with what each says, and some of its downloads."""
    start = pages[FIRST].canonical.removesuffix(FIRST)
    totals = " and ".join(f"BERT {short} has {whole(count(load_models()[model]))}" for model, short in SHORT.items())
    lines = []
    for section, names in groupby(in_order(pages[FIRST], filter(_is_text, pages.values())), itemgetter(0)):
        lines += ["", f"## {section}", ""]
        listed = [pages[name] for _, name in names]
        lines += [f"- [{page.title}]({start}{beside(page.name)}): {page.description}" for page in listed]
    about, text = pages.get(ERROR_PAGE, pages[FIRST]).description, Path(__file__).with_name("llms.txt")
    return text.read_text(encoding="utf-8").format(
        about=about, totals=totals, pages="\n".join([*lines, ""]), start=start, downloads=DOWNLOADS
    )


def in_order(first: Page, asked: Iterable[Page]) -> list[tuple[str, str]]:
    """Pages in the order of the navigation on the first, each with its section."""
    names = [page.name for page in asked]
    found: dict[str, str] = {}
    for nav in first.tree.css("nav.md-nav--primary, nav.md-nav--primary nav"):  # a section within another comes later
        for link in nav.css("a.md-nav__link[href]"):
            found[first.resolved(link.attributes["href"] or "")] = words(nav.css_first("label.md-nav__title"))
    listed = [(section, name) for name, section in found.items() if name in names]
    return listed + [(MORE, name) for name in names if name not in found]
