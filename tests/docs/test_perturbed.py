"""A build from other sizes keeps no old number on any page."""

import os
import re
import subprocess
import sys
from copy import copy as copy_of
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from tests.docs.building import build, copy
from tests.docs.conftest import Pages, parsed

# Numbers that belong to a page and to no model, each with its reason.
LASTING = {
    "100.0": "the share of a whole in itself",
    "500": "seq_len of the notebook's own call, which is no size of a model",
    "128": "the sequence length of most steps of pre-training, which is no size of a model",
}

OTHER_CLAIMS = Path(__file__).parent / "other_claims.py"

LASTING_PAGES = {
    "about/verification.html": "recordings of other libraries do not follow models.toml",
}

# Versions, the numbers of issues, and dates belong to what they name.
NAMED = re.compile(
    r"\b(transformers|KerasHub|keras-bert|bert4keras|torchinfo|release|issue) \d[\d.]*( (to|and) \d[\d.]*\d)?"
    r"|\b\d{4}-\d\d-\d\d\b"
)

NUMBER = re.compile(r"\d[\d,]*\.\d+|\d[\d,]*\d\d")


def numbers_on(page: BeautifulSoup) -> set[str]:
    """Numbers of three digits or more that a reader of the page can see or hear."""
    article = page.article
    if article is None or (page.h1 and page.h1.get_text().startswith("404")):
        return set()  # the error page carries the number of the error
    article = copy_of(article)
    # A table of quotations keeps what its sources say; what is computed there must follow.
    for table in article.select(".bc-quotes"):
        table.string = " ".join(each.get_text() for each in table.find_all("data"))
    hidden = [str(tag.get(key, "")) for tag in article.find_all(True) for key in ("data-how", "title", "value")]
    text = " ".join([article.get_text(" "), *hidden])
    # A listing numbers its rows, whatever they count.
    text = re.sub(r"\b\d+  (?=[A-Z][a-z]+-)", "", text)
    text = NAMED.sub(" ", text)
    # A model's name holds digits of its own sizes, and stays as it is.
    text = re.sub(r"\bbert_uncased_L-\d+_H-\d+_A-\d+", " ", text)
    return {number.strip(".,") for number in NUMBER.findall(text)} - set(LASTING)


def perturbed(models: str) -> str:
    """The text of models.toml with every size of every model changed."""

    def other(match: re.Match[str]) -> str:
        key, size = match[1], int(match[2])
        if key == "num_attention_heads":
            return f"{key} = 1"
        # Each size grows by a factor of its own, or shares between parts would stay.
        factor = {"vocab_size": 5, "intermediate_size": 7, "num_hidden_layers": 2, "type_vocab_size": 2}.get(key, 3)
        return f"{key} = {factor * size + 11}"

    return re.sub(r"^(\w+) = (\d+)$", other, models, flags=re.MULTILINE)


@pytest.fixture(scope="module")
def other_pages(tmp_path_factory: pytest.TempPathFactory) -> Pages:
    """The site built from a models.toml in which every size is another."""
    folder = tmp_path_factory.mktemp("perturbed")
    root = copy(folder / "repository")
    models = root / "macros" / "counting" / "data" / "models.toml"
    before = models.read_text()
    models.write_text(perturbed(before))
    assert before != models.read_text()
    # Claims are about the published sizes; in a world of other sizes others are made.
    subprocess.run([sys.executable, OTHER_CLAIMS], cwd=root, env={**os.environ, "PYTHONPATH": "."}, check=True)
    done = build(folder / "site", root)
    assert done.returncode == 0, done.stderr
    return parsed(folder / "site")


def kept(before: Pages, after: Pages) -> dict[str, set[str]]:
    """Numbers that stand on a page in both builds."""
    assert sorted(before) == sorted(after)
    return {
        name: same
        for name in before
        if name not in LASTING_PAGES and (same := numbers_on(before[name]) & numbers_on(after[name]))
    }


def test_no_page_keeps_an_old_number(pages: Pages, other_pages: Pages) -> None:
    """Every number follows the sizes; one that does not was typed, or belongs in the list with its reason."""
    assert sum(len(numbers_on(page)) for page in pages.values()) > 300
    assert {} == kept(pages, other_pages)


def test_a_number_that_stays_is_found() -> None:
    """A number typed into both builds is noticed, wherever it stands."""
    for html in (
        "<p>2,362,368</p>",
        '<p title="1536">a</p>',
        "<svg><text>39,321,6</text></svg>",
        "<code>590592</code>",
    ):
        page = {"a.html": BeautifulSoup(f"<article>{html}</article>", "html.parser")}
        assert kept(page, page)
