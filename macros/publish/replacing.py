"""How a new site takes the place of an old one: it is made in a folder beside, and moved when it is whole.

Whatever stops a build or a publication before that, a full disk or `kill -9`,
leaves the site as it was. While the one takes the place of the other, a file
in the site's folder says that it is unfinished; it comes before the first
change and goes after the last. What has it is never published.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from .page import PublishError

UNFINISHED = "UNFINISHED.txt"
"""The file that marks a folder in which parts of two sites may be."""

NOTICE = "A new site was being moved into this folder. As long as this file is here, build the site anew.\n"


def beside(site: Path) -> Path:
    """The folder in which the next site is made: hidden, and on the disk of the old one, so that moving is quick."""
    place = site.resolve()
    return place.with_name(f".{place.name}.unfinished")


def remove(new: Path) -> None:
    """Remove the folder of a next site, also what a build that was killed has left there."""
    shutil.rmtree(new, ignore_errors=True)


def check_finished(site: Path) -> None:
    """Raises if the folder may hold parts of two sites.

    Raises:
        PublishError: it is marked as unfinished.
    """
    if (site / UNFINISHED).exists():
        raise PublishError(f"{site} is unfinished, because a build was stopped; build the site anew")


def copy(site: Path, new: Path) -> None:
    """Copy a site into the folder of the next one, but for hidden files, which are none of its own."""
    new.mkdir()
    for path in sorted(site.rglob("*")):  # a folder before what is in it
        place = path.relative_to(site)
        if place.parts[0].startswith("."):
            continue
        if path.is_dir():
            (new / place).mkdir()
        else:
            shutil.copy(path, new / place)


def put_in_place(new: Path, site: Path) -> None:
    """Replace the content of a folder by a new site; hidden files stay there, as they do when MkDocs empties it."""
    site.mkdir(parents=True, exist_ok=True)
    # It is written in the new folder: on a full disk that fails while the old site is still whole.
    (new / UNFINISHED).write_text(NOTICE, encoding="utf-8")
    shutil.move(new / UNFINISHED, site / UNFINISHED)
    for old in site.iterdir():
        if old.name != UNFINISHED and (not old.name.startswith(".") or (new / old.name).exists()):
            if old.is_dir() and not old.is_symlink():
                shutil.rmtree(old)
            else:
                old.unlink()
    for each in new.iterdir():
        shutil.move(each, site / each.name)
    (site / UNFINISHED).unlink()
    new.rmdir()
