"""Functions that recompute the sums on a page, in the text and in the explanations of numbers, and their tests."""

import re
from fractions import Fraction

import pytest
from bs4 import BeautifulSoup, Tag

from macros.counting import ChangedModel, Question, model_named
from macros.counting.changes.mistakes import NUMBERS, load_mistakes
from macros.counting.changes.optimisers import load_optimisers
from macros.counting.frameworks.files import safetensors_size
from macros.counting.memory import bytes_of
from macros.counting.operations import Operations
from macros.counting.published.claims import load_claims
from macros.counting.training import TrainingStep
from macros.rendering.components.changes import CHANGED_CLASS
from tests.docs.arithmetic import is_wrong, value
from tests.docs.conftest import Pages
from tests.docs.test_numbers import (
    Attributes,
    changed_model_of,
    engine_question,
    largest_batch,
    operations_of,
    training_step_of,
)

LABEL_OF_LINE = re.compile(r"^[a-z][^0-9:]*: ")
"""The label at the start of a line in an explanation, which names what the line counts."""

FORMULA_OF_LINE = re.compile(r"^[^=≈]*\b[A-Z]\b[^=≈]* = ")
"""The formula at the start of a line, before the sum with the sizes."""

NUMBER = r"−?[0-9][0-9,]*(?:\.[0-9]+)?"


def lines_of(page: BeautifulSoup) -> list[str]:
    """The equations between numbers in sums and explanations, without labels and formulas."""
    lines = [line.get_text() for line in page.select(".bc-line-of-sum")]
    explanation_lines = [
        line for number in page.select("data[data-how]") for line in str(number["data-how"]).splitlines()
    ]
    lines += [LABEL_OF_LINE.sub("", line) for line in explanation_lines]
    lines = [FORMULA_OF_LINE.sub("", line.strip()) for line in lines]
    equations = [line for line in lines if re.search(rf"{NUMBER}\S* [=≈] {NUMBER}|bytes? = |parameters [×]", line)]
    return [line for line in equations if not re.match(r"[A-Z]", line)]


def wrong_lines(page: BeautifulSoup) -> list[str]:
    """The lines whose two sides differ."""
    return [line for line in dict.fromkeys(lines_of(page)) if is_wrong(line)]


def wrong_ends(page: BeautifulSoup) -> list[str]:
    """The sums and explanations that do not end in the number that they explain."""
    problems = []
    for steps in page.select(".bc-steps"):
        lines = steps.select(".bc-line-of-sum")
        # The first line of a sum in bytes is the sum itself. The lines below convert the result to other units.
        last_line = lines[0] if "data-dtype" in steps.attrs else lines[-1]
        result, expected = last_line.get_text().rpartition(" = ")[2], expected_result(steps)
        if result != expected:
            problems.append(f"{steps.get_text()}: ends in {result}, expected {expected}")
    return problems + [f"{number}" for number in page.find_all("data") if has_wrong_explanation(number)]


LETTER = r"[A-Za-z]′?"
"""The letter of a size, with a prime if it is a size of the model that is compared."""

FORMULA = re.compile(rf"(?=.*[A-Za-z])(?!.*[A-Za-z]{{2}})(?:{LETTER}|[0-9,.()⁰¹²³⁴⁵⁶⁷⁸⁹·×÷/+− ])+")
"""A line, or one side of an equation, that has letters of sizes but no words."""


def wrong_formulas(page: BeautifulSoup) -> list[str]:
    """The formulas in explanations that do not give their result with the sizes of the model.

    The result of a formula is on the other side of its equation. If it has a line to itself, its result is the number
    that is explained or, if a sum leads from the formula to this number, the result of a line of the sum.
    """
    problems = []
    for number in page.select("data[data-how]"):
        lines = str(number["data-how"]).splitlines()
        results = {result for line in lines for result in re.findall(f" = ({NUMBER})$", line)}
        for line in lines:
            formula, equals, result = line.partition(" = ")
            if FORMULA.fullmatch(formula) and re.fullmatch(f"(?:{NUMBER})?", result):
                expected_results = {result} if equals else {str(number["value"]).replace("-", "−"), *results}
                formula_value = value_with_sizes(formula, sizes_of(number.attrs))
                if formula_value not in map(value, expected_results):
                    problems.append(f"{line}: {formula_value}, not one of {expected_results}")
    return problems


