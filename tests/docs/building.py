"""Builds the site as CI does, from this repository or from a changed copy."""

import os
import re
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[2]

# Everything that a build reads, so a copy of these files can be built.
SOURCES = ("mkdocs.yml", "CITATION.cff", "LICENSE", "docs", "macros")


def build(
    target: Path, root: Path = ROOT, *, python: str | None = None, **environment: str | None
) -> subprocess.CompletedProcess[str]:
    """Build the site of `root` into `target`, strictly, and return MkDocs' exit status and output.

    A variable given as None is unset, even if it is set here.
    """
    command = [python or sys.executable, "-m", "mkdocs", "build", "--site-dir", str(target)]
    usual = {"CI": "true", "NO_MKDOCS_2_WARNING": "1", "SOURCE_DATE_EPOCH": "0", "QUESTIONS": None}
    variables = {**os.environ, **usual, **environment}
    environ = {name: value for name, value in variables.items() if value is not None}
    return subprocess.run(command, cwd=root, env=environ, capture_output=True, text=True, check=False)


def contents(folder: Path) -> dict[str, bytes]:
    """The bytes of every file below a folder, by its path within it."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def copy(target: Path) -> Path:
    """Copy everything that a build reads, so that a test can change it."""
    target.mkdir()
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(
                source, target / name
            )  # The bytecode is copied too, which saves each build a quarter of a second.
        else:
            shutil.copy(source, target / name)
    return target


def small_copy(target: Path, *pages: str, downloads: bool = False) -> Path:
    """Copy the repository with some pages only, for tests that need no others; it builds in a fraction of the time.

    Links to pages that are left out become plain text. Downloads are built only if `downloads` is true.
    """
    root = copy(target)
    if not downloads:
        publishing = root / "macros" / "publish" / "__init__.py"
        code = publishing.read_text()
        assert "in makers()}" in code
        publishing.write_text(code.replace("in makers()}", "in ()}"))
    page_files = {root / "docs" / page for page in pages}
    for path in (root / "docs").rglob("*.md"):
        if path not in page_files:
            path.unlink()
    for path in page_files:
        path.write_text(re.sub(r"\[([^]]*)\]\(([^()#\s]+\.md)(#[^)]*)?\)", partial(_link, path), path.read_text()))
    settings = (root / "mkdocs.yml").read_text()
    # Redirects would lead to pages that are left out.
    (root / "macros" / "publish" / "moved.toml").write_text("")
    before, nav, _ = settings.partition("\nnav:\n")
    assert nav
    (root / "mkdocs.yml").write_text(before + nav + "".join(f"  - {page}\n" for page in pages))
    return root


def _link(page: Path, link: re.Match[str]) -> str:
    """The link unchanged, or only its text if the page it leads to is missing."""
    return link[0] if (page.parent / link[2]).exists() else link[1]
