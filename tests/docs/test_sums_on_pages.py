"""Works out every sum on every page again, in the text and in explanations."""

import re

import pytest
from bs4 import BeautifulSoup, Tag

from macros.counting import ChangedModel
from macros.counting.changes.mistakes import NUMBERS
from macros.counting.changes.optimisers import load_optimisers
from macros.counting.frameworks.files import safetensors
from macros.counting.memory import bytes_of
from macros.counting.operations import Operations
from macros.counting.training import TrainingStep
from macros.rendering.components.changes import CHANGED_CLASS
from tests.docs.arithmetic import is_wrong
from tests.docs.conftest import Pages
from tests.docs.test_numbers import changed_of, engine_question, largest_batch

LABEL = re.compile(r"^[a-z][^0-9:]*: ")
"""The words at the start of a line of an explanation, which name what it counts."""

IN_LETTERS = re.compile(r"^[^=≈]*\b[A-Z]\b[^=≈]* = ")
"""The formula at the start of a line, before the sum with the sizes."""

NUMBER = r"−?[0-9][0-9,]*(?:\.[0-9]+)?"


def lines_of(page: BeautifulSoup) -> list[str]:
    """Every line with an equation between numbers, in sums of the text and in explanations."""
    texts = [line.get_text() for line in page.select(".bc-line-of-sum")]
    working = [line for number in page.select("data[data-how]") for line in str(number["data-how"]).splitlines()]
    texts += [LABEL.sub("", line) for line in working]
    texts = [IN_LETTERS.sub("", text.strip()) for text in texts]
    equations = [line for line in texts if re.search(rf"{NUMBER}\S* [=≈] {NUMBER}|bytes = |parameters [×]", line)]
    return [line for line in equations if not re.match(r"[A-Z]", line)]


def wrong_lines(page: BeautifulSoup) -> list[str]:
    """Lines whose sides differ."""
    return [line for line in dict.fromkeys(lines_of(page)) if is_wrong(line)]


def wrong_ends(page: BeautifulSoup) -> list[str]:
    """Sums and explanations whose last line does not give the number that they count."""
    wrong = []
    for steps in page.select(".bc-steps"):
        lines = list(steps.select(".bc-line-of-sum"))
        if "data-change" in steps.attrs:
            model = changed_of(steps.attrs)
            expected = f"{NUMBERS[str(steps.get('data-what', 'trained'))](model):,}"
        else:
            expected = f"{engine_question(steps.attrs, 'data-asked-').number:,}"
        if dtype := steps.get("data-dtype"):
            # The first line is the sum in bytes; the lines below repeat it in other units.
            lines, expected = lines[:1], f"{bytes_of(engine_question(steps.attrs).number, str(dtype)):,} bytes"
        if texts := steps.get("data-texts"):
            classifier = engine_question(steps.attrs)._replace(model_class=CHANGED_CLASS)
            sizes = int(str(texts)), int(str(steps["data-tokens"]))
            expected = (
                f"{TrainingStep(ChangedModel.build(classifier, []), *sizes, attention='eager').activations_bytes:,}"
            )
        elif "data-memory" in steps.attrs:
            expected = f"{largest_batch({**steps.attrs, 'data-texts': '1'}):,}"
        elif "data-header" in steps.attrs:
            expected = f"{safetensors(engine_question(steps.attrs)).bytes_before_data:,}"
        elif result := steps.get("data-optimiser"):
            optimiser = load_optimisers()[str(result)]
            expected = f"{optimiser.bytes_for(changed_of({})):,}"
        elif tokens := steps.get("data-tokens"):
            expected = f"{Operations(engine_question(steps.attrs), int(str(tokens))).forward:,}"
        last = lines[-1].get_text().rpartition(" = ")[2]
        if last != expected:
            wrong.append(f"{steps.get_text()}: ends in {last}, expected {expected}")
    wrong += [f"{number}" for number in page.find_all("data") if ends_elsewhere(number)]
    return wrong


SIZES = "in the configuration of"
"""The words with which the explanation of a size ends; its model follows in a line of its own."""

UNWORKED = ("given", "heads", "classes", "models", "compared", "differences", "other")
"""Kinds of values that follow from nothing else on the site, so that there is no working to show."""


def ends_elsewhere(number: Tag) -> bool:
    """Return whether no line of an explanation ends in its number, or whether the source of a size is missing.

    Every number is worked out, except for sizes and for the kinds in `UNWORKED`, which have no explanation at all.
    """
    kind, working = str(number.get("data-kind")), str(number.get("data-how", ""))
    if kind in UNWORKED:
        return bool(working)
    if kind == "size":
        return SIZES not in working
    ends = [re.split(r" [=≈] |: |^shown as ", line)[-1] for line in working.splitlines()]
    number_text, *ends = (
        re.sub(r" (?:[KMG]?i?B|bytes)$", "", text).removeprefix("+") for text in (number.get_text(), *ends)
    )
    return number_text not in ends


