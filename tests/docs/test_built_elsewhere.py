"""A build uses the address, the repository and the date that it is given, and can do without each of them."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Browser

from tests.docs.building import build_pages, small_copy
from tests.docs.conftest import Pages, parse_pages
from tests.docs.windows import go_to

# The pages that every page links to, and those that the error page lists besides the menu.
PAGES = (
    "index.md",
    "teach/linking.md",
    "about/verification.md",
    "disagreements/i-got.md",
    "teach/two-pages.md",
    "teach/sheet.md",
    "teach/plan.md",
    "teach/slides.md",
)
CITING = "teach/linking.html"
COMMIT = "0123456789abcdef0123456789abcdef01234567"
REPOSITORY = "https://example.org/repository"


class SmallSite(NamedTuple):
    """A small site, its pages, its path on its host, and the repository that it was given."""

    site: Path
    pages: Pages
    base_path: str
    repository: str = ""


@pytest.fixture(scope="module", params=["with address", "without address"])
def small_site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> SmallSite:
    """A site built with an address and a repository, and one built with neither."""
    folder = tmp_path_factory.mktemp("elsewhere")
    root, site = small_copy(folder / "repository", *PAGES), folder / "site"
    address, base_path, repository = ("https://example.org/bert/", "/bert/", REPOSITORY)
    if request.param == "without address":
        address, base_path, repository = "", "/", ""
    environment = {
        "SITE_URL": address,
        "REPO_URL": repository,
        "SOURCE_COMMIT": COMMIT,
        "SOURCE_DATE_EPOCH": "1700000000",
    }
    process = build_pages(site, root, **environment)
    assert 0 == process.returncode, process.stderr
    return SmallSite(site, parse_pages(site), base_path, repository)


ADDRESS_ATTRIBUTES = {"link[href]": "href", "script[src]": "src", "form[action]": "action"}
"""The attributes with the addresses that a page fetches, at once or later, by selector."""


def astray(error_page: str, site: Path, base_path: str) -> list[str]:
    """The styles, scripts and links of an error page that lead nowhere if the site lies below a path of its host.

    The page is shown for any address, however deep, so only paths from the top lead anywhere.
    """
    soup = BeautifulSoup(error_page, "html.parser")
    addresses = [str(tag[key]) for selector, key in ADDRESS_ATTRIBUTES.items() for tag in soup.select(selector)]
    addresses += [str(link["href"]) for link in soup.select("a[href]") if not re.match("#|https?:", str(link["href"]))]
    assert soup.select("link[rel=stylesheet]")
    assert soup.select("script[type=module][src]")
    paths = [address.removeprefix("https://example.org") for address in addresses]
    return [path for path in paths if not path.startswith(base_path) or not leads(site, path.removeprefix(base_path))]


def leads(site: Path, path: str) -> bool:
    """Return whether a path of a site leads to a file."""
    return (site / (path.partition("#")[0] or "index.html")).is_file()


def dates(site: Path) -> set[str]:
    """The dates in a site's map."""
    return set(re.findall("<lastmod>(.*)</lastmod>", (site / "sitemap.xml").read_text()))


def test_the_error_page_finds_its_styles(small_site: SmallSite) -> None:
    """With or without an address, the error page finds its files from any folder."""
    error_page = (small_site.site / "404.html").read_text()
    assert [] == astray(error_page, small_site.site, small_site.base_path)
    assert astray(error_page, small_site.site, "/elsewhere/")


def test_the_search_does_not_depend_on_the_commit(small_site: SmallSite) -> None:
    """The search leaves out citations, which name the commit.

    Some hashes would hide other words from the search's automaton.
    """
    assert COMMIT[:12] not in (small_site.site / "search" / "search_index.json").read_text()


def test_the_site_map_has_the_date_of_the_build(small_site: SmallSite) -> None:
    """The map has the build's date. Without an address there is no map."""
    assert ({"2023-11-14"} if small_site.base_path != "/" else set()) == dates(small_site.site)


def test_without_git_the_site_map_has_the_date_of_today(tmp_path: Path) -> None:
    """The same holds without a repository or a given date; the date is not 1970."""
    root, site = small_copy(tmp_path / "repository", "notation.md"), tmp_path / "site"
    today = datetime.now(UTC).date()
    process = build_pages(site, root, SITE_URL="https://example.org/", SOURCE_DATE_EPOCH=None, PATH=str(tmp_path))
    assert 0 == process.returncode, process.stderr
    assert 1 == len(dates(site))
    assert dates(site) <= {f"{today}", f"{today + timedelta(days=1)}"}


def test_pages_link_to_the_repository_if_there_is_one(small_site: SmallSite, browser: Browser) -> None:
    """With a repository every page links to it without fetching from it.

    The citation names the given commit.
    """
    page = small_site.pages[CITING]
    assert {small_site.repository} - {""} == {str(link["href"]) for link in page.select("a.md-source")}
    assert COMMIT[:12] in page.get_text()
    tab = browser.new_page()
    urls: list[str] = []
    tab.on("request", lambda request: urls.append(request.url))
    go_to(tab, (small_site.site / CITING).as_uri())
    tab.close()
    assert not [url for url in urls if not url.startswith("file:")]
