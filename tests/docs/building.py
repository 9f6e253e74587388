"""Building the site as CI does, here or from a changed copy of the repository."""

import os
import re
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[2]

# What a build reads; a copy of these is a repository that builds.
SOURCES = ("mkdocs.yml", "CITATION.cff", "LICENSE", "docs", "macros")


def build(
    target: Path, root: Path = ROOT, *, python: str | None = None, **environment: str | None
) -> subprocess.CompletedProcess[str]:
    """Build the site of `root` into `target`, strictly, and return what MkDocs said.

    What is None in its environment is not set, whatever it is here.
    """
    command = [python or sys.executable, "-m", "mkdocs", "build", "--site-dir", str(target)]
    usual = {"CI": "true", "NO_MKDOCS_2_WARNING": "1", "SOURCE_DATE_EPOCH": "0", "QUESTIONS": None}
    wanted = {**os.environ, **usual, **environment}
    chosen = {name: value for name, value in wanted.items() if value is not None}
    return subprocess.run(command, cwd=root, env=chosen, capture_output=True, text=True, check=False)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by its address from there."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def copy(target: Path) -> Path:
    """A copy of everything a build reads, to be changed by a test."""
    target.mkdir()
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, target / name)  # with the bytecode, which spares each build a quarter of a second
        else:
            shutil.copy(source, target / name)
    return target


def small_copy(target: Path, *pages: str, downloads: bool = False) -> Path:
    """A copy with some pages only, for a test that asks nothing of the others; it builds in a fraction of the time.

    Links to pages that are left out become plain text, and nothing is made
    to be downloaded or fetched, if nothing else is said.
    """
    root = copy(target)
    if not downloads:
        publishing = root / "macros" / "publish" / "__init__.py"
        code = publishing.read_text()
        assert "in makers()}" in code
        publishing.write_text(code.replace("in makers()}", "in ()}"))
    chosen = {root / "docs" / page for page in pages}
    for path in (root / "docs").rglob("*.md"):
        if path not in chosen:
            path.unlink()
    for path in chosen:
        path.write_text(re.sub(r"\[([^]]*)\]\(([^()#\s]+\.md)(#[^)]*)?\)", partial(_link, path), path.read_text()))
    settings = (root / "mkdocs.yml").read_text()
    # What has moved to a page that is left out leads nowhere.
    (root / "macros" / "publish" / "moved.toml").write_text("")
    before, found, _ = settings.partition("\nnav:\n")
    assert found
    (root / "mkdocs.yml").write_text(before + found + "".join(f"  - {page}\n" for page in pages))
    return root


def _link(page: Path, link: re.Match[str]) -> str:
    """A link as it is, or its text where it leads to a page that is not there."""
    return link[0] if (page.parent / link[2]).exists() else link[1]
