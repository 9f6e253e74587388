"""Tests that the files which the guide and the README name exist, and that changelog and citation agree."""

import re
import subprocess
from collections.abc import Collection
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

PATHS = re.compile(r"`((?:\.github|docs|macros|tests)/[\w./-]*|[\w.-]+\.(?:in|json|mjs|py|toml|txt))`")
"""A path from the top folder, or the name of a file anywhere below it."""

ELSEWHERE = {"UNFINISHED.txt", "adapter_config.json", "bert_config.json", "config.json", "tests/scripts/node_modules"}
"""Files of a built site, files that come with a model, and folders that are installed."""


@cache
def files() -> frozenset[str]:
    """The paths of every file that git tracks, and of their folders."""
    output = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = [Path(line) for line in output.splitlines()]
    return frozenset(str(name) for path in paths for name in (path, *path.parents))


def absent(text: str, existing: Collection[str]) -> list[str]:
    """The files and folders that a text names although they do not exist."""
    names = {Path(path).name for path in existing}
    return [
        path
        for path in PATHS.findall(text)
        if path not in ELSEWHERE and (str(Path(path)) not in existing if "/" in path else path not in names)
    ]


@pytest.mark.parametrize("name", [".github/CONTRIBUTING.md", "README.md"])
def test_every_named_file_exists(name: str) -> None:
    """If this fails, a file has moved: write its new path in the guide or the README."""
    text = (ROOT / name).read_text(encoding="utf-8")
    assert len(PATHS.findall(text)) >= 7
    assert [] == absent(text, files())


def test_a_missing_file_is_noticed() -> None:
    """A file that has moved, a folder that was removed and a name that no file has are all found."""
    text = "`macros/site.py`, `macros/`, `mkdocs.yml`, `moved/old.py`, `macros/old.py`, `docs/old/` and `old.toml`"
    assert ["macros/old.py", "docs/old/", "old.toml"] == absent(text, files())


RELEASE = re.compile(r"^## (?P<version>\d[\d.]*) \((?P<date>[\d-]+)\)$", re.MULTILINE)
"""The heading of a version in the changelog."""


def test_the_newest_version_of_the_changelog_is_the_one_to_cite() -> None:
    """CITATION.cff has the number and date of the newest version, and the changelog has later versions first."""
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    versions = [match.groupdict() for match in RELEASE.finditer((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))]
    newest = versions[0]
    assert f'version: "{newest["version"]}"\n' in citation
    assert f"date-released: {newest['date']}\n" in citation
    assert versions == sorted(versions, key=lambda version: version["date"], reverse=True)
