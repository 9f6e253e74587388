"""What is done to a built site, whichever program built it; `python -m macros.publish SITE` does it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from macros.rendering.citations import cited
from macros.rendering.files import downloads
from macros.teaching import files as of_exercises

from . import embeds, figures, licences, moved, printed
from .disk import read, write
from .errors import PublishError
from .figures.gallery import fill_gallery
from .for_machines import FIRST, for_machines, in_order, name_markdown
from .imprint import add_imprint
from .page import Page
from .policy import add_policy
from .scripts import publish_modules
from .search import index_files, other_languages
from .style_sheet import OURS, STYLE_SHEET, replaced, used_styles, whole_style_sheet

__all__ = ["PublishError", "makers", "preview", "publish"]


def makers() -> Iterator[tuple[str, Callable[[], str | bytes]]]:
    """The address of every file that readers download, from the top, and what makes its content."""
    yield from downloads.makers()
    yield from of_exercises.makers()
    yield from licences.makers()


def publish(site: Path, *, paper: bool = False) -> None:
    """Make a built site ready for its readers.

    Everything is worked out before anything is written, so a site that cannot
    be published is left as it was built.

    Args:
        site: the folder of the site.
        paper: link to what `macros.publish.paper` adds: hand-outs as PDF, figures as PNG.

    Raises:
        PublishError: the folder holds no site, one that is published already, or a page that cannot be published.
    """
    pages = _pages(site)
    css = whole_style_sheet(site)
    files: dict[str, str | bytes] = {address: make() for address, make in makers()}
    scripts = {path.relative_to(site).as_posix(): code for path, code in read(site, "*.js").items()}
    scripts |= {name: made for name, made in files.items() if isinstance(made, str) and name.endswith(".js")}

    led_on = moved.load()
    left_behind = moved.lead_on(pages, led_on)
    kinds = ("svg", "png") if paper else ("svg",)
    build = cited(os.environ)
    order = [each.page for each in in_order(pages[FIRST], pages)] if FIRST in pages else []
    found = [each for name in order for each in figures.found_on(pages[name], build)]
    files |= figures.files(found, (site / OURS).read_text(encoding="utf-8"))
    for page in pages.values():
        name_markdown(page)
        embeds.mark(page)
        figures.name_files(page, found, kinds)
        fill_gallery(page, found, kinds)
        if paper:
            printed.add_links(page)
        add_imprint(page, build)
    files |= for_machines(pages)
    for page in pages.values():
        page.drop_latex()
    for name, text in (left_behind | embeds.cut_out(pages)).items():
        if name.endswith(".html"):
            pages[name] = Page(name, text)
        else:
            files[name] = text
    modules = publish_modules(pages.values(), scripts)
    files |= {published: scripts[address] for address, published in modules.items()}
    html = _with_policies(pages)
    files[STYLE_SHEET] = used_styles(css, [*html.values(), *scripts.values()])
    files |= index_files(site, pages) | html
    for address, content in files.items():
        write(site / address, content)
    for path in [*replaced(site), *other_languages(site), *(site / each for each in modules if each not in files)]:
        path.unlink()


def preview(site: Path) -> None:
    """Make a built site ready for those who are writing it.

    Every script within a page may run, because the program that serves the
    site adds one of its own, and the style sheet keeps what no page uses.
    """
    pages = _pages(site)
    for page in pages.values():
        embeds.mark(page)
    pages |= {name: Page(name, text) for name, text in embeds.cut_out(pages).items()}
    for name, text in (_with_policies(pages, any_script=True) | {STYLE_SHEET: whole_style_sheet(site)}).items():
        write(site / name, text)


def _pages(site: Path) -> dict[str, Page]:
    """Every page of a built site by its address, in the order of the addresses."""
    if not site.is_dir():
        raise PublishError(f"there is no folder {site}; build the site into it first")
    found = {path.relative_to(site).as_posix(): html for path, html in read(site, "*.html").items()}
    if not found:
        raise PublishError(f"{site} holds no page; build the site into it first")
    return {name: Page(name, html) for name, html in found.items()}


def _with_policies(pages: Mapping[str, Page], *, any_script: bool = False) -> dict[str, str]:
    """Pages as they are written, with their policies."""
    for page in pages.values():
        add_policy(page, any_script=any_script)
    return {name: page.html for name, page in pages.items()}
