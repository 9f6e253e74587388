"""In every sum, each line is correct and uses only earlier results, and the last line gives the number."""

import re
import tomllib
from math import prod
from pathlib import Path

import pytest

from macros.counting import ARCHITECTURES, Question, class_questions, load_models, load_relatives, model_named
from macros.counting.search.parts import parts
from macros.counting.sum_lines import BLOCK, LAYER, MODULE, TENSOR, Factor, Line, plain_line, sum_lines

BASE = model_named("bert-base-uncased")
ONE_LAYER = "bert/encoder/layer_0"

EXPECTED_SUMS = tomllib.loads(Path(__file__).with_name("sums.toml").read_text(encoding="utf-8"))["worked"]


@pytest.mark.parametrize(("part", "tag", "lines"), EXPECTED_SUMS)
def test_lines_are_those_that_a_student_would_write(part: str, tag: str, lines: list[str]) -> None:
    assert lines == [str(line) for line in sum_lines(Question(BASE, part=part, tag=tag))]


def test_the_last_line_adds_up_the_largest_parts() -> None:
    for model_class, expected in {
        "BertModel": "23,837,184 + 12 × 7,087,872 + 590,592 = 109,482,240",
        "BertForPreTraining": "23,837,184 + 12 × 7,087,872 + 590,592 + 622,650 + 1,538 = 110,106,428",
    }.items():
        assert expected == str(sum_lines(Question(BASE, model_class))[-1])


@pytest.mark.parametrize(
    ("part", "tag", "expected"),
    [
        ("bert/embeddings/word_embeddings", "", "30,522 × 768 = 23,440,896"),
        (ONE_LAYER, "self-attention", "4 × (768 × 768 + 768) = 2,362,368"),
        (ONE_LAYER, "feed-forward", "768 × 3,072 + 3,072 + 3,072 × 768 + 768 = 4,722,432"),
        (ONE_LAYER, "encoder-norms", "2 × 2 × 768 = 3,072"),
        ("bert/pooler", "", "768 × 768 + 768 = 590,592"),
    ],
)
def test_only_sums_that_are_multiplied_have_parentheses(part: str, tag: str, expected: str) -> None:
    assert [expected] == [str(line) for line in sum_lines(Question(BASE, part=part, tag=tag), 1)]


@pytest.mark.parametrize(
    ("addends", "expected"),
    [
        ((109_482_240, -590_592), "109,482,240 − 590,592 = 108,891,648"),
        ((590_592, -109_482_240), "590,592 − 109,482,240 = −108,891,648"),
        (((12, 7_087_872),), "12 × 7,087,872 = 85,054,464"),
        ((5, (2, -3)), "5 − 2 × 3 = −1"),
    ],
)
def test_plain_numbers_have_lines_too(addends: tuple[int | tuple[int, ...], ...], expected: str) -> None:
    assert expected == str(plain_line(*addends))


# The lines of one layer: only one line, the lines of its blocks, and those of its modules and blocks.
ONE_LINE = "4 × (768 × 768 + 768) + 768 × 3,072 + 3,072 + 3,072 × 768 + 768 + 2 × 2 × 768 = 7,087,872"
BLOCKS = [
    "4 × (768 × 768 + 768) = 2,362,368",
    "768 × 3,072 + 3,072 + 3,072 × 768 + 768 = 4,722,432",
    "2 × 2 × 768 = 3,072",
    "2,362,368 + 4,722,432 + 3,072 = 7,087,872",
]
MODULES = [
    "768 × 768 + 768 = 590,592",
    "4 × 590,592 = 2,362,368",
    "768 × 3,072 + 3,072 = 2,362,368",
    "3,072 × 768 + 768 = 2,360,064",
    "2,362,368 + 2,360,064 = 4,722,432",
    "2 × 768 = 1,536",
    "2 × 1,536 = 3,072",
    BLOCKS[-1],
]


@pytest.mark.parametrize(
    ("line_limit", "expected"),
    [(1, [ONE_LINE]), (3, [ONE_LINE]), (4, BLOCKS), (7, BLOCKS), (8, MODULES), (10, MODULES)],
)
def test_fewer_lines_have_longer_sums(line_limit: int, expected: list[str]) -> None:
    """To stay within the limit, a sum leaves out the lines of whole levels, and works their results out in place."""
    assert expected == [str(line) for line in sum_lines(Question(BASE, part=ONE_LAYER), line_limit)]


def test_a_number_in_a_shape_comes_before_a_size() -> None:
    question = Question(BASE, "BertForNextSentencePrediction", "cls/seq_relationship")
    matrix, total = sum_lines(question)
    assert ["2 × 768 = 1,536", "1,536 + 2 = 1,538"] == [str(matrix), str(total)]
    ((rows, width),) = (addend.factors for addend in matrix.addends)
    assert (Factor(2), Factor(768, "H")) == (rows, width)


