"""What each mistake does to the total, against arithmetic done by hand."""

import pytest

from macros.counting import CountingError, Model, UnknownMistake, mistakes
from macros.counting.mistakes import MISTAKES, Mistake, effect

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
}


def test_every_mistake_is_checked() -> None:
    """The literals above cover the whole list."""
    assert set(EFFECTS) == set(MISTAKES)


@pytest.mark.parametrize("name", EFFECTS)
def test_effect(base: Model, large: Model, name: str) -> None:
    """The effect on base and on large."""
    assert EFFECTS[name] == (effect(base, name), effect(large, name))


def test_a_mistake_can_be_made_in_a_model_without_layers(base: Model) -> None:
    """With no layers there is nothing to share out, and nothing goes wrong."""
    assert 0 == effect(base.resized(L=0), "attention-one-layer")


def test_without_layers_the_whole_is_the_share(base: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    """A share of what stands outside the layers is all of it, where there is no layer to share with."""
    share = Mistake("share", "a share", "for this test", part="bert/pooler", factor="1/L")
    monkeypatch.setitem(mistakes.MISTAKES, "share", share)
    assert 0 == effect(base.resized(L=0), "share")
    assert -295_296 == effect(base.resized(L=2), "share")


def test_unknown_mistake(base: Model) -> None:
    """An unknown mistake is answered with the nearest known one."""
    with pytest.raises(UnknownMistake, match='did you mean "pooler-left-out"'):
        effect(base, "pooler-left")


def test_a_factor_that_leaves_a_rest_is_refused(base: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    """A count is whole; a factor that makes it otherwise is an error, not a rounding."""
    third = Mistake("third", "a third", "for this test", part="bert/pooler/dense/bias", factor="1/5")
    monkeypatch.setitem(mistakes.MISTAKES, "third", third)
    with pytest.raises(CountingError, match="is not whole"):
        effect(base, "third")
