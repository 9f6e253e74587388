"""The licences of the site and of the software that it ships, as files to read.

The theme's package brings its own licence and those of its icons, but not those of
the libraries that are bundled into its scripts. `third_party.txt` has the latter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import distributions
from pathlib import Path

ROOT = Path(__file__).parents[2]

THEMES = ("mkdocs-material", "zensical")
"""Packages that bring the theme. The one that is installed also brings its licence and those of its icons."""


def makers() -> Iterator[tuple[str, Callable[[], str]]]:
    """The address of each file, and a function that returns its text."""
    yield "LICENSE.txt", lambda: (ROOT / "LICENSE").read_text(encoding="utf-8")
    yield "third-party.txt", others


def others() -> str:
    """The licences that the theme's package lacks, then those that it has, each below its file name."""
    bundled = Path(__file__).with_name("third_party.txt").read_text(encoding="utf-8")
    installed = [package for name in THEMES for package in distributions(name=name)]
    files = [file for package in installed for file in package.files or ()]
    shipped = sorted({file for file in files if file.name.startswith("LICENSE")})
    return bundled + "".join(f"\n{'=' * 78}\n{file}\n\n{file.read_text().strip()}\n" for file in shipped)
