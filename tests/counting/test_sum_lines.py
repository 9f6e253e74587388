"""Sums worked out: each line is right, uses only what is known by then, and the last is the number."""

import re
import tomllib
from math import prod
from pathlib import Path

import pytest

from macros.counting import ARCHITECTURES, Question, every_class, load_models, load_relatives, model_named
from macros.counting import sum_lines as sums
from macros.counting.search.parts import parts
from macros.counting.sum_lines import BLOCK, LAYER, MODULE, TENSOR, WHOLE, Factor, Line, in_numbers, in_one, sum_lines

BASE = model_named("bert-base-uncased")
ONE_LAYER = "bert/encoder/layer_0"

WORKED = tomllib.loads(Path(__file__).with_name("sums.toml").read_text(encoding="utf-8"))["worked"]


@pytest.mark.parametrize(("part", "tag", "lines"), WORKED)
def test_lines(part: str, tag: str, lines: list[str]) -> None:
    """As one writes them on paper."""
    assert lines == [str(line) for line in sum_lines(Question(BASE, part=part, tag=tag))]


def test_the_last_line_of_a_model() -> None:
    """Its largest parts, the layers where they stand in the model."""
    assert ["23,837,184 + 12 × 7,087,872 + 590,592 = 109,482,240"] == [
        str(line) for line in sum_lines(Question(BASE), 1)
    ]
    (line,) = sum_lines(Question(BASE, "BertForPreTraining"), 1)
    assert "23,837,184 + 12 × 7,087,872 + 590,592 + 622,650 + 1,538 = 110,106,428" == str(line)


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
def test_all_lines_in_one(part: str, tag: str, expected: str) -> None:
    """As one writes them on paper, with parentheses around a sum that is multiplied, and around nothing else."""
    assert expected == in_one(sum_lines(Question(BASE, part=part, tag=tag)))


def test_all_lines_in_one_come_to_the_number() -> None:
    """Every model in every class, and every part of base, worked out by Python alone."""
    whole = [*every_class({**load_models(), **load_relatives()}.values())]
    for asked in [*whole, *(Question(BASE, name, part.path, part.tag) for name, part in parts())]:
        if lines := sum_lines(asked):
            text, _, result = in_one(lines).replace(",", "").rpartition(" = ")
            assert asked.number == int(result) == eval(text.replace("×", "*"))  # noqa: S307 - of our own digits and signs


@pytest.mark.parametrize(
    ("addends", "expected"),
    [
        ((109_482_240, -590_592), "109,482,240 − 590,592 = 108,891,648"),
        ((590_592, -109_482_240), "590,592 − 109,482,240 = −108,891,648"),
        (((12, 7_087_872),), "12 × 7,087,872 = 85,054,464"),
        ((5, (2, -3)), "5 − 2 × 3 = −1"),
    ],
)
def test_lines_of_numbers(addends: tuple[int | tuple[int, ...], ...], expected: str) -> None:
    """Sums, differences and products of numbers that no question has."""
    assert expected == str(in_numbers(*addends))


# One layer, from its largest parts down; four lines are those of the blocks and the whole.
LAST = "2,362,368 + 4,722,432 + 3,072 = 7,087,872"
BLOCKS = ["4 × 590,592 = 2,362,368", "2,362,368 + 2,360,064 = 4,722,432", "2 × 1,536 = 3,072", LAST]
MODULES = [
    *("589,824 + 768 = 590,592", BLOCKS[0], "2,359,296 + 3,072 = 2,362,368", "2,359,296 + 768 = 2,360,064"),
    *(BLOCKS[1], "2 × 768 = 1,536", *BLOCKS[2:]),
]


@pytest.mark.parametrize(
    ("most", "expected"), [(1, [LAST]), (3, [LAST]), (4, BLOCKS), (7, BLOCKS), (8, MODULES), (10, MODULES)]
)
def test_fewer_lines_start_from_larger_parts(most: int, expected: list[str]) -> None:
    """A level is there as a whole or not at all."""
    assert expected == [str(line) for line in sum_lines(Question(BASE, part=ONE_LAYER), most)]


def test_a_number_that_no_letter_stands_for_comes_first() -> None:
    """Two classes are two rows: as one says it, and as the matrix is written."""
    asked = Question(BASE, "BertForNextSentencePrediction", "cls/seq_relationship")
    matrix, whole = sum_lines(asked)
    assert ["2 × 768 = 1,536", "1,536 + 2 = 1,538"] == [str(matrix), str(whole)]
    ((two, width),) = (addend.factors for addend in matrix.addends)
    assert (Factor(2), Factor(768, "H")) == (two, width)


