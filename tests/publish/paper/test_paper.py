"""What is asked of a browser, and what becomes of what it makes; it is a stand-in here, which writes down what it does.

What a true one makes of a site is tested in `tests/docs/test_printing.py`.
"""

from contextlib import nullcontext
from pathlib import Path
from unittest.mock import MagicMock

import pytest

from macros import publish
from macros.publish import PublishError, paper
from macros.publish.__main__ import main
from macros.publish.page import Page

PDF = b"%PDF (D:20260102030405+00'00') (D:2026) %%EOF"


@pytest.fixture
def browser() -> MagicMock:
    """What writes down all that is asked of it, and of its one window."""
    made = MagicMock()
    made.new_page.return_value.pdf.return_value = PDF
    made.new_page.return_value.screenshot.return_value = b"PNG"
    return made


def files(folder: Path, **texts: str) -> Path:
    """A site with a hand-out and some figures."""
    (folder / "teach").mkdir()
    for name in ("two-pages", "sheet", "plan", "slides"):
        (folder / f"teach/{name}.html").touch()
    (folder / "figures/a").mkdir(parents=True)
    for name, text in texts.items():
        (folder / "figures/a" / f"{name}.svg").write_text(text)
    return folder


SVG = '<svg xmlns="x" width="40" height="20.6" viewBox="0 0 40 20.6"></svg>'


def test_without_a_date_it_is_the_first_that_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same at every build; and a PDF keeps its length, or its table of contents would be wrong."""
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    assert b"(D:19700101000000+00'00')" == paper.repeatable(b"(D:20260102030405+01'00')")
    assert b"(D:19700101000000+00'00'  )" == paper.repeatable(b"(D:20260102030405+01'00' a)")


def test_a_folder_without_hand_outs_is_refused(tmp_path: Path, browser: MagicMock) -> None:
    """It says what is missing, and what would do."""
    with pytest.raises(PublishError, match=r"has no teach/sheet.html to print; publish the whole site"):
        list(paper.sheets(tmp_path, browser))


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """How the site has been published: each time with paper or without."""
    seen: list[bool] = []
    monkeypatch.setattr(publish, "_publish", lambda _, paper: seen.append(paper))
    return seen


@pytest.mark.parametrize(("option", "status", "done"), [("required", 2, []), ("if-possible", 0, [False])])
def test_without_a_browser_one_line_says_so(
    option: str,
    status: int,
    done: list[bool],
    published: list[bool],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """That is an error only where the files are needed; elsewhere the site is published without links to them."""
    monkeypatch.delenv("CHROME_PATH", raising=False)
    monkeypatch.setattr(paper, "executable", lambda: None)
    monkeypatch.setenv("PAPER", option)
    assert status == main([str(tmp_path / "site")])
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "the hand-outs as PDF and the figures as PNG need a Chromium or Chrome that starts" in said
    assert done == published


@pytest.mark.parametrize("option", ["required", "if-possible"])
def test_all_is_written_that_pages_link_to(
    option: str, tmp_path: Path, browser: MagicMock, published: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Printing comes last, since it prints what is published; another fault than a missing browser is one."""
    monkeypatch.setattr(publish, "opened", lambda _: nullcontext(browser))
    monkeypatch.setenv("PAPER", option)
    assert 2 == main([str(tmp_path)])
    assert 0 == main([str(files(tmp_path, a=SVG))])
    assert [True, True] == published
    names = ("bert-on-two-pages", "count-bert-by-hand", "lesson-plan")
    sheets = [f"{name}-{each}.pdf" for name in names for each in ("a4", "letter")]
    assert ["a.png", *sheets, "the-board-slides.pdf"] == sorted(each.name for each in tmp_path.rglob("*.p*"))


def test_the_places_of_a_page_are_filled() -> None:
    """With a link to the file for each size of paper, from where the page is."""
    page = Page("teach/a.html", '<p><span class="bc-printed" data-sheet="lesson-plan"></span></p>')
    paper.add_links(page)
    files = ("lesson-plan-a4.pdf", "lesson-plan-letter.pdf")
    assert [f"../hand-outs/{file}" for file in files] == [each.attributes["href"] for each in page.tree.css("a")]
    assert [": PDF for A4, PDF for Letter"] == [each.text() for each in page.tree.css("p")]
