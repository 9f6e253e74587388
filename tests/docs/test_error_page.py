"""The error page, which a host shows at every address without a page, suggests what the reader may have wanted."""

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.docs.conftest import Pages, QuietHandler, serving
from tests.docs.test_accessibility import CHECKED_PARTS
from tests.docs.windows import WIDTHS, faults_in_windows, go_to, open_page

HEADER_POSITION = "getComputedStyle(document.querySelector('.md-header')).position"
"""Evaluates to "sticky" if the page has its styles."""


def test_an_address_that_leads_nowhere_shows_the_error_page(desktop: Page, site: Path, address: str) -> None:
    """The page's paths start at the top of the host, so styles, scripts and search work. Relative paths would fail."""
    error_page, path = (site / "404.html").read_text(), "a/b/c/d/e.html"
    desktop.route(f"**/{path}", lambda route: route.fulfill(body=error_page, content_type="text/html"))
    assert [] == open_page(desktop, f"{address}/{path}")
    assert "sticky" == desktop.evaluate(HEADER_POSITION)
    desktop.locator(".md-search__input").focus()
    desktop.keyboard.type("pooler")  # key by key, because the theme listens to keystrokes
    desktop.locator(".md-search-result__item").first.wait_for()
    desktop.locator(".md-search-result__link").first.click()
    desktop.wait_for_url(f"{address}/**/*.html*")
    desktop.unroute_all()
    error_page = error_page.replace('="/', '="')
    path = path.replace(".", "/") + "/again"  # a different folder, so that no file is in the browser's cache
    desktop.route(f"**/{path}", lambda route: route.fulfill(body=error_page, content_type="text/html"))
    assert [] != open_page(desktop, f"{address}/{path}")
    assert "sticky" != desktop.evaluate(HEADER_POSITION)


INTENDED_PAGES = {
    "parts/atention.html": "parts/attention.html",
    "attention": "parts/attention.html",
    "Parts/Feed_Forward.html": "parts/feed-forward.html",
    "teach/download.md": "teach/downloads.html",
    "changed/inde.html": "changed/index.html",  # not the first page, although the end of its path is as similar
}
"""Paths without a page, each with the page that the reader probably meant."""

NUMBERS = {
    "%E2%89%88%20109482240": "≈ 109482240",
    "n/110M": "110m",
    "number?n=109,482,240": "109,482,240",
    "334%2C607": "334,607",
}
"""Paths and queries with a number, each with the number."""

MEANINGLESS_PATHS = ["q" * 20, f"{'q' * 20}?utm_id=109482240&sid=110106428", "%E0%A4%A", "x" * 5000, "404.html"]
"""Paths that resemble no page and contain no number from the reader. In one of them, a mailing tool added numbers."""

MARKUP_IN_ADDRESS = "<img src=x onerror=document.title='hit'>"
"""Markup that would change the title if a page contained it."""


