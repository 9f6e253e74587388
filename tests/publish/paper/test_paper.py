"""The published site is printed into the files that its pages link to, or one line says why not.

The browser is a mock. `tests/docs/test_printing.py` tests what a real browser prints.
"""

import re
from contextlib import nullcontext
from pathlib import Path
from unittest.mock import MagicMock

import pytest
from playwright.sync_api import Error

from macros import publish
from macros.publish import PublishError, paper
from macros.publish.__main__ import main
from macros.publish.page import Page

PDF = b"%PDF (D:20260102030405+00'00') (D:2026) %%EOF"


@pytest.fixture
def browser() -> MagicMock:
    """A mock browser whose only page returns a PDF and a screenshot."""
    mock = MagicMock()
    mock.new_page.return_value.pdf.return_value = PDF
    mock.new_page.return_value.screenshot.return_value = b"PNG"
    return mock


def write_site(folder: Path, **texts: str) -> Path:
    """Write empty hand-outs and figures with `texts` into a folder, and return the folder."""
    (folder / "teach").mkdir()
    for name in ("two-pages", "sheet", "plan", "slides"):
        (folder / f"teach/{name}.html").touch()
    (folder / "figures/a").mkdir(parents=True)
    for name, text in texts.items():
        (folder / "figures/a" / f"{name}.svg").write_text(text)
    return folder


SVG = '<svg xmlns="x" width="40" height="20.6" viewBox="0 0 40 20.6"></svg>'


def test_a_pdf_without_a_given_date_is_dated_1970(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without SOURCE_DATE_EPOCH, every build gives the same file.

    The file keeps its length, because its cross-reference table gives positions in bytes.
    """
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    assert b"(D:19700101000000+00'00')" == paper.repeatable(b"(D:20260102030405+01'00')")
    assert b"(D:19700101000000+00'00'  )" == paper.repeatable(b"(D:20260102030405+01'00' a)")


def test_a_folder_without_hand_outs_is_refused(tmp_path: Path, browser: MagicMock) -> None:
    with pytest.raises(PublishError, match=r"has no teach/sheet.html to print; publish the whole site"):
        list(paper.sheets(tmp_path, browser))


@pytest.fixture
def publications(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Record, instead of publishing, whether pages would link to the files that a browser prints."""
    calls: list[bool] = []
    monkeypatch.setattr(publish, "_publish", lambda _, has_prints: calls.append(has_prints))
    return calls


@pytest.mark.parametrize(("option", "status", "expected"), [("required", 2, []), ("if-possible", 0, [False])])
def test_without_a_browser_one_line_says_so(
    option: str,
    status: int,
    expected: list[bool],
    publications: list[bool],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """If printing is not required, the site is published all the same, without the files that a browser prints."""
    monkeypatch.delenv("CHROME_PATH", raising=False)
    monkeypatch.setattr(paper, "executable", lambda: None)
    monkeypatch.setenv("PAPER", option)
    assert status == main([str(tmp_path / "site")])
    message = capsys.readouterr().err
    assert message.count("\n") == 1
    assert "the hand-outs as PDF and the figures as PNG need a Chromium or Chrome that starts" in message
    assert expected == publications


def test_the_help_has_every_value_of_the_option(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "200")  # so that no line breaks after the hyphen of a value
    with pytest.raises(SystemExit):
        main(["--help"])
    assert ["required", "if-possible"] == re.findall(r"\bPAPER=([\w-]+)", capsys.readouterr().out)


@pytest.mark.parametrize("option", ["required", "if-possible"])
def test_every_linked_file_is_written(
    option: str, tmp_path: Path, browser: MagicMock, publications: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files are printed from the published site, so the site is published first.

    A fault other than a missing browser is an error even if printing is optional.
    """
    monkeypatch.setattr(publish, "printing_browser", lambda _: nullcontext(browser))
    monkeypatch.setenv("PAPER", option)
    assert 2 == main([str(tmp_path)])
    assert 0 == main([str(write_site(tmp_path, a=SVG))])
    assert [True, True] == publications
    names = ("bert-on-two-pages", "count-bert-by-hand", "lesson-plan")
    sheets = [f"{name}-{size}.pdf" for name in names for size in ("a4", "letter")]
    assert ["a.png", *sheets, "the-board-slides.pdf"] == sorted(path.name for path in tmp_path.rglob("*.p*"))


def test_a_failed_screenshot_is_taken_again_once() -> None:
    tab = MagicMock()
    tab.screenshot.side_effect = [Error("Target crashed"), b"PNG", Error("Target crashed"), Error("Target closed")]
    assert b"PNG" == paper.screenshot(tab)
    with pytest.raises(Error, match="Target closed"):
        paper.screenshot(tab)


def test_placeholders_become_links_to_hand_outs() -> None:
    page = Page("teach/a.html", '<p><span class="bc-printed" data-sheet="lesson-plan"></span></p>')
    paper.add_links(page)
    files = ("lesson-plan-a4.pdf", "lesson-plan-letter.pdf")
    assert [f"../hand-outs/{file}" for file in files] == [link.attributes["href"] for link in page.tree.css("a")]
    assert [": PDF for A4, PDF for Letter"] == [paragraph.text() for paragraph in page.tree.css("p")]
