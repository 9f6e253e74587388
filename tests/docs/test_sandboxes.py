"""Exercises in frames that a sandbox lets do little, and how high a frame has to be whose page runs no script."""

from collections.abc import Callable, Iterator
from html import escape

import pytest
from playwright.sync_api import Frame, Page, expect

from macros.teaching.exercise import exercise
from macros.teaching.sets import load_sets
from tests.docs.conftest import serving
from tests.docs.scripts import called

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


# --- How high a frame has to be ---------------------------------------------------

PHONE, PAGES = 360, (600, 700, 800)
"""Pixels of a frame: on a phone, and on course pages."""

SEEDS = range(1, 21)

HEIGHTS = """cases => cases.map(([set, seed, wrong]) => {
  history.replaceState(null, "", `?set=${set}&seed=${seed}`)
  dispatchEvent(new PopStateEvent("popstate"))
  const height = () => Math.ceil(document.querySelector("main").getBoundingClientRect().height)
  const asked = height()
  const inputs = document.querySelectorAll("#exercise .bc-question input")
  if (typeof wrong === "number") inputs[wrong].checked = true
  else inputs[0].value = wrong
  document.querySelector("#exercise .bc-question button").click()
  return [set, asked, height(), document.querySelector(".bc-verdict").dataset.kind]
})"""


def wrongly(name: str, seed: int) -> tuple[str, int, str | int]:
    """An exercise with the wrong answer about which most is to be said: a number, or the place of an option."""
    asked = exercise(name, seed)
    if asked.options:
        option = max((each for each in asked.options if not each.right), key=lambda each: len(each.feedback))
        return name, seed, asked.options.index(option)
    return name, seed, str(max(asked.wrong, key=lambda each: len(each.feedback)).number)


def test_the_proposed_frames_show_all_of_an_exercise(desk: Page) -> None:
    """On a phone as it is asked, and on course pages with what is said of a wrong answer; none is far too high."""
    cases = [wrongly(name, seed) for name in load_sets().sets for seed in SEEDS]
    desk.goto(SHOWN)
    desk.locator("#exercise-title").wait_for()
    needed: dict[str, int] = {}
    for width in (PHONE, *PAGES):
        desk.set_viewport_size({"width": width, "height": 900})
        for name, asked, checked, kind in called(desk, HEIGHTS, cases):
            assert kind == "known"
            needed[name] = max(needed.get(name, 0), asked if width == PHONE else checked)
    proposed = {name: each.frame for name, each in load_sets().sets.items()}
    assert proposed == {name: max(needed[name], min(frame, needed[name] + 60)) for name, frame in proposed.items()}
