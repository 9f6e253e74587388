"""What each mistake does to the total, against arithmetic done by hand."""

from pathlib import Path

import pytest

from macros.counting import BadChoice, BadConfig, Model, UnknownDeviation, count, mistakes, model_named
from macros.counting.deviations import Mistake, deviation_named, effect, load_deviations

# Source: differences between totals that transformers 5.23 prints for the
# right and the altered model, or hand arithmetic on its shapes, 2026-11-01.
EFFECTS = {
    "pooler-left-out": (-590_592, -1_049_600),
    "segments-forgotten": (-1_536, -2_048),
    "positions-forgotten": (-393_216, -524_288),
    "embedding-norm-forgotten": (-1_536, -2_048),
    "default-segments": (10_752, 14_336),
    "vocabulary-rounded": (-400_896, -534_528),
    "attention-one-layer": (-25_986_048, -96_563_200),
    "output-projection-forgotten": (-590_592 * 12, -1_049_600 * 24),
    "output-projection-per-head": (6_488_064 * 12, 15 * 1024 * 1024 * 24),
    "full-matrices-per-head": ((21_261_312 - 1_771_776) * 12, 15 * 3 * (1024 * 1024 + 1024) * 24),
    "blocks-per-head": ((147_456 - 1_769_472) * 12, -(15 * 3 * 1024 * 1024 // 16) * 24),
    "attention-biases-left-out": (-36_864, -4 * 1024 * 24),
    "feed-forward-biases-left-out": (-46_080, -5 * 1024 * 24),
    "biases-left-out": (-83_712, -(9 * 1024 * 24 + 1024)),
    "feed-forward-one-matrix": (-(3072 * 768 + 768) * 12, -(4096 * 1024 + 1024) * 24),
    "one-norm-a-layer": (-18_432, -2 * 1024 * 24),
    "norm-without-shift": (-19_200, -49 * 1024),
    "norm-by-position": (25_600 - 38_400, 49 * 2 * (512 - 1024)),
    "decoder-untied": (23_440_896, 31_254_528),
    "prediction-bias-twice": (30_522, 30_522),
    "prediction-bias-forgotten": (-30_522, -30_522),
    "transform-forgotten": (-590_592, -1_049_600),
    "transform-norm-forgotten": (-1_536, -2_048),
    "embeddings-excluded": (85_646_592 - 109_482_240, -(30_522 + 512 + 2) * 1024),
    "buffers-added": (2 * 512, 2 * 512),
    "optimizer-counted": (330_319_285 - 110_106_428, 2 * 336_226_108 + 1),
    "pooler-kept": (110_104_890 - 109_514_298, 1_049_600),
    "state-dict-summed": (133_577_846 - 110_106_428, 367_511_158 - 336_226_108),
    "embeddings-left-out": (-23_837_184, -31_782_912),
    "position-ids-added": (512, 512),
    "encoder-frozen": (-109_482_240, -335_141_888),
    "padding-row-left-out": (-768, -1_024),
    "vocabulary-padded": (4_608, 6 * 1024),
    "vocabulary-uncased": (0, 0),
    "vocabulary-cased": (-1_171_968, 333_579_264 - 335_141_888),
    "vocabulary-chinese": (-7_214_592, 325_522_432 - 335_141_888),
    "vocabulary-multilingual-cased": (68_371_200, (119_547 - 30_522) * 1024),
    "vocabulary-multilingual-uncased": (57_874_176, (105_879 - 30_522) * 1024),
    "positions-by-sequence": (-9_216, -12 * 1024),
    "positions-by-short-sequence": (-384 * 768, -384 * 1024),
    "positions-thousand": (488 * 768, 488 * 1024),
    "one-head": (-11 * 3 * (768 * 64 + 64) * 12, -15 * 3 * (1024 * 64 + 64) * 24),
    "one-matrix-for-all": (-2 * 590_592 * 12, -2 * 1_049_600 * 24),
    "encoder-biases-left-out": (-82_944, -9 * 1024 * 24),
    "feed-forward-doubled": (4_722_432 * 12, 8_393_728 * 24),
    "feed-forward-one-layer": (-4_722_432 * 11, -8_393_728 * 23),
    "feed-forward-square": ((2 * 590_592 - 4_722_432) * 12, (2 * 1_049_600 - 8_393_728) * 24),
    "one-layer-counted": (-7_087_872 * 11, -12_596_224 * 23),
    "encoder-norms-forgotten": (-3_072 * 12, -4_096 * 24),
    "encoder-norms-twice": (3_072 * 12, 4_096 * 24),
    "norms-forgotten": (-38_400, -49 * 2 * 1024),
    "vectors-forgotten": (-38_400 - 82_944 - 768, -49 * 2 * 1024 - 9 * 1024 * 24 - 1024),
    "head-forgotten": (-2 * 768 - 2, -2 * 1024 - 2),
    "twelve-l-h-squared": (-24_547_584, 12 * 24 * 1024**2 - 335_141_888),
    "twelve-l-h-squared-and-words": (12**2 * 768**2 + 30_522 * 768 - 109_482_240, 288 * 1024**2 - 303_887_360),
    "sizes-multiplied": (12 * 768 * 12 - 109_482_240, 24 * 1024 * 16 - 335_141_888),
}


def test_every_mistake_is_checked() -> None:
    """The literals above cover the whole list."""
    assert set(EFFECTS) == set(load_deviations())


@pytest.mark.parametrize("name", EFFECTS)
def test_effect(base: Model, large: Model, name: str) -> None:
    """The effect on base and on large."""
    assert EFFECTS[name] == (effect(base, name), effect(large, name))


def test_a_mistake_can_be_made_in_a_model_without_layers(base: Model) -> None:
    """With no layers there is nothing to share out, and nothing goes wrong."""
    assert 0 == effect(base.resized(L=0), "attention-one-layer")


def invented(monkeypatch: pytest.MonkeyPatch, **keys: str) -> str:
    """The name of a mistake that stands in the list for one test."""
    made = Mistake("invented", "mistake", 1, "for this test", "for this test", "for this test", **keys)  # type: ignore[arg-type]
    monkeypatch.setattr(mistakes, "load_deviations", lambda: {**load_deviations(), "invented": made})
    return "invented"


def test_without_layers_the_whole_is_the_share(base: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    """A share of what stands outside the layers is all of it, where there is no layer to share with."""
    share = invented(monkeypatch, part="bert/pooler", factor="1/L")
    assert 0 == effect(base.resized(L=0), share)
    assert -295_296 == effect(base.resized(L=2), share)


def test_unknown_mistake(base: Model) -> None:
    """An unknown mistake is answered with the nearest known one."""
    with pytest.raises(UnknownDeviation, match='did you mean "pooler-left-out"'):
        effect(base, "pooler-left")


def test_a_factor_that_leaves_a_rest_is_refused(base: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    """A count is whole; a factor that makes it otherwise is an error, not a rounding."""
    fifth = invented(monkeypatch, part="bert/pooler/dense/bias", factor="1/5")
    with pytest.raises(BadChoice, match="is not whole"):
        effect(base, fifth)


# Sources: the hand count of base Chinese (its own total), torchinfo 1.8.0 and
# a sum over state_dict() with transformers 5.23; hand arithmetic on the rest.
COMPOSED = [
    ("bert-base-chinese", "BertModel", ("pooler-left-out", "attention-one-layer", "biases-left-out"), 75_641_856),
    (
        "bert-base-chinese",
        "BertModel",
        (
            "feed-forward-biases-left-out",
            "attention-biases-left-out",
            "pooler-left-out",
            "attention-one-layer",
        ),
        75_641_856,
    ),
    ("bert-base-uncased", "BertForPreTraining", ("decoder-untied", "prediction-bias-twice"), 133_577_846),
    ("bert-base-uncased", "BertForPreTraining", ("decoder-untied", "state-dict-summed"), 133_577_846),
    ("bert-base-uncased", "BertForPreTraining", ("vocabulary-rounded", "decoder-untied"), 109_705_010 + 23_040_000),
    ("bert-base-uncased", "BertModel", ("pooler-left-out", "biases-left-out"), 108_808_704),
    ("bert-base-uncased", "BertModel", ("vocabulary-rounded", "positions-by-sequence"), 109_482_240 - 410_112),
    ("bert-base-uncased", "BertModel", ("buffers-added", "positions-by-sequence"), 109_482_240 - 9_216 + 1_000),
]


@pytest.mark.parametrize(("model", "model_class", "made", "total"), COMPOSED)
def test_mistakes_compose(model: str, model_class: str, made: tuple[str, ...], total: int) -> None:
    """Several mistakes together give one total, in any order."""
    assert total == count(model_named(model), model_class=model_class, deviations=made)
    assert total == count(model_named(model), model_class=model_class, deviations=made[::-1])


def test_a_part_is_counted_with_mistakes(base: Model) -> None:
    """A mistake within a part changes the part; what is added belongs to the whole."""
    part = "bert/encoder/layer_0"
    # Source: an answer reposted from stats.stackexchange 435318, 12 x 768 x 768 + 768 for the output projection.
    assert 2_362_368 + 6_488_064 == count(base, part, "self-attention", deviations=["output-projection-per-head"])
    assert 590_592 == count(base, "bert/pooler", deviations=["buffers-added"])


@pytest.mark.parametrize(
    ("model_class", "made", "message"),
    [
        ("BertModel", ("decoder-untied",), "cannot be made in BertModel.* such as BertForPreTraining"),
        ("BertForPreTraining", ("pooler-kept",), "such as BertForMaskedLM"),
        ("BertModel", ("vocabulary-rounded", "vocabulary-padded"), "exclude each other"),
        ("BertModel", ("twelve-l-h-squared", "pooler-left-out"), "exclude each other"),
    ],
)
def test_what_does_not_fit_is_refused(base: Model, model_class: str, made: tuple[str, ...], message: str) -> None:
    """A mistake that the class cannot have, or two that exclude each other."""
    with pytest.raises(BadChoice, match=message):
        count(base, model_class=model_class, deviations=made)


def test_every_mistake_is_shown_in_a_class_it_can_be_made_in() -> None:
    """The class of a page is one that has the rows."""
    for each in load_deviations().values():
        assert each.made_in(each.model_class), each.name
    assert "BertForSequenceClassification" == deviation_named("head-forgotten").model_class


BLOCK = """
[invented]
kind = "mistake"
usual = 1
title = "one"
why = "two"
notice = "three"
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BLOCK.replace('why = "two"\n', ""), "mistakes.toml, invented: why is missing"),
        (BLOCK.replace('notice = "three"\n', ""), "mistakes.toml, invented: notice is missing"),
        (BLOCK + 'fector = "0"', 'unknown key fector = "0"; did you mean "factor"'),
        (BLOCK.replace('"mistake"', '"error"'), 'kind is "error"; write convention or mistake'),
        ("[", "cannot be read as TOML"),
    ],
)
def test_a_bad_block_is_refused(tmp_path: Path, text: str, message: str) -> None:
    """The message names file, mistake and key."""
    file = tmp_path / "mistakes.toml"
    file.write_text(text)
    with pytest.raises(BadConfig, match=message):
        load_deviations(file)
