"""Opens pages in windows of all widths and themes, and collects what goes wrong there."""

from time import monotonic
from typing import Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ConsoleMessage, Frame, JSHandle, Page, Request, Response, ViewportSize

from tests.docs.scripts import call, measure

WIDTHS = {"phone": ViewportSize(width=390, height=844), "desktop": ViewportSize(width=1280, height=900)}
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
WINDOWS = [(width, scheme) for width in WIDTHS for scheme in SCHEMES]

AXE = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
"""The tags of the rules that pages must pass."""

RULES_OF_LOOKS = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"]
"""The rules that depend on how something is drawn, not only on the markup."""

VIOLATIONS = measure("scripts.js", "violations")
"""The script that lists the violations that axe considers serious or critical."""

FAVICON = "/favicon.ico"
"""Browsers with a window fetch this on their own if a page names no icon; Playwright shows only the complaint."""

ABORTED = "net::ERR_ABORTED"
"""The error of a request that is no longer wanted, such as one of a page that has been left; it is not a failure."""


def watch(page: Page, host: str) -> list[str]:
    """A list that fills with the faults of a page: errors, warnings, calls to other hosts, failed requests.

    Whatever every browser does on its own is left out.
    """
    faults: list[str] = []

    def on_message(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not message.location["url"].endswith(FAVICON):
            faults.append(message.text)

    def on_request(request: Request) -> None:
        if not request.url.startswith((host, "data:", "blob:")):
            faults.append(request.url)

    def on_failure(request: Request) -> None:
        if request.failure != ABORTED:
            faults.append(f"failed: {request.url}")

    page.on("console", on_message)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", on_request)
    page.on("requestfailed", on_failure)
    return faults


QUIET = 0.05
"""Seconds without a pending request after which none is expected, because scripts fetch at once."""


def go_to(page: Page, url: str) -> Response | None:
    """Go to an address, wait until its scripts have run and fetched what they need, and return the response.

    This is like `networkidle`, but returns sooner.
    """
    pending: set[Request] = set()

    def begin(request: Request) -> None:
        pending.add(request)

    def end(request: Request) -> None:
        pending.discard(request)

    page.on("request", begin)
    page.on("requestfinished", end)
    page.on("requestfailed", end)
    response = page.goto(url, wait_until="load")
    since = monotonic()
    while monotonic() - since < QUIET:
        page.wait_for_timeout(QUIET * 1000 / 2)
        if pending:
            since = monotonic()
    for name, listener in (("request", begin), ("requestfinished", end), ("requestfailed", end)):
        page.remove_listener(name, listener)
    return response


def open_page(page: Page, url: str) -> list[str]:
    """Open a page, and return a list that fills with its faults, now and later."""
    faults = watch(page, "/".join(url.split("/")[:3]))
    response = go_to(page, url)
    if response is None or not response.ok:
        faults.append(f"{url} was not answered")
    return faults


def overflow(page: Page) -> list[str]:
    """A fault if the page has to be scrolled sideways."""
    is_wider = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return ["the page is wider than the window"] if is_wider else []


def violations(page: Page | Frame, selector: str = "html", rules: list[str] = AXE) -> list[str]:
    """The serious or critical findings of axe by WCAG 2.2 AA in a part of a page or of a frame's document."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    findings: list[str] = call(page, VIOLATIONS, [selector, rules])
    return findings


ONE_OF_A_KIND = measure("pages.js", "oneOfAKind")

STILL = measure("scripts.js", "still")
"""Stops transitions and animations.

Text outside the window would otherwise keep its old colour until it is drawn, and axe checks all text.
"""

LAYOUT = """() => [...document.querySelectorAll("article *:not(.bc-citing, .bc-citing *)")].map((each) => {
  const { x, y, width, height } = each.getBoundingClientRect()
  return width ? [x + scrollX, y + scrollY, width, height].map(Math.round).join() : ""
})"""
"""The position of every element except the window with a citation, which lies on top of the page."""

VISIBLE_ELEMENTS, HAS_CHANGED = measure("scripts.js", "visibleElements"), measure("scripts.js", "hasChanged")

SWITCH = measure("scripts.js", "chooseTheme")
"""Chooses a theme, as the button in the header does, and waits until it is drawn."""

THEMES: dict[Scheme, str] = {"light": "default", "dark": "slate"}
"""Material's names for the themes."""


def show(page: Page, width: str, scheme: Scheme) -> None:
    """Show an open page at another width and in another theme."""
    if page.viewport_size != WIDTHS[width]:
        page.set_viewport_size(WIDTHS[width])
    page.emulate_media(color_scheme=scheme)
    page.evaluate(STILL)
    assert THEMES[scheme] == page.evaluate(SWITCH, [scheme, THEMES[scheme]])


def from_here(page: Page) -> list[tuple[str, Scheme]]:
    """The windows, beginning with that of an open page; each differs from the previous one in one thing."""
    width, other_width = sorted(WIDTHS, key=lambda width: page.viewport_size != WIDTHS[width])
    current = page.evaluate("document.body.dataset.mdColorScheme")
    scheme, other_scheme = sorted(SCHEMES, key=lambda scheme: current != THEMES[scheme])
    return [(width, scheme), (width, other_scheme), (other_width, other_scheme), (other_width, scheme)]


def faults_in_windows(page: Page, selector: str = "html") -> list[str]:
    """Faults of an open page in each window: overflow, and what axe finds in a part of it.

    The first and the third window, which differ in width and theme, are checked by all rules; the
    others only by the rules of looks. The last one is skipped if the third shows nothing that the
    second, in the same theme, does not: the first has then shown all of it in the other theme.
    """
    faults = []
    states: list[JSHandle] = []
    for rules, (width, scheme) in zip((AXE, RULES_OF_LOOKS) * 2, from_here(page), strict=True):
        if len(states) == 3 and not page.evaluate(HAS_CHANGED, states[1:]):
            break
        show(page, width, scheme)
        faults += [f"{width}, {scheme}: {fault}" for fault in overflow(page) + violations(page, selector, rules)]
        states.append(page.evaluate_handle(VISIBLE_ELEMENTS, selector))
    return faults