@pytest.mark.parametrize("line_limit", [None, 1, 2, 8])
@pytest.mark.parametrize("deviations", [(), ("pooler-left-out",)])
def test_a_factor_names_the_earlier_line_whose_result_it_is(
    line_limit: int | None, deviations: tuple[str, ...]
) -> None:
    lines = sum_lines(Question(BASE, "BertForPreTraining", deviations=deviations), line_limit)
    factors = [
        (index, factor) for index, line in enumerate(lines) for addend in line.addends for factor in addend.factors
    ]
    for index, factor in factors:
        if factor.line is not None:
            assert factor.line < index
            assert (lines[factor.line].result, "") == (factor.number, factor.letter)
    assert len(lines) - 1 == len({factor.line for _, factor in factors if factor.line is not None})


def evaluate(text: str) -> int:
    """The value of the left side of a line, evaluated by Python."""
    assert re.fullmatch(r"[(0-9][0-9,()]*(?: [×+−] [0-9,()]+)*", text), text
    expression = text.replace(",", "").replace("×", "*").replace("−", "-")
    return int(eval(expression, {"__builtins__": {}}))  # noqa: S307  digits and signs


def faults(lines: tuple[Line, ...], question: Question) -> list[str]:
    """The faults of a sum: a wrong line, a number of unknown origin, a product without a path, or a wrong result."""
    messages = []
    # ModernBERT's first layer lacks a LayerNorm, which the others have.
    known_numbers = {*question.sizes.values(), question.sizes["L"] - 1}
    known_numbers |= {
        question.sizes[wide] - question.sizes[narrow] for wide, narrow in question.architecture.differences
    }
    for line in lines:
        left_side, _, result = str(line).partition(" = ")
        if result and evaluate(left_side) != int(result.replace(",", "").replace("−", "-")):
            messages.append(f"{line} is wrong")
        numbers = [int(number.replace(",", "")) for number in re.findall("[0-9,]+", left_side)]
        # Numbers up to 12, the layers of BERT base, may be counts. All other numbers must be sizes or results.
        unknown_numbers = [number for number in numbers if number not in known_numbers and number > 12]
        if unknown_numbers and not question.deviations:
            messages.append(f"{unknown_numbers} in {line} come from nowhere")
        for addend in line.addends:
            *multipliers, _ = (factor.number for factor in addend.factors)
            if prod(multipliers) > 1 and addend.paths == ():
                messages.append(f"{line} multiplies something without a path")
        known_numbers.add(line.result)
    if lines and lines[-1].result != question.number:
        messages.append(f"{question}: ends in {lines[-1].result}, not in {question.number}")
    return messages


def test_every_sum_of_every_model_and_class_is_correct() -> None:
    models = [*load_models().values(), *load_relatives().values()]
    assert {model.architecture.name for model in models} == {
        architecture.name for architecture in ARCHITECTURES.values()
    }
    for question in class_questions(models):
        assert [] == faults(sum_lines(question), question)
        for line_limit in (1, 5):
            lines = sum_lines(question, line_limit)
            assert len(lines) <= line_limit
            assert [] == faults(lines, question)


def test_every_sum_of_every_part_is_correct() -> None:
    for model_class, part in parts():
        question = Question(BASE, model_class, part.path, part.tag)
        assert [] == faults(sum_lines(question), question)
        assert bool(question.number) == bool(sum_lines(question))


def test_a_sum_with_deviations_ends_in_their_number() -> None:
    question = Question(BASE, deviations=("pooler-left-out",))
    assert ["109,482,240 − 590,592 = 108,891,648"] == [str(line) for line in sum_lines(question, 1)]
    *_, last = sum_lines(question)
    assert not last.is_alike  # the line counts everything under its paths
    assert [False, False] == [addend.is_alike for addend in last.addends]
    assert [] == faults(sum_lines(question), question)


def test_equal_tensors_share_their_lines() -> None:
    tensor, module, block = sum_lines(Question(BASE, part=ONE_LAYER, tag="self-attention"))
    assert (TENSOR, MODULE, BLOCK) == (tensor.kind, module.kind, block.kind)
    assert 4 == len(tensor.paths) == len(module.paths) == len(block.paths)
    assert [] == [path for path in tensor.paths if not path.endswith("/kernel")]
    assert (True, True, False) == (tensor.is_alike, module.is_alike, block.is_alike)
    assert LAYER in {line.kind for line in sum_lines(Question(BASE))}


def test_dense_layers_of_equal_size_are_added_not_multiplied() -> None:
    question = Question(BASE.resized(F=768), part=ONE_LAYER, tag="feed-forward")
    assert "590,592 + 590,592 = 1,181,184" == str(sum_lines(question)[-1])
