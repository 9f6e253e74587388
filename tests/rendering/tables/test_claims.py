"""A claim that differs has a row with the printed number, the computed one, and the steps between them."""

import pytest
from bs4 import BeautifulSoup, Tag

from macros.counting.errors import BadClaim
from macros.counting.published.claims import load_claims
from macros.rendering.tables import claims
from tests.rendering.test_every_page import expanded_pages

PAGE = "disagreements/published-claims.md"


def cell_texts(source: str, position: int) -> list[str]:
    """The texts of the cells in a claim's row."""
    (claim,) = expanded_pages()[PAGE].parsed.select(f"#{source}-{position}")
    return [cell.get_text("|", strip=True) for cell in claim.find_all(["th", "td"])]


def fold_of(source: str) -> Tag:
    """The fold with the table of a source's claims."""
    folds = expanded_pages()[PAGE].parsed.select(".bc-quotes")
    return next(fold for fold in folds if fold.select(f"#{source}-numbers"))


NORM_FORGOTTEN = """\
−1,536: forgetting the embeddings' LayerNorm.|The source counts their LayerNorm with the other LayerNorms."""

MEMORY_SLIPS = """\
−2,362,368 bytes: leaving out the pooler;|−103,944,192 bytes: counting attention for one layer only;|\
−12,288 bytes: leaving out the biases of attention;|\
−184,320 bytes: leaving out the biases of the feed-forward network;|\
−226,925,568 bytes: taking 1 byte per parameter;|dividing by the bytes in an MiB."""


# Sources: the printed numbers are in claims.toml with their addresses; the computed ones are from transformers.
@pytest.mark.parametrize(
    ("source", "position", "expected"),
    [
        (
            "base-chinese-by-hand",
            42,
            [
                "embeddings",
                "16621056",
                "16,622,592",
                NORM_FORGOTTEN,
                "sum",
            ],
        ),
        ("base-chinese-by-hand", 53, ["memory of the model", "72.1 MB", "409.1 MB", MEMORY_SLIPS, "summary"]),
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
def test_a_row_shows_both_numbers_and_the_steps(source: str, position: int, expected: list[str]) -> None:
    """The first number is as printed by the source; the second is the engine's."""
    assert expected == cell_texts(source, position)
    headings = [heading.get_text() for heading in fold_of(source).select(f"#{source}-numbers thead th")]
    assert ["what is counted", "printed", "computed", "explanation", "where"] == headings


def source_line(source: str) -> Tag:
    """The parsed line that cites a source."""
    return BeautifulSoup(claims.source_line(source), "html.parser")


def test_only_differing_claims_have_rows() -> None:
    """Rows are in the order of the source; the ids of all other claims are in the line that cites it."""
    fold = fold_of("base-chinese-by-hand")
    source_claims = load_claims()["base-chinese-by-hand"]
    verdicts = {f"{claim.source.name}-{claim.position}": claim.verdict for claim in source_claims}
    assert [name for name, verdict in verdicts.items() if verdict == "differs"] == [
        row["id"] for row in fold.select("#base-chinese-by-hand-numbers tbody tr")
    ]
    line = source_line("base-chinese-by-hand")
    assert [name for name, verdict in verdicts.items() if verdict != "differs"] == [
        anchor["id"] for anchor in line.select("a[id]")
    ]
    assert ["33", "10"] == [number["value"] for number in line("data")]


def test_a_page_with_a_wrong_claim_is_not_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """Claims that differ are checked for their rows, and all others for the line that cites the source."""
    source_claims = load_claims()["base-chinese-by-hand"]
    differing_claim = next(claim for claim in source_claims if claim.verdict == "differs")
    agreeing_claim = next(claim for claim in source_claims if claim.verdict == "agrees")
    wrong_claims = (agreeing_claim._replace(verdict="differs"), differing_claim._replace(verdict="agrees"))
    monkeypatch.setattr(claims, "load_claims", lambda: {"base-chinese-by-hand": wrong_claims})
    with pytest.raises(BadClaim, match=f"base-chinese-by-hand, claim {agreeing_claim.position},"):
        claims.claim_rows("base-chinese-by-hand")
    with pytest.raises(BadClaim, match=f"base-chinese-by-hand, claim {differing_claim.position},"):
        claims.source_line("base-chinese-by-hand")


AGREEMENT_NOTES = {
    "keras-bert": ("keras-bert-numbers", "2 numbers agree."),
    "torchinfo": (None, ""),
    "d2l": ("d2l-numbers-agreeing", "2 further numbers agree."),
    "peft-issue": ("peft-issue-numbers-agreeing", "1 further number agrees."),
    "bert4keras-walk-through": (
        "bert4keras-walk-through-numbers",
        "37 numbers agree, and 1 is a setting that changes no count.",
    ),
}
"""The id and the text of the note on the numbers that agree, by source."""


@pytest.mark.parametrize("source", AGREEMENT_NOTES)
def test_a_note_counts_the_numbers_that_agree(source: str) -> None:
    """The note has the id of the table that would list these numbers; if none agree, there is no note."""
    note = source_line(source).span
    assert AGREEMENT_NOTES[source] == ((note["id"], note.get_text()) if note else (None, ""))


def test_memory_is_written_in_the_unit_of_the_claim() -> None:
    """Our number has the unit of the claim and as many decimals, but at least one."""
    text_by_printed_number = {}
    for entries in load_claims().values():
        for claim in entries:
            if claim.is_of_memory and claim.verdict != "no-effect" and not claim.tensor:
                text = BeautifulSoup(claims.our_number(claim), "html.parser").get_text()
                text_by_printed_number[claim.printed] = text
    assert "409.1 MB" == text_by_printed_number["72.1 MB"]
    for claim_text, text in text_by_printed_number.items():
        unit = claim_text.split(" ")[-1]
        if unit in ("MB", "MiB", "GB", "GiB"):
            decimals = len(claim_text.split(" ")[0].partition(".")[2])
            assert text.endswith(f" {unit}"), claim_text
            assert max(decimals, 1) == len(text.split(" ")[0].partition(".")[2]), claim_text


def test_every_source_has_a_row_with_its_number_of_differences() -> None:
    (table,) = expanded_pages()[PAGE].parsed.select("#sources-table")
    entries = [[cell.get_text() for cell in row.find_all(["th", "td"])] for row in table("tr")][1:]
    assert ["accelerate, Model memory estimator, for BERT base, cased", "7", "tool", "2026-11-21"] == entries[0]
    titles = [title.lower() for title, *_ in entries]
    assert sorted(titles) == titles
    assert len(load_claims()) == len(entries)


def test_every_source_is_cited_below_its_table() -> None:
    next_element = fold_of("torchinfo").find_next_sibling()
    assert next_element
    assert next_element.a
    assert ["bc-source"] == next_element["class"]
    assert str(next_element.a["href"]).startswith("https://")
    assert ", accessed 2026-" in next_element.get_text()
    assert len(load_claims()) == len(expanded_pages()[PAGE].parsed.select(".bc-source"))
