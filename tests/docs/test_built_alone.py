"""The site builds with its own packages alone: an environment here has no more than the site's lock names."""

import os
import subprocess
import venv
from importlib import metadata
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from macros.publish import paper
from tests.docs.building import ROOT, build, contents, copy
from tests.test_supply import SITE, pins


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The Python of an environment that links to the installed packages of the site's lock, and to no others."""
    folder = tmp_path_factory.mktemp("alone")
    venv.create(folder, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    for name in pins(SITE):
        distribution = metadata.distribution(name)
        tops = {file.parts[0] for file in distribution.files or () if file.parts[0] not in ("..", "__pycache__")}
        for top in tops:
            if not (packages / top).exists():
                (packages / top).symlink_to(Path(str(distribution.locate_file(top))))
    return str(folder / "bin" / "python")


def test_two_builds_are_the_same_to_the_byte(site: Path, tmp_path: Path, browser: Browser, python: str) -> None:
    """Two builds are equal in another folder, at another time and hash seed, without the tests' packages.

    The folder is read-only, and nothing in it has changed afterwards. One line says that hand-outs
    and pictures of figures are left out, and why.
    """
    import_ = subprocess.run([python, "-c", "import playwright"], capture_output=True, text=True, check=False)
    assert "No module named 'playwright'" in import_.stderr
    root = copy(tmp_path / "repository", cache=False)
    (root / ".cache").touch()  # a file here keeps even a superuser from writing into a folder of this name
    for path in (root, *root.rglob("*")):
        path.chmod(path.stat().st_mode & ~0o222)
    contents_before = contents(root)
    alone = tmp_path / "site"
    process = build(alone, root, python=python, PAPER="if-possible", PYTHONHASHSEED="7", PYTHONDONTWRITEBYTECODE="1")
    assert 0 == process.returncode, process.stderr
    assert ["Left out, like the links to them: the hand-outs as PDF and the figures as PNG need Playwright"] == [
        line.partition(", which is not installed; make test")[0]
        for line in process.stderr.splitlines()
        if "Playwright" in line
    ]
    assert contents_before == contents(root)
    first, second = contents(site), contents(alone)
    assert sorted(first) == sorted(second)
    assert [] == [name for name in first if first[name] != second[name]]
    sheet, sheet_again = (next(paper.sheets(folder, browser)) for folder in (site, alone))
    assert sheet == sheet_again


def test_printing_is_refused_where_it_is_required(tmp_path: Path, python: str) -> None:
    """Where hand-outs are required, as in CI, publishing stops if Playwright is missing."""
    command = [python, "-m", "macros.publish", str(tmp_path)]
    process = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PAPER": "required"}, capture_output=True, text=True, check=False
    )
    assert 2 == process.returncode
    assert "need Playwright, which is not installed" in process.stderr
