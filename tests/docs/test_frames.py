"""Frames on a page of another origin are as high as their content in every window, so nothing has to be scrolled."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Frame, Page, expect

from macros.teaching import embedding
from tests.docs.conftest import serving
from tests.docs.scripts import function_in
from tests.docs.test_phone import APPLY_STYLE
from tests.docs.windows import STOP_ANIMATIONS, THEMES, WINDOWS, Scheme, violations, watch

PATHS = {
    "table": "parts/attention/tensors.html",
    "figure": "parts/attention/figure-attention.html",
    "sum": "parts/attention/worked.html",
    "level": "map/base/layer.html",
    "map": "map.html#base/layer",
    "calculator": "try/calculator.html?model=bert-large-uncased&H=512",
    "exercise": "try/exercises.html?set=layer&seed=7",
}
"""For each kind of thing that can be embedded, the path of an example below `embed/`. The kind is the frame's id."""

WINDOW_HEIGHT = 6000
"""The height, in pixels, of a window that shows all frames at once, because browsers do not draw those outside it."""

INITIAL_HEIGHT = 60
"""The initial height, in pixels, of every frame, which is less than any of them needs."""

WIDTHS = {"phone": 360, "desktop": 1000}
"""The widths, in pixels, of the course's page. It has margins of 20 pixels, so a frame is 320 wide on a phone."""

RECORD_MESSAGES = """<script>
  const messages = []
  addEventListener("message", ({ data, source }) => messages.push([data, source === frames[JSON.parse(data).frame_id]]))
</script>"""
"""Records every message from a frame, and whether it was sent by the frame that it names."""


def html_of_course(address: str) -> str:
    """The HTML of a course's page, with a frame of each kind and the script that the site offers for plain pages."""
    (script,) = re.findall(r"<script>.*?</script>", embedding.snippet("plain"), re.DOTALL)
    frames = "".join(
        f'<p>{kind}</p><iframe id="{kind}" name="{kind}" title="{kind}" width="100%" height="{INITIAL_HEIGHT}" '
        f'style="border: 0" src="{address}/embed/{path_with_id(path, kind)}"></iframe>'
        for kind, path in PATHS.items()
    )
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f'<title>A course</title><body style="margin: 20px">{RECORD_MESSAGES}{script}{frames}'
        '<p style="height: 1000px">End</p>'
    )


def path_with_id(path: str, kind: str) -> str:
    """The path with the id of its frame as a parameter. The frame repeats the id in its messages."""
    page, mark, anchor = path.partition("#")
    return f"{page}{'&' if '?' in page else '?'}id={kind}{mark}{anchor}"


