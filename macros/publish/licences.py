"""The licences of the site and of what it ships of others, as files to read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import distributions
from pathlib import Path

ROOT = Path(__file__).parents[2]

THEMES = ("mkdocs-material", "zensical")
"""The packages that bring the theme; the one that is installed brings the licences of it and of its icons."""


def makers() -> Iterator[tuple[str, Callable[[], str]]]:
    """The address of each file, and what makes its text."""
    yield "LICENSE.txt", lambda: (ROOT / "LICENSE").read_text(encoding="utf-8")
    yield "third-party.txt", others


def others() -> str:
    """The licences of what the theme's scripts contain, which it does not ship, and those that it does."""
    bundled = Path(__file__).with_name("third_party.txt").read_text(encoding="utf-8")
    files = [file for name in THEMES for found in distributions(name=name) for file in found.files or ()]
    shipped = sorted({file for file in files if file.name.startswith("LICENSE")})
    return bundled + "".join(f"\n{'=' * 78}\n{file}\n\n{file.read_text().strip()}\n" for file in shipped)
