"""A build uses the given address, repository and date, and works without them."""

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
"""The pages that every page links to, and those that the error page lists in addition to the menu."""

PAGE_WITH_CITATION = "teach/linking.html"

COMMIT = "0123456789abcdef0123456789abcdef01234567"
"""The hash of the commit, which the citation contains."""

REPOSITORY = "https://example.org/repository"


class SmallSite(NamedTuple):
    """The folder of a small site, its pages, its path on its host, and the address of its repository or ""."""

    site: Path
    pages: Pages
    base_path: str
    repository: str = ""


@pytest.fixture(scope="module", params=["with address", "without address"])
def small_site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> SmallSite:
    """A site built with an address and a repository, and a site built without either."""
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
"""Selectors for elements that make a browser fetch a file or a page, each with the attribute for the address."""


def broken_addresses(error_page: str, site: Path, base_path: str) -> list[str]:
    """The paths on an error page that lead to no file if the site is at `base_path` on its host.

    The page is shown at addresses of any depth, so only paths from the top of the host are right.
    """
    soup = BeautifulSoup(error_page, "html.parser")
    addresses = [str(tag[key]) for selector, key in ADDRESS_ATTRIBUTES.items() for tag in soup.select(selector)]
    addresses += [str(link["href"]) for link in soup.select("a[href]") if not re.match("#|https?:", str(link["href"]))]
    assert soup.select("link[rel=stylesheet]")
    assert soup.select("script[type=module][src]")
    paths = [address.removeprefix("https://example.org") for address in addresses]
    return [
        path for path in paths if not path.startswith(base_path) or not is_file_of(site, path.removeprefix(base_path))
    ]


def is_file_of(site: Path, path: str) -> bool:
    """Return whether a path leads to a file of a site."""
    return (site / (path.partition("#")[0] or "index.html")).is_file()


def dates_in_sitemap(site: Path) -> set[str]:
    """The dates of pages in the sitemap."""
    return set(re.findall("<lastmod>(.*)</lastmod>", (site / "sitemap.xml").read_text()))


def test_addresses_on_the_error_page_lead_to_files(small_site: SmallSite) -> None:
    error_page = (small_site.site / "404.html").read_text()
    assert [] == broken_addresses(error_page, small_site.site, small_site.base_path)
    assert broken_addresses(error_page, small_site.site, "/elsewhere/")


def test_the_search_does_not_depend_on_the_commit(small_site: SmallSite) -> None:
    """The index leaves out citations, because they contain the hash of the commit.

    Some hashes would keep the search from finding other words.
    """
    assert COMMIT[:12] not in (small_site.site / "search" / "search_index.json").read_text()


def test_the_sitemap_has_the_given_date(small_site: SmallSite) -> None:
    """2023-11-14 is the SOURCE_DATE_EPOCH of the fixture. Without an address, the sitemap lists no pages."""
    assert ({"2023-11-14"} if small_site.base_path != "/" else set()) == dates_in_sitemap(small_site.site)


def test_without_git_or_a_given_date_the_sitemap_has_todays_date(tmp_path: Path) -> None:
    root, site = small_copy(tmp_path / "repository", "notation.md"), tmp_path / "site"
    today = datetime.now(UTC).date()
    process = build_pages(site, root, SITE_URL="https://example.org/", SOURCE_DATE_EPOCH=None, PATH=str(tmp_path))
    assert 0 == process.returncode, process.stderr
    assert 1 == len(dates_in_sitemap(site))
    assert dates_in_sitemap(site) <= {f"{today}", f"{today + timedelta(days=1)}"}


def test_pages_link_to_the_repository_but_fetch_nothing_from_it(small_site: SmallSite, browser: Browser) -> None:
    page = small_site.pages[PAGE_WITH_CITATION]
    assert {small_site.repository} - {""} == {str(link["href"]) for link in page.select("a.md-source")}
    assert COMMIT[:12] in page.get_text()
    tab = browser.new_page()
    urls: list[str] = []
    tab.on("request", lambda request: urls.append(request.url))
    go_to(tab, (small_site.site / PAGE_WITH_CITATION).as_uri())
    tab.close()
    assert not [url for url in urls if not url.startswith("file:")]
