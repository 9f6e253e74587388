"""The site builds with only the packages in its own lock file, which excludes those that tests need.

The site with questions is built in this way.
"""

import os
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from macros.publish import paper
from tests.docs.alone import environment_of_site
from tests.docs.building import ROOT


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of Python in an environment with only the packages in the site's lock file."""
    return environment_of_site(tmp_path_factory.mktemp("alone"))


def test_hand_outs_are_left_out_without_playwright(site_with_questions: Path) -> None:
    messages = site_with_questions.with_suffix(".log").read_text(encoding="utf-8").splitlines()
    assert ["Left out, like the links to them: the hand-outs as PDF and the figures as PNG need Playwright"] == [
        line.partition(", which is not installed; make test")[0] for line in messages if "Playwright" in line
    ]


def test_hand_outs_are_reproducible(site: Path, site_with_questions: Path, browser: Browser) -> None:
    """That all other files are reproducible follows from `test_questions.py`, which compares the two sites."""
    sheet, other_sheet = (next(paper.sheets(folder, browser)) for folder in (site, site_with_questions))
    assert sheet == other_sheet


def test_publishing_fails_without_playwright_if_hand_outs_are_required(tmp_path: Path, python: str) -> None:
    """CI requires the hand-outs."""
    attempt = subprocess.run([python, "-c", "import playwright"], capture_output=True, text=True, check=False)
    assert "No module named 'playwright'" in attempt.stderr
    command = [python, "-m", "macros.publish", str(tmp_path)]
    process = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PAPER": "required"}, capture_output=True, text=True, check=False
    )
    assert 2 == process.returncode
    assert "need Playwright, which is not installed" in process.stderr
