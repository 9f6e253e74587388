"""The site builds with its own packages and nothing else: an environment here has no more than its lock names."""

import os
import subprocess
import venv
from importlib import metadata
from pathlib import Path

import pytest

from tests.docs.building import ROOT, build, contents, small_copy
from tests.test_supply import SITE, pins

PAGES = ("index.md", "teach/two-pages.md", "teach/hand-outs.md", "parts/attention.md", "try/exercises.md")
"""Pages with figures, formulas, hand-outs and exercises."""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The Python of an environment with links to what is installed here of the packages that the site's lock names."""
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


def test_the_site_is_the_same_without_what_tests_need(tmp_path: Path, python: str) -> None:
    """Strictly, to the byte; one line says that hand-outs and pictures of figures are left out, and why."""
    found = subprocess.run([python, "-c", "import playwright"], capture_output=True, text=True, check=False)
    assert "No module named 'playwright'" in found.stderr
    root = small_copy(tmp_path / "repository", *PAGES)
    environment = {**os.environ, "CI": "true", "NO_MKDOCS_2_WARNING": "1", "SOURCE_DATE_EPOCH": "0"}
    command = [python, "-m", "mkdocs", "build", "--site-dir", str(tmp_path / "alone")]
    done = subprocess.run(
        command, cwd=root, env={**environment, "PAPER": "if-possible"}, capture_output=True, text=True, check=False
    )
    assert 0 == done.returncode, done.stderr
    assert ["Left out, like the links to them: the hand-outs as PDF and the figures as PNG need Playwright"] == [
        line.partition(", which is not installed; make test")[0]
        for line in done.stderr.splitlines()
        if "Playwright" in line
    ]
    assert 0 == build(tmp_path / "with", root).returncode
    alone, whole = contents(tmp_path / "alone"), contents(tmp_path / "with")
    assert sorted(whole) == sorted(alone)
    assert [] == [name for name in whole if whole[name] != alone[name]]


def test_printing_is_refused_where_it_is_required(tmp_path: Path, python: str) -> None:
    """As in CI: a site is not published without its hand-outs because Playwright is missing."""
    command = [python, "-m", "macros.publish", str(tmp_path)]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PAPER": "required"}, capture_output=True, text=True, check=False
    )
    assert 2 == done.returncode
    assert "need Playwright, which is not installed" in done.stderr
