"""What is done to a built site, whichever program built it; `python -m macros.publish SITE` does it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from macros.rendering.citations import cited
from macros.rendering.files import downloads
from macros.teaching import files as of_exercises

from . import figures, licences, moved, printed
from .disk import read, write
from .embeds import cut_out, is_embed, with_mark
from .errors import PublishError
from .figures.gallery import with_gallery
from .for_machines import FIRST, for_machines, in_order, with_alternate
from .imprint import with_imprint
from .policy import with_policy
from .scripts import WORKER_IN_PAGE, joined, on_pages, theme_script, worker_in_page
from .search import index_files, other_languages
from .style_sheet import OURS, STYLE_SHEET, one_style_sheet, replaced, whole_style_sheet
from .white_space import without_indentation

__all__ = ["PublishError", "makers", "preview", "publish"]


def makers() -> Iterator[tuple[str, Callable[[], str | bytes]]]:
    """The address of every file that readers download, from the top, and what makes its content."""
    yield from downloads.makers()
    yield from of_exercises.makers()
    yield from licences.makers()


def files() -> Iterator[tuple[str, str | bytes]]:
    """Every file that readers download, as address from the top and content."""
    for address, make in makers():
        yield address, make()


def publish(site: Path) -> None:
    """Makes a built site ready for its readers; one that is ready stays as it is.

    Everything is worked out before anything is written, so a site that cannot
    be published is left as it was built.

    Raises:
        PublishError: the folder holds no site, or a page of it cannot be published.
    """
    downloaded = dict(files())
    scripts = _scripts(site)
    scripts |= {
        site / name: made for name, made in downloaded.items() if isinstance(made, str) and name.endswith(".js")
    }
    pages, joined_scripts = _joined(site, scripts)
    led_on = moved.load()
    pages = moved.with_moved(site, pages, led_on)
    pages = {path: _with_marks(path.relative_to(site).as_posix(), html) for path, html in pages.items()}
    embedded = cut_out(site, pages, led_on)
    pages, drawn = _for_paper(site, pages)
    written: dict[Path, str | bytes] = {
        **{site / address: made for address, made in downloaded.items()},
        **drawn,
        **scripts,
        **joined_scripts,
        **index_files(site, pages),
        **for_machines(site, pages),
        **_with_policies(pages | embedded),
        site / STYLE_SHEET: one_style_sheet(site, "".join((pages | embedded).values()), on_pages(site, scripts)),
    }
    for path, made in written.items():
        write(path, made)
    for path in [*replaced(site), *other_languages(site)]:
        path.unlink()


def preview(site: Path) -> None:
    """Makes a built site ready for those who are writing it.

    Every script within a page may run, because the program that serves the
    site adds one of its own, and the style sheet keeps what no page uses.
    """
    pages = {path: with_mark(path.relative_to(site).as_posix(), html) for path, html in _pages(site).items()}
    pages |= cut_out(site, pages, {})
    texts = {**_with_policies(pages, any_script=True), site / STYLE_SHEET: whole_style_sheet(site)}
    for path, text in texts.items():
        write(path, text)


def _pages(site: Path) -> dict[Path, str]:
    """Every page of a site but those that are cut out of others."""
    if not site.is_dir():
        raise PublishError(f"there is no folder {site}; build the site into it first")
    pages = {path: html for path, html in read(site, "*.html").items() if not is_embed(site, path)}
    if not pages:
        raise PublishError(f"{site} holds no page; build the site into it first")
    return pages


def _scripts(site: Path) -> dict[Path, str]:
    """Every script of a site as it is published, and the theme's search worker for a page opened from a folder."""
    theme = site / "assets" / "javascripts"
    found = read(site, "*.js")
    scripts = {path: theme_script(code) if path.is_relative_to(theme) else code for path, code in found.items()}
    for path in sorted((theme / "workers").glob("*.js")):
        scripts[site / WORKER_IN_PAGE] = worker_in_page(scripts[path])
    return scripts


def _joined(site: Path, scripts: dict[Path, str]) -> tuple[dict[Path, str], dict[Path, str]]:
    """Every page with its scripts joined, and the joined scripts."""
    pages, made = {}, {}
    for path, html in _pages(site).items():
        pages[path], of_page = joined(site, path, without_indentation(html), scripts)
        made.update(of_page)
    return pages, made


def _for_paper(site: Path, pages: dict[Path, str]) -> tuple[dict[Path, str], dict[Path, str]]:
    """Every page with what paper needs and with links to files of its figures, and those that are drawn here.

    They are drawn once, while the style sheet is still by itself.
    """
    build = cited(os.environ)
    named = {path.relative_to(site).as_posix(): html for path, html in pages.items()}
    order = [each.page for each in in_order(named.get(FIRST, ""), named)]
    found = [each for name in order for each in figures.found_on(name, named[name], build)]
    styles = site / OURS
    drawn = figures.files(found, styles.read_text(encoding="utf-8")) if styles.exists() else {}
    done = {}
    for name, html in named.items():
        with_files = figures.with_files(name, with_imprint(html, build), found, site)
        done[site / name] = printed.with_links(name, with_gallery(name, with_files, found, site), site)
    return done, {site / address: made for address, made in drawn.items()}


def _with_marks(name: str, html: str) -> str:
    """A page that names its Markdown, and where its things are to be embedded from."""
    return with_mark(name, with_alternate(name, html))


def _with_policies(pages: dict[Path, str], *, any_script: bool = False) -> dict[Path, str]:
    """Pages with their policies."""
    done = {}
    for path, html in pages.items():
        try:
            done[path] = with_policy(html, any_script=any_script)
        except PublishError as error:
            raise PublishError(f"{path}: {error}") from error
    return done