@pytest.mark.parametrize("most", [None, 1, 2, 8])
@pytest.mark.parametrize("deviations", [(), ("pooler-left-out",)])
def test_a_result_names_its_line(most: int | None, deviations: tuple[str, ...]) -> None:
    """Whatever is neither a size nor a count is the result of the line that it names, and of nothing else."""
    lines = sum_lines(Question(BASE, "BertForPreTraining", deviations=deviations), most)
    named = [(place, factor) for place, line in enumerate(lines) for each in line.addends for factor in each.factors]
    for place, factor in named:
        if factor.line is not None:
            assert factor.line < place
            assert (lines[factor.line].result, "") == (factor.number, factor.letter)
    assert len(lines) - 1 == len({factor.line for _, factor in named if factor.line is not None})


def evaluated(text: str) -> int:
    """A sum as pages write it, worked out by Python."""
    assert re.fullmatch(r"[0-9,]+(?: [×+−] [0-9,]+)*", text), text
    plain = text.replace(",", "").replace("×", "*").replace("−", "-")
    return int(eval(plain, {"__builtins__": {}}))  # noqa: S307  digits and signs


def faults(lines: tuple[Line, ...], asked: Question) -> list[str]:
    """What is wrong with the lines of a sum: a line that is not so, a number from nowhere, another end."""
    found = []
    known = set(asked.sizes.values())
    for line in lines:
        left, _, right = str(line).partition(" = ")
        if right and evaluated(left) != int(right.replace(",", "").replace("−", "-")):
            found.append(f"{line} is not so")
        for addend in line.addends:
            *times, last = (factor.number for factor in addend.factors)
            # Counts of what is alike, and the segments, are small; all else is a size or a result.
            if abs(last) not in known and abs(last) > 12 and line.kind != WHOLE:
                found.append(f"{last} in {line} comes from nowhere")
            if prod(times) > 1 and addend.paths == ():
                found.append(f"{line} multiplies what it does not name")
        known.add(line.result)
    if lines and lines[-1].result != asked.number:
        found.append(f"{asked}: ends in {lines[-1].result}, not in {asked.number}")
    return found


def root_of(asked: Question) -> sums._Node:
    """All that is counted."""
    root = sums._root(asked)
    assert root
    return root


def test_every_sum_of_every_model_and_class_is_right() -> None:
    """All models and relatives, in each of their classes, in full and in brief."""
    models = [*load_models().values(), *load_relatives().values()]
    assert {each.architecture.name for each in models} == {each.name for each in ARCHITECTURES.values()}
    for asked in every_class(models):
        assert [] == faults(sum_lines(asked), asked)
        assert asked.number == root_of(asked).number
        for most in (1, 5):
            lines = sum_lines(asked, most)
            assert len(lines) <= most
            assert asked.number == lines[-1].result


def test_every_sum_of_every_part_is_right() -> None:
    """And what counts nothing has no lines."""
    for model_class, part in parts():
        asked = Question(BASE, model_class, part.path, part.tag)
        assert [] == faults(sum_lines(asked), asked)
        assert bool(asked.number) == bool(sum_lines(asked))


def test_a_sum_with_deviations_ends_in_their_number() -> None:
    """From the right number to the other one."""
    asked = Question(BASE, deviations=("pooler-left-out",))
    assert ["109,482,240 − 590,592 = 108,891,648"] == [str(line) for line in sum_lines(asked, 1)]
    *_, last = sum_lines(asked)
    assert not last.alike  # it counts all, not any one of several
    assert [False, False] == [addend.alike for addend in last.addends]
    assert [] == faults(sum_lines(asked), asked)


def test_alike_is_counted_once_and_named_in_full() -> None:
    """The four dense layers of attention are one line each for matrix and layer, with the paths of all four."""
    tensor, module, block = sum_lines(Question(BASE, part=ONE_LAYER, tag="self-attention"))
    assert (TENSOR, MODULE, BLOCK) == (tensor.kind, module.kind, block.kind)
    assert 4 == len(tensor.paths) == len(module.paths) == len(block.paths)
    assert all(path.endswith("/kernel") for path in tensor.paths)
    assert (True, True, False) == (tensor.alike, module.alike, block.alike)
    assert LAYER in {line.kind for line in sum_lines(Question(BASE))}


def test_equal_numbers_are_not_taken_for_alike() -> None:
    """With F as wide as H the two dense layers have one size and two formulas."""
    asked = Question(BASE.resized(F=768), part=ONE_LAYER, tag="feed-forward")
    assert "590,592 + 590,592 = 1,181,184" == str(sum_lines(asked)[-1])
