"""The page that says how to cite the site, and the links to it and to the repository."""

from pathlib import Path
from urllib.parse import urljoin

from playwright.sync_api import Browser

from tests.docs.conftest import Pages
from tests.docs.windows import go_to

CITING = "teach/linking.html"

FOOT = ["about/verification.html", f"{CITING}#how-do-i-cite-a-number", "LICENSE.txt", "third-party.txt"]


def test_every_foot_leads_to_it_and_to_the_licences(site: Path, pages: Pages) -> None:
    """On each page, by an address that needs no host."""
    for name, page in pages.items():
        if name != "404.html":  # served for any address, so its links are absolute
            assert FOOT == [urljoin(name, str(link["href"])) for link in page.select("footer .bc-foot a")], name
    assert all((site / each.partition("#")[0]).is_file() for each in FOOT)


def test_citations_are_copied(browser: Browser, address: str) -> None:
    """Each of the three has a button, which copies it as it stands."""
    allowed = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = allowed.new_page()
    go_to(page, f"{address}/{CITING}")
    begins = {"bibtex": "@misc{bert-counted,", "ris": "TY  - COMP", "text": 'The authors of "BERT, counted" ('}
    for heading, begin in begins.items():
        block = page.locator(f"#{heading} ~ .highlight").first
        block.hover()
        block.locator("button[data-clipboard-target], .md-code__button").first.click()
        page.wait_for_function(
            "begin => navigator.clipboard.readText().then(text => text.startsWith(begin))", arg=begin
        )
    allowed.close()
