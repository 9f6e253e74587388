"""Frames on a page of another host are as high as what they show, in every window, with nothing to scroll."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Frame, Page, expect

from macros.teaching import embedding
from tests.docs.conftest import serving
from tests.docs.scripts import measure
from tests.docs.test_phone import STYLED
from tests.docs.windows import STILL, THEMES, WINDOWS, Scheme, violations, watch

pytestmark = pytest.mark.other_browser

KINDS = {
    "table": "parts/attention/tensors.html",
    "figure": "parts/attention/figure-attention.html",
    "sum": "parts/attention/worked.html",
    "level": "map/base/layer.html",
    "map": "map.html#base/layer",
    "calculator": "try/calculator.html?model=bert-large-uncased&H=512",
    "exercise": "try/exercises.html?set=layer&seed=7",
}
"""One embeddable thing of each kind, by the id of its frame."""

TALL = 6000
"""Pixels of a window that shows every frame: browsers do not draw frames out of sight."""

LOW = 60
"""Initial height of the frames in pixels, less than any of them needs."""

WIDTHS = {"phone": 360, "desktop": 1000}
"""Width of the page around in pixels. Its margins are 20 pixels, so a frame is 320 wide on the phone."""

HEARD = """<script>
  const heard = []
  addEventListener("message", ({ data, source }) => heard.push([data, source === frames[JSON.parse(data).frame_id]]))
</script>"""


def page_around(address: str) -> str:
    """A page with a frame of each kind below the script for plain pages."""
    (script,) = re.findall(r"<script>.*?</script>", embedding.snippet("plain"), re.DOTALL)
    frames = "".join(
        f'<p>{kind}</p><iframe id="{kind}" name="{kind}" title="{kind}" width="100%" height="{LOW}" style="border: 0" '
        f'src="{address}/embed/{with_id(path, kind)}"></iframe>'
        for kind, path in KINDS.items()
    )
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f'<title>A course</title><body style="margin: 20px">{HEARD}{script}{frames}<p style="height: 1000px">End</p>'
    )


def with_id(path: str, kind: str) -> str:
    """The address of a thing that returns this id in its messages."""
    page, mark, anchor = path.partition("#")
    return f"{page}{'&' if '?' in page else '?'}id={kind}{mark}{anchor}"


@pytest.fixture(scope="module")
def host(address: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the page around, at another port and so of another origin."""
    folder = tmp_path_factory.mktemp("host")
    with pytest.MonkeyPatch.context() as environment, serving(folder) as origin:
        environment.setenv("SITE_URL", address)
        (folder / "course.html").write_text(page_around(address))
        yield f"{origin}/course.html"


@pytest.fixture(scope="module")
def course(tab: Callable[..., Page], host: str) -> Iterator[Page]:
    """The page around, once every frame has reported its height; no error may occur on it."""
    page = tab(viewport={"width": WIDTHS["desktop"], "height": TALL})
    errors = watch(page, "http://127.0.0.1")
    page.goto(host)
    settled(page)
    yield page
    assert [] == errors


@pytest.fixture
def opened_anew(course: Page, host: str) -> Page:
    """The same page reloaded, for a test that changes what its frames show."""
    course.goto(host)
    settled(course)
    return course


def frame(page: Page, kind: str) -> Frame:
    """The document in one frame."""
    document = page.frame(name=kind)
    assert document
    return document


FIT = measure("scripts.js", "frameFits")
"""Whether a frame shows the whole of its thing and nothing else."""

PAINTED = "chosen => document.documentElement.dataset.mdColorScheme === chosen"
"""Whether a frame has a theme's colours, which it learns later than the page around it."""


def painted(page: Page, scheme: Scheme) -> None:
    """Prefer a theme as the reader's device would, and wait until every frame has its colours."""
    for kind in KINDS:
        frame(page, kind).evaluate(STILL)
    page.emulate_media(color_scheme=scheme)
    for kind in KINDS:
        frame(page, kind).wait_for_function(PAINTED, arg=THEMES[scheme], polling=20)


def settled(page: Page) -> None:
    """Wait until every frame fits its contents."""
    for kind in KINDS:
        frame(page, kind).wait_for_function(FIT, polling=20)


def test_a_frame_fits_what_it_shows(course: Page) -> None:
    """In every window nothing has to be scrolled, in frames or around them, and axe finds nothing.

    Frames that follow the reader's device are dark if it is.
    """
    for turn, (width, scheme) in enumerate(windows := WINDOWS[::3]):
        course.set_viewport_size({"width": WIDTHS[width], "height": TALL})
        painted(course, scheme)
        settled(course)
        assert course.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for index, kind in enumerate(KINDS):
            document = frame(course, kind)
            # Axe has checked the components on their pages, so each kind is checked in one window only.
            if index % len(windows) == turn:
                assert [] == violations(document), (kind, width, scheme)


def test_every_message_names_its_frame(course: Page) -> None:
    """Every message has the documented form: a text with the height in pixels and the given id."""
    heard = course.evaluate("heard")
    assert set(KINDS) == {
        re.fullmatch(r'\{"subject":"lti\.frameResize","height":\d+,"frame_id":"(\w+)"\}', text)[1]  # type: ignore[index]
        for text, _ in heard
    }
    assert all(height for _, height in heard)


