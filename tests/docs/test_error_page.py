"""The error page, which a host shows for any address that leads nowhere."""

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.docs.conftest import Pages, QuietServer, serving
from tests.docs.test_accessibility import KINDS
from tests.docs.windows import WIDTHS, faults_in_windows, go_to, open_page

STYLED = "getComputedStyle(document.querySelector('.md-header')).position"


def test_an_address_that_leads_nowhere_shows_the_error_page(desktop: Page, site: Path, address: str) -> None:
    """As a host shows it, the page has its styles, scripts and search; with relative paths it would not."""
    error_page, path = (site / "404.html").read_text(), "a/b/c/d/e.html"
    desktop.route(f"**/{path}", lambda route: route.fulfill(body=error_page, content_type="text/html"))
    assert [] == open_page(desktop, f"{address}/{path}")
    assert "sticky" == desktop.evaluate(STYLED)
    desktop.locator(".md-search__input").focus()
    desktop.keyboard.type("pooler")  # key by key, as a reader does, since the theme listens to keys
    desktop.locator(".md-search-result__item").first.wait_for()
    desktop.locator(".md-search-result__link").first.click()
    desktop.wait_for_url(f"{address}/**/*.html*")
    desktop.unroute_all()
    error_page = error_page.replace('="/', '="')
    path = path.replace(".", "/") + "/again"  # not yet in the browser's cache
    desktop.route(f"**/{path}", lambda route: route.fulfill(body=error_page, content_type="text/html"))
    assert [] != open_page(desktop, f"{address}/{path}")
    assert "sticky" != desktop.evaluate(STYLED)


PAGES_MEANT = {
    "parts/atention.html": "parts/attention.html",
    "attention": "parts/attention.html",
    "Parts/Feed_Forward.html": "parts/feed-forward.html",
    "teach/download.md": "teach/downloads.html",
    "changed/inde.html": "changed/index.html",  # and not the first page, whose last word is as near
}
"""Addresses that lead nowhere, and the page that was meant."""

NUMBERS = {
    "%E2%89%88%20109482240": "≈ 109482240",
    "n/110M": "110m",
    "number?n=109,482,240": "109,482,240",
    "334%2C607": "334,607",
}
"""Addresses that hold a number, and the number."""

NEITHER = ["q" * 20, f"{'q' * 20}?utm_id=109482240&sid=110106428", "%E0%A4%A", "x" * 5000, "404.html"]
"""Addresses that contain neither; one has numbers that a mailing tool added."""

MARKUP = "<img src=x onerror=document.title='hit'>"


