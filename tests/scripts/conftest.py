"""The modules of the site, run without a browser."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock

from tests.scripts.running import Scripts, copy_modules, node, running


@pytest.fixture(scope="session")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the modules and their data, which the first process to need it makes for all."""
    node()
    mine = tmp_path_factory.getbasetemp()
    shared = mine.parent if "PYTEST_XDIST_WORKER" in os.environ else mine
    target = shared / "modules"
    with FileLock(shared / "modules.lock"):
        if not target.exists():
            unfinished = shared / "modules-in-progress"
            copy_modules(unfinished)
            unfinished.rename(target)
    return target


@pytest.fixture(scope="session")
def scripts(modules: Path) -> Iterator[Scripts]:
    """A process of Node.js that has the modules."""
    with running(modules) as process:
        yield process