def value_with_sizes(formula: str, sizes: dict[str, int]) -> Fraction:
    """The value of a formula whose letters stand for sizes.

    >>> value_with_sizes("(V′ − V)·H²", {"V": 10, "V′": 13, "H": 2})
    Fraction(12, 1)
    """
    return value(re.sub(LETTER, lambda letter: f"({sizes[letter[0]]})", formula))


def sizes_of(attributes: Attributes) -> dict[str, int]:
    """The sizes in the explanation of a number, by letter, from the attributes of the number."""
    base: Attributes = {"data-model": "bert-base-uncased", **attributes}
    kind = attributes.get("data-kind")
    if kind == "relative-step":
        start, relative = model_named(base["data-start"]), model_named(base["data-model"])
        return {**relative.sizes, **start.sizes, **{f"{letter}′": size for letter, size in relative.sizes.items()}}
    if kind == "claim":
        source, position = attributes["data-claim"].split("/")
        claim = load_claims()[source][int(position) - 1]
        question = Question(claim.model, claim.model_class)
        return {**ChangedModel.build(question, claim.changes.split()).sizes}
    if kind in ("activation", "layer-bytes", "outside-bytes", "of-estimate", "step-bytes", "batch"):
        return {**training_step_of({"data-texts": "1", **base}).sizes}
    if "data-mistake" in attributes:
        question = Question(model_named(base["data-model"]), CHANGED_CLASS)
        return {**load_mistakes()[attributes["data-mistake"]].changed_model(question).sizes}
    if "data-change" in attributes:
        return {**changed_model_of(attributes).sizes}
    if "data-tokens" in attributes:
        return {**operations_of(attributes).sizes}
    sizes = engine_question(base).sizes
    return {**sizes, "A": int(attributes.get("data-heads", sizes["A"]))}


def expected_result(steps: Tag) -> str:
    """The result that a sum must have, computed from its attributes."""
    attributes: Attributes = steps.attrs
    if "data-texts" in attributes:
        classifier = engine_question(attributes)._replace(model_class=CHANGED_CLASS)
        texts, tokens = int(attributes["data-texts"]), int(attributes["data-tokens"])
        step = TrainingStep(ChangedModel.build(classifier, []), texts, tokens, attention="eager")
        return f"{step.activations_bytes:,}"
    if "data-memory" in attributes:
        return f"{largest_batch({**attributes, 'data-texts': '1'}):,}"
    if "data-header" in attributes:
        return f"{safetensors_size(engine_question(attributes)).bytes_before_data:,}"
    if "data-optimiser" in attributes:
        return f"{load_optimisers()[attributes['data-optimiser']].bytes_for(changed_model_of({})):,}"
    if "data-tokens" in attributes:
        return f"{Operations(engine_question(attributes), int(attributes['data-tokens'])).forward:,}"
    if "data-dtype" in attributes:
        return f"{bytes_of(engine_question(attributes).number, attributes['data-dtype']):,} bytes"
    if "data-change" in attributes:
        return f"{NUMBERS[attributes.get('data-what', 'trained')](changed_model_of(attributes)):,}"
    return f"{engine_question(attributes, 'data-asked-').number:,}"


WORDS_FOR_SIZES = "in the configuration of"
"""The last words in the explanation of a size before the line with its model."""

KINDS_WITHOUT_EXPLANATION = ("given", "heads", "compared", "differences", "other")
"""The kinds of numbers that do not follow from others on the site, so there is nothing to explain."""


def has_wrong_explanation(number: Tag) -> bool:
    """Return whether the explanation of a number is wrong.

    A size must have its source, and numbers of `KINDS_WITHOUT_EXPLANATION` must have no explanation. In any other
    explanation, a line must end in the number.
    """
    kind, explanation = str(number.get("data-kind")), str(number.get("data-how", ""))
    if kind in KINDS_WITHOUT_EXPLANATION:
        return bool(explanation)
    if kind == "size":
        return WORDS_FOR_SIZES not in explanation
    results = [re.split(r" [=≈] |: |^shown as ", line)[-1] for line in explanation.splitlines()]
    return without_unit(number.get_text()) not in map(without_unit, results)


def without_unit(text: str) -> str:
    """A number without the unit of memory after it and without a plus sign before it."""
    return re.sub(r" (?:[KMG]?i?B|bytes)$", "", text).removeprefix("+")


