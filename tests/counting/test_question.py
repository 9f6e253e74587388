"""Totals and parts are those that transformers prints, and unknown parts and classes are refused."""

import re
import tomllib
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from macros.counting import BERT, Choices, Model, Question, UnknownModelClass, UnknownPart, count, model_named, tensors

LAYER = "bert/encoder/layer_0"

EXPECTED_NUMBERS = tomllib.loads(Path(__file__).with_name("counted.toml").read_text(encoding="utf-8"))
"""Expected numbers of parts, checkpoints and unions of parts, with their sources."""


@pytest.mark.parametrize(("part", "tag", "number_in_base", "number_in_large"), EXPECTED_NUMBERS["parts"])
def test_every_part_has_the_number_that_transformers_prints(
    base: Model, large: Model, part: str, tag: str, number_in_base: int, number_in_large: int
) -> None:
    assert number_in_base == count(base, part, tag)
    assert number_in_large == count(large, part, tag)


@pytest.mark.parametrize(("name", "total"), EXPECTED_NUMBERS["checkpoints"].items())
def test_published_checkpoints_have_the_totals_that_transformers_prints(name: str, total: int) -> None:
    assert total == count(model_named(name))


@pytest.mark.parametrize(("model_class", "part", "tag", "number"), EXPECTED_NUMBERS["unions"])
def test_several_prefixes_are_one_part_in_which_every_tensor_counts_once(
    base: Model, model_class: str, part: str, tag: str, number: int
) -> None:
    assert number == count(base, part, tag, model_class=model_class)


def test_a_question_may_override_the_choices_of_its_model(base: Model) -> None:
    untied_model = base._replace(choices=Choices(tied=False))
    # 30,522 x 768 + 30,522 = 23,471,418 more than 109,514,298, which transformers prints for the tied model.
    assert 132_985_716 == Question(untied_model, "BertForMaskedLM").number
    tied_question = Question(untied_model, "BertForMaskedLM", choices=Choices(tied=True))
    assert (109_514_298, True) == (tied_question.number, tied_question.resolved_choices.tied)


def test_all_layers_have_twelve_times_the_parameters_of_one(base: Model) -> None:
    one_layer = count(base, "bert/encoder/layer_0")
    assert one_layer == count(base, "bert/encoder/layer_11")
    assert 12 * one_layer == count(base, "bert/encoder/layer_*") == count(base, "bert/encoder")
    expected = "V·H + P·H + S·H + L·(4·H² + 2·H·F + 9·H + F) + H² + 3·H"
    assert expected == Question(base).polynomial.formula()


@pytest.mark.parametrize("name", ["bert-base-uncased", "albert-base-v2", "distilbert-base-uncased", "modernbert-base"])
def test_the_number_of_tensors_is_that_of_the_listing(name: str) -> None:
    model = model_named(name)
    single_layers = [f"bert/encoder/layer_{layer}" for layer in range(min(model.architecture.depth(model.sizes), 2))]
    parts = ["", "bert/encoder/layer_*", *single_layers]
    for model_class in model.architecture.classes:
        for part, is_tied in product(parts, (True, False)):
            question = Question(model, model_class.name, part, choices=Choices(tied=is_tied))
            listed_tensors = [tensor for tensor in tensors(question) if tensor.tied_to is None]
            assert len(listed_tensors) == question.tensor_count


def test_formulas_and_rows_are_built_only_once(base: Model) -> None:
    assert Question(base).polynomial is Question(base).about("").polynomial
    assert BERT.rows_of("BertForPreTraining") is BERT.rows_of("BertForPreTraining")


@pytest.mark.parametrize(
    ("part", "tag", "message"),
    [
        ("bert/poller", "", 'no tensor under "bert/poller"; known: '),
        ("bert/embed", "", "bert/embeddings"),
        ("bert/encoder/layer_12", "", "it has 12, numbered from 0"),
        ("", "gama", '"gama"'),
        ("cls/predictions", "", "BertModel has no tensor under"),
        # Excluding a tag that no row carries is a mistake, and no row both carries and lacks a tag.
        ("bert/encoder", "-LayerNrom", 'under "bert/encoder" with the tag "-LayerNrom"; known: '),
        ("bert/encoder", "kernel -kernel", 'with the tag "kernel -kernel"; known: '),
        # A prefix without rows is a mistake too. Prefixes for different layers have no common number of layers.
        ("bert/pooler, clss", "", 'no tensor lies under "clss", as requested in "bert/pooler, clss"; leave it out'),
        ("bert/pooler, ", "", 'no tensor lies under "", as requested in'),
        ("bert/pooler,bert/embeddings", "", "BertModel has no tensor under"),
        (f"bert/encoder, {LAYER}", "", "is about different layers; name the same layer"),
        (f"{LAYER}/output, bert/encoder/layer_*/intermediate", "", "is about different layers; name the same layer"),
        ("bert/encoder/layer_12/output, bert/pooler", "", "bert-base-uncased has no layer 12"),
    ],
)
def test_an_unknown_part_is_refused(base: Model, part: str, tag: str, message: str) -> None:
    with pytest.raises(UnknownPart, match=re.escape(message)):
        count(base, part, tag)


@pytest.mark.parametrize("layer", [12, 13, 100])
def test_a_layer_beyond_the_last_is_refused(base: Model, layer: int) -> None:
    question = Question(base, part=f"bert/encoder/layer_{layer}/output")
    answers: list[Callable[[], object]] = [
        lambda: question.rows,
        lambda: question.items,
        lambda: question.polynomial,
        lambda: question.number,
    ]
    for answer in answers:
        with pytest.raises(UnknownPart, match=f"bert-base-uncased has no layer {layer}, as requested in"):
            answer()


def test_a_similar_name_is_suggested_for_an_unknown_class(base: Model) -> None:
    with pytest.raises(UnknownModelClass, match='did you mean "BertForMaskedLM"'):
        count(base, model_class="BertForMaskedML")
