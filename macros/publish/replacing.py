"""Replaces an old site once the new one is complete in a folder next to it.

If a build is stopped before then, by a full disk or `kill -9`, the old site is
unchanged. While the files are moved, the site's folder briefly holds parts of both
sites. So a file in that folder marks the site as unfinished. It is written before the
first change and removed after the last one, and a folder with this file is never
published.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from .page import PublishError

UNFINISHED = "UNFINISHED.txt"
"""The file that marks a folder as one that may hold parts of two sites."""

NOTICE = (
    "A new site was being moved into this folder. If this file is still here, the move was interrupted and the folder "
    "may hold parts of two sites. Build the site again.\n"
)


def staging_folder(site: Path) -> Path:
    """The hidden folder for the new site, next to the old site so that moving is quick."""
    path = site.resolve()
    return path.with_name(f".{path.name}.unfinished")


def remove_staged(staging: Path) -> None:
    """Remove the folder for a new site, for example one that a killed build left behind."""
    shutil.rmtree(staging, ignore_errors=True)


def check_finished(site: Path) -> None:
    """Check that a folder does not hold parts of two sites.

    Raises:
        PublishError: the folder is marked as unfinished.
    """
    if (site / UNFINISHED).exists():
        raise PublishError(f"{site} is unfinished, because a build was stopped; build the site again")


def copy_to_staging(site: Path, staging: Path) -> None:
    """Copy a site to the folder for the new site, without hidden files and folders at the top level."""
    staging.mkdir()
    for path in sorted(site.rglob("*")):  # sorted, so that a folder comes before its files
        relative_path = path.relative_to(site)
        if relative_path.parts[0].startswith("."):
            continue
        if path.is_dir():
            (staging / relative_path).mkdir()
        else:
            shutil.copy(path, staging / relative_path)


def put_in_place(staging: Path, site: Path) -> None:
    """Replace the contents of a folder with a new site.

    Hidden files stay, as when MkDocs empties a folder, unless the new site has a file of the same name.
    """
    site.mkdir(parents=True, exist_ok=True)
    # The mark is first written to the new folder, because on a full disk this fails before the old site is changed.
    (staging / UNFINISHED).write_text(NOTICE, encoding="utf-8")
    shutil.move(staging / UNFINISHED, site / UNFINISHED)
    for old_path in site.iterdir():
        is_kept = old_path.name.startswith(".") and not (staging / old_path.name).exists()
        if is_kept or old_path.name == UNFINISHED:
            continue
        if old_path.is_dir() and not old_path.is_symlink():
            shutil.rmtree(old_path)
        else:
            old_path.unlink()
    for path in staging.iterdir():
        shutil.move(path, site / path.name)
    (site / UNFINISHED).unlink()
    staging.rmdir()
