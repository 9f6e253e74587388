"""The hash behind random exercises gives the published values, and draws are spread evenly."""

from collections import Counter

import pytest

from macros.teaching.chance import SeededRandom, fnv1a


# Source: the test vectors of FNV-1a, 32 bits (Fowler, Noll and Vo).
@pytest.mark.parametrize(("text", "value"), [("", 0x811C9DC5), ("a", 0xE40C292C), ("foobar", 0xBF9CF968)])
def test_the_hash_is_the_published_one(text: str, value: int) -> None:
    assert value == fnv1a(text)


def test_draws_are_spread_evenly() -> None:
    texts = [f"layer:{seed}" for seed in range(4000)]
    draws = Counter(SeededRandom(text).below(8) for text in texts)
    fronts = Counter(SeededRandom(text).shuffled("abcd")[0] for text in texts)
    # Five standard deviations of a binomial distribution: 5 · √(4000 · 1/8 · 7/8), and likewise for quarters.
    assert [] == [count for count in draws.values() if abs(count - 500) >= 105]
    assert [] == [count for count in fronts.values() if abs(count - 1000) >= 137]
    assert (8, 4) == (len(draws), len(fronts))


def test_the_same_text_draws_the_same_numbers() -> None:
    draws = [[SeededRandom(text).word() for _ in range(3)] for text in ("layer:7", "layer:7", "layer:8")]
    assert draws[0] == draws[1] != draws[2]
