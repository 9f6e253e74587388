"""The page that says how to cite the site, and the links to it and to the repository."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser

from tests.docs.building import build, small_copy
from tests.docs.conftest import Pages, parsed

CITING = "about/citing.html"
COMMIT = "0123456789abcdef0123456789abcdef01234567"
REPOSITORY = "https://example.org/repository"


def test_every_foot_leads_to_it(pages: Pages) -> None:
    """On each page, by an address that needs no host."""
    for name, page in pages.items():
        if name != "404.html":  # served for any address, so its links are absolute
            (link,) = page.select("footer a.bc-cite")
            assert CITING == urljoin(name, str(link["href"])), name


def test_citations_are_copied(browser: Browser, address: str) -> None:
    """Each of the three has a button, which copies it as it stands."""
    allowed = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = allowed.new_page()
    page.goto(f"{address}/{CITING}", wait_until="networkidle")
    begins = {"bibtex": "@misc{bert-counted,", "ris": "TY  - COMP", "text": 'The authors of "BERT, counted" ('}
    for heading, begin in begins.items():
        block = page.locator(f"#{heading} ~ .highlight").first
        block.hover()
        block.locator("button[data-clipboard-target], .md-code__button").first.click()
        page.wait_for_function(
            "begin => navigator.clipboard.readText().then(text => text.startsWith(begin))", arg=begin
        )
    allowed.close()


@pytest.mark.parametrize("repository", ["", REPOSITORY])
def test_a_link_to_the_repository_only_where_there_is_one(tmp_path: Path, browser: Browser, repository: str) -> None:
    """With its address every page links to it, and asks it nothing; the citation says the commit that was told."""
    root = small_copy(tmp_path / "repository", "about/citing.md")
    told = {"SOURCE_COMMIT": COMMIT, "REPO_URL": repository, "SITE_URL": "https://example.org/"}
    done = build(tmp_path / "site", root, **told)
    assert done.returncode == 0, done.stderr
    page = parsed(tmp_path / "site")[CITING]
    assert {repository} - {""} == {str(each["href"]) for each in page.select("a.md-source")}
    assert COMMIT[:12] in page.get_text()
    opened = browser.new_page()
    asked: list[str] = []
    opened.on("request", lambda request: asked.append(request.url))
    opened.goto((tmp_path / "site" / CITING).as_uri(), wait_until="networkidle")
    opened.close()
    assert not [each for each in asked if not each.startswith("file:")]
