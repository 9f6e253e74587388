"""Tests of the steps that are recorded on a card and tracked without one: every choice is among them and counted."""

from math import ceil

from macros.counting.training import room_in
from tests.oracles.record_card import RELATIVES, WAYS, pairs, plan, step_of
from tests.oracles.record_peaks import shallow
from tests.oracles.recording import BASE, LARGE


def test_the_plan_covers_every_choice() -> None:
    """Base and large, two lengths, three batches of each, every way and change, and a relative of each kind."""
    cases = list(plan())
    assert 55 <= len(cases) <= 65
    assert [] == [config for config in (BASE, LARGE) if not any(case["config"] == config for case in cases)]
    assert {case["checkpointing"] for case in cases} == {False, True}
    assert {case["tokens"] for case in cases} == {128, 512}
    assert {1, 8, 32} <= {case["texts"] for case in cases if case["config"] == BASE}
    assert [] == [way for way in WAYS if not any(way.items() <= case.items() for case in cases)]
    changes = {tuple(case["changes"]) for case in cases}
    assert {("head",), ("bitfit",), ("embeddings", "frozen:6"), ("lora:8:query,value",)} < changes
    assert {"bert", *RELATIVES} == {case["model_type"] for case in cases}


def test_every_step_is_one_that_is_counted() -> None:
    """The engine counts every step of the plan, and every one that is tracked."""
    for case in (*plan(), *shallow(), *pairs()):
        assert step_of(case).peak_bytes > 0


def test_a_pair_is_the_largest_batch_and_one_a_quarter_larger() -> None:
    """Each pair begins with the largest batch that leaves the reserve free."""
    cases = list(pairs())
    for largest, larger in zip(cases[::2], cases[1::2], strict=True):
        assert {**largest, "texts": 0} == {**larger, "texts": 0}
        assert largest["texts"] == step_of(largest).largest_batch(room_in(largest["gib"])) > 0
        assert larger["texts"] == ceil(largest["texts"] * 1.25)
