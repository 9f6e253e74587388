"""Fixtures that run the site's modules without a browser."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock

from tests.scripts.running import Scripts, copy_modules, node, running


@pytest.fixture(scope="session")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the modules and their data, created by the first test process that needs it."""
    node()
    folder = tmp_path_factory.getbasetemp()
    shared_folder = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    target = shared_folder / "modules"
    with FileLock(shared_folder / "modules.lock"):
        if not target.exists():
            unfinished_folder = shared_folder / "modules-in-progress"
            copy_modules(unfinished_folder)
            unfinished_folder.rename(target)
    return target


@pytest.fixture(scope="session")
def scripts(modules: Path) -> Iterator[Scripts]:
    """A Node.js process that has loaded the modules."""
    with running(modules) as process:
        yield process
