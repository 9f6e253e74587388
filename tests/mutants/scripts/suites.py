"""Chooses the tests of a script: those that say most of it first, and in doubt all that open a browser."""

from __future__ import annotations

from pathlib import Path

TESTS = "tests/docs"

OPENS = ("browser: Browser", "page: Page")
"""What a test says that looks at a page in a browser."""

COUNTING = ("answers_in_browser", "counting_in_browser", "search", "teachers_numbers_in_browser")
ANSWERING = ("answers_in_browser", "waterfall_in_browser", "shown_in_browser", "i_got", "teachers_numbers_in_browser")
EXPLAINING = (
    "answers_in_browser",
    "forms",
    "counting_in_browser::test_numbers_are_read_alike",
    "kinds",
    "search",
    "teachers_numbers_in_browser",
    "i_got",
)

FIRST = {
    "counting": COUNTING,
    "counting/bridge": ("answers_in_browser", "changes_in_browser", "counting_in_browser", "shown_in_browser"),
    "counting/polynomials": ("answers_in_browser", "changes_in_browser", "counting_in_browser", "shown_in_browser"),
    "counting/changes": ("changes_in_browser",),
    "counting/sums": ("changes_in_browser",),
    "counting/configuration": ("configs_in_browser",),
    "counting/json": ("configs_in_browser",),
    "calculator": ("calculator_outline", "calculator_in_use", "calculator"),
    "exercises": ("exercises",),
    "pages/exercises": ("exercises_outline", "exercises"),
    "explaining": EXPLAINING,
    "explaining/explainer": ("explainer", "i_got", "late_scripts"),
    "explaining/sums": ("answers_in_browser", "forms"),
    "explaining/read": (
        "answers_in_browser",
        "counting_in_browser",
        "forms",
        "site_search::test_what_is_offered_is_read",
    ),
    "explaining/myriads": ("answers_in_browser", "counting_in_browser", "forms"),
    "answering": ANSWERING,
    "drawing": ("map_walk", "calculator"),
    "searching": ("site_search", "search_questions", "late_scripts"),
    "pages/map": ("map_walk",),
    "pages/cite": ("cite", "figure_files::test_the_sign_beside_a_figure_offers_its_files"),
    "pages/count-along": ("exercises_outline", "exercises"),
    "pages/embed": ("frames",),
    "pages/lost": ("error_page", "late_scripts"),
    "pages/links": ("arrow_keys", "links"),
    "pages/listings": ("reading",),
    "pages/numbers": ("arrow_keys", "reading::test_a_number_explains_itself", "older_browsers"),
    "pages/i-got": ("i_got", "late_scripts"),
    "pages/search": ("site_search", "late_scripts"),
    "pages/later": ("late_scripts", "site_search"),
}
"""The tests of a script, or of all scripts of a folder: files, or single tests of one."""

LEFT_OUT = (
    "accessible",  # axe looks at style and structure, for many seconds
    "test_answers_are_quick",  # times say nothing on a machine that does other things besides
    "test_work_is_done_in_small_steps",
    "test_hostile_texts_are_read_or_refused",  # a hundred thousand, which take half a minute
)
"""Parts of names of tests that are left out: whatever is wrong must show without them."""


def browsing(root: Path) -> list[str]:
    """All tests that open a page in a browser."""
    found = sorted((root / TESTS).glob("test_*.py"))
    return [path.relative_to(root).as_posix() for path in found if any(each in path.read_text() for each in OPENS)]


def suite(root: Path, script: str) -> list[str]:
    """The files of tests that a mutant of a script has to pass."""
    name = Path(script).relative_to("docs/assets").with_suffix("").as_posix()
    names = FIRST.get(name) or FIRST.get(name.partition("/")[0])
    if names is None:
        return browsing(root)
    return [path_of(each) for each in names]


def path_of(name: str) -> str:
    """A file of tests, or one of its tests, as pytest takes it."""
    file, colons, test = name.partition("::")
    return f"{TESTS}/test_{file}.py{colons}{test}"
