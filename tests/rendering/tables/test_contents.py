"""What tables list, and in which order; the site's own tests count every number again.

What a column is called is for its page to say: `test_beside_numbers.py` holds it against the numbers below.
"""

from functools import cache

import pytest
from bs4 import BeautifulSoup, Tag

from macros.counting import Choices, Question, load_models, model_named
from macros.counting.published.bridges import bridge as steps_of
from macros.rendering.tables import bridges
from macros.site import MACROS
from tests.rendering.test_every_page import written_pages


def rows(which: str) -> list[list[str]]:
    """The rows of a table as text, headings first, by the table's id."""
    found = written_table(which)
    return [[cell.get_text(" ", strip=True) for cell in row.find_all(["th", "td"])] for row in found("tr")]


@cache
def written_table(name: str) -> Tag:
    """A table as a page writes it; the first one, where several pages do."""
    return next(table for page in written_pages().values() for table in page.parsed.select(f"#{name}"))


def column(which: str, place: int = 0) -> list[str]:
    """One column of a table, without its heading."""
    return [row[place] for row in rows(which)[1:]]


def test_some_numbers_of_heads_that_divide_the_width() -> None:
    """Divisors of 768; width of a head, its weights, and those of all heads, which are always the same."""
    listed = rows("every-number-of-heads")[1:]
    assert ["1", "6", "12", "24", "768"] == [row[0] for row in listed]
    assert ["12", "64", "49,152", "589,824", "109,482,240"] == listed[2]
    assert ["768", "1", "768", "589,824", "109,482,240"] == listed[-1]


def test_checkpoints_that_people_mean_come_first() -> None:
    """The nine of the README; the miniatures are a grid, and what texts made up is in a table of its own."""
    assert ["BERT base, uncased bert-base-uncased", "109,482,240", "21.8%", "110,106,428", "30,522", "12", "768"] == (
        rows("checkpoints")[1]
    )
    meant = [each for each in load_models().values() if each.group not in ("miniature", "course")]
    assert len(meant) == len(column("checkpoints"))
    heads, *depths = rows("miniatures-grid")
    four = dict(zip(heads, next(row for row in depths if row[0] == "L = 4"), strict=True))
    totals = {"H = 128": "4,782,464", "H = 256": "11,170,560 BERT-Mini", "H = 512": "28,763,648 BERT-Small"}
    assert totals.items() <= four.items()
    miniatures = [each for each in load_models().values() if each.group == "miniature"]
    assert len(miniatures) == sum(bool(cell) for row in depths for cell in row[1:])
    assert [
        "keras-bert notebook keras-bert-notebook",
        "keras-bert article keras-bert-article",
        "bert4keras walk-through bert-large-chinese",
    ] == column("course-configurations")


def test_every_model_is_in_a_table_of_a_page() -> None:
    """A model that no page lists could be asked for and never seen; one in a new group follows by itself."""
    tables = map(written_table, ("checkpoints", "miniatures-grid", "course-configurations"))
    listed = [str(each["id"]) for table in tables for each in table.select("tbody tr[id], td span[id]")]
    assert sorted(load_models()) == sorted(listed)


def test_classes_and_what_they_add() -> None:
    """All nine; what has labels is counted with two."""
    assert 9 == len(column("classes"))
    bare = "BertModel the bare model: embeddings, encoder and pooler"
    assert [bare, "109,482,240", "335,141,888", "yes, or left out", "none"] == rows("classes")[1]
    assert ["yes, or left out", "yes", "no", "no", "yes", "yes", "yes", "no", "no"] == column("classes", 3)
    assert "with two labels where a class has labels" in written_table("classes").get_text()
    # In letters: V + H² + 3·H of the masked-LM head, without the decoder that is tied.
    assert "V + H 2 + 3 · H" == rows("classes")[3][4]


def test_classes_are_the_same_on_each_page() -> None:
    """Pages that show them write the table anew."""
    names = ("index.md", "parts/heads.md", "listings/transformers.md")
    tables = [table for name in names for table in written_pages()[name].parsed.select("#classes")]
    assert 3 == len(tables)
    assert 1 == len({str(table) for table in tables})


