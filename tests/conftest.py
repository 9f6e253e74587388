"""Fixtures and hooks for all tests."""

import gc
import os
import shutil

import pytest

from macros.counting import Model, model_named

# Parsed pages consist of many objects that stay in memory. With the default threshold, searching these objects for
# cycles would take a tenth of the whole run.
gc.set_threshold(50_000)

# Hypothesis keeps its examples with all other caches.
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
    """Skip a test if git is not installed, except in CI."""
    if not shutil.which("git") and not os.environ.get("CI"):
        pytest.skip("git is not installed, and this test creates a repository; install git to run this test")


SLOWEST_FILES = (
    "tests/test_adding.py",
    "docs/test_perturbed.py",
    "docs/test_pages.py",
    "docs/test_growth.py",
    "docs/test_build.py",
    "docs/test_built_alone.py",
    "docs/test_anything.py",
    "docs/test_exercises.py",
    "tests/test_main.py",
    "scripts/test_changes.py",
    "docs/test_map_walk.py",
    "docs/test_injection.py",
    "docs/test_calculator.py",
    "docs/test_calculator_in_use.py",
    "scripts/test_search.py",
    "rendering/test_beside_numbers.py",
    "frameworks/test_recordings.py",
    "published/test_bridges.py",
    "published/test_bridges_by_chance.py",
)
"""The files that take longest. The first needs no built site, so another process can build the site in the meantime."""


FILES_IN_ORDER = ("docs/test_pages.py",)
"""Files whose tests always run in their written order.

In any other order, each test would load its page again, which takes a minute longer.
"""


def file_of(item: pytest.Item) -> str:
    """The file of a test and its folder, because files in several folders may have the same name."""
    return "/".join(item.path.parts[-2:])


def runs_backwards() -> bool:
    """Return whether the tests of a file run from the last to the first, as they do in CI except in its second browser.

    A test that depends on another one may pass in only one order. Outside CI, tests run in their written order, so both
    orders have been tried before a change is merged.
    """
    return bool(os.environ.get("CI")) and not os.environ.get("CHROME_PATH")


def pytest_report_header() -> str:
    """A line that states the order in which tests run, because the order may explain a failure."""
    order = (
        "from the last to the first, as in CI" if runs_backwards() else "as they are written; with CI=true, backwards"
    )
    return f"tests of a file run {order}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the slowest files first. If `runs_backwards()`, reverse the tests, except in `FILES_IN_ORDER`.

    If slow files came last, one process would still be running them after all others had finished.
    """
    if runs_backwards():
        ordered_items = [item for item in items if file_of(item) in FILES_IN_ORDER]
        items[:] = ordered_items + [item for item in reversed(items) if file_of(item) not in FILES_IN_ORDER]
    place = {file: number for number, file in enumerate(SLOWEST_FILES)}
    items.sort(key=lambda item: place.get(file_of(item), len(SLOWEST_FILES)))


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish() -> None:
    """Exclude all objects from further searches for cycles. At their end, pytest and Python start several."""
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """The number of processes: one per processor, plus one if all tests in a browser run, because these often wait."""
    runs_browser_tests = not {"tests", "tests/docs"}.isdisjoint(config.args)
    return (os.cpu_count() or 1) + runs_browser_tests
