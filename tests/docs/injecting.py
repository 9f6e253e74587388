"""Attacks that a page's content security policy must stop, and a page that reports which of them succeed."""

import re
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Page, Route

from tests.docs.scripts import function_in

ELSEWHERE = "https://elsewhere.example"
"""Another origin. The tests intercept requests to it, so they see those that the policy lets through."""

POLICY = '<meta http-equiv="Content-Security-Policy"'
"""The beginning of the element with a page's policy. Without this string, the element has no effect."""


def reporting_code(name: str) -> str:
    """JavaScript that, when run, reports this name to its page or, from a frame, to the page with the frame."""
    return f"parent.postMessage('planted {name}', '*')"


ATTACKS_IN_HTML = Path(__file__).with_name("injected.html").read_text(encoding="utf-8")
"""Attacks in HTML, which is inserted as if the page had been built with it."""

SCRIPTS = Path(__file__).with_name("injected.js").read_text(encoding="utf-8")
"""Functions that attack as a bug in one of our scripts might, and functions that observe the effects."""

ATTACK_BY_SCRIPTS = function_in("injected.js", "plantByScript")
"""Carries out the attacks by scripts."""

EFFECTS = function_in("injected.js", "effectsSoFar")
"""Returns the attacks that have had an effect so far, other than requests to another origin."""

ATTACKS = {
    *(f"planted {name}" for name in re.findall(r"'planted ([A-Za-z ]+)'", ATTACKS_IN_HTML + SCRIPTS)),
    *(f"{ELSEWHERE}/{name}" for name in re.findall(rf"{ELSEWHERE}/([a-z.0-9]+)", ATTACKS_IN_HTML + SCRIPTS)),
    *(f"planted style {name}" for name in ("element", "attribute", "later")),
    "base",
}
"""The names of all attacks, as `successes` reports them."""

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
"""The directives of the policy that stop the attacks."""


class AttackedPage:
    """A page into which attacks are inserted, with or without its policy."""

    def __init__(self, context: BrowserContext, site: Path) -> None:
        """Create a browser page in which pages of the built site can be opened with attacks in them."""
        self.site = site
        self.requests: set[str] = set()
        self.page = context.new_page()
        self.page.add_init_script(f"({SCRIPTS}).watch()")
        context.route(f"{ELSEWHERE}/**", self._answer)

    def _answer(self, route: Route) -> None:
        """Record a request to the other origin, and answer it as if any origin might read the answer."""
        self.requests.add(route.request.url)
        route.fulfill(body="", headers={"Access-Control-Allow-Origin": "*"})

    def _html(self, url: str, html: str, removed_text: str) -> str:
        """The source of a page with `html` at the end of its article, and without `removed_text`.

        Only the attribute of a policy is removed, so its element stays as an empty `meta`.
        """
        text = (self.site / urlsplit(url).path.lstrip("/")).read_text(encoding="utf-8")
        assert removed_text in text
        assert "</article>" in text
        return text.replace(removed_text, "<meta" if removed_text == POLICY else "", 1).replace(
            "</article>", f"{html}</article>", 1
        )

    def open(self, url: str, html: str = ATTACKS_IN_HTML, *, removed_text: str = "") -> Page:
        """Open a page with `html` at the end of its article, and without `removed_text`, such as `POLICY`."""
        self.requests.clear()
        self.page.unroute_all()
        self.page.route(
            re.compile("^" + re.escape(re.split("[?#]", url)[0])),
            lambda route: route.fulfill(body=self._html(url, html, removed_text), content_type="text/html"),
        )
        # A browser does not reload a page if only the fragment of its address changes.
        self.page.goto("about:blank")
        self.page.goto(url, wait_until="load")
        return self.page

    def successes(self) -> set[str]:
        """The attacks that have succeeded so far."""
        return self.requests | set(self.page.evaluate(EFFECTS))

    def violated_directives(self) -> set[str]:
        """The directives that have stopped an attack so far."""
        return set(self.page.evaluate("[...violatedDirectives]"))
