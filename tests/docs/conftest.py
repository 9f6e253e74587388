"""The site, built once for all tests that look at it."""

from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from tests.docs.building import build

# Pages by address, parsed.
Pages = dict[str, BeautifulSoup]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site."""
    target = tmp_path_factory.mktemp("site")
    done = build(target)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr, done.stderr
    return target


@pytest.fixture(scope="session")
def pages(site: Path) -> Pages:
    """Every page of the built site, parsed, by its address from the top."""
    return parsed(site)


def parsed(site: Path) -> Pages:
    """The pages of any built site."""
    found = sorted(site.rglob("*.html"))
    assert found
    return {
        str(path.relative_to(site)): BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser") for path in found
    }
