"""The files that the guide and the README name exist, and the changelog agrees with the citation."""

import json
import re
import subprocess
from collections.abc import Collection
from contextlib import chdir
from functools import cache
from pathlib import Path

import pytest

from macros.counting import BERT
from macros.counting import __main__ as counting
from macros.teaching import __main__ as teaching

ROOT = Path(__file__).parents[1]

PATH = re.compile(r"`((?:\.github|docs|macros|tests)/[\w./-]*|[\w.-]+\.(?:in|json|mjs|py|toml|txt))`")
"""A path from the top folder, or the name of a file in any folder, in backticks."""

UNTRACKED_PATHS = {
    "UNFINISHED.txt",
    "adapter_config.json",
    "bert_config.json",
    "config.json",
    "tests/scripts/node_modules",
}
"""Paths that git does not track: a file of a built site, files of models, and a folder of installed packages."""


@cache
def tracked_paths() -> frozenset[str]:
    """The paths of all files that git tracks, and of their folders."""
    output = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = [Path(line) for line in output.splitlines()]
    return frozenset(str(name) for path in paths for name in (path, *path.parents))


def missing_paths(text: str, existing_paths: Collection[str]) -> list[str]:
    """The files and folders named in `text` that are in neither `existing_paths` nor `UNTRACKED_PATHS`."""
    names = {Path(path).name for path in existing_paths}
    return [
        path
        for path in PATH.findall(text)
        if path not in UNTRACKED_PATHS and (str(Path(path)) not in existing_paths if "/" in path else path not in names)
    ]


@pytest.mark.parametrize("name", [".github/CONTRIBUTING.md", "README.md"])
def test_every_named_file_exists(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert len(PATH.findall(text)) >= 7
    assert [] == missing_paths(text, tracked_paths())


def test_every_path_that_a_page_or_a_module_names_exists() -> None:
    """Names of files without a folder may be those of another project, but the head of a package names its own."""
    paths = [ROOT / name for name in tracked_paths() if re.fullmatch(r"(?:docs|macros)/.*\.(?:md|py|js|toml)", name)]
    texts = {path: path.read_text(encoding="utf-8") for path in paths}
    assert sum(path.count("/") > 0 for text in texts.values() for path in PATH.findall(text)) > 20
    assert [] == [
        f"{path}: {missing_path}"
        for path, text in texts.items()
        for missing_path in missing_paths(text, tracked_paths())
        if "/" in missing_path or path.name == "__init__.py"
    ]


def test_a_missing_file_is_noticed() -> None:
    text = "`macros/site.py`, `macros/`, `mkdocs.yml`, `moved/old.py`, `macros/old.py`, `docs/old/` and `old.toml`"
    assert ["macros/old.py", "docs/old/", "old.toml"] == missing_paths(text, tracked_paths())


RELEASE_HEADING = re.compile(r"^## (?P<version>\d[\d.]*) \((?P<date>[\d-]+)\)$", re.MULTILINE)
"""The heading of a version in the changelog."""


def test_the_citation_is_of_the_newest_version_in_the_changelog() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    versions = [
        match.groupdict() for match in RELEASE_HEADING.finditer((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    ]
    newest_version = versions[0]
    assert f'version: "{newest_version["version"]}"\n' in citation
    assert f"date-released: {newest_version['date']}\n" in citation
    assert versions == sorted(versions, key=lambda version: version["date"], reverse=True)


COMMAND = re.compile(r"^(?:python3? -m macros\.(counting|teaching)|bert-(counted)) ([^#\n]+)", re.MULTILINE)
"""A command of ours on a line of its own; the groups are its module and its arguments, without a comment."""

PLACEHOLDERS = {"FIRST": "1", "LAST": "2"}
"""The words that readers replace in commands, each with a value that they may choose."""


def refused_commands(text: str, folder: Path) -> list[str]:
    """The commands in `text` that fail in a folder with the file `config.json`, each with its exit status."""
    (folder / "config.json").write_text(json.dumps({"model_type": "bert"} | {size.key: 8 for size in BERT.symbols}))
    main_of = {"counting": counting.main, "counted": counting.main, "teaching": teaching.main}
    refusals = []
    with chdir(folder):
        for module, name, arguments in COMMAND.findall(text):
            for placeholder, value in PLACEHOLDERS.items():
                arguments = arguments.replace(placeholder, value)
            if status := main_of[module or name](arguments.split()):
                refusals.append(f"{arguments}: {status}")
    return refusals


def test_every_command_that_readers_may_copy_is_accepted(tmp_path: Path) -> None:
    paths = [*ROOT.glob("docs/**/*.md"), ROOT / "README.md", ROOT / ".github/CONTRIBUTING.md"]
    text = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    assert len(COMMAND.findall(text)) > 5
    assert [] == refused_commands(text, tmp_path)
    assert 2 == len(
        refused_commands("bert-counted config.jso\npython -m macros.teaching --set layer --seeds 1:2", tmp_path)
    )
