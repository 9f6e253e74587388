"""Browsers without the newest CSS still get everything, by other means."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.docs.scripts import measure
from tests.docs.test_phone import COVERED_NUMBERS
from tests.docs.windows import WIDTHS, go_to

NEW = ("(position-area: block-start)", "(animation-timeline: scroll())")
"""New CSS that the style sheet tests for."""

OLD_SCRIPT = "for (const name of ['popover', 'showPopover', 'hidePopover']) delete HTMLElement.prototype[name]"

WITHOUT_SHADE = measure("pages.js", "withoutShade")

STAYING_SHADES = measure("pages.js", "stayingShades")

EXPLAINED_OVER = measure("pages.js", "explainedOver")


def older(route: Route) -> None:
    """The style sheet as read by a browser that does not know `NEW`."""
    css = route.fetch().text()
    for condition in NEW:
        assert condition in css
        css = css.replace(condition, "(unknown: unknown)")
    route.fulfill(body=css, content_type="text/css")


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """A page in such a browser."""
    page = browser.new_context(reduced_motion="reduce").new_page()
    page.route("**/*.css", older)
    page.add_init_script(OLD_SCRIPT)
    yield page
    page.context.close()


@pytest.mark.parametrize(
    ("name", "width"),
    [("parts/attention.html", "phone"), ("totals/base.html", "desktop"), ("listings/index.html", "phone")],
)
def test_older_browsers_show_what_newer_ones_do(page: Page, address: str, name: str, width: str) -> None:
    """Explanations leave their number, its heading and the next number in sight, and what scrolls shows it."""
    page.set_viewport_size(WIDTHS[width])
    go_to(page, f"{address}/{name}")
    assert [] == page.evaluate(COVERED_NUMBERS, 30)
    assert [] == page.evaluate(EXPLAINED_OVER, [12, False])
    assert [] == page.evaluate(WITHOUT_SHADE)
    assert [] == page.evaluate(STAYING_SHADES)
