"""Builds the site as CI does, from this repository or from a changed copy."""

import os
import re
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

from macros.build_cache import CACHE_FOLDER as CACHE

ROOT = Path(__file__).parents[2]

SOURCES = ("mkdocs.yml", "CITATION.cff", "LICENSE", "docs", "macros")
"""Everything that a build reads. A copy of these files and folders can be built."""

PAGES_ONLY = """
import sys

from mkdocs.commands.build import build
from mkdocs.config import load_config

config = load_config(site_dir=sys.argv[1])
config.plugins.on_startup(command="serve", dirty=False)
build(config)
"""
"""A program that builds the pages as `mkdocs serve` does: without the downloads, which the server makes on request."""


def build(
    target: Path, root: Path = ROOT, *, python: str | None = None, **environment: str | None
) -> subprocess.CompletedProcess[str]:
    """Build the site of `root` into `target`, strictly, and return MkDocs' exit status and output.

    An environment variable given as None is unset in the build, even if it is set in this process.
    """
    return _run([python or sys.executable, "-m", "mkdocs", "build", "--site-dir", str(target)], root, environment)


def build_pages(target: Path, root: Path, **environment: str | None) -> subprocess.CompletedProcess[str]:
    """Build a site without its downloads, to save time, and return MkDocs' exit status and output."""
    return _run([sys.executable, "-c", PAGES_ONLY, str(target)], root, environment)


def _run(command: list[str], root: Path, environment: dict[str, str | None]) -> subprocess.CompletedProcess[str]:
    """Run a command that builds `root`. The given variables override CI's, which override those of this process."""
    ci_variables = {"CI": "true", "NO_MKDOCS_2_WARNING": "1", "SOURCE_DATE_EPOCH": "0", "QUESTIONS": None}
    variables = {**os.environ, **ci_variables, **environment}
    set_variables = {name: value for name, value in variables.items() if value is not None}
    return subprocess.run(command, cwd=root, env=set_variables, capture_output=True, text=True, check=False)


def contents(folder: Path) -> dict[str, bytes]:
    """The bytes of every file below a folder, by its path within it."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def copy_cache(root: Path) -> None:
    """Copy the build cache, if there is one, into a copy of the repository.

    If a test changes the copy, a build there replaces the cached files that depend on the change.
    """
    if CACHE.exists():
        # Another build may be writing to the cache. The names of its unfinished files match these patterns.
        shutil.copytree(CACHE, root / CACHE.relative_to(ROOT), ignore=shutil.ignore_patterns("tmp*", "*.tmp"))


def copy(target: Path, *, has_cache: bool = True) -> Path:
    """Copy everything that a build reads and, unless `has_cache` is false, the cache; return the new folder."""
    target.mkdir()
    if has_cache:
        copy_cache(target)
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            # The copy includes the bytecode, which saves each build some time.
            shutil.copytree(source, target / name)
        else:
            shutil.copy(source, target / name)
    return target


def small_copy(target: Path, *pages: str) -> Path:
    """Copy the repository with only the given pages, which build in a fraction of the time; return the new folder.

    Links to other pages become plain text.
    """
    root = copy(target)
    page_files = {root / "docs" / page for page in pages}
    for path in (root / "docs").rglob("*.md"):
        if path not in page_files:
            path.unlink()
    for path in page_files:
        path.write_text(
            re.sub(r"\[([^]]*)\]\(([^()#\s]+\.md)(#[^)]*)?\)", partial(_link_or_text, path), path.read_text())
        )
    # Redirects would lead to pages that are left out.
    (root / "macros" / "publish" / "moved.toml").write_text("")
    settings = (root / "mkdocs.yml").read_text()
    text_before_nav, nav, _ = settings.partition("\nnav:\n")
    assert nav
    (root / "mkdocs.yml").write_text(text_before_nav + nav + "".join(f"  - {page}\n" for page in pages))
    return root


def _link_or_text(page: Path, link: re.Match[str]) -> str:
    """The link unchanged, or only its text if the page that it leads to is missing."""
    return link[0] if (page.parent / link[2]).exists() else link[1]