class Below(QuietServer):
    """A host with the site in a folder, which shows the error page for missing files."""

    def translate_path(self, path: str) -> str:
        """The file for an address below that folder; the error page itself is hidden."""
        return super().translate_path(path.removeprefix("/lost").replace("404.html", "nowhere.html"))

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Send the error page as it would be built for that folder."""
        text = (Path(self.directory) / "404.html").read_text(encoding="utf-8").replace('="/', '="/lost/').encode()
        self.send_response(code, message or explain)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


@pytest.fixture(scope="module")
def host(site: Path) -> Iterator[str]:
    """The address of that folder."""
    with serving(site, Below) as origin:
        yield f"{origin}/lost"


@pytest.fixture(scope="module")
def follow(tab: Callable[..., Page], host: str) -> Callable[[str], Page]:
    """Opens an address that leads nowhere, and returns the error page once its scripts have run."""
    page = tab(viewport=WIDTHS["phone"])

    def open_lost(path: str) -> Page:
        go_to(page, f"{host}/{path}")
        return page

    return open_lost


Follow = Callable[[str], Page]


@pytest.mark.parametrize("path", PAGES_MEANT)
def test_the_nearest_page_is_suggested(follow: Follow, host: str, path: str) -> None:
    """The nearest page is found by the whole address or its last word, wherever the site lies on its host."""
    page = follow(path)
    assert "Did you mean" in page.locator("#meant").inner_text()
    link = page.locator("#meant a:not([href^='?q'])")
    assert f"{host}/{PAGES_MEANT[path]}" == link.evaluate("each => each.href")
    if path == "attention":
        link.click()
        page.wait_for_url(f"{host}/{PAGES_MEANT[path]}")


@pytest.mark.parametrize("path", NUMBERS)
def test_a_number_is_explained(follow: Follow, host: str, path: str) -> None:
    """A number in the address is passed to the page that explains numbers."""
    page = follow(path)
    link = page.locator("#meant a")
    assert NUMBERS[path] == link.inner_text()
    assert 0 == page.locator("#meant [href^='?q']").count()  # digits are not offered as words to search for
    query = urlencode({"n": NUMBERS[path]})
    assert f"{host}/disagreements/i-got.html?{query}" == link.evaluate("each => each.href")


@pytest.mark.parametrize(
    ("file", "query"),
    [
        ("bert-base-cased/BertForMaskedLM.csv", "model=bert-base-cased&class=BertForMaskedLM"),
        ("keras-bert-notebook/listings/transformers.json", "model=keras-bert-notebook"),
    ],
)
def test_a_file_that_is_not_published_leads_to_the_calculator(follow: Follow, host: str, file: str, query: str) -> None:
    """The calculator lists and exports the tensors of any model, including one that once had more files."""
    link = follow(f"data/{file}").locator("#meant a:not([href^='?q'])")
    assert f"{host}/try/calculator.html?{query}" == link.evaluate("each => each.href")


@pytest.mark.parametrize(
    ("embedded", "place"),
    [
        ("parts/attention/figure-example-asking.html?theme=light", "parts/attention.html#figure-example-asking"),
        ("totals/large/worked.html", "totals/base.html#large-worked"),
    ],
)
def test_an_address_that_is_no_longer_embeddable_leads_to_its_page(
    follow: Follow, host: str, embedded: str, place: str
) -> None:
    """A step of an example, once embeddable, leads to its place; so does a page that has moved."""
    follow(f"embed/{embedded}").wait_for_url(f"{host}/{place}")


@pytest.mark.parametrize("path", NEITHER)
def test_an_address_unlike_any_page_gets_no_suggestion(follow: Follow, path: str) -> None:
    """Random letters and long addresses suggest no page, and take no longer."""
    page = follow(path)
    assert 0 == page.locator("#meant a:not([href^='?q'])").count()
    assert page.locator("#pages a").count() > 20


def test_the_words_of_an_address_are_searched(follow: Follow) -> None:
    """A link leads to the search with the words of the address, which finds something."""
    page = follow("where/weight-tying")
    page.locator("#meant [href^='?q']").click()
    expect(page.locator(".md-search__input")).to_have_value("weight tying")
    page.locator(".md-search-result__item").first.wait_for()


@pytest.mark.parametrize("path", [quote(MARKUP), f"a?n=768{quote(MARKUP)}"])
def test_an_address_never_becomes_an_element(follow: Follow, path: str) -> None:
    """The address appears as text at most, before the policy has anything to stop."""
    page = follow(path)
    assert 0 == page.locator("article img").count()
    assert "Page not found – BERT, counted" == page.title()


def test_the_error_page_fits_every_window(follow: Follow) -> None:
    """With a suggestion and a link to the search, nothing overflows and axe finds nothing."""
    assert [] == faults_in_windows(follow("parts/atention.html"), KINDS["404.html"])


def test_without_scripts_the_error_page_links_to_every_page(pages: Pages) -> None:
    """Without scripts it links to every other page and has a field for a number, by paths from the top."""
    page = pages["404.html"]
    links = {str(link["href"]).removeprefix("/") for link in page.select("#pages a")}
    assert {*pages} - {"404.html"} == links
    (form,) = page.select("article form")
    assert "/disagreements/i-got.html" == form["action"]
    assert "n" == form.select("input")[0]["name"]
