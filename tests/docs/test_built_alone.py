"""The site builds with only the packages in its own lock file, which excludes those that tests need."""

import os
import subprocess
import venv
from importlib import metadata
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from macros.publish import paper
from tests.docs.building import ROOT, build, contents, copy
from tests.test_supply import SITE_LOCK, pins


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of Python in an environment with links to the packages in the site's lock file, and to no others."""
    folder = tmp_path_factory.mktemp("alone")
    venv.create(folder, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    for name in pins(SITE_LOCK):
        distribution = metadata.distribution(name)
        top_names = {file.parts[0] for file in distribution.files or () if file.parts[0] not in ("..", "__pycache__")}
        for top_name in top_names:
            if not (packages / top_name).exists():
                (packages / top_name).symlink_to(Path(str(distribution.locate_file(top_name))))
    return str(folder / "bin" / "python")


def test_builds_are_reproducible(site: Path, tmp_path: Path, browser: Browser, python: str) -> None:
    """The second build has another folder, time and hash seed, no packages for tests, and a read-only source."""
    attempt = subprocess.run([python, "-c", "import playwright"], capture_output=True, text=True, check=False)
    assert "No module named 'playwright'" in attempt.stderr
    root = copy(tmp_path / "repository", has_cache=False)
    (root / ".cache").touch()  # not even a superuser, who may write anywhere, can create a folder in place of a file
    for path in (root, *root.rglob("*")):
        path.chmod(path.stat().st_mode & ~0o222)
    contents_before = contents(root)
    rebuilt_site = tmp_path / "site"
    process = build(
        rebuilt_site, root, python=python, PAPER="if-possible", PYTHONHASHSEED="7", PYTHONDONTWRITEBYTECODE="1"
    )
    assert 0 == process.returncode, process.stderr
    assert ["Left out, like the links to them: the hand-outs as PDF and the figures as PNG need Playwright"] == [
        line.partition(", which is not installed; make test")[0]
        for line in process.stderr.splitlines()
        if "Playwright" in line
    ]
    assert contents_before == contents(root)
    files, rebuilt_files = contents(site), contents(rebuilt_site)
    assert sorted(files) == sorted(rebuilt_files)
    assert [] == [name for name in files if files[name] != rebuilt_files[name]]
    sheet, rebuilt_sheet = (next(paper.sheets(folder, browser)) for folder in (site, rebuilt_site))
    assert sheet == rebuilt_sheet


def test_publishing_fails_without_playwright_if_hand_outs_are_required(tmp_path: Path, python: str) -> None:
    """CI requires the hand-outs."""
    command = [python, "-m", "macros.publish", str(tmp_path)]
    process = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PAPER": "required"}, capture_output=True, text=True, check=False
    )
    assert 2 == process.returncode
    assert "need Playwright, which is not installed" in process.stderr
