"""The error page, which a host shows for any address; and the site map, where nobody says when the site was built."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Browser, Page

from tests.docs.building import build, small_copy
from tests.docs.windows import open_page

PAGES = ("index.md", "about/citing.md")  # the pages that every page leads to

FOUND = {"link[href]": "href", "script[src]": "src", "script[data-src]": "data-src", "[data-in-page]": "data-in-page"}
"""What a page fetches, at once or later; that it has styles is asked for beside."""


def astray(error_page: str, site: Path, below: str) -> list[str]:
    """The styles and scripts that an error page does not find where the site lies below a path of its host.

    Such a page is shown for any address, however deep, so only a path from the top leads anywhere.
    """
    soup = BeautifulSoup(error_page, "html.parser")
    found = [str(each[key]) for selector, key in FOUND.items() for each in soup.select(selector)]
    found += [str(each["href"]) for each in soup.select("a[href]") if not re.match("#|https?:", str(each["href"]))]
    assert soup.select("link[rel=stylesheet]")
    assert soup.select("script[data-src]")
    paths = [each.removeprefix("https://example.org") for each in found]
    return [each for each in paths if not each.startswith(below) or not leads(site, each.removeprefix(below))]


def leads(site: Path, path: str) -> bool:
    """Whether there is a file at a path of a site."""
    return (site / (path.partition("#")[0] or "index.html")).is_file()


def dates(site: Path) -> set[str]:
    """The dates in the map of a site."""
    return set(re.findall("<lastmod>(.*)</lastmod>", (site / "sitemap.xml").read_text()))


@pytest.mark.parametrize(("address", "below"), [("", "/"), ("https://example.org/bert/", "/bert/")])
def test_the_error_page_finds_its_styles(tmp_path: Path, address: str, below: str) -> None:
    """With and without an address, from whatever folder; and the site map has the date of the build or none."""
    root, site = small_copy(tmp_path / "repository", *PAGES), tmp_path / "site"
    built = build(site, root, SITE_URL=address, SOURCE_DATE_EPOCH="1700000000")
    assert 0 == built.returncode, built.stderr
    error_page = (site / "404.html").read_text()
    assert [] == astray(error_page, site, below)
    assert astray(error_page, site, "/elsewhere/")
    assert ({"2023-11-14"} if address else set()) == dates(site)


def test_without_git_the_site_map_has_the_date_of_the_day(tmp_path: Path) -> None:
    """A copy without a repository, no git on the machine, and nobody who says a date; the map is not from 1970."""
    root, site = small_copy(tmp_path / "repository", *PAGES), tmp_path / "site"
    today = datetime.now(UTC).date()
    built = build(site, root, SITE_URL="https://example.org/", SOURCE_DATE_EPOCH=None, PATH=str(tmp_path))
    assert 0 == built.returncode, built.stderr
    assert 1 == len(dates(site))
    assert dates(site) <= {f"{today}", f"{today + timedelta(days=1)}"}


STYLED = "getComputedStyle(document.querySelector('.md-header')).position"


@pytest.fixture
def lost(browser: Browser) -> Iterator[Page]:
    """A page of a reader who followed a link that leads nowhere."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("path", ["parts/nonsense/deeper", "a/b/c/d/e.html"])
def test_an_address_that_leads_nowhere_shows_the_error_page(lost: Page, site: Path, address: str, path: str) -> None:
    """As a host shows it: with styles, scripts and search, and nothing missing; relative paths would be noticed."""
    error_page = (site / "404.html").read_text()
    lost.route(f"**/{path}", lambda route: route.fulfill(body=error_page, content_type="text/html"))
    assert [] == open_page(lost, f"{address}/{path}")
    assert "sticky" == lost.evaluate(STYLED)
    lost.locator(".md-search__input").fill("pooler")
    lost.locator(".md-search-result__item").first.wait_for()
    lost.locator(".md-search-result__link").first.click()
    lost.wait_for_url(f"{address}/**/*.html*")
    error_page = error_page.replace('="/', '="')
    assert [] != open_page(lost, f"{address}/{path}")
    assert "sticky" != lost.evaluate(STYLED)