def test_memory_by_data_type_and_in_training() -> None:
    """Both units of both models; training keeps four numbers for each parameter."""
    assert [["float32", "4"], ["float16", "2"], ["bfloat16", "2"], ["int8", "1"]] == [
        row[:2] for row in rows("bytes")[1:]
    ]
    assert ["float32", "4", "437.9", "417.6", "1,340.6", "1,278.5"] == rows("bytes")[1]
    weights, *_, together = rows("training-bytes")[1:]
    assert ["weights", "437.9", "417.6", "1,340.6", "1,278.5"] == weights
    assert ["the total", "1,751.7", "1,670.6", "5,362.3", "5,113.9"] == together
    assert ["gradients", "Adam: first moment", "Adam: second moment"] == column("training-bytes")[1:-1]


def test_what_was_compared_is_summed() -> None:
    """All tensors and layers, and those of BERT alone, in the words of the recordings."""
    listed = rows("verification")[1:]
    assert 15 == len(listed)
    assert ["transformers 5", "9", "494", "42,174", "0"] == listed[0][:5]
    number = {what: BeautifulSoup(MACROS["verified"](what), "html.parser").data for what in ("tensors", "bert-tensors")}
    by_kind = {"tensors": 0, "bert-tensors": 0}
    for title, _, _, tensors, *_ in listed:
        if title not in ("keras-bert", "bert4keras"):
            by_kind["tensors"] += int(tensors.replace(",", ""))
            by_kind["bert-tensors"] += 0 if title.startswith("transformers 5, ") else int(tensors.replace(",", ""))
    assert by_kind == {what: int(str(each["value"])) for what, each in number.items() if each}


def test_different_parts_with_one_count() -> None:
    """From the largest to the matrices of one layer; query, key and value alone would be no coincidence."""
    assert [
        "28,348,416",
        "28,311,552",
        "7,087,104",
        "7,077,888",
        "2,362,368",
        "2,359,296",
        "592,128",
        "590,592",
        "589,824",
    ] == column("coincidences")
    assert "intermediate in one layer; self-attention in one layer" == rows("coincidences")[5][1]


def test_counts_that_look_alike() -> None:
    """Less than a two-thousandth apart, not one within the other; the smallest first."""
    assert [
        ("2,359,296", "2,360,064"),
        ("2,361,600", "2,362,368"),
        ("7,084,800", "7,087,104"),
        ("7,087,104", "7,087,872"),
        ("23,835,648", "23,837,184"),
        ("28,311,552", "28,320,768"),
        ("28,339,200", "28,348,416"),
    ] == [(row[0], row[2]) for row in rows("near-misses")[1:]]


def test_what_one_more_costs() -> None:
    """By letter, in the classes where it makes a difference; a head costs nothing."""
    assert [
        ("token", "768", "BertModel"),
        ("token", "769", "BertForPreTraining"),
        ("position", "768", "BertModel"),
        ("segment", "768", "BertModel"),
        ("layer", "7,087,872", "BertModel"),
        ("inner unit of the feed-forward network in every layer", "18,444", "BertModel"),
        ("label", "769", "BertForSequenceClassification"),
        ("head, if the number of heads still divides H", "0", "BertModel"),
    ] == [(row[0], row[1], row[4]) for row in rows("one-more-table")[1:]]
    assert "L · ( 2 · H + 1 )" == rows("one-more-table")[6][3]
    # In large: H, H + 1, H, H, a layer, 24 · (2 · H + 1), H + 1, nothing.
    assert ["1,024", "1,025", "1,024", "1,024", "12,596,224", "49,176", "1,025", "0"] == column("one-more-table", 2)


def test_totals_that_people_often_get() -> None:
    """The usual deviations and no others, each a link to its row; the class is named where it is not the bare model."""
    listed = column("wrong-totals")
    assert 20 == len(listed)
    assert "Leaving out the pooler" == listed[0]
    assert "Counting the decoder as well as the word embeddings BertForPreTraining" == listed[1]
    assert ["108,891,648", "334,092,288"] == rows("wrong-totals")[1][1:3]


