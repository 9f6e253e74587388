"""What somebody may try to put into a page, which the policy has to stop, and how to see whether it worked."""

import re
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Page, Route

from tests.docs.scripts import measure

ELSEWHERE = "https://elsewhere.example"
"""Another origin; the tests answer for it, so a request that is not stopped is seen and leads nowhere."""

POLICY = '<meta http-equiv="Content-Security-Policy"'
"""How the policy of a page begins; another name for it leaves the page without one."""


def planted(how: str) -> str:
    """Code that says that it ran, here or in the page around a frame."""
    return f"parent.postMessage('planted {how}', '*')"


IN_HTML = Path(__file__).with_name("injected.html").read_text(encoding="utf-8")
"""In the text of a page, as if the page had been built with it."""

SCRIPTS = Path(__file__).with_name("injected.js").read_text(encoding="utf-8")
"""What is done as if one of our scripts had done it, and what looks at what came of that."""

BY_SCRIPTS, SEEN = (measure("injected.js", name) for name in ("byScripts", "seen"))

WAYS = {
    *(f"planted {how}" for how in re.findall(r"'planted ([A-Za-z ]+)'", IN_HTML + SCRIPTS)),
    *(f"{ELSEWHERE}/{name}" for name in re.findall(rf"{ELSEWHERE}/([a-z.0-9]+)", IN_HTML + SCRIPTS)),
    *(f"planted style {name}" for name in ("element", "attribute", "later")),
    "base",
}
"""Everything that is tried, each by what is seen where it works."""

DIRECTIVES = {
    *("base-uri", "connect-src", "form-action", "frame-src", "img-src", "media-src", "object-src", "script-src"),
    *("script-src-attr", "script-src-elem", "style-src-attr", "style-src-elem", "worker-src"),
}
"""What stops them."""


class Injected:
    """A page with things put in, with or without its policy."""

    def __init__(self, context: BrowserContext, site: Path) -> None:
        """Change pages of the built site on their way to the browser, and answer for the other origin."""
        self.site = site
        self.called: set[str] = set()
        self.page = context.new_page()
        self.page.add_init_script(f"({SCRIPTS}).watch()")
        context.route(f"{ELSEWHERE}/**", self._answer)

    def _answer(self, route: Route) -> None:
        self.called.add(route.request.url)
        route.fulfill(body="", headers={"Access-Control-Allow-Origin": "*"})

    def html(self, url: str, html: str, lost: str) -> str:
        """The text of a page of the site, with more at the end of its article, and with something lost."""
        text = (self.site / urlsplit(url).path.lstrip("/")).read_text(encoding="utf-8")
        assert lost in text
        assert "</article>" in text
        return text.replace(lost, "<meta" if lost == POLICY else "", 1).replace("</article>", f"{html}</article>", 1)

    def open(self, url: str, html: str = IN_HTML, *, lost: str = "") -> Page:
        """Open a page with something in it, and without its policy or a piece of that."""
        self.called.clear()
        self.page.unroute_all()
        self.page.route(
            re.compile("^" + re.escape(re.split("[?#]", url)[0])),
            lambda route: route.fulfill(body=self.html(url, html, lost), content_type="text/html"),
        )
        self.page.goto("about:blank")  # an address that differs after its # alone would not be opened anew
        self.page.goto(url, wait_until="load")
        return self.page

    def seen(self) -> set[str]:
        """What has worked so far."""
        return self.called | set(self.page.evaluate(SEEN))

    def stopped(self) -> set[str]:
        """The directives that have stopped something so far."""
        return set(self.page.evaluate("[...plantedStopped]"))
