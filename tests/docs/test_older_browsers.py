"""In browsers without the newest CSS and without popovers, fallbacks make explanations and scrolling tables work."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.docs.scripts import function_in
from tests.docs.test_phone import COVERING_NUMBERS
from tests.docs.windows import WIDTHS, go_to

NEW_CONDITIONS = ("(position-area: block-start)", "(animation-timeline: scroll())")
"""The CSS features that the style sheet uses only in browsers that support them."""

REMOVE_POPOVERS = "for (const name of ['popover', 'showPopover', 'hidePopover']) delete HTMLElement.prototype[name]"
"""Removes the support for popovers from a browser."""

WITHOUT_SHADE = function_in("pages.js", "withoutShade")
"""Returns the elements that scroll sideways and do not show it."""

INNER_SHADOWS = function_in("pages.js", "innerShadows")
"""Returns the elements whose shadow remains even after a reader has scrolled to the end."""

MISPLACED_EXPLANATIONS = function_in("pages.js", "misplacedExplanations")
"""Returns the faults of explanations in a sample of numbers, such as one that covers its number."""


def serve_old_style_sheet(route: Route) -> None:
    """Serve the style sheet as a browser without the new CSS features reads it."""
    css = route.fetch().text()
    for condition in NEW_CONDITIONS:
        assert condition in css
        css = css.replace(condition, "(unknown: unknown)")
    route.fulfill(body=css, content_type="text/css")


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """A tab in a browser without the new CSS features and without popovers."""
    page = browser.new_context(reduced_motion="reduce").new_page()
    page.route("**/*.css", serve_old_style_sheet)
    page.add_init_script(REMOVE_POPOVERS)
    yield page
    page.context.close()


@pytest.mark.parametrize(
    ("name", "width"),
    [("parts/attention.html", "phone"), ("totals/base.html", "desktop"), ("listings/index.html", "phone")],
)
def test_fallbacks_in_older_browsers_have_no_faults(page: Page, address: str, name: str, width: str) -> None:
    """No explanation covers its number, the number's heading or the next number, and elements show that they scroll."""
    page.set_viewport_size(WIDTHS[width])
    go_to(page, f"{address}/{name}")
    assert [] == page.evaluate(COVERING_NUMBERS, 30)  # a sample of at least 30 numbers
    assert [] == page.evaluate(MISPLACED_EXPLANATIONS, [12, False])  # a sample of at least 12 numbers
    assert [] == page.evaluate(WITHOUT_SHADE)
    assert [] == page.evaluate(INNER_SHADOWS)