def test_conventions_in_figures() -> None:
    """Each in full, in three figures and in two, for base and for large."""
    assert ["BertModel", "109,482,240", "109M", "110M", "335,141,888", "335M", "340M"] == rows("roundings")[1]
    assert 10 == len(column("roundings")) == len(column("printed-by-table"))
    assert "BertModel(config).num_parameters()" in rows("printed-by-table")[1][3]
    assert ["without pooler", "108,891,648", "334,092,288"] == rows("printed-by-table")[2][:3]
    assert [row[0] for row in rows("printed-by-table")[1:]] == rows("conventions-table")[0][1:]
    by_name = {row[0]: row for row in rows("conventions-table")}
    assert ["109,482,240", "108,891,648"] == by_name["bert-base-uncased"][1:3]
    assert ["335,141,888", "334,092,288"] == by_name["bert-large-uncased"][1:3]
    # Texts are counted by nobody's convention but their own.
    assert "keras-bert-article" not in column("conventions-table")
    assert 33 <= len(column("conventions-table"))


BASE, MASKED = model_named("bert-base-uncased"), "BertForMaskedLM"


@pytest.mark.parametrize(
    ("start", "end", "titles"),
    [
        (Question(BASE, deviations=("pooler-left-out",)), Question(BASE), ["add the pooler"]),
        (Question(BASE), Question(BASE, deviations=("pooler-left-out",)), ["Leaving out the pooler"]),
        (Question(BASE), Question(BASE.resized(V=30_000)), ["tokens in the vocabulary: V = 30,000, not 30,522"]),
        (Question(BASE), Question(BASE, "BertForMaskedLM"), ["remove pooler", "add masked-LM head"]),
        # What is counted once more, or no more.
        (Question(BASE, MASKED), Question(BASE, MASKED, choices=Choices(tied=False)), ["untie the decoder"]),
        (Question(BASE, MASKED, choices=Choices(tied=False)), Question(BASE, MASKED), ["tie the decoder"]),
    ],
)
def test_a_step_says_what_to_do(start: Question, end: Question, titles: list[str]) -> None:
    """Undo, do, change, add and remove."""
    assert titles == [bridges.title(step, end.sizes) for step in steps_of(start, end)]


def test_a_bridge_in_full() -> None:
    """Each step with its sign, its formula and its line from total to total; the legend names what is drawn."""
    page = BeautifulSoup(MACROS["bridge"]("pooler-left-out"), "html.parser")
    start, step, end = page.select("table data")
    assert ("108891648", "590592", "109482240") == (start["value"], step["value"], end["value"])
    assert "+(H² + H)\n+(768² + 768) = 590,592\nadd the pooler\n108,891,648 + 590,592 = 109,482,240" == step["data-how"]
    assert [["bc-key", "bc-added"], ["bc-key", "bc-total"]] == [each["class"] for each in page.select(".bc-key")]
    assert "From 108,891,648 to 109,482,240, BERT base, uncased (BertModel), step by step" in page.get_text()
    assert "step parameters formula why" == page.thead.get_text(" ", strip=True)  # type: ignore[union-attr]


def test_a_bridge_that_goes_down() -> None:
    """What is taken away has a minus sign, the colour of what is taken, and its place in the legend."""
    page = BeautifulSoup(MACROS["bridge"]("state-dict-summed", model_class="BertForPreTraining"), "html.parser")
    step = page.select("table data")[1]
    assert "−23,471,418" == step.get_text()
    assert "133,577,846 − 23,471,418 = 110,106,428" == str(step["data-how"]).splitlines()[-1]
    assert "To scale, from zero.\xa0#" in page.figcaption.get_text()  # type: ignore[union-attr]
    assert ["taken away", "totals"] == [each.get_text() for each in page.select(".bc-legend li")]
    assert 1 == len(page.select("svg.bc-taken"))
