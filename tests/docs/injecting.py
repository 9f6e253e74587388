"""Attacks on a page that its policy must stop, and ways to see whether an attack worked."""

import re
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Page, Route

from tests.docs.scripts import measure

ELSEWHERE = "https://elsewhere.example"
"""Another origin. The tests answer its requests, so one that gets through is noticed and reaches nobody."""

POLICY = '<meta http-equiv="Content-Security-Policy"'
"""The beginning of a page's policy. Renaming the element leaves the page without one."""


def planted(name: str) -> str:
    """Code that reports that it ran, to its own page or to the page around its frame."""
    return f"parent.postMessage('planted {name}', '*')"


IN_HTML = Path(__file__).with_name("injected.html").read_text(encoding="utf-8")
"""Attacks in the text of a page, as if the page had been built with them."""

SCRIPTS = Path(__file__).with_name("injected.js").read_text(encoding="utf-8")
"""Attacks made as if by one of our scripts, and the functions that observe their effects."""

BY_SCRIPTS, EFFECTS = (measure("injected.js", name) for name in ("plantByScript", "effectsSoFar"))

ATTACKS = {
    *(f"planted {name}" for name in re.findall(r"'planted ([A-Za-z ]+)'", IN_HTML + SCRIPTS)),
    *(f"{ELSEWHERE}/{name}" for name in re.findall(rf"{ELSEWHERE}/([a-z.0-9]+)", IN_HTML + SCRIPTS)),
    *(f"planted style {name}" for name in ("element", "attribute", "later")),
    "base",
}
"""The name of every attack, which it reports when it works."""

DIRECTIVES = {
    "base-uri",
    "connect-src",
    "form-action",
    "frame-src",
    "img-src",
    "media-src",
    "object-src",
    "script-src",
    "script-src-attr",
    "script-src-elem",
    "style-src-attr",
    "style-src-elem",
    "worker-src",
}
"""The directives that stop the attacks."""


class Injected:
    """A page into which attacks are inserted, with or without its policy."""

    def __init__(self, context: BrowserContext, site: Path) -> None:
        """Set up a page that serves changed pages of the built site, and answers for the other origin."""
        self.site = site
        self.requests: set[str] = set()
        self.page = context.new_page()
        self.page.add_init_script(f"({SCRIPTS}).watch()")
        context.route(f"{ELSEWHERE}/**", self._answer)

    def _answer(self, route: Route) -> None:
        self.requests.add(route.request.url)
        route.fulfill(body="", headers={"Access-Control-Allow-Origin": "*"})

    def html(self, url: str, html: str, lost: str) -> str:
        """The text of a page with `html` at the end of its article, and without the text `lost`."""
        text = (self.site / urlsplit(url).path.lstrip("/")).read_text(encoding="utf-8")
        assert lost in text
        assert "</article>" in text
        return text.replace(lost, "<meta" if lost == POLICY else "", 1).replace("</article>", f"{html}</article>", 1)

    def open(self, url: str, html: str = IN_HTML, *, lost: str = "") -> Page:
        """Open a page with `html` at the end of its article, and without the text `lost`, such as its policy."""
        self.requests.clear()
        self.page.unroute_all()
        self.page.route(
            re.compile("^" + re.escape(re.split("[?#]", url)[0])),
            lambda route: route.fulfill(body=self.html(url, html, lost), content_type="text/html"),
        )
        # A browser does not load a page again if only the fragment of the address changes.
        self.page.goto("about:blank")
        self.page.goto(url, wait_until="load")
        return self.page

    def successes(self) -> set[str]:
        """The attacks that have worked so far."""
        return self.requests | set(self.page.evaluate(EFFECTS))

    def violated_directives(self) -> set[str]:
        """The directives that have stopped something so far."""
        return set(self.page.evaluate("[...violatedDirectives]"))
