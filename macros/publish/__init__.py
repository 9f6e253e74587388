"""What is done to a built site, whichever program built it; `python -m macros.publish SITE` does it."""

from __future__ import annotations

from pathlib import Path

from macros.rendering.files import downloads

from .disk import read, write
from .errors import PublishError
from .policy import with_policy
from .scripts import without_source_map
from .style_sheet import STYLE_SHEET, one_style_sheet, replaced, whole_style_sheet

__all__ = ["PublishError", "preview", "publish", "write_downloads"]


def publish(site: Path) -> None:
    """Makes a built site ready for its readers; one that is ready stays as it is.

    Everything is worked out before anything is written, so a site that cannot
    be published is left as it was built.

    Raises:
        PublishError: the folder holds no site, or a page of it cannot be published.
    """
    downloaded = {site / address: text for address, text in downloads.files()}
    pages = _with_policies(site)
    scripts = read(site, "*.js")
    every_script = "".join([*scripts.values(), *(text for path, text in downloaded.items() if path.suffix == ".js")])
    of_the_theme = [path for path in scripts if path.is_relative_to(site / "assets" / "javascripts")]
    texts = {
        **downloaded,
        **pages,
        **{path: without_source_map(scripts[path]) for path in of_the_theme},
        site / STYLE_SHEET: one_style_sheet(site, "".join(pages.values()), every_script),
    }
    for path, text in texts.items():
        write(path, text)
    for path in replaced(site):
        path.unlink()


def preview(site: Path) -> None:
    """Makes a built site ready for those who are writing it.

    Every script within a page may run, because the program that serves the
    site adds one of its own, and the style sheet keeps what no page uses.
    """
    texts = {**_with_policies(site, any_script=True), site / STYLE_SHEET: whole_style_sheet(site)}
    for path, text in texts.items():
        write(path, text)


def write_downloads(site: Path) -> None:
    """Writes the files that readers download, and nothing else."""
    for address, text in downloads.files():
        write(site / address, text)


def _with_policies(site: Path, *, any_script: bool = False) -> dict[Path, str]:
    """Every page of a site with its policy."""
    if not site.is_dir():
        raise PublishError(f"there is no folder {site}; build the site into it first")
    pages = read(site, "*.html")
    if not pages:
        raise PublishError(f"{site} holds no page; build the site into it first")
    done = {}
    for path, html in pages.items():
        try:
            done[path] = with_policy(html, any_script=any_script)
        except PublishError as error:
            raise PublishError(f"{path}: {error}") from error
    return done
