"""What a build says of where the site lies and of what it was built from, and what it says where nobody tells it."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Browser

from tests.docs.building import build, small_copy
from tests.docs.conftest import Pages, parsed
from tests.docs.windows import go_to

# The pages that every page leads to, and those that the error page lists beside the menu.
PAGES = (
    *("index.md", "teach/linking.md", "about/verification.md", "disagreements/i-got.md"),
    *("teach/two-pages.md", "teach/sheet.md", "teach/plan.md", "teach/slides.md"),
)
CITING = "teach/linking.html"
COMMIT = "0123456789abcdef0123456789abcdef01234567"
REPOSITORY = "https://example.org/repository"


class Built(NamedTuple):
    """A small site, its pages, the path that it lies below on its host, and the repository it was told of."""

    site: Path
    pages: Pages
    below: str
    repository: str = ""


@pytest.fixture(scope="module", params=["told", "not told"])
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Built with an address and a repository, and with neither."""
    folder = tmp_path_factory.mktemp("elsewhere")
    root, site = small_copy(folder / "repository", *PAGES), folder / "site"
    address, below, repository = ("https://example.org/bert/", "/bert/", REPOSITORY)
    if request.param == "not told":
        address, below, repository = "", "/", ""
    told = {"SITE_URL": address, "REPO_URL": repository, "SOURCE_COMMIT": COMMIT, "SOURCE_DATE_EPOCH": "1700000000"}
    done = build(site, root, **told)
    assert 0 == done.returncode, done.stderr
    return Built(site, parsed(site), below, repository)


FOUND = {"link[href]": "href", "script[src]": "src", "form[action]": "action"}
"""What a page fetches, at once or later; that it has styles is asked for beside."""


def astray(error_page: str, site: Path, below: str) -> list[str]:
    """The styles and scripts that an error page does not find where the site lies below a path of its host.

    Such a page is shown for any address, however deep, so only a path from the top leads anywhere.
    """
    soup = BeautifulSoup(error_page, "html.parser")
    found = [str(each[key]) for selector, key in FOUND.items() for each in soup.select(selector)]
    found += [str(each["href"]) for each in soup.select("a[href]") if not re.match("#|https?:", str(each["href"]))]
    assert soup.select("link[rel=stylesheet]")
    assert soup.select("script[type=module][src]")
    paths = [each.removeprefix("https://example.org") for each in found]
    return [each for each in paths if not each.startswith(below) or not leads(site, each.removeprefix(below))]


def leads(site: Path, path: str) -> bool:
    """Whether there is a file at a path of a site."""
    return (site / (path.partition("#")[0] or "index.html")).is_file()


def dates(site: Path) -> set[str]:
    """The dates in the map of a site."""
    return set(re.findall("<lastmod>(.*)</lastmod>", (site / "sitemap.xml").read_text()))


def test_the_error_page_finds_its_styles(built: Built) -> None:
    """With and without an address, from whatever folder."""
    error_page = (built.site / "404.html").read_text()
    assert [] == astray(error_page, built.site, built.below)
    assert astray(error_page, built.site, "/elsewhere/")


def test_the_search_does_not_depend_on_the_commit(built: Built) -> None:
    """Of citations, which name it, nothing is searched: some hashes hide other words from the search's automaton."""
    assert COMMIT[:12] not in (built.site / "search" / "search_index.json").read_text()


def test_the_site_map_has_the_date_of_the_build(built: Built) -> None:
    """Where there is a map: it needs the address."""
    assert ({"2023-11-14"} if built.below != "/" else set()) == dates(built.site)


def test_without_git_the_site_map_has_the_date_of_the_day(tmp_path: Path) -> None:
    """A copy without a repository, no git on the machine, and nobody who says a date; the map is not from 1970."""
    root, site = small_copy(tmp_path / "repository", "notation.md"), tmp_path / "site"
    today = datetime.now(UTC).date()
    built = build(site, root, SITE_URL="https://example.org/", SOURCE_DATE_EPOCH=None, PATH=str(tmp_path))
    assert 0 == built.returncode, built.stderr
    assert 1 == len(dates(site))
    assert dates(site) <= {f"{today}", f"{today + timedelta(days=1)}"}


def test_a_link_to_the_repository_only_where_there_is_one(built: Built, browser: Browser) -> None:
    """With its address every page links to it, and asks it nothing; the citation says the commit that was told."""
    page = built.pages[CITING]
    assert {built.repository} - {""} == {str(each["href"]) for each in page.select("a.md-source")}
    assert COMMIT[:12] in page.get_text()
    opened = browser.new_page()
    asked: list[str] = []
    opened.on("request", lambda request: asked.append(request.url))
    go_to(opened, (built.site / CITING).as_uri())
    opened.close()
    assert not [each for each in asked if not each.startswith("file:")]
