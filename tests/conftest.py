"""What several test folders share: the models that most tests look at."""

import gc
import os
import shutil

import pytest

from macros.counting import Model, model_named

# Parsed pages are many objects and last, and looking for circles among them again and again takes a tenth of the time.
gc.set_threshold(50_000)

# Where everything else is kept that only saves time.
os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", ".cache/hypothesis")


@pytest.fixture
def base() -> Model:
    """BERT base, uncased."""
    return model_named("bert-base-uncased")


@pytest.fixture
def large() -> Model:
    """BERT large, uncased."""
    return model_named("bert-large-uncased")


@pytest.fixture
def needs_git() -> None:
    """Leave a test out where git is not installed, and say so; CI leaves none out."""
    if not shutil.which("git") and not os.environ.get("CI"):
        pytest.skip("git is not installed, and this test makes a repository; install it to run this test")


LONGEST = (
    *(
        "test_adding.py",
        "test_perturbed.py",
        "test_pages.py",
        "test_growth.py",
        "test_build.py",
        "test_built_alone.py",
        "test_main.py",
    ),
    *("test_injection.py", "test_calculator.py", "test_calculator_in_use.py", "test_exercises.py"),
)
"""The files that take longest. The first needs no built site, which is built meanwhile."""


IN_ORDER = ("test_pages.py",)
"""Files that run as they are written: this one opens a page anew for each test out of order, which takes a minute."""


def backwards() -> bool:
    """Whether the tests of a file run from the last to the first, as in CI, but not again in its second browser.

    A test that needs another one before it passes in one order alone. Elsewhere
    they run as they are written, so both orders are tried before anything is
    taken over, and no test runs twice for that.
    """
    return bool(os.environ.get("CI")) and not os.environ.get("CHROME_PATH")


def pytest_report_header() -> str:
    """Say in which order tests run, for whoever looks for the reason of a failure."""
    order = "from the last to the first, as in CI" if backwards() else "as they are written; with CI=true, backwards"
    return f"tests of a file run {order}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest files, or one process would still be at them when the others are done."""
    if backwards():
        in_order = [item for item in items if item.path.name in IN_ORDER]
        items[:] = [*in_order, *(item for item in reversed(items) if item.path.name not in IN_ORDER)]
    place = {name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path.name, len(LONGEST)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One process more than there are processors: tests in a browser wait for frames, and others can use that time."""
    return (os.cpu_count() or 1) + 1
