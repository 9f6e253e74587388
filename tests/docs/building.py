"""Building the site as CI does, here or from a changed copy of the repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

# What a build reads; a copy of these is a repository that builds.
SOURCES = ("mkdocs.yml", "docs", "macros")


def build(target: Path, root: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """Build the site of `root` into `target`, strictly, and return what MkDocs said."""
    command = [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(target)]
    chosen = {**os.environ, "CI": "true", "NO_MKDOCS_2_WARNING": "1", "SOURCE_DATE_EPOCH": "0", **environment}
    return subprocess.run(command, cwd=root, env=chosen, capture_output=True, text=True, check=False)


def copy(target: Path) -> Path:
    """A copy of everything a build reads, to be changed by a test."""
    target.mkdir()
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target / name)
    return target
