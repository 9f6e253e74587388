"""Totals and subtotals against numbers that transformers itself printed."""

import re
from collections.abc import Callable

import pytest

from macros.counting import BERT, Model, Question, UnknownModelClass, UnknownPart, count, model_named

LAYER = "bert/encoder/layer_0"

# Source of every literal: transformers 5.23 with torch 2.13, sums of
# `numel()` over the parameters of the part, run on 2026-11-01; hand arithmetic on the same shapes.
PARTS_OF_BASE_AND_LARGE = [
    ("bert/embeddings", "", 23_837_184, 31_782_912),
    (LAYER, "self-attention", 2_362_368, 4_198_400),
    (LAYER, "feed-forward", 4_722_432, 8_393_728),
    (LAYER, "encoder-norms", 3_072, 4_096),
    (LAYER, "", 7_087_872, 12_596_224),
    ("bert/encoder", "", 85_054_464, 302_309_376),
    ("bert/pooler", "", 590_592, 1_049_600),
    ("", "", 109_482_240, 335_141_888),
    # A tag selects by a component of the path or by block; what carries one with a minus is left out.
    ("", "LayerNorm", 38_400, 49 * 2 * 1_024),
    ("", "bias", 83_712, 9 * 24 * 1_024 + 1_024),
    ("", "feed-forward bias", 46_080, 5 * 24 * 1_024),
    (LAYER, "-LayerNorm", 7_084_800, 12_596_224 - 4_096),
    ("bert/encoder", "-LayerNorm", 85_017_600, 302_309_376 - 24 * 4_096),
    ("", "bias -self-attention", 83_712 - 36_864, 9 * 24 * 1_024 + 1_024 - 4 * 24 * 1_024),
    ("", "-embedding-table -LayerNorm", 109_482_240 - 23_835_648 - 38_400, 335_141_888 - 31_780_864 - 100_352),
    ("bert/pooler", "-LayerNorm", 590_592, 1_049_600),
]


@pytest.mark.parametrize(("part", "tag", "of_base", "of_large"), PARTS_OF_BASE_AND_LARGE)
def test_parts(base: Model, large: Model, part: str, tag: str, of_base: int, of_large: int) -> None:
    """Each part of BertModel has the count that transformers prints."""
    assert of_base == count(base, part, tag)
    assert of_large == count(large, part, tag)


# Same source, BertModel.
OTHER_CHECKPOINTS = [
    ("bert-base-cased", 108_310_272),
    ("bert-base-chinese", 102_267_648),
    ("bert-base-multilingual-cased", 177_853_440),
    ("bert-base-multilingual-uncased", 167_356_416),
    ("bert-large-cased", 333_579_264),
    ("bert-large-chinese", 325_522_432),
    ("bert_uncased_L-2_H-128_A-2", 4_385_920),
    ("bert_uncased_L-4_H-256_A-4", 11_170_560),
    ("bert_uncased_L-4_H-512_A-8", 28_763_648),
    ("bert_uncased_L-8_H-512_A-8", 41_373_184),
    ("keras-bert-article", 109_081_344),
]


@pytest.mark.parametrize(("name", "total"), OTHER_CHECKPOINTS)
def test_checkpoints(name: str, total: int) -> None:
    """Other published checkpoints have the totals that transformers prints."""
    assert total == count(model_named(name))


SELF = f"{LAYER}/attention/self"
# Source: hand arithmetic on the shapes of base.
UNIONS = [
    ("BertModel", f"{SELF}/query, {SELF}/key", "", 1_181_184),
    ("BertModel", f"{SELF}/query, {SELF}/key", "bias", 1_536),
    ("BertModel", f"{SELF}/query, {SELF}/key".replace("layer_0", "layer_*"), "", 12 * 1_181_184),
    ("BertModel", f"{SELF}/key, {SELF}/query/", "", 1_181_184),
    ("BertModel", "bert/embeddings, bert/pooler", "", 24_427_776),
    ("BertModel", "bert/encoder, bert/encoder/layer_*/output", "", 85_054_464),
    ("BertModel", f"bert/pooler, {LAYER}", "", 590_592 + 7_087_872),
    ("BertForPreTraining", "cls", "", 624_188),
    ("BertForPreTraining", "cls/predictions, cls/seq_relationship", "", 622_650 + 1_538),
    ("BertForPreTraining", "bert/pooler, cls", "", 1_214_780),
]


