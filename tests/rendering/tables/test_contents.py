"""Tables have the right rows in the right order.

Other tests recompute every number on the site, and `test_beside_numbers.py` checks column headings.
"""

import re
from functools import cache

import pytest
from bs4 import BeautifulSoup, Tag

from macros.counting import ARCHITECTURES, Choices, Question, load_models, model_named
from macros.counting.changes.methods import load_methods, usage
from macros.counting.published.bridges import bridge as steps_of
from macros.rendering.tables import bridges
from macros.site import MACROS
from tests.rendering.test_every_page import expanded_pages


def rows(name: str) -> list[list[str]]:
    """The cell texts of the table with the id `name`, beginning with its headings."""
    table = written_table(name)
    return [[cell.get_text(" ", strip=True) for cell in row.find_all(["th", "td"])] for row in table("tr")]


@cache
def written_table(name: str) -> Tag:
    """The first table on any page with the id `name`."""
    pages = (page for page in expanded_pages().values() if f'id="{name}"' in page.text)
    return next(table for page in pages for table in page.parsed.select(f"#{name}"))


def column(name: str, index: int = 0) -> list[str]:
    """One column of a table, without its heading."""
    return [row[index] for row in rows(name)[1:]]


def test_every_number_of_heads_divides_the_width() -> None:
    """The width and the weights of one head vary, but the weights of all heads do not."""
    entries = rows("every-number-of-heads")[1:]
    assert ["1", "6", "12", "24", "768"] == [row[0] for row in entries]
    assert ["12", "64", "49,152", "589,824", "109,482,240"] == entries[2]
    assert ["768", "1", "768", "589,824", "109,482,240"] == entries[-1]


def test_the_best_known_checkpoints_come_first() -> None:
    """Miniatures are in a grid, and the models of courses have their own table."""
    counts = ["109,482,240", "21.8%", "109,514,298", "109,483,778"]
    assert ["BERT base, uncased bert-base-uncased", *counts, "30,522", "12", "768"] == rows("checkpoints")[1]
    released_models = [model for model in load_models().values() if model.group not in ("miniature", "course")]
    assert len(released_models) == len(column("checkpoints"))
    headings, *depths = rows("miniatures-grid")
    cells_of_four_layers = dict(zip(headings, next(row for row in depths if row[0] == "L = 4"), strict=True))
    totals = {"H = 128": "4,782,464", "H = 256": "11,170,560 BERT-Mini", "H = 512": "28,763,648 BERT-Small"}
    assert totals.items() <= cells_of_four_layers.items()
    miniatures = [model for model in load_models().values() if model.group == "miniature"]
    assert len(miniatures) == sum(bool(cell) for row in depths for cell in row[1:])
    assert [
        "keras-bert notebook keras-bert-notebook",
        "keras-bert article keras-bert-article",
        "BERT large, Chinese vocabulary bert-large-chinese",
    ] == column("course-configurations")


def test_every_model_has_exactly_one_entry_in_the_tables() -> None:
    tables = map(written_table, ("checkpoints", "miniatures-grid", "course-configurations"))
    entries = [str(entry["id"]) for table in tables for entry in table.select("tbody tr[id], td span[id]")]
    assert sorted(load_models()) == sorted(entries)


def test_every_class_shows_its_additions() -> None:
    """Classes with labels are counted with two labels."""
    assert 9 == len(column("classes"))
    bare_model = "BertModel the bare model: embeddings, encoder and pooler"
    assert [bare_model, "109,482,240", "335,141,888", "optional", "none"] == rows("classes")[1]
    assert ["optional", "yes", "no", "no", "yes", "yes", "yes", "no", "no"] == column("classes", 3)
    assert "classifiers have two labels" in written_table("classes").get_text()
    # The masked-LM head adds V + H² + 3·H; its decoder is tied and adds nothing.
    assert "V + H 2 + 3 · H" == rows("classes")[3][4]


