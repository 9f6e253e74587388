"""An area of a figure and the sum that counts it light each other, and nothing moves."""

import pytest
from playwright.sync_api import Page, expect

LIT = "[...document.querySelectorAll('figure .bc-area.bc-lit')].map(area => area.querySelector('title').textContent)"


@pytest.mark.parametrize(
    ("name", "area"), [("attention", "value: 590,592"), ("encoder-layer", "attention output: 590,592")]
)
def test_areas_and_terms_light_each_other(page: Page, address: str, name: str, area: str) -> None:
    """Pointing at an area lights terms, with the area in another colour than before; away from it nothing is lit."""
    page.goto(f"{address}/parts/{name}.html")
    box = page.locator("figure .bc-area", has=page.locator("title", has_text=area)).first
    before = box.bounding_box(), box.locator("rect").evaluate("rect => getComputedStyle(rect).fill")
    page.locator(".bc-term[tabindex='0']").first.wait_for()  # the script puts it there
    box.hover()
    expect(page.locator(".bc-term.bc-lit").first).to_be_visible()
    assert [area] == page.evaluate(LIT)
    after = box.bounding_box(), box.locator("rect").evaluate("rect => getComputedStyle(rect).fill")
    assert before[0] == after[0]
    assert before[1] != after[1]
    page.locator("h1").hover()
    expect(page.locator(".bc-term.bc-lit")).to_have_count(0)


def test_a_term_lights_its_areas(page: Page, address: str) -> None:
    """The kernels of query, key, value and output are one term, and four areas."""
    page.goto(f"{address}/parts/attention.html")
    term = page.locator(".bc-term[data-part*='self/query'][data-part*='output/dense']").first
    page.locator(".bc-term[tabindex='0']").first.wait_for()
    term.hover()
    expect(page.locator("figure .bc-area.bc-lit").first).to_be_visible()
    assert len(page.evaluate(LIT)) == 4
