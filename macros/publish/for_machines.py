"""The site for programs: its pages as Markdown, and `llms.txt`, which lists them (see llmstxt.org).

The Markdown of a page is derived from the page's HTML, so its numbers are the
same. Its links lead to pages, not to other Markdown files, because only pages have ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from macros.build_cache import cached_content, code_digest
from macros.counting import count, load_models
from macros.rendering.components.asking import SHORT_NAMES
from macros.rendering.components.numbers import whole
from macros.rendering.components.pages import DOWNLOADS

from .markdown import as_markdown
from .page import Page, plain_text

ERROR_PAGE = "404.html"
FIRST_PAGE = "index.html"
"""The page for addresses that do not exist, and the page at the top of the site."""

LAST_SECTION = "About"
"""The section of `llms.txt` for pages outside the navigation whose folder has no page in the navigation either."""


def markdown_address(page_address: str) -> str:
    """The address of a page's Markdown, which is in the same folder as the page."""
    return page_address.removesuffix(".html") + ".md"


def machine_files(pages: Mapping[str, Page]) -> dict[str, str]:
    """Every page with text as Markdown, and `llms.txt`, by address from the top of the site."""
    texts = {markdown_address(name): _cached_markdown(page) for name, page in pages.items() if _has_text(page)}
    if markdown_address(FIRST_PAGE) in texts:
        texts["llms.txt"] = _llms_txt(pages)
    return texts


def _has_text(page: Page) -> bool:
    """Whether a page has text, unlike the error page and pages that only redirect to another."""
    return page.name != ERROR_PAGE and page.article is not None


def _cached_markdown(page: Page) -> str:
    """A page as Markdown, from the cache if the page has not changed since the last build."""
    article = page.article.html if page.article else ""
    key = f"{code_digest()}\n{page.canonical}\n{article}"
    return str(cached_content(markdown_address(page.name), key, lambda: _markdown(page)))


def _markdown(page: Page) -> str:
    """A page as Markdown. A link within the page leads to the HTML, which has the ids that Markdown lacks."""
    name = Path(page.name).name
    text = as_markdown(page.article).replace("](#", f"]({name}#") if page.article else ""
    return f"{text}\nSource: {page.canonical or name}\n"


def link_to_markdown(page: Page) -> None:
    """Add a link to a page's Markdown to the head of the page."""
    if _has_text(page) and page.tree.head:
        # With "alternate" as its only relation, the theme would mistake the link for one to another language.
        link = f'<link rel="alternate nofollow" type="text/markdown" href="{markdown_address(Path(page.name).name)}">'
        page.tree.head.insert_child(page.fragment(link))


def _llms_txt(pages: Mapping[str, Page]) -> str:
    """The text of `llms.txt`: the purpose of the site, its pages by section with descriptions, and some downloads."""
    site_address = pages[FIRST_PAGE].canonical.removesuffix(FIRST_PAGE)
    totals = " and ".join(
        f"BERT {short_name} has {whole(count(load_models()[model]))}" for model, short_name in SHORT_NAMES.items()
    )
    lines = []
    ordered_pages = pages_in_order(pages[FIRST_PAGE], filter(_has_text, pages.values()))
    for section, names in groupby(ordered_pages, itemgetter(0)):
        lines += ["", f"## {section}", ""]
        for _, name in names:
            page = pages[name]
            lines.append(f"- [{page.title}]({site_address}{markdown_address(page.name)}): {page.description}")
    template = Path(__file__).with_name("llms.txt").read_text(encoding="utf-8")
    return template.format(
        # The error page has no specific description, so its description is that of the whole site.
        about=pages.get(ERROR_PAGE, pages[FIRST_PAGE]).description,
        totals=totals,
        pages="\n".join([*lines, ""]),
        start=site_address,
        downloads=DOWNLOADS,
    )


def pages_in_order(first_page: Page, pages: Iterable[Page]) -> list[tuple[str, str]]:
    """The section and the address of each page, in the order of the navigation on the first page.

    A page that is not in the navigation, such as a sheet to print, comes after the section of its folder. If no page
    of its folder is in the navigation, it comes last.
    """
    names = [page.name for page in pages]
    section_of: dict[str, str] = {}
    # Outer sections come before the sections in them, so each page is assigned to its innermost section.
    for nav in first_page.tree.css("nav.md-nav--primary, nav.md-nav--primary nav"):
        for link in nav.css("a.md-nav__link[href]"):
            section_of[first_page.target_of(link.attributes["href"] or "")] = plain_text(
                nav.css_first("label.md-nav__title")
            )
    listed_pages = [(section, name) for name, section in section_of.items() if name in names]
    section_of_folder = {str(Path(name).parent): section for section, name in listed_pages if "/" in name}
    unlisted_pages = [
        (section_of_folder.get(str(Path(name).parent), LAST_SECTION), name) for name in names if name not in section_of
    ]
    sections = [*dict.fromkeys(section for section, _ in listed_pages), LAST_SECTION]
    return sorted(listed_pages + unlisted_pages, key=lambda section_and_name: sections.index(section_and_name[0]))
