"""Fixtures that build the site once per test run, serve it, and open it in a browser."""

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from bs4 import BeautifulSoup, Tag
from filelock import FileLock
from playwright.sync_api import Browser, Page, sync_playwright

from macros.publish.paper.browser import advice, executable, flags
from macros.rendering.components.pages import EMBEDS
from tests.docs.alone import build_alone
from tests.docs.building import build
from tests.docs.scripts import open_with_modules
from tests.docs.windows import WIDTHS

# A function that builds a site into a folder, and returns MkDocs' exit status and output.
Build = Callable[[Path], subprocess.CompletedProcess[str]]

# Parsed pages, by their paths within the site.
Pages = Mapping[str, BeautifulSoup]


class LazyPages(Mapping[str, BeautifulSoup]):
    """The pages of a site by path, each parsed when it is first needed, because parsing all pages takes seconds.

    Args:
        html_of_pages: the HTML of each page by its path.
    """

    def __init__(self, html_of_pages: dict[str, str]) -> None:
        self._html_of_pages = html_of_pages
        self._parsed_pages: dict[str, BeautifulSoup] = {}

    def __getitem__(self, name: str) -> BeautifulSoup:
        if name not in self._parsed_pages:
            self._parsed_pages[name] = BeautifulSoup(self._html_of_pages[name], "html.parser")
        return self._parsed_pages[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._html_of_pages)

    def __len__(self) -> int:
        return len(self._html_of_pages)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site, as published."""
    return build_once(tmp_path_factory, "site", build_or_reuse)


@pytest.fixture(scope="session")
def site_with_questions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a site whose numbers still carry the questions that they answer.

    It is built as differently from the published site as possible. `test_questions.py` compares the two, and so also
    finds out whether builds are reproducible.
    """
    return build_once(tmp_path_factory, "site-with-questions", partial(build_alone, QUESTIONS="kept"))


def build_or_reuse(target: Path) -> subprocess.CompletedProcess[str]:
    """Build the site or, if an earlier run has left its site in the folder that `BUILT_SITE` names, copy that.

    CI runs some tests again in a second browser, which needs no second build.
    """
    shared_site = os.environ.get("BUILT_SITE")
    if shared_site and Path(shared_site).exists():
        shutil.copytree(shared_site, target)
        return subprocess.CompletedProcess([], 0, "", "")
    process = build(target)
    if shared_site and process.returncode == 0:
        shutil.copytree(target, shared_site)
    return process


def build_once(tmp_path_factory: pytest.TempPathFactory, name: str, build_into: Build) -> Path:
    """Return the folder of a site. The first process that needs the site builds it for all processes of the run.

    What the build prints to stderr is written to a file of the same name with the ending `.log`.

    Args:
        tmp_path_factory: pytest's fixture. With xdist, the processes share the folder above its base folder.
        name: the name of the new folder.
        build_into: builds the site into a given folder.
    """
    process_folder = tmp_path_factory.getbasetemp()
    run_folder = process_folder.parent if "PYTEST_XDIST_WORKER" in os.environ else process_folder
    target = run_folder / name
    with FileLock(run_folder / f"{name}.lock"):
        if not target.exists():
            unfinished_site = run_folder / f"{name}-in-progress"  # a failed build must not be taken for a site
            process = build_into(unfinished_site)
            assert process.returncode == 0, process.stderr
            assert "WARNING" not in process.stderr, process.stderr
            target.with_suffix(".log").write_text(process.stderr, encoding="utf-8")
            unfinished_site.rename(target)
    return target


@pytest.fixture(scope="session")
def pages(site: Path) -> Pages:
    """Every page of the built site, by its path within the site."""
    return parse_pages(site)


@pytest.fixture(scope="session")
def pages_with_questions(site_with_questions: Path) -> Pages:
    """Every page of the site whose numbers carry their questions, by its path within the site."""
    return parse_pages(site_with_questions)