BLOCKS_OF_RELATIVES = {"totals/relatives.html": "relatives-blocks", "totals/further-relatives.html": "further-blocks"}
"""Pages, each with the id of its table that splits relatives into blocks."""


def incomplete_rows(table: Tag) -> list[str]:
    """The rows in which the blocks do not add up to the total, which is the first number."""
    rows = []
    for row in table.select("tbody tr"):
        total, *blocks = (int(str(number["value"])) for number in row.find_all("data"))
        if total != sum(blocks):
            rows.append(str(row.get_text(" ", strip=True)))
    return rows


@pytest.mark.parametrize(("name", "id_"), BLOCKS_OF_RELATIVES.items())
def test_the_blocks_of_relatives_add_up(pages: Pages, name: str, id_: str) -> None:
    table = BeautifulSoup(str(pages[name].select_one(f"#{id_}")), "html.parser")
    assert len(table.select("tbody tr")) > 1
    assert [] == incomplete_rows(table)
    last_block = table.select("tbody tr")[-1].find_all("data")[-1]
    last_block.decompose()
    assert 1 == len(incomplete_rows(table))


PARTS = ("attention", "embeddings", "encoder-layer", "feed-forward", "heads", "layer-norm")
"""The pages on which a part is worked out."""


@pytest.mark.parametrize("name", PARTS)
def test_a_part_is_worked_out_in_one_block(pages: Pages, name: str) -> None:
    """The block has the sum for BERT base, the sum for BERT large, the formula and the tensors, in that order."""
    page = pages[f"parts/{name}.html"]
    block = page.select_one(".bc-worked")
    assert block
    assert page.select_one(".bc-level-sum, figure.bc-figure ~ .bc-summed")
    selectors = ("ol.bc-steps", "p .bc-steps", ".bc-formula", "details table.bc")
    elements = [block.select_one(selector) for selector in selectors]
    indices = [block.find_all(True).index(tag) for tag in elements if tag]
    assert 4 == len(indices)
    assert sorted(indices) == indices
    assert not block.find("tfoot")


def test_a_wrong_line_is_noticed(pages_with_questions: Pages) -> None:
    article, term = str(pages_with_questions["parts/attention.html"].article), "4 × 590,592"
    page = BeautifulSoup(article, "html.parser")
    assert not wrong_lines(page)
    assert not wrong_ends(page)
    wrong_term = f"{term[:-1]}7"
    wrong_page = BeautifulSoup(article.replace(term, wrong_term), "html.parser")
    assert wrong_lines(wrong_page)
    for line in page.select("ol.bc-steps .bc-line-of-sum"):
        line.string = line.get_text().replace(term, wrong_term)
    assert wrong_lines(page)


INCOMPLETE_EXPLANATIONS = {
    "totals/memory.html": ("data[data-kind=bytes]", "416,520 parameters"),
    "run/memory-of-training.html": ("data[data-kind=optimiser]", "AdamW, of 109,483,778 numbers in their tensors"),
    "about/verification.html": ("data[data-kind=all-layers]", "layers, all of them"),
    "disagreements/published-claims.html": ("data[data-kind=claim]", "bert-base-uncased"),
    "totals/checkpoints.html": ("data[data-kind=size]", "H = hidden_size"),
}
"""Pages, each with a selector for a number and an explanation of the number that lacks a sum or the source."""


@pytest.mark.parametrize("name", INCOMPLETE_EXPLANATIONS)
def test_an_incomplete_explanation_is_noticed(pages_with_questions: Pages, name: str) -> None:
    page = BeautifulSoup(str(pages_with_questions[name].article), "html.parser")
    selector, explanation = INCOMPLETE_EXPLANATIONS[name]
    number = page.select_one(selector)
    assert number
    assert not has_wrong_explanation(number)
    number["data-how"] = explanation
    assert has_wrong_explanation(number)


def test_a_sum_about_other_parameters_is_noticed(pages_with_questions: Pages) -> None:
    """Even a correct sum is wrong if it is about a different number of parameters."""
    page = BeautifulSoup(str(pages_with_questions["totals/memory.html"].article), "html.parser")
    assert not wrong_ends(page)
    line = page.select_one("ol[data-dtype] .bc-line-of-sum")
    assert line
    line.string = "2 parameters × 4 bytes = 8 bytes"
    assert not wrong_lines(page)
    assert wrong_ends(page)
