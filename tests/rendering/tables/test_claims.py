"""Claims on a page: printed, computed, verdict, and the way from one to the other."""

import pytest
from bs4 import BeautifulSoup, Tag

from macros.counting.published.claims import load_claims
from macros.rendering.tables import claims
from tests.rendering.test_every_page import written_pages

PAGE = "disagreements/published-claims.md"


def row(source: str, place: int) -> list[str]:
    """A claim of a source as text."""
    (found,) = written_pages()[PAGE].parsed.select(f"#{source}-{place}")
    return [cell.get_text("|", strip=True) for cell in found.find_all(["th", "td"])]


def tables_of(source: str) -> Tag:
    """Both tables of a source, or the one that it has."""
    return next(each for each in written_pages()[PAGE].parsed.select(".bc-quotes") if each.select(f"#{source}-numbers"))


OF_MEMORY = """\
−2,362,368: leaving out the pooler;|−103,944,192: counting attention for one layer only;|\
−12,288: leaving out the biases of attention;|−184,320: leaving out the biases of the feed-forward network;|\
−226,925,568: taking 1 byte per parameter;|dividing by the bytes in a MiB."""


# Sources: the printed numbers are in claims.toml with their addresses; the computed ones are transformers'.
@pytest.mark.parametrize(
    ("source", "place", "expected"),
    [
        ("base-chinese-by-hand", 3, ["hidden_size", "768", "768", "", "configuration"]),
        (
            "base-chinese-by-hand",
            42,
            [
                "embeddings",
                "16621056",
                "16,622,592",
                "−1,536: forgetting the embeddings' LayerNorm.|The source counts their LayerNorm with the other LayerNorms.",
                "sum",
            ],
        ),
        ("base-chinese-by-hand", 53, ["memory of the model", "72.1 MB", "409.1 MB", OF_MEMORY, "summary"]),
        (
            "keras-bert-article",
            48,
            [
                "rows of the summary for all layers",
                "108",
                "96",
                "+12: counting that row in every layer.",
                "steps of the model",
            ],
        ),
    ],
)
def test_a_claim(source: str, place: int, expected: list[str]) -> None:
    """As its source prints it and as the engine counts it; what explains the difference adds up to it."""
    assert expected == row(source, place)


def test_what_differs_comes_first_and_the_rest_is_folded() -> None:
    """Each in the order of the source, with an address of its own."""
    page = tables_of("base-chinese-by-hand")
    (fold,) = page("details")
    folded = [str(each["id"]) for each in fold.select("tbody tr")]
    shown = [str(each["id"]) for each in page.select("tbody tr") if str(each["id"]) not in folded]
    verdicts = {f"{each.source.name}-{each.position}": each.verdict for each in load_claims()["base-chinese-by-hand"]}
    assert [each for each in verdicts if verdicts[each] == "differs"] == shown
    assert [each for each in verdicts if verdicts[each] != "differs"] == folded
    names = ["base-chinese-by-hand-numbers", "base-chinese-by-hand-numbers-agreeing"]
    assert names == [each["id"] for each in page.select("div.bc-table")]


@pytest.mark.parametrize(("source", "folds", "tables"), [("keras-bert", 1, 1), ("torchinfo", 0, 1), ("d2l", 1, 2)])
def test_only_what_agrees_is_folded(source: str, folds: int, tables: int) -> None:
    """A source that is right throughout has one table, and so has one that is wrong throughout."""
    page = tables_of(source)
    assert (folds, tables) == (len(page("details")), len(page("table")))


def test_memory_is_written_in_the_unit_of_the_claim() -> None:
    """With as many decimals as the claim has, and one at least."""
    shown = {}
    for listed in load_claims().values():
        for claim in listed:
            if claim.of_memory and claim.verdict != "no-effect" and not claim.tensor:
                text = BeautifulSoup(claims.computed(claim), "html.parser").get_text()
                shown[claim.printed] = text
    assert "409.1 MB" == shown["72.1 MB"]
    for printed, text in shown.items():
        unit = printed.split(" ")[-1]
        if unit in ("MB", "MiB", "GB", "GiB"):
            decimals = len(printed.split(" ")[0].partition(".")[2])
            assert text.endswith(f" {unit}"), printed
            assert max(decimals, 1) == len(text.split(" ")[0].partition(".")[2]), printed


def test_sources_are_listed() -> None:
    """With how many of their numbers differ."""
    (page,) = written_pages()[PAGE].parsed.select("#sources-table")
    listed = [[cell.get_text() for cell in row.find_all(["th", "td"])] for row in page("tr")][1:]
    assert ["2", "text", "2026-11-21"] == listed[0][1:]
    assert len(load_claims()) == len(listed)


def test_a_source_is_linked_if_it_has_an_address() -> None:
    """With the day it was read, below its numbers; each source has a section."""
    below = tables_of("torchinfo").find_next_sibling()
    assert below
    assert below.a
    assert ["bc-source"] == below["class"]
    assert str(below.a["href"]).startswith("https://")
    assert ", accessed 2026-" in below.get_text()
    assert len(load_claims()) == len(written_pages()[PAGE].parsed.select(".bc-quotes + .bc-source"))
