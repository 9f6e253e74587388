"""The files and folders that the guide and the README name are there, and the version stands in one place."""

import re
import subprocess
from collections.abc import Collection
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

NAMED = re.compile(r"`((?:\.github|docs|macros|tests)/[\w./-]*|[\w.-]+\.(?:in|json|mjs|py|toml|txt))`")
"""A path from the top folder, or the name of a file that stands somewhere below it."""

ELSEWHERE = {"UNFINISHED.txt", "bert_config.json", "config.json", "tests/scripts/node_modules"}
"""What stands in a built site, or with a model, or is installed."""


@cache
def files() -> frozenset[str]:
    """Every file that git keeps, by its path, and each folder."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = [Path(line) for line in listed.splitlines()]
    return frozenset(str(each) for path in paths for each in (path, *path.parents))


def absent(text: str, there: Collection[str]) -> list[str]:
    """What a text names and is not there."""
    names = {Path(each).name for each in there}
    return [
        each
        for each in NAMED.findall(text)
        if each not in ELSEWHERE and (str(Path(each)) not in there if "/" in each else each not in names)
    ]


@pytest.mark.parametrize("name", [".github/CONTRIBUTING.md", "README.md"])
def test_what_is_named_is_there(name: str) -> None:
    """Else it has moved: write where to."""
    text = (ROOT / name).read_text(encoding="utf-8")
    assert len(NAMED.findall(text)) >= 7
    assert [] == absent(text, files())


def test_what_is_not_there_is_noticed() -> None:
    """A file that has moved, a folder that is gone, and a name that no file has."""
    named = "`macros/site.py`, `macros/`, `mkdocs.yml`, `moved/old.py`, `macros/old.py`, `docs/old/` and `old.toml`"
    assert ["macros/old.py", "docs/old/", "old.toml"] == absent(named, files())


RELEASED = re.compile(r"^## (?P<version>\d[\d.]*) \((?P<date>[\d-]+)\)$", re.MULTILINE)
"""The heading of a version in the changelog."""


def test_the_newest_version_of_the_changelog_is_the_one_to_cite() -> None:
    """Its number and date are those of CITATION.cff, and a later version stands above an earlier one."""
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    versions = [found.groupdict() for found in RELEASED.finditer((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))]
    newest = versions[0]
    assert f'version: "{newest["version"]}"\n' in citation
    assert f"date-released: {newest['date']}\n" in citation
    assert versions == sorted(versions, key=lambda version: version["date"], reverse=True)
