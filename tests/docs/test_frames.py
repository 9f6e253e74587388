"""Frames on a page of another host are as high as what they show, in every window, and work without scrolling."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Frame, Page, expect

from macros.teaching import embedding
from tests.docs.conftest import serving
from tests.docs.scripts import measure
from tests.docs.test_phone import APPLY_STYLE
from tests.docs.windows import STILL, THEMES, WINDOWS, Scheme, violations, watch

pytestmark = pytest.mark.other_browser

PATHS = {
    "table": "parts/attention/tensors.html",
    "figure": "parts/attention/figure-attention.html",
    "sum": "parts/attention/worked.html",
    "level": "map/base/layer.html",
    "map": "map.html#base/layer",
    "calculator": "try/calculator.html?model=bert-large-uncased&H=512",
    "exercise": "try/exercises.html?set=layer&seed=7",
}
"""The paths below `embed/` of one example of each kind of thing that can be embedded. The kind is the frame's id."""

WINDOW_HEIGHT = 6000
"""The height in pixels of a window that shows all frames at once: browsers do not draw those outside the window."""

INITIAL_HEIGHT = 60
"""The height in pixels of every frame at first, less than any of them needs."""

WIDTHS = {"phone": 360, "desktop": 1000}
"""The width in pixels of the page of the course. Its margins are 20 pixels, so on the phone a frame is 320 wide."""

RECORD_MESSAGES = """<script>
  const messages = []
  addEventListener("message", ({ data, source }) => messages.push([data, source === frames[JSON.parse(data).frame_id]]))
</script>"""
"""Records every message from a frame, and whether it comes from the frame that it names."""


def html_of_course(address: str) -> str:
    """A page of a course, with a frame of each kind and the script that the site offers for plain pages."""
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
    """The path with the id of its frame as a parameter, which the frame repeats in its messages."""
    page, mark, anchor = path.partition("#")
    return f"{page}{'&' if '?' in page else '?'}id={kind}{mark}{anchor}"