class HostWithFolder(QuietHandler):
    """A host that has the site in the folder `lost`, and shows the error page for missing files."""

    def translate_path(self, path: str) -> str:
        """The path of the file for an address below `/lost`. The error page itself cannot be requested."""
        return super().translate_path(path.removeprefix("/lost").replace("404.html", "nowhere.html"))

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Send the error page as it would be if the site were built for the folder `lost`."""
        body = (Path(self.directory) / "404.html").read_text(encoding="utf-8").replace('="/', '="/lost/').encode()
        self.send_response(code, message or explain)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(scope="module")
def address_in_folder(site: Path) -> Iterator[str]:
    """The address of the site on a `HostWithFolder`."""
    with serving(site, HostWithFolder) as origin:
        yield f"{origin}/lost"


@pytest.fixture(scope="module")
def open_address(open_tab: Callable[..., Page], address_in_folder: str) -> Callable[[str], Page]:
    """A function that opens an address without a page, and returns the error page once its scripts have run."""
    page = open_tab(viewport=WIDTHS["phone"])

    def open_error_page(path: str) -> Page:
        go_to(page, f"{address_in_folder}/{path}")
        return page

    return open_error_page


OpenAddress = Callable[[str], Page]


@pytest.mark.parametrize("path", INTENDED_PAGES)
def test_the_nearest_page_is_suggested(open_address: OpenAddress, address_in_folder: str, path: str) -> None:
    page = open_address(path)
    assert "Did you mean" in page.locator("#meant").inner_text()
    link = page.locator("#meant a:not([href^='?q'])")
    assert f"{address_in_folder}/{INTENDED_PAGES[path]}" == link.evaluate("link => link.href")
    if path == "attention":
        link.click()
        page.wait_for_url(f"{address_in_folder}/{INTENDED_PAGES[path]}")


@pytest.mark.parametrize("path", NUMBERS)
def test_a_number_in_the_address_is_passed_on_to_the_page_for_numbers(
    open_address: OpenAddress, address_in_folder: str, path: str
) -> None:
    page = open_address(path)
    link = page.locator("#meant a")
    assert NUMBERS[path] == link.inner_text()
    assert 0 == page.locator("#meant [href^='?q']").count()  # digits are not offered as words to search for
    query = urlencode({"n": NUMBERS[path]})
    assert f"{address_in_folder}/disagreements/i-got.html?{query}" == link.evaluate("link => link.href")


@pytest.mark.parametrize(
    ("file", "query"),
    [
        ("bert-base-cased/BertForMaskedLM.csv", "model=bert-base-cased&class=BertForMaskedLM"),
        ("keras-bert-notebook/listings/transformers.json", "model=keras-bert-notebook"),
    ],
)
def test_a_file_that_is_not_published_leads_to_the_calculator(
    open_address: OpenAddress, address_in_folder: str, file: str, query: str
) -> None:
    """The calculator lists and exports the tensors of any model, including those that once had more files."""
    link = open_address(f"data/{file}").locator("#meant a:not([href^='?q'])")
    assert f"{address_in_folder}/try/calculator.html?{query}" == link.evaluate("link => link.href")


@pytest.mark.parametrize(
    ("frame_path", "target"),
    [
        ("parts/attention/figure-example-asking.html?theme=light", "parts/attention.html#figure-example-asking"),
        ("totals/large/worked.html", "totals/base.html#large-worked"),  # its page has moved
    ],
)
def test_an_address_of_a_former_frame_leads_to_its_page(
    open_address: OpenAddress, address_in_folder: str, frame_path: str, target: str
) -> None:
    open_address(f"embed/{frame_path}").wait_for_url(f"{address_in_folder}/{target}")


@pytest.mark.parametrize("path", MEANINGLESS_PATHS)
def test_an_address_unlike_any_page_gets_no_suggestion_but_the_list_of_pages(
    open_address: OpenAddress, path: str
) -> None:
    page = open_address(path)
    assert 0 == page.locator("#meant a:not([href^='?q'])").count()
    assert page.locator("#pages a").count() > 20


def test_the_words_of_an_address_can_be_searched(open_address: OpenAddress) -> None:
    page = open_address("where/weight-tying")
    page.locator("#meant [href^='?q']").click()
    expect(page.locator(".md-search__input")).to_have_value("weight tying")
    page.locator(".md-search-result__item").first.wait_for()


@pytest.mark.parametrize("path", [quote(MARKUP_IN_ADDRESS), f"a?n=768{quote(MARKUP_IN_ADDRESS)}"])
def test_an_address_never_becomes_an_element(open_address: OpenAddress, path: str) -> None:
    page = open_address(path)
    assert 0 == page.locator("article img").count()
    assert "Page not found – BERT, counted" == page.title()


def test_the_error_page_fits_every_window(open_address: OpenAddress) -> None:
    assert [] == faults_in_windows(open_address("parts/atention.html"), CHECKED_PARTS["404.html"])


def test_without_scripts_the_error_page_links_to_every_page(pages: Pages) -> None:
    page = pages["404.html"]
    links = {str(link["href"]).removeprefix("/") for link in page.select("#pages a")}
    assert {*pages} - {"404.html"} == links
    (form,) = page.select("article form")
    assert "/disagreements/i-got.html" == form["action"]
    assert "n" == form.select("input")[0]["name"]
