"""Builds the site with only the packages in its own lock file, from a read-only copy without a cache."""

import subprocess
import venv
from importlib import metadata
from pathlib import Path

from tests.docs.building import build, contents, copy
from tests.test_supply import SITE_LOCK, pins


def environment_of_site(folder: Path) -> str:
    """Make an environment with links to the packages in the site's lock file, and no others; return Python's path."""
    venv.create(folder, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    for name in pins(SITE_LOCK):
        distribution = metadata.distribution(name)
        top_names = {file.parts[0] for file in distribution.files or () if file.parts[0] not in ("..", "__pycache__")}
        for top_name in top_names:
            if not (packages / top_name).exists():
                (packages / top_name).symlink_to(Path(str(distribution.locate_file(top_name))))
    return str(folder / "bin" / "python")


def build_alone(target: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Build the site from a read-only copy without a cache, with another hash seed and without packages for tests.

    The copy and the environment are made next to `target`. The build must not change the copy.
    """
    root = copy(target.with_name(f"{target.name}-repository"), has_cache=False)
    (root / ".cache").touch()  # not even a superuser, who may write anywhere, can create a folder in place of a file
    for path in (root, *root.rglob("*")):
        path.chmod(path.stat().st_mode & ~0o222)
    contents_before = contents(root)
    python = environment_of_site(target.with_name(f"{target.name}-environment"))
    further_variables = {"PAPER": "if-possible", "PYTHONHASHSEED": "7", "PYTHONDONTWRITEBYTECODE": "1"}
    process = build(target, root, python=python, **further_variables, **environment)
    assert contents_before == contents(root)
    return process
