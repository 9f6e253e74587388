"""A field on the page about embeddings splits a sentence into tokens, and shows the table rows that they read."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.docs.windows import faults_in_windows, go_to

PAGE = "parts/embeddings.html"
VOCABULARY = "**/bert-base-uncased.txt.gz"
FOLD = "#your-sentence"
"""A selector for the fold with the field."""


@pytest.fixture
def desktop(open_tab: Callable[..., Page]) -> Page:
    """The page at desktop width, opened anew, with all folds closed."""
    page = open_tab()
    go_to(page, PAGE)
    return page


def open_fold(page: Page) -> None:
    """Open the fold, and wait for the field."""
    page.locator(f"{FOLD} > summary").click()
    page.locator("#own-sentence").wait_for()


def visible_tokens(page: Page) -> list[str]:
    """The tokens of the sentence in the field, each with its id."""
    return [text.replace("\n", " ") for text in page.locator(f"{FOLD} .bc-term").all_inner_texts()]


def test_a_sentence_becomes_tokens(desktop: Page) -> None:
    urls: list[str] = []
    desktop.on("request", lambda request: urls.append(request.url))
    open_fold(desktop)
    assert ["[CLS] 101", "the 1996", "cat 4937", "sat 2938", "[SEP] 102"] == visible_tokens(desktop)
    desktop.locator("#own-sentence").fill("Unaffable, 界!")
    # Source: BertWordPieceTokenizer from the tokenizers library, with this vocabulary.
    expected = ["[CLS] 101", "una 14477", "##ffa 20961", "##ble 3468", ", 1010", "[UNK] 100", "! 999", "[SEP] 102"]
    assert expected == visible_tokens(desktop)
    status = desktop.locator(f"{FOLD} [role=status]")
    # Source: the word table of BERT base in transformers, and 8 × 768 = 6,144.
    expect(status).to_contain_text(
        "8 tokens read 8 different rows out of 30,522: 8 × 768 = 6,144 of the 23,440,896 parameters"
    )
    expect(status).to_contain_text("becomes [UNK]")
    desktop.locator("#own-sentence").fill("cat " * 511)
    expect(status).to_contain_text("513 tokens read 3 different rows")
    expect(status).to_contain_text("BERT reads at most 512")
    desktop.locator("#own-sentence").fill("cat " * 510)
    expect(status).to_contain_text("512 tokens read 3 different rows")
    expect(status).not_to_contain_text("BERT reads at most")
    assert 1 == sum(url.endswith(".gz") for url in urls)


def test_a_sentence_stays_when_the_fold_is_closed_and_opened_again(desktop: Page) -> None:
    open_fold(desktop)
    desktop.locator("#own-sentence").fill("cat")
    for _ in range(2):
        desktop.locator(f"{FOLD} > summary").click()
    desktop.wait_for_timeout(200)  # for a script that would fill the fold again
    assert ["[CLS] 101", "cat 4937", "[SEP] 102"] == visible_tokens(desktop)


def test_vocabulary_and_script_are_not_fetched_before_the_fold_is_opened(desktop: Page) -> None:
    loaded_files = desktop.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    assert [] == [name for name in loaded_files if ".gz" in name or "trying-sentence" in name]


def test_tokens_and_rows_highlight_each_other(desktop: Page) -> None:
    open_fold(desktop)
    highlighted_in_figure, highlighted_tensors = f"{FOLD} figure .bc-lit", "#tensors tr.bc-lit"
    desktop.locator(f"{FOLD} .bc-term").nth(2).hover()
    assert ["4937"] == desktop.locator(highlighted_in_figure).all_text_contents()
    assert ["bert/embeddings/word_embeddings"] == desktop.locator(highlighted_tensors).evaluate_all(
        "rows => rows.map(row => row.dataset.part)"
    )
    desktop.mouse.move(0, 0)
    desktop.locator(f"{FOLD} .bc-term").first.focus()
    desktop.keyboard.press("ArrowRight")
    assert ["1996"] == desktop.locator(highlighted_in_figure).all_text_contents()
    desktop.evaluate("document.activeElement.blur()")
    desktop.locator(f"{FOLD} figure [data-part$='/2938']").hover()
    assert ["sat2938"] == desktop.locator(f"{FOLD} .bc-term.bc-lit").all_text_contents()


def test_the_field_is_accessible(desktop: Page) -> None:
    open_fold(desktop)
    assert [] == faults_in_windows(desktop, FOLD)


def serve_as_compressed(route: Route) -> None:
    """Serve the file with a header that declares it to be compressed, so that the browser decompresses it."""
    response = route.fetch()
    route.fulfill(body=response.body(), headers={"content-encoding": "gzip", "content-type": "text/plain"})


@pytest.mark.parametrize(
    ("serve", "text"),
    [(serve_as_compressed, "cat"), (lambda route: route.fulfill(status=404), "The vocabulary could not be loaded.")],
    ids=["decompressed", "missing"],
)
def test_a_decompressed_vocabulary_is_read_and_a_missing_one_is_reported(
    desktop: Page, serve: Callable[[Route], None], text: str
) -> None:
    """With some servers, browsers decompress the file before the page reads it."""
    desktop.route(VOCABULARY, serve)
    desktop.locator(f"{FOLD} > summary").click()
    expect(desktop.locator(FOLD)).to_contain_text(text)
    desktop.unroute(VOCABULARY)


def test_typed_markup_becomes_tokens(desktop: Page) -> None:
    open_fold(desktop)
    desktop.locator("#own-sentence").fill("<img src=x>")
    assert ["[CLS]", "<", "im", "##g"] == [token.split()[0] for token in visible_tokens(desktop)][:4]
    assert 0 == desktop.locator(f"{FOLD} img").count()


def test_without_scripts_the_fold_says_that_it_needs_them(scriptless_tab: Page) -> None:
    scriptless_tab.goto(PAGE)
    scriptless_tab.locator(f"{FOLD} > summary").click()
    expect(scriptless_tab.locator(FOLD)).to_contain_text("If JavaScript is on")
    assert "../assets/trying/bert-base-uncased.txt.gz" == scriptless_tab.locator(f"{FOLD} a[download]").get_attribute(
        "href"
    )