@pytest.fixture(scope="module")
def host(address: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the page of the course. Its port is another one, so its origin is another, too."""
    folder = tmp_path_factory.mktemp("host")
    with pytest.MonkeyPatch.context() as environment, serving(folder) as origin:
        environment.setenv("SITE_URL", address)
        (folder / "course.html").write_text(html_of_course(address))
        yield f"{origin}/course.html"


@pytest.fixture(scope="module")
def course(tab: Callable[..., Page], host: str) -> Iterator[Page]:
    """The page of the course, once every frame has reported its height; an error on it fails the test."""
    page = tab(viewport={"width": WIDTHS["desktop"], "height": WINDOW_HEIGHT})
    errors = watch(page, "http://127.0.0.1")
    page.goto(host)
    wait_until_frames_fit(page)
    yield page
    assert [] == errors


@pytest.fixture
def reloaded_course(course: Page, host: str) -> Page:
    """The same page, loaded again for a test that changes what its frames show."""
    course.goto(host)
    wait_until_frames_fit(course)
    return course


def document_in(page: Page, kind: str) -> Frame:
    """The document in the frame of a kind."""
    document = page.frame(name=kind)
    assert document
    return document


FITS = measure("scripts.js", "frameFits")
"""Returns whether a frame is exactly as high as what it shows."""

HAS_THEME = "theme => document.documentElement.dataset.mdColorScheme === theme"
"""Returns whether a frame has the colours of a theme, which it is told later than the page around it."""


def choose_theme(page: Page, scheme: Scheme) -> None:
    """Prefer a theme as the reader's device does, and wait until every frame has its colours."""
    for kind in PATHS:
        document_in(page, kind).evaluate(STILL)
    page.emulate_media(color_scheme=scheme)
    for kind in PATHS:
        document_in(page, kind).wait_for_function(HAS_THEME, arg=THEMES[scheme], polling=20)


def wait_until_frames_fit(page: Page) -> None:
    """Wait until every frame is as high as what it shows."""
    for kind in PATHS:
        document_in(page, kind).wait_for_function(FITS, polling=20)


def test_every_frame_fits_what_it_shows(course: Page) -> None:
    """Nothing has to be scrolled, in frames or around them, and axe finds nothing.

    The frames follow the device of the reader: they are dark if it prefers dark colours.
    """
    for turn, (width, scheme) in enumerate(windows := WINDOWS[::3]):
        course.set_viewport_size({"width": WIDTHS[width], "height": WINDOW_HEIGHT})
        choose_theme(course, scheme)
        wait_until_frames_fit(course)
        assert course.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for index, kind in enumerate(PATHS):
            document = document_in(course, kind)
            # Axe has already checked the same components on their pages, so one window is enough for each kind.
            if index % len(windows) == turn:
                assert [] == violations(document), (kind, width, scheme)


def test_every_message_names_its_frame(course: Page) -> None:
    """It has the documented form, a text with the height in pixels and the id, and comes from this frame."""
    messages = course.evaluate("messages")
    assert set(PATHS) == {
        re.fullmatch(r'\{"subject":"lti\.frameResize","height":\d+,"frame_id":"(\w+)"\}', text)[1]  # type: ignore[index]
        for text, _ in messages
    }
    assert all(is_from_that_frame for _, is_from_that_frame in messages)


def test_a_frame_grows_with_an_answer_or_a_solution(reloaded_course: Page) -> None:
    """What the reader does in a frame adds nothing to the history of the page."""
    course, document = reloaded_course, document_in(reloaded_course, "exercise")
    length = course.evaluate("history.length")
    document.get_by_label("Your answer").fill("1")
    document.get_by_role("button", name="Check").click()
    document.locator("summary", has_text="Solution").click()
    wait_until_frames_fit(course)
    go_on_in_frames(course)
    wait_until_frames_fit(course)
    assert length == course.evaluate("history.length")


def go_on_in_frames(page: Page) -> None:
    """Show the next exercise and another level of the map in their frames."""
    exercise, map_document = document_in(page, "exercise"), document_in(page, "map")
    exercise.get_by_role("button", name="Next variant").click()
    expect(exercise.locator("#exercise-title")).to_contain_text("variant 8")
    map_document.get_by_role("link", name="attention").first.click()
    expect(map_document.locator(".bc-shown h2")).to_contain_text("Self-attention")


def test_the_calculator_counts_what_its_address_says(course: Page) -> None:
    """It has the sizes in the address of its frame, and does not complain about the id there.

    Whether its numbers are right is tested in test_calculator.py.
    """
    document = document_in(course, "calculator")
    expect(document.get_by_role("textbox", name="H hidden size")).to_have_value("512")
    expect(document.locator(".bc-fault[role=alert]")).to_be_empty()


def test_the_wheel_over_a_frame_scrolls_the_page(course: Page) -> None:
    """So a frame is no obstacle on the way down the page."""
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
"""The addresses to which the lines at the foot of frames lead, after `go_on_in_frames`."""


def test_links_in_a_frame_open_outside_of_it(reloaded_course: Page, address: str) -> None:
    """Links open in a new tab, even those that scripts add; that at the foot leads to what the frame shows now."""
    course = reloaded_course
    go_on_in_frames(course)
    for kind, target in LINK_TARGETS.items():
        assert address + "/" + target == address_opened_by(course, document_in(course, kind), ".bc-credit a")
    part_address = address_opened_by(course, document_in(course, "calculator"), "#parts-place a >> nth=0")
    assert f"{address}/parts/embeddings.html" == part_address


def address_opened_by(page: Page, document: Frame, selector: str) -> str:
    """The address of the tab that a link opens."""
    with page.context.expect_page() as tab:
        document.locator(selector).click()
    tab.value.wait_for_url(re.compile(r"^http"), wait_until="commit")
    url = tab.value.url
    tab.value.close()
    return url


def test_the_page_around_a_frame_can_choose_its_theme(desktop: Page, site: Path) -> None:
    """A theme in the address prevails over the one that the reader's device prefers, at once, and even from disk."""
    desktop.emulate_media(color_scheme="dark")
    for theme, scheme in {"light": "default", "dark": "slate", "auto": "slate", "": "slate", "x": "slate"}.items():
        desktop.goto(f"embed/{PATHS['sum']}?theme={theme}")
        assert scheme == desktop.evaluate("document.documentElement.dataset.mdColorScheme")
        assert (scheme == "slate") == (desktop.evaluate(BRIGHTNESS) < 60)
    desktop.emulate_media(color_scheme="light")
    desktop.goto((site / "embed" / PATHS["table"]).as_uri() + "?theme=dark")
    assert desktop.evaluate(BRIGHTNESS) < 60


BRIGHTNESS = "Number(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])"
"""Returns the red of the background: below 60 it is dark, in the light theme it is 255."""

WITHOUT_SCRIPTS = {
    "table": "589,824",
    "figure": "= 2,362,368",
    "sum": "4 × 590,592",
    "level": "7,087,872",
    "calculator": "335,141,888",
    "exercise": "need JavaScript",
}
"""What frames show without scripts, by kind."""


def test_frames_can_be_read_without_scripts(plain: Page) -> None:
    """A table, a figure and a sum are complete; the calculator has both original models."""
    for kind, text in WITHOUT_SCRIPTS.items():
        plain.goto(f"embed/{PATHS[kind]}")
        assert text in plain.inner_text("article")
        expect(plain.locator(".bc-credit a")).to_be_visible()


def test_an_overflow_in_a_frame_is_noticed(course: Page) -> None:
    """If something is wider than its frame, the frame does not count as fitting."""
    document = document_in(course, "sum")
    document.evaluate(APPLY_STYLE, "main { min-width: 2000px }")
    assert not document.evaluate(FITS)
    document.evaluate("document.adoptedStyleSheets = []")
    document.wait_for_function(FITS, polling=20)