def test_memory_is_given_in_both_units() -> None:
    """The tables of stored weights and of training give both units; training stores four numbers per parameter."""
    assert [["float32", "4"], ["float16", "2"], ["bfloat16", "2"], ["int8", "1"]] == [
        row[:2] for row in rows("bytes")[1:]
    ]
    assert ["float32", "4", "437.9", "417.6", "1,340.6", "1,278.5"] == rows("bytes")[1]
    weights, *_, total = rows("training-bytes")[1:]
    assert ["weights", "437.9", "417.6", "1,340.6", "1,278.5"] == weights
    assert ["the total", "1,751.7", "1,670.6", "5,362.3", "5,113.9"] == total
    assert ["gradients", "Adam: first moment", "Adam: second moment"] == column("training-bytes")[1:-1]


def test_compared_tensors_add_up() -> None:
    bert_rows, relative_rows = rows("verification")[1:], rows("verification-relatives")[1:]
    # Seven implementations build BERT, and there is one recording of each other architecture.
    assert (7, len(ARCHITECTURES) - 1) == (len(bert_rows), len(relative_rows))
    assert ["transformers 5", "42,174", "0"] == bert_rows[0][:3]
    # keras-bert and bert4keras are compared by the layers of their Keras summaries, not by tensors.
    bert, relatives = (
        sum(int(row[1].replace(",", "")) for row in entries if row[0] not in ("keras-bert", "bert4keras"))
        for entries in (bert_rows, relative_rows)
    )
    totals = {name: BeautifulSoup(MACROS["verified"](name), "html.parser").data for name in ("tensors", "bert-tensors")}
    assert {"tensors": bert + relatives, "bert-tensors": bert} == {
        name: int(str(element["value"])) for name, element in totals.items() if element
    }


def test_common_mistakes_are_sorted_by_their_effect_on_base() -> None:
    numbers = [abs(int(text.replace(",", "").replace("−", "-"))) for text in column("common-mistakes", 1)]
    assert len(numbers) > 5
    assert sorted(numbers, reverse=True) == numbers


def test_parts_with_the_same_count_share_a_row() -> None:
    """The largest counts come first. Query, key and value are omitted because they are equal by design."""
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


def test_look_alike_counts_are_paired() -> None:
    """The counts of a pair differ by less than 1/2,000, and neither part contains the other."""
    assert [
        ("2,359,296", "2,360,064"),
        ("2,361,600", "2,362,368"),
        ("7,077,888", "7,080,960"),
        ("7,084,800", "7,087,104"),
        ("7,087,104", "7,087,872"),
        ("23,835,648", "23,837,184"),
        ("28,311,552", "28,320,768"),
        ("28,339,200", "28,348,416"),
        ("84,934,656", "84,971,520"),
    ] == [(row[0], row[2]) for row in rows("near-misses")[1:]]


def test_one_more_of_a_size_has_its_cost() -> None:
    """Each cost is given for a class that has it; one more head costs nothing."""
    assert [
        ("token", "768", "BertModel"),
        ("token", "769", "BertForPreTraining"),
        ("position", "768", "BertModel"),
        ("segment", "768", "BertModel"),
        ("layer", "7,087,872", "BertModel"),
        ("inner feature of every feed-forward network", "18,444", "BertModel"),
        ("label", "769", "BertForSequenceClassification"),
        ("head, or several, if the new number divides H", "0", "BertModel"),
    ] == [(row[0], row[1], row[4]) for row in rows("one-more-table")[1:]]
    assert "L · ( 2 · H + 1 )" == rows("one-more-table")[6][3]
    # In BERT large: H, H + 1, H, H, one layer, 24 · (2 · H + 1), H + 1, nothing.
    assert ["1,024", "1,025", "1,024", "1,024", "12,596,224", "49,176", "1,025", "0"] == column("one-more-table", 2)


def test_the_most_common_deviations_are_listed() -> None:
    """A class other than the bare model is named below the title."""
    entries = column("wrong-totals")
    assert 20 == len(entries)
    assert "Leaving out the pooler" == entries[0]
    assert "Counting the decoder as well as the word embeddings BertForPreTraining" == entries[1]
    assert ["108,891,648", "334,092,288"] == rows("wrong-totals")[1][1:3]