def test_a_frame_grows_with_an_answer_or_a_solution(opened_anew: Page) -> None:
    """Steps within the frame do not enter the page's history."""
    course, document = opened_anew, frame(opened_anew, "exercise")
    length = course.evaluate("history.length")
    document.get_by_label("Your answer").fill("1")
    document.get_by_role("button", name="Check").click()
    document.locator("summary", has_text="Solution").click()
    settled(course)
    go_on(course)
    settled(course)
    assert length == course.evaluate("history.length")


def go_on(page: Page) -> None:
    """Show the next exercise and another level of the map in their frames."""
    exercise, of_map = frame(page, "exercise"), frame(page, "map")
    exercise.get_by_role("button", name="Next variant").click()
    expect(exercise.locator("#exercise-title")).to_contain_text("variant 8")
    of_map.get_by_role("link", name="attention").first.click()
    expect(of_map.locator(".bc-shown h2")).to_contain_text("Self-attention")


def test_the_calculator_counts_what_its_address_says(course: Page) -> None:
    """The calculator counts the sizes in its address, and takes the frame's id for none of them.

    Whether its numbers are right is tested in test_calculator.py.
    """
    frame_inside = frame(course, "calculator")
    expect(frame_inside.get_by_role("textbox", name="H hidden size")).to_have_value("512")
    expect(frame_inside.locator(".bc-fault[role=alert]")).to_be_empty()


def test_the_wheel_scrolls_the_page_around(course: Page) -> None:
    """The wheel over any frame scrolls the page around it."""
    course.set_viewport_size({"width": WIDTHS["desktop"], "height": 300})
    for kind in KINDS:
        course.evaluate("kind => scrollTo(0, document.getElementById(kind).offsetTop - 50)", kind)
        scroll_before = course.evaluate("scrollY")
        course.mouse.move(WIDTHS["desktop"] / 2, 150)
        course.mouse.wheel(0, 120)
        course.wait_for_function("before => scrollY > before", arg=scroll_before)
    course.set_viewport_size({"width": WIDTHS["desktop"], "height": TALL})


LEADS = {
    "table": "parts/attention.html#tensors",
    "map": "map.html#base/layer/attention",
    "calculator": "try/calculator.html?model=bert-large-uncased&H=512",
    "exercise": "try/exercises.html?set=layer&seed=8",
}
"""Where the line at the foot of a frame leads: to what the frame shows by now."""


def test_links_lead_out_of_the_frame(opened_anew: Page, address: str) -> None:
    """Links open windows of their own, including those that scripts add."""
    course = opened_anew
    go_on(course)
    for kind, target in LEADS.items():
        assert address + "/" + target == followed(course, frame(course, kind), ".bc-credit a")
    out = followed(course, frame(course, "calculator"), "#parts-place a >> nth=0")
    assert f"{address}/parts/embeddings.html" == out


def followed(page: Page, document: Frame, selector: str) -> str:
    """The address of the window that a link opens."""
    with page.context.expect_page() as popup:
        document.locator(selector).click()
    popup.value.wait_for_url(re.compile(r"^http"), wait_until="commit")
    url = popup.value.url
    popup.value.close()
    return url


def test_a_theme_is_the_page_arounds_choice(desktop: Page, site: Path) -> None:
    """The theme in the address wins over the reader's device, from the first paint, and from disk, too."""
    desktop.emulate_media(color_scheme="dark")
    for theme, scheme in {"light": "default", "dark": "slate", "auto": "slate", "": "slate", "x": "slate"}.items():
        desktop.goto(f"embed/{KINDS['sum']}?theme={theme}")
        assert scheme == desktop.evaluate("document.documentElement.dataset.mdColorScheme")
        assert (scheme == "slate") == (desktop.evaluate(BRIGHTNESS) < 60)
    desktop.emulate_media(color_scheme="light")
    desktop.goto((site / "embed" / KINDS["table"]).as_uri() + "?theme=dark")
    assert desktop.evaluate(BRIGHTNESS) < 60


BRIGHTNESS = "Number(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])"

WITHOUT_SCRIPTS = {
    "table": "589,824",
    "figure": "= 2,362,368",
    "sum": "4 × 590,592",
    "level": "7,087,872",
    "calculator": "335,141,888",
    "exercise": "need JavaScript",
}


def test_frames_can_be_read_without_scripts(plain: Page) -> None:
    """Without scripts a table, a figure and a sum are complete, and the calculator has both original models."""
    for kind, text in WITHOUT_SCRIPTS.items():
        plain.goto(f"embed/{KINDS[kind]}")
        assert text in plain.inner_text("article")
        expect(plain.locator(".bc-credit a")).to_be_visible()


def test_an_overflow_in_a_frame_is_noticed(course: Page) -> None:
    """A thing wider than its frame is noticed."""
    document = frame(course, "sum")
    document.evaluate(STYLED, "main { min-width: 2000px }")
    assert not document.evaluate(FIT)
    document.evaluate("document.adoptedStyleSheets = []")
    document.wait_for_function(FIT, polling=20)
