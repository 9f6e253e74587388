"""Exercises work in frames with strict sandboxes, and the heights that the site suggests for frames are sufficient."""

from collections.abc import Callable, Iterator
from html import escape

import pytest
from playwright.sync_api import Frame, Page, expect

from macros.teaching.exercise import exercise
from macros.teaching.sets import load_sets
from tests.docs.conftest import serving
from tests.docs.scripts import call

EXERCISE = "embed/try/exercises.html?set=layer&seed=13"

SANDBOXES = ("allow-scripts", "allow-scripts allow-forms", "allow-scripts allow-same-origin")
"""Permissions that course platforms may give a frame."""


@pytest.fixture(scope="module")
def course(open_tab: Callable[..., Page], address: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page from another origin, with an exercise in each sandbox."""
    folder = tmp_path_factory.mktemp("course")
    frames = "".join(
        f'<iframe name="{sandbox}" sandbox="{sandbox}" title="{sandbox}" width="700" height="900" '
        f'src="{escape(f"{address}/{EXERCISE}")}"></iframe>'
        for sandbox in SANDBOXES
    )
    (folder / "course.html").write_text(f'<!doctype html><html lang="en"><title>A course</title><body>{frames}')
    page = open_tab()
    with serving(folder) as host:
        page.goto(f"{host}/course.html")
        yield page


def exercise_in(page: Page, sandbox: str) -> Frame:
    """The exercise in a sandbox, once it is shown."""
    frame = page.frame(name=sandbox)
    assert frame
    frame.locator("#exercise-title").wait_for()
    return frame


@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_an_answer_is_checked_in_every_sandbox(course: Page, sandbox: str) -> None:
    """The button and Enter work even if forms may not be submitted. Progress can be stored only with an origin."""
    frame = exercise_in(course, sandbox)
    frame.get_by_label("Your answer").fill("1,771,776")
    frame.get_by_role("button", name="Check").click()
    expect(frame.locator(".bc-verdict")).to_contain_text("forgot the output projection of attention")
    frame.get_by_label("Your answer").fill("2362368")
    frame.get_by_label("Your answer").press("Enter")
    expect(frame.locator(".bc-verdict")).to_have_text("Right.")
    frame.get_by_role("button", name="Next variant").click()
    expect(frame.locator("#exercise-title")).to_contain_text("variant 14")
    duration = "in this browser and nowhere else" if "same-origin" in sandbox else "only until you leave this page"
    expect(frame.locator("#exercise .bc-hint")).to_contain_text(f"What you have solved is kept {duration}")


def test_a_link_that_the_sandbox_blocks_shows_its_address(course: Page, address: str) -> None:
    frame = exercise_in(course, SANDBOXES[0])
    frame.evaluate("history.replaceState(null, '', `?set=layer&seed=13&x=${'x'.repeat(9_000)}`)")
    frame.locator(".bc-credit a").click()
    expect(frame.get_by_role("alert")).to_contain_text("does not let it open links")
    field = frame.get_by_role("alert").get_by_role("textbox", name="Address")
    assert field.input_value().startswith(f"{address}/try/exercises.html?set=layer&seed=13&x=xxx")
    assert field.evaluate("field => field.clientHeight") < 100  # pixels, a few lines


# --- The height of frames -----------------------------------------------------------

PHONE_WIDTH, COURSE_WIDTHS = 360, (600, 800)
"""The widths of frames, in pixels, on a phone and on the pages of courses."""

SEEDS = range(1, 21)
"""The variants of each set that are measured."""

HEIGHTS = """(cases, isAnswered) => cases.map(([set, seed, wrongAnswer]) => {
  history.replaceState(null, "", `?set=${set}&seed=${seed}`)
  dispatchEvent(new PopStateEvent("popstate"))
  if (isAnswered) {
    const inputs = document.querySelectorAll("#exercise .bc-question input")
    if (typeof wrongAnswer === "number") inputs[wrongAnswer].checked = true
    else inputs[0].value = wrongAnswer
    document.querySelector("#exercise .bc-question button").click()
  }
  const height = Math.ceil(document.querySelector("main").getBoundingClientRect().height)
  return [set, height, document.querySelector(".bc-verdict").dataset.kind ?? ""]
})"""
"""Returns the set and height of each exercise, and the kind of feedback if its wrong answer has been entered."""


def case_with_wrong_answer(name: str, seed: int) -> tuple[str, int, str | int]:
    """The set, the seed, and the wrong answer with the longest feedback: a number, or the index of an option."""
    question = exercise(name, seed)
    if question.options:
        option = max(
            (option for option in question.options if not option.is_correct), key=lambda option: len(option.feedback)
        )
        return name, seed, question.options.index(option)
    return name, seed, str(max(question.wrong_answers, key=lambda mistake: len(mistake.feedback)).number)


def test_the_suggested_heights_of_frames_are_sufficient(desktop: Page) -> None:
    """A frame has room for the exercise and, except on a phone, for feedback. None is more than 60 pixels too high."""
    cases = [case_with_wrong_answer(name, seed) for name in load_sets().sets for seed in SEEDS]
    desktop.goto(EXERCISE)
    desktop.locator("#exercise-title").wait_for()
    heights: dict[str, int] = {}
    for width in (PHONE_WIDTH, *COURSE_WIDTHS):
        desktop.set_viewport_size({"width": width, "height": 900})
        for name, height, kind in call(desktop, HEIGHTS, cases, width != PHONE_WIDTH):
            assert kind == ("" if width == PHONE_WIDTH else "known")
            heights[name] = max(heights.get(name, 0), height)
    suggested_heights = {name: exercises.frame for name, exercises in load_sets().sets.items()}
    # The right-hand side of this comparison has the values for exercises.toml.
    assert suggested_heights == {
        name: max(heights[name], min(frame, heights[name] + 60)) for name, frame in suggested_heights.items()
    }
