"""Bars show the embeddings' share of models, relatives of every group, and the bytes of each storage format."""

import re

from bs4 import BeautifulSoup

from macros.rendering.figures.shares import VARIED_RELATIVES
from macros.site import MACROS
from tests.docs.building import ROOT


def texts(page: BeautifulSoup) -> list[tuple[str, str]]:
    """The label and the note above each bar."""
    elements = [element.get_text() for element in page.select("svg text")]
    return list(zip(elements[::2], elements[1::2], strict=True))


def test_a_bar_for_each_model_shows_the_embeddings_and_the_rest() -> None:
    """Models are sorted from smallest to largest."""
    page = BeautifulSoup(MACROS["figure"]("checkpoints"), "html.parser")
    assert [
        ("BERT-Tiny", "90.6% of 4,385,920"),
        ("BERT-Mini", "71.1% of 11,170,560"),
        ("BERT-Small", "55.2% of 28,763,648"),
        ("BERT-Medium", "38.4% of 41,373,184"),
        ("BERT base, Chinese", "16.3% of 102,267,648"),
        ("BERT base, uncased", "21.8% of 109,482,240"),
        ("BERT base, multilingual cased", "51.8% of 177,853,440"),
        ("BERT large, uncased", "9.5% of 335,141,888"),
    ] == texts(page)
    titles = [title.get_text() for title in page.select("svg [data-from] title")]
    assert ["embeddings: 3,972,864", "the rest: 413,056"] == titles[:2]
    assert ["embeddings", "everything else"] == [entry.get_text() for entry in page.select(".bc-legend li")]
    assert page.desc
    assert page.desc.get_text().startswith("BERT-Tiny: 90.6% of 4,385,920; BERT-Mini: 71.1%")


def test_the_further_relatives_cover_every_group() -> None:
    """The docstring of `VARIED_RELATIVES` claims this. A group is a section of the page on further relatives."""
    page = (ROOT / "docs" / "totals" / "further-relatives.md").read_text()
    groups = [section for section in re.split(r"^## ", page, flags=re.MULTILINE) if "details_of(" in section]
    assert len(groups) > 3
    assert [] == [group.partition(" {")[0] for group in groups if not any(name in group for name in VARIED_RELATIVES)]


def test_embeddings_keep_their_bytes_in_every_storage_format() -> None:
    """Only matrices of dense layers are packed. In `float32`, embeddings take 4 × 23,837,184 bytes."""
    page = BeautifulSoup(MACROS["figure"]("stored"), "html.parser")
    titles = [title.get_text() for title in page.select("svg [data-from] title")]
    assert len(texts(page)) == titles.count("embeddings: 95,348,736") == 4
    assert 4 == sum(title.startswith("embeddings") for title in titles)
