"""The site publishes its own licence and those of the theme and the packages in it."""

import json
import re
from importlib.metadata import files
from pathlib import Path

import pytest

from macros.publish import licences, makers


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """The published licences by address."""
    return {address: make() for address, make in licences.makers()}


def test_the_licences_are_published(texts: dict[str, str]) -> None:
    assert {"LICENSE.txt", "third-party.txt"} == set(texts) <= set(dict(makers()))
    assert (licences.ROOT / "LICENSE").read_text() == texts["LICENSE.txt"]


def test_licences_of_the_theme_and_its_icons_are_published(texts: dict[str, str]) -> None:
    """Source of the lines: the files of mkdocs-material 9.8.1."""
    for line in (
        "Copyright (c) 2016-2025 Martin Donath <martin.donath@squidfunk.com>",
        "Pictogrammers Free License",
        "Font Awesome Free License",
        "Copyright (c) 2025 GitHub Inc.",
        "# CC0 1.0 Universal",
    ):
        assert f"\n{line}\n" in texts["third-party.txt"]


def test_every_package_that_the_theme_bundles_is_named(texts: dict[str, str]) -> None:
    maps = [Path(str(file.locate())) for file in files("mkdocs-material") or () if file.suffix == ".map"]
    sources = "\n".join(source for path in maps for source in json.loads(path.read_text())["sources"])
    bundled_packages = set(re.findall(r"node_modules/((?:@[\w-]+/)?[\w-]+)/", sources))
    assert {"clipboard", "lunr", "rxjs"} < bundled_packages
    lines = set(texts["third-party.txt"].splitlines())
    assert set() == bundled_packages - lines
    # These licences require that their text accompanies the code.
    for line in ("Apache License", "MIT License", "W3C Software and Document Notice and License"):
        assert line in lines
