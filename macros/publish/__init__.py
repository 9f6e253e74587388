"""Turns a built site into the published one, whichever program built it.

MkDocs (or another program) writes the pages into a folder, and copies the theme's files
and our scripts and styles unchanged. Publishing prepares everything but the prints
before it writes the first file:

1. Read the pages without the attributes that only tests need, create the downloads, and
   check the style sheets and the imports of scripts, because browsers hide faults in them.
2. Let old addresses lead to new ones, and write each figure to a separate file.
3. Complete the pages with links to their other formats, imprints, previews and labels,
   convert them into Markdown, and then set their apostrophes and sums.
4. Copy tables, figures, sums and tools from the finished pages, so that they can be embedded.
5. Bundle the scripts, give each page its policy, drop unused styles, and add words and
   numbers to the search index.
6. Write all of these files, and remove the files that they replace.
7. If a browser is to add prints, print the hand-outs and the figures.

The order matters: Markdown and pieces are taken from complete pages only, and the
policy of a page lists the scripts of its final version.

`python3 -m macros.publish SITE` publishes a folder, and `macros/hooks.py` does so
after each build of MkDocs. While a site is served, `preview` does only the steps
whose result a writer needs to see.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from macros.build_cache import CachedTexts, cached_content, code_digest, digest_of
from macros.rendering.citations import Work, site_as_work
from macros.rendering.components.pages import EMBEDS
from macros.rendering.figures.area_map import levels_of_other_models
from macros.rendering.files import downloads
from macros.rendering.files.exported import module
from macros.rendering.texts_to_try import texts_to_try
from macros.teaching import files as exercise_files

from . import embeds, figures, licences, moved
from .bundles import check_bundling, publish_modules
from .figures.svg_file import Figure
from .for_machines import FIRST_PAGE, link_to_markdown, machine_files, pages_in_order
from .page import Page, PublishError
from .paper import add_links, pictures, printing_browser, sheets
from .policy import add_policy
from .questions import drop_questions
from .replacing import check_finished, copy_to_staging, put_in_place, remove_staged, staging_folder
from .scripts import EXAMPLES, LEVELS, UNLISTED_MODULES, check_imports, check_modules
from .search import index_files
from .style_sheet import (
    STYLE_SHEET,
    check_style_sheet,
    our_style_sheets,
    replaced_files,
    used_styles,
    whole_style_sheet,
)

__all__ = ["PublishError", "makers", "piece", "preview", "publish", "publish_in_place", "read", "write"]


def makers() -> Iterator[tuple[str, Callable[[], str | bytes]]]:
    """Yield the address of each generated file, from the top of the site, and a function that returns its content."""
    levels = (LEVELS, lambda: module(levels_of_other_models()))
    examples = (EXAMPLES, lambda: module(texts_to_try()))
    for address, make in (*downloads.makers(), levels, examples, *exercise_files.makers()):
        yield address, partial(cached_content, address, code_digest(), make)
    # Not cached: licences come from outside `macros/`, so they can change while the digest of our code stays the same.
    yield from licences.makers()


def publish(site: Path, printing: str | None = None) -> None:
    """Publish a built site. If this is interrupted, the site is unchanged or marked as unfinished.

    Args:
        site: the folder of the site.
        printing: None to leave out hand-outs as PDF and figures as PNG, which only a browser can create. With
            "required", a missing browser is an error; with "if-possible", it is only reported on standard error.

    Raises:
        PublishError: the folder holds no site, or one that is unfinished or already published; a page cannot be
            published; or a required browser is missing.
    """
    check_finished(site)
    staging = staging_folder(site)
    remove_staged(staging)
    try:
        copy_to_staging(site, staging)
        publish_in_place(staging, printing)
        put_in_place(staging, site)
    finally:
        remove_staged(staging)


def publish_in_place(site: Path, printing: str | None = None) -> None:
    """Publish a folder that is not served yet. If this is interrupted, the folder is unusable.

    `printing` is as for `publish`.

    Raises:
        PublishError: the folder holds no site, a page cannot be published, or a required browser is missing.
    """
    with printing_browser(printing) as browser:
        _publish(site, has_prints=browser is not None)
        if browser:
            for name, content in (*sheets(site, browser), *pictures(site, browser)):
                write(site / name, content)


def _publish(site: Path, *, has_prints: bool) -> None:
    """Publish everything that needs no browser. With `has_prints`, pages link to the files that a browser will add."""
    pages = _pages(site)
    css = whole_style_sheet(site)
    files: dict[str, str | bytes] = {address: make() for address, make in makers()}
    scripts = read(site, "*.js") | {name: str(text) for name, text in files.items() if name.endswith(".js")}
    _check(site, scripts)
    # `publish_modules` publishes the modules that are left out here, in the folder of modules.
    files = {address: content for address, content in files.items() if address not in UNLISTED_MODULES}
    forwarding_files = moved.forward(pages, moved.load_moves())
    files |= _complete(site, pages, has_prints=has_prints)
    for name, text in (forwarding_files | embeds.frame_pages(pages)).items():
        if name.endswith(".html"):
            pages[name] = Page(name, text)
        else:
            files[name] = text
    modules = publish_modules(pages.values(), scripts)
    files |= modules.files
    html_by_address = _with_policies(pages)
    files[STYLE_SHEET] = used_styles(css, [*html_by_address.values(), *scripts.values()])
    files |= index_files(site, pages) | html_by_address
    for address, content in files.items():
        write(site / address, content)
    sources = [site / address for address in modules.sources if address not in files]
    for path in [*replaced_files(site), *sources]:
        path.unlink(missing_ok=True)
    _remove_empty_folders(site)


def _complete(site: Path, pages: Mapping[str, Page], *, has_prints: bool) -> dict[str, str]:
    """Complete all pages, and return the files derived from them, by address."""
    work = site_as_work(os.environ)
    order = pages_in_order(pages[FIRST_PAGE], pages.values()) if FIRST_PAGE in pages else []
    all_figures = [figure for _, name in order for figure in figures.figures_of(pages[name], work)]
    cached_figures = CachedTexts("figures.json")
    cached_figures.load()
    files = figures.files(all_figures, "".join(our_style_sheets(site).values()), cached_figures)
    cached_figures.save()
    for page in pages.values():
        _complete_page(page, all_figures, work, has_prints=has_prints)
    files |= machine_files(pages)
    for page in pages.values():
        # The LaTeX of formulas is needed only for the Markdown, which is complete by now.
        for formula in page.tree.css("math[alttext]"):
            del formula.attrs["alttext"]
        page.typeset()
    return files


def _complete_page(page: Page, all_figures: list[Figure], work: Work, *, has_prints: bool) -> None:
    """Add to a page the addresses of its pieces and other formats, its imprint and preview, and labels for headings."""
    link_to_markdown(page)
    embeds.add_addresses(page)
    figures.link_files(page, all_figures, ("svg", "png") if has_prints else ("svg",))
    if has_prints:
        add_links(page)
    page.add_imprint(work)
    page.add_preview()
    page.label_headings()


def _remove_empty_folders(site: Path) -> None:
    """Remove the folders of a site that hold no file, such as those whose modules are published elsewhere."""
    folders = [path for path in site.rglob("*") if path.is_dir()]
    for folder in sorted(folders, reverse=True):  # inner folders come first
        if not any(folder.iterdir()):
            folder.rmdir()


def preview(site: Path) -> None:
    """Prepare a built site for its writers.

    So that an edit is shown sooner, scripts are not bundled, styles are not reduced, and no embeddable pages are built.
    Every inline script may run, because the program that serves the site adds its own.

    Raises:
        PublishError: there is a fault that would also stop publishing. Only quick checks are made.
    """
    pages = _pages(site)
    css = whole_style_sheet(site)
    scripts = read(site, "*.js")
    _check(site, scripts)
    check_modules(pages.values(), scripts)
    moved.forward(pages, moved.load_moves())
    for page in pages.values():
        embeds.add_addresses(page)
        page.typeset()
    for name, text in (_with_policies(pages, any_script=True) | {STYLE_SHEET: css}).items():
        write(site / name, text)


def piece(site: Path, address: str) -> str | None:
    """The embeddable page at an address from the top of a previewed site; None if there is no such page.

    `preview` does not build these pages, because there are hundreds, and a writer looks at only a few.
    """
    top_folder, *components = address.split("/")
    if top_folder != EMBEDS or ".." in components:
        return None
    # A tool has the address of its page below EMBEDS. A piece is a file in a folder named after its page.
    names = ("/".join(components), "/".join(components[:-1]) + ".html")
    pages = {name: Page(name, (site / name).read_text(encoding="utf-8")) for name in names if (site / name).is_file()}
    pieces = {name: Page(name, html) for name, html in embeds.frame_pages(pages).items() if name == address}
    return _with_policies(pieces, any_script=True).get(address)


def _check(site: Path, scripts: Mapping[str, str]) -> None:
    """Raise a `PublishError` if one of our style sheets or scripts has a fault.

    If neither a file nor the code that checks it has changed since they last passed, nothing is checked.
    """
    style_sheets = our_style_sheets(site)

    def check() -> str:
        """Check all files, and return the text to cache if they pass."""
        for name, css in style_sheets.items():
            check_style_sheet(name, css)
        check_imports(scripts)
        check_bundling(scripts)
        return "passed"

    source = digest_of(Path(__file__).parent.glob("*.py")) + json.dumps([style_sheets, scripts])
    cached_content("checks.txt", source, check)


def _pages(site: Path) -> dict[str, Page]:
    """The pages of a built site by address, in alphabetical order.

    The attributes that record the questions behind numbers are dropped, unless the environment has QUESTIONS=kept.

    Raises:
        PublishError: there are no pages.
    """
    pages = {name: Page(name, html) for name, html in read(site, "*.html").items()}
    if not pages:
        raise PublishError("the folder holds no page; build the site into it first")
    if os.environ.get("QUESTIONS") != "kept":
        for page in pages.values():
            drop_questions(page.tree)
    return pages


def _with_policies(pages: Mapping[str, Page], *, any_script: bool = False) -> dict[str, str]:
    """Add a policy to each page, and return the HTML of all pages by address."""
    for page in pages.values():
        add_policy(page, any_script=any_script)
    return {name: page.html for name, page in pages.items()}


def read(site: Path, pattern: str) -> dict[str, str]:
    """The text of every file that matches `pattern`, by its address from the top of the site, in alphabetical order.

    Raises:
        PublishError: a file is not UTF-8.
    """
    texts = {}
    for path in sorted(site.rglob(pattern)):
        try:
            texts[path.relative_to(site).as_posix()] = path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise PublishError(f"{path.relative_to(site).as_posix()} is not written in UTF-8: {error}") from error
    return texts


def write(path: Path, content: str | bytes) -> None:
    """Write a file without changing its line ends, and create the folders that it needs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
