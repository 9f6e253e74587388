"""Opens pages at the widths of a phone and a desktop, in both themes, and collects their faults."""

from collections.abc import Sequence
from time import monotonic
from typing import Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ConsoleMessage, Frame, JSHandle, Page, Request, Response, ViewportSize

from tests.docs.scripts import function_in

WIDTHS = {"phone": ViewportSize(width=390, height=844), "desktop": ViewportSize(width=1280, height=900)}
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
WINDOWS = [(width, scheme) for width in WIDTHS for scheme in SCHEMES]

AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
"""The tags of the axe rules that pages must pass."""

CONTRAST_RULE = "color-contrast"
"""The rule that takes axe longest."""

COLOUR_RULES = [CONTRAST_RULE, "link-in-text-block"]
"""The rules that depend on the theme, because they compare colours."""

VIOLATIONS = function_in("scripts.js", "violations")
"""Returns the violations that axe considers serious or critical."""

FAVICON = "/favicon.ico"
"""Browsers with a window request this file if a page names no icon. Playwright reports only the resulting error."""

ABORTED = "net::ERR_ABORTED"
"""The error of a request that the browser cancelled, for example because the page was left. It is not a fault."""


def watch(page: Page, address_prefix: str) -> list[str]:
    """Return a list that collects a page's faults: errors, warnings, failed requests, and requests to other hosts.

    Errors about a missing icon and cancelled requests are not faults.
    """
    faults: list[str] = []

    def on_message(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not message.location["url"].endswith(FAVICON):
            faults.append(message.text)

    def on_request(request: Request) -> None:
        if not request.url.startswith((address_prefix, "data:", "blob:")):
            faults.append(request.url)

    def on_failure(request: Request) -> None:
        if request.failure != ABORTED:
            faults.append(f"failed: {request.url}")

    page.on("console", on_message)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", on_request)
    page.on("requestfailed", on_failure)
    return faults


QUIET_SECONDS = 0.05
"""After this many seconds without a pending request, no more are expected, because scripts fetch at once."""


def go_to(page: Page, url: str) -> Response | None:
    """Go to an address, wait until its scripts have run and fetched what they need, and return the response.

    This is like waiting for `networkidle`, but returns sooner.
    """
    pending_requests: set[Request] = set()

    def begin(request: Request) -> None:
        pending_requests.add(request)

    def end(request: Request) -> None:
        pending_requests.discard(request)

    page.on("request", begin)
    page.on("requestfinished", end)
    page.on("requestfailed", end)
    response = page.goto(url, wait_until="load")
    quiet_since = monotonic()
    while monotonic() - quiet_since < QUIET_SECONDS:
        page.wait_for_timeout(QUIET_SECONDS * 1000 / 2)
        if pending_requests:
            quiet_since = monotonic()
    for name, listener in (("request", begin), ("requestfinished", end), ("requestfailed", end)):
        page.remove_listener(name, listener)
    return response


def open_page(page: Page, url: str) -> list[str]:
    """Open a page, and return a list that collects its faults, now and later."""
    faults = watch(page, "/".join(url.split("/")[:3]))
    response = go_to(page, url)
    if response is None or not response.ok:
        faults.append(f"{url} could not be loaded")
    return faults


def overflow(page: Page) -> list[str]:
    """A fault if the page is wider than the window, and no fault otherwise."""
    is_wider = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return ["the page is wider than the window"] if is_wider else []


def violations(
    page: Page | Frame,
    elements: str | JSHandle = "html",
    rules: list[str] = AXE_TAGS,
    omitted_rules: Sequence[str] = (),
) -> list[str]:
    """The serious and critical violations that axe finds in some elements, by default those of `AXE_TAGS`.

    Args:
        page: the page that contains the elements.
        elements: the elements to check, as a selector or as a list.
        rules: the names of rules, or tags that each select many rules.
        omitted_rules: the names of rules to leave out.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    findings: list[str] = page.evaluate(VIOLATIONS, [elements, rules, [*omitted_rules]])
    return findings


GO_BACK_TO = """query => {
  history.pushState(null, "", query || location.pathname)
  dispatchEvent(new PopStateEvent("popstate"))
}"""
"""Shows the state in a query string, as if the back button led to it. An empty string means no query string."""

REMOVE_REPEATED = function_in("pages.js", "removeRepeated")
"""Removes the elements that axe need not check."""

STOP_ANIMATIONS = function_in("scripts.js", "stopAnimations")
"""Stops transitions and animations.

In a transition, text outside the window keeps its old colour until it is drawn, and axe checks all text.
"""

LAYOUT = """() => [...document.querySelectorAll("article *:not(.bc-citing, .bc-citing *)")].map((element) => {
  const { x, y, width, height } = element.getBoundingClientRect()
  return width ? [x + scrollX, y + scrollY, width, height].map(Math.round).join() : ""
})"""
"""Returns the position and size of every element of the article, without the citation window that covers it."""

VISIBLE_ELEMENTS = function_in("scripts.js", "visibleElements")
"""Returns the visible elements in a part of a page, each with the properties that decide how legible it is."""

CHANGED_ELEMENTS = function_in("scripts.js", "changedElements")
"""Returns the elements in the second of two results of `VISIBLE_ELEMENTS` that are new or look different."""

CHOOSE_THEME = function_in("scripts.js", "chooseTheme")
"""Chooses a theme, as the button in the header does, and waits until it is drawn."""

THEMES: dict[Scheme, str] = {"light": "default", "dark": "slate"}
"""Material's names for the themes."""


def show(page: Page, width: str, scheme: Scheme) -> None:
    """Show an open page at another width and in another theme."""
    if page.viewport_size != WIDTHS[width]:
        page.set_viewport_size(WIDTHS[width])
    page.emulate_media(color_scheme=scheme)
    page.evaluate(STOP_ANIMATIONS)
    assert THEMES[scheme] == page.evaluate(CHOOSE_THEME, [scheme, THEMES[scheme]])


def windows_from_current(page: Page) -> list[tuple[str, Scheme]]:
    """The windows, starting with the current one of an open page. Each differs from the last in width or in theme."""
    width, other_width = sorted(WIDTHS, key=lambda width: page.viewport_size != WIDTHS[width])
    current_theme = page.evaluate("document.body.dataset.mdColorScheme")
    scheme, other_scheme = sorted(SCHEMES, key=lambda scheme: current_theme != THEMES[scheme])
    return [(width, scheme), (width, other_scheme), (other_width, other_scheme), (other_width, scheme)]


def faults_in_windows(page: Page, selector: str = "html") -> list[str]:
    """The faults of an open page in each window: overflow, and the violations that axe finds within `selector`.

    The first and the third window, which differ in both width and theme, are checked against all rules, and the others
    only against the rules on colours. Colours take axe longest, so in the third and the fourth window they are checked
    only where an element looks different from the way it looked in the earlier window with the same theme. If the third
    window has no such element, the fourth is skipped.
    """
    faults = []
    states: dict[Scheme, JSHandle] = {}
    for number, (width, scheme) in enumerate(windows_from_current(page), 1):
        show(page, width, scheme)
        findings = overflow(page)
        state = page.evaluate_handle(VISIBLE_ELEMENTS, selector)
        if number in (1, 2):
            findings += violations(page, selector, AXE_TAGS if number == 1 else COLOUR_RULES)
            states[scheme] = state
        else:
            changed_elements = page.evaluate_handle(CHANGED_ELEMENTS, [states[scheme], state])
            if number == 3:
                findings += violations(page, selector, AXE_TAGS, [CONTRAST_RULE])
            findings += violations(page, changed_elements, COLOUR_RULES)
        faults += [f"{width}, {scheme}: {fault}" for fault in findings]
        if number == 3 and not changed_elements.evaluate("elements => elements.length"):
            break
    return faults
