"""Pages in windows of all widths and themes: what goes wrong on opening one, and what is wrong once it is open."""

from time import monotonic
from typing import Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ConsoleMessage, Frame, JSHandle, Page, Request, Response, ViewportSize

from tests.docs.scripts import called, measure

WIDTHS = {"phone": ViewportSize(width=390, height=844), "desktop": ViewportSize(width=1280, height=900)}
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
WINDOWS = [(width, scheme) for width in WIDTHS for scheme in SCHEMES]

AXE = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
"""The rules that pages are held against, by tag."""

OF_LOOKS = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"]
"""Those of them that ask how something is drawn, and not only what it is and whether it is there."""

JUDGED = measure("scripts.js", "violations")
"""What axe finds serious or critical."""

UNASKED = "/favicon.ico"
"""What a browser with a window fetches by itself where a page names no icon; Playwright hides all but the complaint."""

GIVEN_UP = "net::ERR_ABORTED"
"""How a request ends for which nobody waits any more, such as one for an icon, or for a script of a page that has been
left. What cannot be had ends otherwise."""


def watch(page: Page, host: str) -> list[str]:
    """A list that fills with what goes wrong on a page: errors, warnings, calls to other hosts, and failed requests.

    What every browser may do by itself is no fault of the page.
    """
    found: list[str] = []

    def said(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not message.location["url"].endswith(UNASKED):
            found.append(message.text)

    def asked(request: Request) -> None:
        if not request.url.startswith((host, "data:", "blob:")):
            found.append(request.url)

    def failed(request: Request) -> None:
        if request.failure != GIVEN_UP:
            found.append(f"failed: {request.url}")

    page.on("console", said)
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("request", asked)
    page.on("requestfailed", failed)
    return found


QUIET = 0.05
"""Seconds without a request under way after which nothing more is to come: what scripts fetch they fetch at once."""


def go_to(page: Page, url: str) -> Response | None:
    """Go to an address, and wait until scripts have run and what they fetch is there: `networkidle`, but sooner."""
    under_way: set[Request] = set()

    def begun(request: Request) -> None:
        under_way.add(request)

    def ended(request: Request) -> None:
        under_way.discard(request)

    page.on("request", begun)
    page.on("requestfinished", ended)
    page.on("requestfailed", ended)
    response = page.goto(url, wait_until="load")
    since = monotonic()
    while monotonic() - since < QUIET:
        page.wait_for_timeout(QUIET * 1000 / 2)
        if under_way:
            since = monotonic()
    for name, listener in (("request", begun), ("requestfinished", ended), ("requestfailed", ended)):
        page.remove_listener(name, listener)
    return response


def open_page(page: Page, url: str) -> list[str]:
    """Open a page, and give the list of what goes wrong on it, then and later."""
    found = watch(page, "/".join(url.split("/")[:3]))
    response = go_to(page, url)
    if response is None or not response.ok:
        found.append(f"{url} was not answered")
    return found


def overflow(page: Page) -> list[str]:
    """Whether a page has to be scrolled sideways."""
    wider = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return ["the page is wider than the window"] if wider else []


def violations(page: Page | Frame, within: str = "html", rules: list[str] = AXE) -> list[str]:
    """What axe finds serious or critical in a part of a page, or of what is in a frame, WCAG 2.2 AA."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found: list[str] = called(page, JUDGED, [within, rules])
    return found


ONE_OF_A_KIND = measure("pages.js", "oneOfAKind")

STILL = measure("scripts.js", "still")
"""Let nothing change gradually: text outside the window would keep its old colour
for as long as it is not drawn, and axe looks at all text."""

LAYOUT = """() => [...document.querySelectorAll("article *:not(.bc-citing, .bc-citing *)")].map((each) => {
  const { x, y, width, height } = each.getBoundingClientRect()
  return width ? [x + scrollX, y + scrollY, width, height].map(Math.round).join() : ""
})"""
"""Where everything is but the window with a citation, which lies on it."""

SEEN, SEEN_OTHERWISE = measure("scripts.js", "seen"), measure("scripts.js", "seenOtherwise")

SWITCH = measure("scripts.js", "chooseTheme")
"""Choose a theme as the button in the head of the page does, and wait until it is drawn."""

THEMES: dict[Scheme, str] = {"light": "default", "dark": "slate"}
"""What Material calls its themes."""


def show(page: Page, width: str, scheme: Scheme) -> None:
    """Show an open page in a window of another width and in another theme."""
    if page.viewport_size != WIDTHS[width]:
        page.set_viewport_size(WIDTHS[width])
    page.emulate_media(color_scheme=scheme)
    page.evaluate(STILL)
    assert THEMES[scheme] == page.evaluate(SWITCH, [scheme, THEMES[scheme]])


def from_here(page: Page) -> list[tuple[str, Scheme]]:
    """The windows, beginning with the one that an open page is in; each differs from the one before by one thing."""
    width, other_width = sorted(WIDTHS, key=lambda each: page.viewport_size != WIDTHS[each])
    shown = page.evaluate("document.body.dataset.mdColorScheme")
    scheme, other_scheme = sorted(SCHEMES, key=lambda each: shown != THEMES[each])
    return [(width, scheme), (width, other_scheme), (other_width, other_scheme), (other_width, scheme)]


def faults_in_windows(page: Page, within: str = "html") -> list[str]:
    """What is wrong with an open page in each window, which is named: overflow, and what axe finds in a part of it.

    The first and the third differ in width and theme: what is there in either is judged by all rules in one of them.
    The last is left out where all that the third shows is what the second does, in the same theme: then the first has
    shown it in the other.
    """
    found = []
    seen: list[JSHandle] = []
    for rules, (width, scheme) in zip((AXE, OF_LOOKS) * 2, from_here(page), strict=True):
        if len(seen) == 3 and not page.evaluate(SEEN_OTHERWISE, seen[1:]):
            break
        show(page, width, scheme)
        found += [f"{width}, {scheme}: {each}" for each in overflow(page) + violations(page, within, rules)]
        seen.append(page.evaluate_handle(SEEN, within))
    return found
