"""In browsers without the newest CSS and without popovers, explanations and scrolling tables work by other means."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.docs.scripts import function_in
from tests.docs.test_phone import COVERING_NUMBERS
from tests.docs.windows import WIDTHS, go_to

NEW_CONDITIONS = ("(position-area: block-start)", "(animation-timeline: scroll())")
"""The features of CSS that the style sheet uses only in browsers that have them."""

REMOVE_POPOVERS = "for (const name of ['popover', 'showPopover', 'hidePopover']) delete HTMLElement.prototype[name]"
"""Takes popovers away from a browser."""

WITHOUT_SHADE = function_in("pages.js", "withoutShade")
"""Returns the elements that scroll sideways and do not show it."""

STAYING_SHADES = function_in("pages.js", "innerShadows")
"""Returns the elements whose shade would stay at the end of what scrolls."""

EXPLAINED_OVER = function_in("pages.js", "misplacedExplanations")
"""Returns faults of explanations in a sample of numbers, such as covering what they explain."""


def style_sheet_of_older_browser(route: Route) -> None:
    """Answer with the style sheet as a browser reads it that has none of these features."""
    css = route.fetch().text()
    for condition in NEW_CONDITIONS:
        assert condition in css
        css = css.replace(condition, "(unknown: unknown)")
    route.fulfill(body=css, content_type="text/css")


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """A tab in such a browser."""
    page = browser.new_context(reduced_motion="reduce").new_page()
    page.route("**/*.css", style_sheet_of_older_browser)
    page.add_init_script(REMOVE_POPOVERS)
    yield page
    page.context.close()


@pytest.mark.parametrize(
    ("name", "width"),
    [("parts/attention.html", "phone"), ("totals/base.html", "desktop"), ("listings/index.html", "phone")],
)
def test_older_browsers_show_the_same_as_newer_ones(page: Page, address: str, name: str, width: str) -> None:
    """Explanations cover neither their number and its heading nor the next number, and what scrolls shows it.

    Thirty numbers and twelve numbers of a page are enough for that.
    """
    page.set_viewport_size(WIDTHS[width])
    go_to(page, f"{address}/{name}")
    assert [] == page.evaluate(COVERING_NUMBERS, 30)
    assert [] == page.evaluate(EXPLAINED_OVER, [12, False])
    assert [] == page.evaluate(WITHOUT_SHADE)
    assert [] == page.evaluate(STAYING_SHADES)