@pytest.mark.parametrize(("model_class", "part", "tag", "number"), UNIONS)
def test_several_prefixes_are_one_part(base: Model, model_class: str, part: str, tag: str, number: int) -> None:
    """In any order, in one layer or in all; what lies under two of them counts once."""
    assert number == count(base, part, tag, model_class=model_class)


def test_all_layers_are_layers_times_one(base: Model) -> None:
    """`layer_*` is every layer; `layer_0` and `layer_11` are one each. A formula is added up once for all pages."""
    one = count(base, "bert/encoder/layer_0")
    assert one == count(base, "bert/encoder/layer_11")
    assert 12 * one == count(base, "bert/encoder/layer_*") == count(base, "bert/encoder")
    expected = "V·H + P·H + S·H + L·(4·H² + 2·H·F + 9·H + F) + H² + 3·H"
    assert expected == Question(base).polynomial.formula()
    assert Question(base).polynomial is Question(base).at("").polynomial
    assert BERT.rows_of("BertForPreTraining") is BERT.rows_of("BertForPreTraining")


@pytest.mark.parametrize(
    ("part", "tag", "says"),
    [
        ("bert/poller", "", 'no tensor under "bert/poller"; known: '),
        ("bert/embed", "", "bert/embeddings"),
        ("bert/encoder/layer_12", "", "it has 12, numbered from 0"),
        ("", "gama", '"gama"'),
        ("cls/predictions", "", "BertModel has no tensor under"),
        # A tag that nothing carries excludes nothing, and is a slip; nothing carries a tag and lacks it.
        ("bert/encoder", "-LayerNrom", 'under "bert/encoder" with the tag "-LayerNrom"; known: '),
        ("bert/encoder", "kernel -kernel", 'with the tag "kernel -kernel"; known: '),
        # So is a prefix that adds nothing; prefixes about different layers have no one number of layers.
        ("bert/pooler, clss", "", 'no tensor lies under "clss", asked for in "bert/pooler, clss"; leave it out'),
        ("bert/pooler, ", "", 'no tensor lies under "", asked for in'),
        ("bert/pooler,bert/embeddings", "", "BertModel has no tensor under"),
        (f"bert/encoder, {LAYER}", "", "is about different layers; name the same layer"),
        (f"{LAYER}/output, bert/encoder/layer_*/intermediate", "", "is about different layers; name the same layer"),
        ("bert/encoder/layer_12/output, bert/pooler", "", "bert-base-uncased has no layer 12"),
    ],
)
def test_an_unknown_part_is_refused(base: Model, part: str, tag: str, says: str) -> None:
    """The message names what was asked and what is known."""
    with pytest.raises(UnknownPart, match=re.escape(says)):
        count(base, part, tag)


@pytest.mark.parametrize("layer", [12, 13, 100])
def test_a_layer_that_is_not_there(base: Model, layer: int) -> None:
    """Its rows, its formula and its number are refused alike, however far it is beyond the last."""
    asked = Question(base, part=f"bert/encoder/layer_{layer}/output")
    refused: Callable[[], object]
    for refused in (lambda: asked.rows, lambda: asked.items, lambda: asked.polynomial, lambda: asked.number):
        with pytest.raises(UnknownPart, match=f"bert-base-uncased has no layer {layer}, asked for in"):
            refused()


def test_unknown_class(base: Model) -> None:
    """An unknown class is answered with the nearest known one."""
    with pytest.raises(UnknownModelClass, match='did you mean "BertForMaskedLM"'):
        count(base, model_class="BertForMaskedML")
