"""What a browser makes of a published site, and what is said where there is none."""

import re
import struct
from contextlib import nullcontext
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from macros.publish import PublishError, paper, printed
from macros.publish.paper import __main__ as command
from macros.publish.paper.__main__ import main
from macros.rendering.hand_outs import SHEETS

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20.4" viewBox="0 0 40 20.4"><text y="9">a</text></svg>'
)


def pages_of(pdf: bytes) -> int:
    """The pages of a PDF, counted one by one, and as its root says."""
    counted = len(re.findall(rb"/Type /Page\b(?!s)", pdf))
    assert re.findall(rb"/Type /Pages\s+/Count (\d+)", pdf)[0] == str(counted).encode()
    return counted


def test_hand_outs_have_two_pages(site: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """On A4 and on Letter, and no time but that of the build."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    made = dict(paper.sheets(site, browser))
    assert {
        "hand-outs/bert-on-two-pages-a4.pdf": 2,
        "hand-outs/bert-on-two-pages-letter.pdf": 2,
        "hand-outs/bert-on-two-pages-to-fill-in-a4.pdf": 2,
        "hand-outs/bert-on-two-pages-to-fill-in-letter.pdf": 2,
    } == {name: pages_of(pdf) for name, pdf in made.items()}
    assert {b"19700102000000"} == {day for pdf in made.values() for day in re.findall(rb"\(D:(\d{14})", pdf)}


def test_a_third_page_is_noticed(site: Path, browser: Browser) -> None:
    """A few lines more than the paper has."""
    page = browser.new_page()
    page.goto((site / "teach" / "two-pages.html").as_uri())
    page.evaluate(
        "for (let i = 0; i < 9; i++) mistakes.querySelector('tr').after(mistakes.querySelector('tr').cloneNode(true))"
    )
    assert pages_of(page.pdf(format="Letter")) == 3
    page.close()


def test_figures_become_png(tmp_path: Path, browser: Browser) -> None:
    """Twice as many pixels each way, beside the SVG."""
    (tmp_path / "figures" / "a").mkdir(parents=True)
    (tmp_path / "figures" / "a" / "b-light.svg").write_text(SVG)
    ((name, png),) = paper.pictures(tmp_path, browser)
    assert ("figures/a/b-light.png", (80, 40)) == (name, struct.unpack(">II", png[16:24]))


def test_a_folder_without_figures_or_hand_outs_is_refused(tmp_path: Path, browser: Browser) -> None:
    """It says what is missing, and what would do."""
    with pytest.raises(PublishError, match=r"has no teach/two-pages.html to print; publish the whole site"):
        list(paper.sheets(tmp_path, browser))
    with pytest.raises(PublishError, match=r"figures holds no figure; publish the site"):
        list(paper.pictures(tmp_path, browser))
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures" / "a.svg").write_text("<svg/>")
    with pytest.raises(PublishError, match=r"a.svg does not say how large it is"):
        list(paper.pictures(tmp_path, browser))


@pytest.mark.parametrize(("options", "status"), [([], 2), (["--if-possible"], 0)])
def test_without_a_browser_one_line_says_so(
    options: list[str], status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """That is an error only where the files are needed."""
    monkeypatch.setattr(paper, "executable", lambda: None)
    assert main(["site", *options]) == status
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "the hand-outs as PDF and the figures as PNG need a Chromium or Chrome that starts" in said


def test_only_a_missing_browser_is_forgiven(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another fault is one, whatever is possible."""
    monkeypatch.setattr(command, "opened", lambda: nullcontext(browser))
    assert main([str(tmp_path), "--if-possible"]) == 2
    assert "PublishError" in capsys.readouterr().err


def test_only_files_that_are_there_are_linked(tmp_path: Path) -> None:
    """A hand-out that was not printed has no link."""
    (name, *_) = SHEETS
    place = f'<span class="bc-printed" data-sheet="{name}">'
    page = f"{place}</span>"
    assert printed.with_links("teach/a.html", page, tmp_path) == page
    (tmp_path / "hand-outs").mkdir()
    (tmp_path / printed.address(name, "A4")).touch()
    linked = f'{place}: <a href="../hand-outs/bert-on-two-pages-a4.pdf">PDF for A4</a></span>'
    assert printed.with_links("teach/a.html", page, tmp_path) == linked
    assert printed.with_links("teach/a.html", linked, tmp_path) == linked
