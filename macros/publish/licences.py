"""The licences of the site and of the software that it ships, as text files for readers.

The theme's package includes its own licence and the licences of its icons, but not those
of the libraries that are bundled into its scripts. `third_party.txt` has the latter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path

ROOT = Path(__file__).parents[2]

THEMES = ("mkdocs-material", "zensical")
"""Packages with the theme, its licence and the licences of its icons. One of them is installed."""


def makers() -> Iterator[tuple[str, Callable[[], str]]]:
    """Yield the address of each file, with a function that returns its text."""
    yield "LICENSE.txt", lambda: (ROOT / "LICENSE").read_text(encoding="utf-8")
    yield "third-party.txt", third_party_licences


def third_party_licences() -> str:
    """The text of `third_party.txt`, followed by the licences in the theme's package, each below its file name."""
    missing_licences = Path(__file__).with_name("third_party.txt").read_text(encoding="utf-8")
    packages = [package for name in THEMES for package in distributions(name=name)]
    licences = {file: Path(str(package.locate_file(file))) for package in packages for file in _licence_files(package)}
    return missing_licences + "".join(
        f"\n{'=' * 78}\n{file}\n\n{path.read_text(encoding='utf-8').strip()}\n"
        for file, path in sorted(licences.items())
    )


def _licence_files(package: Distribution) -> list[str]:
    """The paths of the licences among the installed files of a package.

    They come from the record of the installation, because `package.files` would build a path for each of the theme's
    thousands of icons.
    """
    files = [line.partition(",")[0] for line in (package.read_text("RECORD") or "").splitlines()]
    return [file for file in files if file.rpartition("/")[2].startswith("LICENSE")]
