"""The training steps to record on a graphics card cover every choice, and the engine can count all of them."""

from math import ceil

from macros.counting.training import usable_memory
from tests.oracles.record_card import RELATIVES, SETTINGS, pairs, plan, step_of
from tests.oracles.record_peaks import shallow_steps
from tests.oracles.recording import BASE, LARGE


def test_the_plan_covers_every_choice() -> None:
    cases = list(plan())
    assert 55 <= len(cases) <= 65
    assert [] == [config for config in (BASE, LARGE) if not any(case["config"] == config for case in cases)]
    assert {case["checkpointing"] for case in cases} == {False, True}
    assert {case["tokens"] for case in cases} == {128, 512}
    assert {1, 8, 32} <= {case["texts"] for case in cases if case["config"] == BASE}
    assert [] == [settings for settings in SETTINGS if not any(settings.items() <= case.items() for case in cases)]
    changes = {tuple(case["changes"]) for case in cases}
    assert {("head",), ("bitfit",), ("embeddings", "frozen:6"), ("lora:8:query,value",)} < changes
    assert {"bert", *RELATIVES} == {case["model_type"] for case in cases}


def test_the_engine_counts_every_step() -> None:
    """The steps are those of the plan, those that are tracked without a card, and those of the pairs of batches."""
    for case in (*plan(), *shallow_steps(), *pairs()):
        assert step_of(case).peak_bytes > 0


def test_a_pair_is_the_largest_batch_and_one_a_quarter_larger() -> None:
    cases = list(pairs())
    assert cases
    for case, larger_case in zip(cases[::2], cases[1::2], strict=True):
        assert {**case, "texts": 0} == {**larger_case, "texts": 0}
        assert case["texts"] == step_of(case).largest_batch(usable_memory(case["gib"])) > 0
        assert larger_case["texts"] == ceil(case["texts"] * 1.25)