BLOCKS_OF_RELATIVES = {"totals/relatives.html": "relatives-blocks", "totals/further-relatives.html": "further-blocks"}
"""The tables that split relatives into blocks, by their page."""


def incomplete_rows(table: Tag) -> list[str]:
    """The headings of the rows in which the numbers after the first, the total, do not add up to it."""
    wrong = []
    for row in table.select("tbody tr"):
        total, *blocks = (int(str(number["value"])) for number in row.find_all("data"))
        if total != sum(blocks):
            wrong.append(str(row.get_text(" ", strip=True)))
    return wrong


@pytest.mark.parametrize(("name", "id_"), BLOCKS_OF_RELATIVES.items())
def test_the_blocks_of_relatives_add_up(pages: Pages, name: str, id_: str) -> None:
    """In each row, the blocks add up to the total; a row in which one is missing is found."""
    table = BeautifulSoup(str(pages[name].select_one(f"#{id_}")), "html.parser")
    assert len(table.select("tbody tr")) > 1
    assert [] == incomplete_rows(table)
    last = table.select("tbody tr")[-1].find_all("data")[-1]
    last.decompose()
    assert 1 == len(incomplete_rows(table))


PARTS = ("attention", "embeddings", "encoder-layer", "feed-forward", "heads", "layer-norm")


@pytest.mark.parametrize("name", PARTS)
def test_a_part_is_worked_out_in_one_place(pages: Pages, name: str) -> None:
    """Below a picture stands its sum, then one block with the sum, the other model, the formula and the tensors."""
    page = pages[f"parts/{name}.html"]
    block = page.select_one(".bc-worked")
    assert block
    assert page.select_one(".bc-level-sum, figure.bc-figure ~ .bc-summed")
    selectors = ("ol.bc-steps", "p .bc-steps", ".bc-formula", "details table.bc")
    order = [block.select_one(selector) for selector in selectors]
    places = [block.find_all(True).index(tag) for tag in order if tag]
    assert 4 == len(places)
    assert sorted(places) == places
    assert not block.find("tfoot")


def test_a_wrong_line_is_found(pages_with_questions: Pages) -> None:
    """A changed number in a sum is found, in the text and in an explanation."""
    article, old = str(pages_with_questions["parts/attention.html"].article), "4 × 590,592"
    page = BeautifulSoup(article, "html.parser")
    assert not wrong_lines(page)
    assert not wrong_ends(page)
    explained = BeautifulSoup(article.replace(old, old[:-1] + "7"), "html.parser")
    assert wrong_lines(explained)
    for line in page.select("ol.bc-steps .bc-line-of-sum"):
        line.string = line.get_text().replace(old, old[:-1] + "7")
    assert wrong_lines(page)


UNEXPLAINED = {
    "totals/memory.html": ("data[data-kind=bytes]", "416,520 parameters"),
    "run/memory-of-training.html": ("data[data-kind=optimiser]", "AdamW, of 109,483,778 numbers in their tensors"),
    "about/verification.html": ("data[data-kind=all-layers]", "layers, all of them"),
    "disagreements/published-claims.html": ("data[data-kind=claim]", "bert-base-uncased"),
    "totals/checkpoints.html": ("data[data-kind=size]", "H = hidden_size"),
}


@pytest.mark.parametrize("name", UNEXPLAINED)
def test_a_number_that_is_not_explained_is_found(pages_with_questions: Pages, name: str) -> None:
    """A number without its working and a plain value without its source are found."""
    page = BeautifulSoup(str(pages_with_questions[name].article), "html.parser")
    selector, change = UNEXPLAINED[name]
    number = page.select_one(selector)
    assert number
    assert not ends_elsewhere(number)
    number["data-how"] = change
    assert ends_elsewhere(number)


def test_a_wrong_sum_of_bytes_is_found(pages_with_questions: Pages) -> None:
    """A correct sum that is about another number of parameters is found."""
    page = BeautifulSoup(str(pages_with_questions["totals/memory.html"].article), "html.parser")
    assert not wrong_ends(page)
    line = page.select_one("ol[data-dtype] .bc-line-of-sum")
    assert line
    line.string = "2 parameters × 4 bytes = 8 bytes"
    assert not wrong_lines(page)
    assert wrong_ends(page)
