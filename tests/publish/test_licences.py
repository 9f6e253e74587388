"""The licences of what a site ships are on it."""

import json
import re
from importlib.metadata import files
from pathlib import Path

from macros.publish import licences, makers

TEXTS = {address: make() for address, make in licences.makers()}


def test_readers_get_the_licences() -> None:
    """Ours as it stands in the repository, and those of others."""
    assert {"LICENSE.txt", "third-party.txt"} == set(TEXTS) <= set(dict(makers()))
    assert (licences.ROOT / "LICENSE").read_text() == TEXTS["LICENSE.txt"]


def test_the_theme_and_its_icons_are_there() -> None:
    """Whatever licences the installed package has; sources: the files of mkdocs-material 9.8.1."""
    for line in (
        "Copyright (c) 2016-2025 Martin Donath <martin.donath@squidfunk.com>",
        "Pictogrammers Free License",
        "Font Awesome Free License",
        "Copyright (c) 2025 GitHub Inc.",
        "# CC0 1.0 Universal",
    ):
        assert f"\n{line}\n" in TEXTS["third-party.txt"]


def test_whatever_the_theme_bundles_is_named() -> None:
    """Its source maps say of which packages its scripts and styles are made."""
    maps = [Path(str(each.locate())) for each in files("mkdocs-material") or () if each.suffix == ".map"]
    sources = "\n".join(source for path in maps for source in json.loads(path.read_text())["sources"])
    bundled = set(re.findall(r"node_modules/((?:@[\w-]+/)?[\w-]+)/", sources))
    assert {"clipboard", "lunr", "rxjs"} < bundled
    named = set(TEXTS["third-party.txt"].splitlines())
    assert set() == bundled - named
    # The texts that those who made them ask for.
    for line in ("Apache License", "MIT License", "W3C Software and Document Notice and License"):
        assert line in named