def parse_pages(site: Path) -> Pages:
    """The pages of a built site, by their paths within it. Each is parsed when a test first looks it up."""
    return LazyPages(html_by_page(site))


def html_by_page(site: Path) -> dict[str, str]:
    """The HTML of a site's pages, by their paths within it. Redirects and the pages for frames are left out."""
    paths = [path for path in sorted(site.rglob("*.html")) if path.relative_to(site).parts[0] != EMBEDS]
    html_of_pages = {str(path.relative_to(site)): path.read_text(encoding="utf-8") for path in paths}
    assert html_of_pages
    return {name: html for name, html in html_of_pages.items() if 'http-equiv="refresh"' not in html}


def by_id(page: BeautifulSoup) -> dict[str, Tag]:
    """The elements of a page by id. Collecting all of them takes no longer than searching for one."""
    return {str(tag["id"]): tag for tag in page.find_all(id=True)}


class QuietHandler(SimpleHTTPRequestHandler):
    """Handles requests for files, and logs nothing.

    Like a web host, it keeps connections open and lets browsers cache files such as scripts and styles.
    """

    protocol_version = "HTTP/1.1"

    def end_headers(self) -> None:
        """Allow any origin to read a file, and browsers to cache some files for ten minutes, as GitHub Pages does."""
        if Path(self.path.partition("?")[0]).suffix in (".css", ".js", ".json", ".woff2", ".svg", ".png"):
            self.send_header("Cache-Control", "max-age=600")
        # A frame with an opaque origin can load modules only with this header.
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """The address of the built site while it is served."""
    with serving(site) as origin:
        yield origin


@contextmanager
def serving(folder: Path, handler: type[QuietHandler] = QuietHandler) -> Iterator[str]:
    """Serve a folder, and yield its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The browser that `make test` has found or installed. Without one, the tests fail instead of being skipped."""
    path = executable()
    if path is None:
        pytest.fail(advice())
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=flags())
        yield chromium
        chromium.close()


@contextmanager
def page_of_new_site() -> Iterator[tuple[Page, str]]:
    """Build and serve the site; yield a browser page and the site's address, for scripts that record what pages show.

    Raises:
        SystemExit: the site does not build.
    """
    with ExitStack() as stack:
        site = Path(stack.enter_context(TemporaryDirectory())) / "site"
        process = build(site)
        if process.returncode:
            sys.exit(process.stderr)
        address = stack.enter_context(serving(site))
        chromium = stack.enter_context(sync_playwright()).chromium
        yield chromium.launch(executable_path=executable(), args=flags()).new_page(), address


@pytest.fixture(scope="module")
def open_tab(browser: Browser, address: str) -> Iterator[Callable[..., Page]]:
    """A function that opens a tab, by default at desktop width.

    Tests in the same file that pass the same options share a tab. A tab resolves relative addresses against the top of
    the site, and may use the clipboard.
    """
    defaults = {
        "viewport": WIDTHS["desktop"],
        "base_url": f"{address}/",
        "permissions": ["clipboard-read", "clipboard-write"],
    }
    tabs: dict[str, Page] = {}

    def tab_with(**options: Any) -> Page:
        if repr(options) not in tabs:
            tabs[repr(options)] = browser.new_context(**{**defaults, **options}).new_page()
        return tabs[repr(options)]

    yield tab_with
    for page in tabs.values():
        page.context.close()


@pytest.fixture(scope="module")
def desktop(open_tab: Callable[..., Page]) -> Page:
    """A tab at desktop width, shared by all tests in a file."""
    return open_tab()


@pytest.fixture(scope="module")
def scriptless_tab(open_tab: Callable[..., Page]) -> Page:
    """A tab at desktop width with scripts disabled."""
    return open_tab(java_script_enabled=False)


@pytest.fixture(scope="module")
def page(desktop: Page, address: str) -> Page:
    """The desktop tab on the page that explains numbers, with the site's modules in `bertCounted`."""
    open_with_modules(desktop, address)
    return desktop
