"""Replaces an old site by a new one that was made in a folder beside it, and only once the new one is whole.

If a build or a publication is stopped before that, by a full disk or `kill -9`, the
old site is as it was. Moving the files takes a moment, in which the folder holds
parts of both sites. So a file there says that the site is unfinished: it is written
before the first change and removed after the last, and a folder that has it is
never published.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from .page import PublishError

UNFINISHED = "UNFINISHED.txt"
"""The file that marks a folder which may hold parts of two sites."""

NOTICE = "A new site was being moved into this folder. As long as this file is here, build the site anew.\n"


def beside(site: Path) -> Path:
    """The folder in which the new site is made: hidden, and on the disk of the old one, so that moving is quick."""
    place = site.resolve()
    return place.with_name(f".{place.name}.unfinished")


def remove(new: Path) -> None:
    """Remove the folder of a new site, including one that a killed build has left behind."""
    shutil.rmtree(new, ignore_errors=True)


def check_finished(site: Path) -> None:
    """Check that a folder does not hold parts of two sites.

    Raises:
        PublishError: it is marked as unfinished.
    """
    if (site / UNFINISHED).exists():
        raise PublishError(f"{site} is unfinished, because a build was stopped; build the site anew")


def copy(site: Path, new: Path) -> None:
    """Copy a site into the folder of the new one, without hidden files, which are no part of it."""
    new.mkdir()
    for path in sorted(site.rglob("*")):  # a folder comes before its files
        place = path.relative_to(site)
        if place.parts[0].startswith("."):
            continue
        if path.is_dir():
            (new / place).mkdir()
        else:
            shutil.copy(path, new / place)


def put_in_place(new: Path, site: Path) -> None:
    """Replace the content of a folder by a new site. Hidden files stay, as they do when MkDocs empties a folder."""
    site.mkdir(parents=True, exist_ok=True)
    # The mark is written in the new folder first: on a full disk this fails while the old site is still whole.
    (new / UNFINISHED).write_text(NOTICE, encoding="utf-8")
    shutil.move(new / UNFINISHED, site / UNFINISHED)
    for old in site.iterdir():
        if old.name != UNFINISHED and (not old.name.startswith(".") or (new / old.name).exists()):
            if old.is_dir() and not old.is_symlink():
                shutil.rmtree(old)
            else:
                old.unlink()
    for path in new.iterdir():
        shutil.move(path, site / path.name)
    (site / UNFINISHED).unlink()
    new.rmdir()
