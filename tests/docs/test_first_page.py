"""The first page shows totals on its first screen, passes on a reader's number, and shows how a total is made up."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from macros.rendering.components.pages import I_GOT, MAP
from tests.docs.windows import WIDTHS

NUMBER = "109,482,241"
"""A reader's number."""

ADDRESS = f"{I_GOT}?n=109%2C482%2C241"
"""The address of the explanation of this number."""


def test_without_scripts_the_field_still_leads_to_the_page_for_numbers(scriptless_tab: Page, address: str) -> None:
    scriptless_tab.goto("index.html")
    scriptless_tab.get_by_label("Got a different number?").fill(NUMBER)
    scriptless_tab.get_by_role("button", name="Explain").click()
    scriptless_tab.wait_for_url(f"{address}/{ADDRESS}")
    assert "needs JavaScript" in scriptless_tab.inner_text("article")


def test_the_field_works_on_a_page_opened_from_disk(desktop: Page, site: Path) -> None:
    """The content security policy allows the form there, too."""
    desktop.goto((site / "index.html").as_uri())
    desktop.get_by_label("Got a different number?").fill(NUMBER)
    desktop.get_by_label("Got a different number?").press("Enter")
    desktop.wait_for_url(f"{site.as_uri()}/{ADDRESS}")


# Selectors for elements on the first screen, each with a text that the element must contain. Source of the totals:
# transformers 5.23.
ON_THE_FIRST_SCREEN = {
    "h1": "How many parameters does BERT have?",
    ".bc-totals p:first-child": "109,482,240",
    ".bc-totals p:last-child": "335,141,888",
    ".bc-seen": "110M and 340M",
    ".bc-first .bc-of-base .bc-map": "layer 11",
    ".bc-first .bc-of-base .bc-level-sum": "109,482,240",
    "#another-number": "Got a different number?",
}

PROOF = {".bc-proof": "5 libraries that build BERT: 102,765 tensors and 1,978 rows of Keras summaries, 0 differences"}
"""The element that only a desktop shows, with its text. The numbers are those of the recordings of BERT."""

SCREENS = {
    "desktop": (ViewportSize(width=1280, height=800), ON_THE_FIRST_SCREEN | PROOF),
    "phone": (WIDTHS["phone"], ON_THE_FIRST_SCREEN),
}
"""Windows, each with its size and the texts that its first screen must show, by selector."""


def missing_on_first_screen(page: Page, expected: dict[str, str]) -> list[str]:
    """The selectors of elements that are not fully visible without scrolling, or that lack their text."""
    size = page.viewport_size
    assert size
    problems = []
    for selector, text in expected.items():
        element = page.locator(selector)
        box = element.bounding_box()
        text_shown = " ".join((element.text_content() or "").split())
        is_visible = (
            box and 0 <= box["y"] and box["y"] + box["height"] <= size["height"] and box["width"] <= size["width"]
        )
        if not is_visible or text not in text_shown:
            problems.append(selector)
    return problems


@pytest.mark.parametrize("screen", SCREENS)
def test_the_first_screen_shows_totals_picture_and_field(open_tab: Callable[..., Page], screen: str) -> None:
    size, expected = SCREENS[screen]
    page = open_tab(viewport=size)
    page.goto("index.html")
    assert [] == missing_on_first_screen(page, expected)
    # Planted faults: an element below the first screen, and a wrong text.
    assert [".bc-ways", "h1"] == missing_on_first_screen(page, {".bc-ways": "", "h1": "What is BERT?"})
    field = page.get_by_label("Got a different number?").bounding_box()
    button = page.get_by_role("button", name="Explain").bounding_box()
    assert field
    assert button
    assert min(field["height"], button["height"]) >= 24  # pixels, as WCAG 2.2 requires
    assert field["y"] + field["height"] == button["y"] + button["height"] < size["height"]


def test_the_picture_and_its_sum_are_those_of_the_chosen_model(scriptless_tab: Page, address: str) -> None:
    scriptless_tab.goto("index.html")
    sums = {
        "base": "23,837,184 + 12 × 7,087,872 + 590,592 = 109,482,240",
        "large": "31,782,912 + 24 × 12,596,224 + 1,049,600 = 335,141,888",
    }
    for model, expected in sums.items():
        scriptless_tab.locator(f"#figure-where-{model}").check()
        for candidate in sums:
            assert (candidate == model) == scriptless_tab.locator(f".bc-first .bc-of-{candidate}").is_visible()
        terms = scriptless_tab.locator(f".bc-first .bc-of-{model} .bc-level-sum").inner_text()
        assert expected == " ".join(re.sub("embeddings|layers|pooler", "", terms).split())
    scriptless_tab.locator(".bc-first .bc-of-large svg a").nth(1).click()
    scriptless_tab.wait_for_url(f"{address}/{MAP}#large/layer")


# The running totals after each step of the story. Source: the parameters of each module in transformers, added up by
# hand.
RUNNING_TOTALS = {
    "base": ["0", "23,440,896", "23,837,184", "26,199,552", "30,925,056", "108,891,648", "109,482,240"],
    "large": ["0", "31,254,528", "31,782,912", "35,981,312", "44,379,136", "334,092,288", "335,141,888"],
}


def test_the_whole_story_can_be_read_without_scripts(scriptless_tab: Page) -> None:
    scriptless_tab.goto("index.html")
    for model, totals in RUNNING_TOTALS.items():
        scriptless_tab.locator(f"#figure-story-{model}").check()
        steps = scriptless_tab.locator(f".bc-story .bc-of-{model} li")
        assert totals[1:] == steps.locator("> .bc-running strong").all_inner_texts()
        assert [] == [step for step in steps.all() if not step.is_visible()]


SCROLL_TO_STEP = "step => scrollBy(0, step.getBoundingClientRect().top - 150)"
"""Scrolls until a step is 150 pixels below the top of the window, where it counts as the current step."""


def test_the_story_fills_the_map_step_by_step(desktop: Page) -> None:
    desktop.emulate_media(reduced_motion="reduce")
    desktop.goto("index.html")
    for model, totals in RUNNING_TOTALS.items():
        desktop.locator(f"#figure-story-{model}").check()
        story = desktop.locator(f".bc-story .bc-of-{model}")
        story.locator("li").first.evaluate(SCROLL_TO_STEP)
        for step, running_total in enumerate(totals):
            expect(story.locator("output")).to_have_text(running_total)
            for block in story.locator("[data-step]").all():
                is_ahead = int(str(block.get_attribute("data-step"))) > step
                assert is_ahead == ("bc-yet" in str(block.get_attribute("class"))), (step, block)
            story.get_by_role("button", name="Next").press("Enter")
            desktop.wait_for_timeout(50)  # milliseconds, so that scrolling to the step takes effect
        story.locator("li").nth(2).evaluate(SCROLL_TO_STEP)
        expect(story.locator("output")).to_have_text(totals[2])