def test_every_convention_has_rounded_totals() -> None:
    """The totals of BERT base and BERT large are given exactly and rounded to three and two figures."""
    assert ["BertModel", "109,482,240", "109M", "110M", "335,141,888", "335M", "340M"] == rows("roundings")[1]
    assert 10 == len(column("roundings")) == len(column("printed-by-table"))
    assert "BertModel(config).num_parameters()" in rows("printed-by-table")[1][3]
    assert ["without pooler", "108,891,648", "334,092,288"] == rows("printed-by-table")[2][:3]


BASE, MASKED_LM = model_named("bert-base-uncased"), "BertForMaskedLM"


@pytest.mark.parametrize(
    ("start", "end", "titles"),
    [
        (Question(BASE, deviations=("pooler-left-out",)), Question(BASE), ["add the pooler"]),
        (Question(BASE), Question(BASE, deviations=("pooler-left-out",)), ["Leaving out the pooler"]),
        (Question(BASE), Question(BASE.resized(V=30_000)), ["tokens in the vocabulary: V = 30,000, not 30,522"]),
        (Question(BASE), Question(BASE, "BertForMaskedLM"), ["remove pooler", "add masked-LM head"]),
        # Untying counts the decoder in addition to the word embeddings; tying reverses this.
        (Question(BASE, MASKED_LM), Question(BASE, MASKED_LM, choices=Choices(tied=False)), ["untie the decoder"]),
        (Question(BASE, MASKED_LM, choices=Choices(tied=False)), Question(BASE, MASKED_LM), ["tie the decoder"]),
    ],
)
def test_a_step_describes_the_change(start: Question, end: Question, titles: list[str]) -> None:
    assert titles == [bridges.title(step, end.sizes) for step in steps_of(start, end)]


def test_a_bridge_shows_every_step_with_its_formula() -> None:
    """The working of a step ends with the equation of its totals, and the legend has only the colours in use."""
    page = BeautifulSoup(MACROS["bridge"]("pooler-left-out"), "html.parser")
    start, step, end = page.select("table data")
    assert ("108891648", "590592", "109482240") == (start["value"], step["value"], end["value"])
    assert "+(H² + H)\n+(768² + 768) = 590,592\nadd the pooler\n108,891,648 + 590,592 = 109,482,240" == step["data-how"]
    assert [["bc-key", "bc-added"], ["bc-key", "bc-total"]] == [key["class"] for key in page.select(".bc-key")]
    assert "From 108,891,648 to 109,482,240, BERT base, uncased (BertModel), step by step" in page.get_text()
    assert "step parameters formula why" == page.thead.get_text(" ", strip=True)  # type: ignore[union-attr]


def test_a_step_down_has_a_minus_sign_and_its_own_colour() -> None:
    page = BeautifulSoup(MACROS["bridge"]("state-dict-summed", model_class="BertForPreTraining"), "html.parser")
    step = page.select("table data")[1]
    assert "−23,471,418" == step.get_text()
    assert "133,577,846 − 23,471,418 = 110,106,428" == str(step["data-how"]).splitlines()[-1]
    assert "Bars are to scale and start at zero.\xa0#" in page.figcaption.get_text()  # type: ignore[union-attr]
    assert ["taken away", "totals"] == [entry.get_text() for entry in page.select(".bc-legend li")]
    assert 1 == len(page.select("svg.bc-taken"))


def test_sizes_of_a_method_are_optional_as_on_the_command_line() -> None:
    """The form of a method on the command line has optional sizes in brackets. Of two, such as OFT's, one is enough."""
    methods_by_title = {method.title: method for method in load_methods().values()}
    marks = set()
    for letter, *_, methods in rows("letters-of-changes")[1:]:
        for entry in re.split(r"[,;] ", methods):
            title, mark, _ = entry.partition(" (optional)")
            form = usage(methods_by_title[title])
            if f":{letter}=" in form and letter not in methods_by_title[title].either:
                marks.add(mark)
                assert bool(mark) == (f"[:{letter}=" in form), entry
    assert len(marks) == 2
