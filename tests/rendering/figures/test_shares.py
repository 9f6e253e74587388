"""Bars of models: the embeddings' share, and memory by data type."""

from bs4 import BeautifulSoup

from macros.site import MACROS


def texts(page: BeautifulSoup) -> list[tuple[str, str]]:
    """Labels and notes above the bars."""
    found = [each.get_text() for each in page.select("svg text")]
    return list(zip(found[::2], found[1::2], strict=True))


def test_the_share_of_the_embeddings() -> None:
    """From the smallest to the largest: two pieces each, which fill the width."""
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
    titles = [each.get_text() for each in page.select("svg [data-from] title")]
    assert ["embeddings: 3,972,864", "the rest: 413,056"] == titles[:2]
    assert ["embeddings", "everything else"] == [each.get_text() for each in page.select(".bc-legend li")]
    assert page.desc
    assert page.desc.get_text().startswith("BERT-Tiny: 90.6% of 4,385,920; BERT-Mini: 71.1%")


def test_memory_by_data_type() -> None:
    """Base and large in each data type, types of as many bytes together, in both units, to one scale."""
    page = BeautifulSoup(MACROS["figure"]("memory"), "html.parser")
    assert [
        ("float32: base", "437.9 MB = 417.6 MiB"),
        ("large", "1,340.6 MB = 1,278.5 MiB"),
        ("float16 or bfloat16: base", "219.0 MB = 208.8 MiB"),
        ("large", "670.3 MB = 639.2 MiB"),
        ("int8: base", "109.5 MB = 104.4 MiB"),
        ("large", "335.1 MB = 319.6 MiB"),
    ] == texts(page)
    assert "437,928,960 bytes" == page.select("svg [data-from] title")[0].get_text()
    assert page.svg
    assert "1340567552" == page.svg["data-full"]
    # 335,141,888 × 4 bytes fill the width, 437,928,960 are 32.67% of it.
    assert "32.6674%" == page.select("svg [data-from]")[0]["width"]
