"""What several test folders share: the models that most tests look at, and which tests run in one process."""

import pytest

from macros.counting import Model, model_named


@pytest.fixture
def base() -> Model:
    """BERT base, uncased."""
    return model_named("bert-base-uncased")


@pytest.fixture
def large() -> Model:
    """BERT large, uncased."""
    return model_named("bert-large-uncased")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Called by pytest: says which tests run in the same process, where they share what has been set up.

    These are the tests of one file; those that look at the parsed pages,
    wherever they are; and of those in a browser, the ones that look at one page.
    """
    if not config.pluginmanager.hasplugin("xdist"):
        return
    for item in items:
        item.add_marker(pytest.mark.xdist_group(group(item)))


def group(item: pytest.Item) -> str:
    """The name of the group that a test belongs to."""
    if "pages" in getattr(item, "fixturenames", ()):
        return "pages"
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    return f"{item.path.name} {parameters.get('opened', '')}"
