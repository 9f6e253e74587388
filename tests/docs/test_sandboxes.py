"""Exercises in frames that a sandbox lets do little."""

from collections.abc import Callable, Iterator
from html import escape

import pytest
from playwright.sync_api import Frame, Page, expect

from tests.docs.conftest import serving

SHOWN = "embed/try/exercises.html?set=layer&seed=13"
SANDBOXES = ("allow-scripts", "allow-scripts allow-forms", "allow-scripts allow-same-origin")


@pytest.fixture(scope="module")
def course(tab: Callable[..., Page], address: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page of another origin with an exercise in each sandbox, as wide as a course page."""
    folder = tmp_path_factory.mktemp("course")
    frames = "".join(
        f'<iframe name="{each}" sandbox="{each}" title="{each}" width="700" height="900" '
        f'src="{escape(f"{address}/{SHOWN}")}"></iframe>'
        for each in SANDBOXES
    )
    (folder / "course.html").write_text(f'<!doctype html><html lang="en"><title>A course</title><body>{frames}')
    page = tab()
    with serving(folder) as host:
        page.goto(f"{host}/course.html")
        yield page


def inside(page: Page, sandbox: str) -> Frame:
    """The exercise in a sandbox."""
    found = page.frame(name=sandbox)
    assert found
    found.locator("#exercise-title").wait_for()
    return found


@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_an_exercise_is_checked_in_every_sandbox(course: Page, sandbox: str) -> None:
    """By the button and by Enter, though no form may be sent."""
    shown = inside(course, sandbox)
    shown.get_by_label("Your answer").fill("1,771,776")
    shown.get_by_role("button", name="Check").click()
    expect(shown.locator(".bc-verdict")).to_contain_text("forgot the output projection of attention")
    shown.get_by_label("Your answer").fill("2362368")
    shown.get_by_label("Your answer").press("Enter")
    expect(shown.locator(".bc-verdict")).to_have_text("Right.")
    shown.get_by_role("button", name="Next variant").click()
    expect(shown.locator("#exercise-title")).to_contain_text("variant 14")
    kept = "in this browser and nowhere else" if "same-origin" in sandbox else "only until you leave this page"
    expect(shown.locator("#exercise .bc-hint")).to_contain_text(f"What you have solved is kept {kept}")


def test_a_link_that_may_not_open_shows_its_address(course: Page, address: str) -> None:
    """In text that can be selected, and no higher for a long address."""
    shown = inside(course, SANDBOXES[0])
    shown.evaluate("history.replaceState(null, '', `?set=layer&seed=13&x=${'x'.repeat(9_000)}`)")
    shown.locator(".bc-credit a").click()
    expect(shown.get_by_role("alert")).to_contain_text("lets it open no links")
    field = shown.get_by_role("alert").get_by_role("textbox", name="Address")
    assert field.input_value().startswith(f"{address}/try/exercises.html?set=layer&seed=13&x=xxx")
    assert field.evaluate("each => each.clientHeight") < 100