@pytest.fixture(scope="module")
def course_address(address: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the course's page. Because its port differs from the site's, so does its origin."""
    folder = tmp_path_factory.mktemp("course")
    with pytest.MonkeyPatch.context() as environment, serving(folder) as origin:
        environment.setenv("SITE_URL", address)
        (folder / "course.html").write_text(html_of_course(address))
        yield f"{origin}/course.html"


@pytest.fixture(scope="module")
def course(open_tab: Callable[..., Page], course_address: str) -> Iterator[Page]:
    """The course's page, once every frame has reported its height. Any error on the page fails the last test."""
    page = open_tab(viewport={"width": WIDTHS["desktop"], "height": WINDOW_HEIGHT})
    errors = watch(page, "http://127.0.0.1")
    page.goto(course_address)
    wait_until_frames_fit(page)
    yield page
    assert [] == errors


@pytest.fixture
def reloaded_course(course: Page, course_address: str) -> Page:
    """The course's page, reloaded for a test that changes what its frames show."""
    course.goto(course_address)
    wait_until_frames_fit(course)
    return course


def document_in(page: Page, kind: str) -> Frame:
    """The document in the frame of the given kind."""
    document = page.frame(name=kind)
    assert document
    return document


FITS = function_in("scripts.js", "frameFits")
"""Returns whether a frame is exactly as high as its content."""

STUCK_ELEMENTS = """() => [...document.body.querySelectorAll("*")].filter((element) => {
  const { position, top } = getComputedStyle(element)
  return element.checkVisibility() && (position === "fixed" || (position === "sticky" && top !== "auto"))
}).map((element) => element.className)"""
"""Returns the elements of a frame that stay in place when it scrolls. A frame is as high as its content."""

HAS_THEME = "theme => document.documentElement.dataset.mdColorScheme === theme"
"""Returns whether a frame has the colours of a theme. A new theme reaches frames later than the page around them."""


def choose_theme(page: Page, scheme: Scheme) -> None:
    """Make the reader's device prefer a theme, and wait until every frame has the theme's colours."""
    for kind in PATHS:
        document_in(page, kind).evaluate(STOP_ANIMATIONS)
    page.emulate_media(color_scheme=scheme)
    for kind in PATHS:
        document_in(page, kind).wait_for_function(HAS_THEME, arg=THEMES[scheme], polling=20)


def wait_until_frames_fit(page: Page) -> None:
    """Wait until every frame is as high as its content."""
    for kind in PATHS:
        document_in(page, kind).wait_for_function(FITS, polling=20)


def show_window(page: Page, width: str, scheme: Scheme) -> None:
    """Show the course's page in a window, and wait until every frame fits."""
    page.set_viewport_size({"width": WIDTHS[width], "height": WINDOW_HEIGHT})
    choose_theme(page, scheme)
    wait_until_frames_fit(page)


@pytest.mark.other_browser
def test_every_frame_fits_what_it_shows(course: Page) -> None:
    for width, scheme in WINDOWS[::3]:
        show_window(course, width, scheme)
        assert course.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert {} == {kind: stuck for kind in PATHS if (stuck := document_in(course, kind).evaluate(STUCK_ELEMENTS))}


def test_every_frame_is_accessible(course: Page) -> None:
    """Axe also checks the same components on their pages, so a single window is enough for each kind of frame."""
    windows = WINDOWS[::3]
    for number, (width, scheme) in enumerate(windows):
        show_window(course, width, scheme)
        for kind in list(PATHS)[number :: len(windows)]:
            assert [] == violations(document_in(course, kind)), (kind, width, scheme)


def test_every_message_names_its_frame(course: Page) -> None:
    """A message is a string in the documented form, with the height in pixels and the id of the frame that sends it."""
    messages = course.evaluate("messages")
    assert set(PATHS) == {
        re.fullmatch(r'\{"subject":"lti\.frameResize","height":\d+,"frame_id":"(\w+)"\}', text)[1]  # type: ignore[index]
        for text, _ in messages
    }
    assert all(is_from_named_frame for _, is_from_named_frame in messages)


@pytest.mark.other_browser
def test_a_frame_grows_with_an_answer_or_a_solution(reloaded_course: Page) -> None:
    course, document = reloaded_course, document_in(reloaded_course, "exercise")
    length = course.evaluate("history.length")
    document.get_by_label("Your answer").fill("1")
    document.get_by_role("button", name="Check").click()
    document.locator("summary", has_text="Solution").click()
    wait_until_frames_fit(course)
    navigate_in_frames(course)
    wait_until_frames_fit(course)
    # What readers do in frames adds nothing to the history of the page.
    assert length == course.evaluate("history.length")


def navigate_in_frames(page: Page) -> None:
    """Show the next exercise and another level of the map in their frames."""
    exercise, map_document = document_in(page, "exercise"), document_in(page, "map")
    exercise.get_by_role("button", name="Next variant").click()
    expect(exercise.locator("#exercise-title")).to_contain_text("variant 8")
    map_document.get_by_role("link", name="attention").first.click()
    expect(map_document.locator(".bc-shown h2")).to_contain_text("Self-attention")


def test_the_calculator_starts_with_the_sizes_in_its_address(course: Page) -> None:
    document = document_in(course, "calculator")
    expect(document.get_by_role("textbox", name="H hidden size")).to_have_value("512")
    # The address also contains the id of the frame, which is not an error.
    expect(document.locator(".bc-fault[role=alert]")).to_be_empty()


@pytest.mark.other_browser
def test_the_wheel_over_a_frame_scrolls_the_page(course: Page) -> None:
    """A frame must not be an obstacle to scrolling down the page."""
    course.set_viewport_size({"width": WIDTHS["desktop"], "height": 300})
    for kind in PATHS:
        course.evaluate("kind => scrollTo(0, document.getElementById(kind).offsetTop - 50)", kind)
        scroll_before = course.evaluate("scrollY")
        course.mouse.move(WIDTHS["desktop"] / 2, 150)
        course.mouse.wheel(0, 120)
        course.wait_for_function("before => scrollY > before", arg=scroll_before)
    course.set_viewport_size({"width": WIDTHS["desktop"], "height": WINDOW_HEIGHT})


LINK_TARGETS = {
    "table": "parts/attention.html#tensors",
    "map": "map.html#base/layer/attention",
    "calculator": "try/calculator.html?model=bert-large-uncased&H=512",
    "exercise": "try/exercises.html?set=layer&seed=8",
}
"""The addresses that the lines at the foot of frames link to after `navigate_in_frames`."""


@pytest.mark.other_browser
def test_links_in_a_frame_open_outside_it(reloaded_course: Page, address: str) -> None:
    course = reloaded_course
    navigate_in_frames(course)
    for kind, target in LINK_TARGETS.items():
        assert address + "/" + target == address_opened_by(course, document_in(course, kind), ".bc-credit a")
    part_address = address_opened_by(course, document_in(course, "calculator"), "#parts-place a >> nth=0")
    assert f"{address}/parts/embeddings.html" == part_address


def address_opened_by(page: Page, document: Frame, selector: str) -> str:
    """Click a link in a frame, and return the address of the tab that it opens."""
    with page.context.expect_page() as new_tab:
        document.locator(selector).click()
    new_tab.value.wait_for_url(re.compile(r"^http"), wait_until="commit")
    url = new_tab.value.url
    new_tab.value.close()
    return url


@pytest.mark.other_browser
def test_a_theme_in_the_address_of_a_frame_overrides_the_readers_preference(desktop: Page, site: Path) -> None:
    desktop.emulate_media(color_scheme="dark")
    for theme, scheme in {"light": "default", "dark": "slate", "auto": "slate", "": "slate", "x": "slate"}.items():
        desktop.goto(f"embed/{PATHS['sum']}?theme={theme}")
        assert scheme == desktop.evaluate("document.documentElement.dataset.mdColorScheme")
        assert (scheme == "slate") == (desktop.evaluate(BRIGHTNESS) < 60)
    desktop.emulate_media(color_scheme="light")
    desktop.goto((site / "embed" / PATHS["table"]).as_uri() + "?theme=dark")
    assert desktop.evaluate(BRIGHTNESS) < 60


BRIGHTNESS = "Number(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])"
"""Evaluates to the red component of the background: below 60 in the dark theme, and 255 in the light one."""

WITHOUT_SCRIPTS = {
    "table": "589,824",
    "figure": "= 2,362,368",
    "sum": "4 × 590,592",
    "level": "7,087,872",
    "calculator": "335,141,888",
    "exercise": "need JavaScript",
}
"""Texts that frames show without scripts, by the kind of the frame."""


def test_frames_can_be_read_without_scripts(scriptless_tab: Page) -> None:
    for kind, text in WITHOUT_SCRIPTS.items():
        scriptless_tab.goto(f"embed/{PATHS[kind]}")
        assert text in scriptless_tab.inner_text("article")
        expect(scriptless_tab.locator(".bc-credit a")).to_be_visible()


def test_an_overflow_in_a_frame_is_noticed(course: Page) -> None:
    document = document_in(course, "sum")
    document.evaluate(APPLY_STYLE, "main { min-width: 2000px }")
    assert not document.evaluate(FITS)
    document.evaluate("document.adoptedStyleSheets = []")
    document.wait_for_function(FITS, polling=20)
