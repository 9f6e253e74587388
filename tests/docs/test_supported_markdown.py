"""Notes, folds, tabs, keys and footnotes work, although no page of the site uses them yet."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.docs.building import build, small_copy
from tests.docs.conftest import parse_pages, serving
from tests.docs.windows import faults_in_windows, open_page

SAMPLE = Path(__file__).with_name("supported.md")
"""Markdown with this syntax."""

PAGES = ("notation.md", "index.md", "about/verification.md", "teach/linking.md", "disagreements/i-got.md")
"""The page that the sample is added to, followed by the pages that every page links to."""


@pytest.fixture(scope="module")
def small_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small site with the sample on one of its pages."""
    folder = tmp_path_factory.mktemp("supported")
    root = small_copy(folder / "repository", *PAGES)
    page = root / "docs" / PAGES[0]
    page.write_text(f"{page.read_text()}\n{SAMPLE.read_text()}")
    process = build(folder / "site", root)
    assert 0 == process.returncode, process.stderr
    assert "WARNING" not in process.stderr, process.stderr
    return folder / "site"


@pytest.fixture(scope="module")
def sample(small_site: Path) -> Iterator[str]:
    """The address of the page with the sample."""
    with serving(small_site) as address:
        yield f"{address}/notation.html"


def test_the_output_of_a_macro_stays_in_its_note_tab_or_list(small_site: Path) -> None:
    article = parse_pages(small_site)["notation.html"].article
    assert article
    assert ["in-a-note"] == [table["id"] for table in article.select(".admonition.note > .bc-table")]
    code, result = article.select(".admonition.note > div:is(.highlight, .language-text) code")
    assert code.get_text().count("\n") > 2
    assert "590592\n2362368\n" == result.get_text()
    assert "The end of the note." == article.select(".admonition.note > p")[-1].get_text()
    assert article.select(".tabbed-block:first-child math")
    assert ["in-a-list"] == [table["id"] for table in article.select("li > .bc-table")]
    assert article.select_one("li > .bc-table ~ p")


def test_supported_markdown_looks_right_in_every_window(open_tab: Callable[..., Page], sample: str) -> None:
    page = open_tab()
    faults = open_page(page, sample)
    for fold in page.locator("details").all():
        fold.evaluate("fold => fold.open = true")
    assert [] == faults + faults_in_windows(page, "article")


def test_tabs_work_without_scripts(open_tab: Callable[..., Page], sample: str) -> None:
    page = open_tab(java_script_enabled=False)
    page.goto(sample)
    first_block, second_block = page.locator(".tabbed-block").all()
    expect(first_block).to_be_visible()
    expect(second_block).to_be_hidden()
    page.get_by_text("TensorFlow", exact=True).click()
    expect(second_block).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(first_block).to_be_visible()


def test_tabs_and_folds_are_printed_open(open_tab: Callable[..., Page], sample: str) -> None:
    """Every tab is printed below its title."""
    page = open_tab()
    page.goto(sample)
    page.emulate_media(media="print")
    for block in page.locator(".tabbed-block, .tabbed-labels > label, details.tip > p").all():
        expect(block).to_be_visible()
    pieces = page.locator(".tabbed-labels > label, .tabbed-block")
    tops = pieces.evaluate_all("pieces => pieces.map(piece => piece.getBoundingClientRect().y)")
    first_title, second_title, first_block, second_block = tops
    assert first_title < first_block < second_title < second_block
    page.emulate_media(media="screen")


def test_the_markdown_of_the_page_contains_the_whole_sample(small_site: Path) -> None:
    """The Markdown that the site offers needs no extensions except footnotes."""
    text = (small_site / "notation.md").read_text()
    for expected in (
        "> **Note**\n>\n> A note with 590,592 parameters",
        "> **A warning**\n>\n> ~~Deleted~~, inserted and marked text",
        "**A fold**\n\nWhat is folded.",
        "**PyTorch**\n\n$H^{2} + H$\n\n",
        "\n\n**TensorFlow**\n\n- A list\n- in a tab with 768 features\n\n",
        "> ```\n> 590592\n> 2362368\n> ```\n>\n> The end of the note.",
        "Copy it with `Ctrl`+`C`[^why].",
        "[^why]: On a keyboard; see [the table](notation.html#in-a-note).",
    ):
        assert expected in text, text[-3000:]
