"""Tests of the accounts of sums by hand."""

import tomllib
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.samples import sample_size
from tests.scripts.running import Scripts
from tests.scripts.sums_by_chance import Sum, draw_sum

CASES = tomllib.loads(Path(__file__).with_name("hand_sums.toml").read_text(encoding="utf-8"))
"""Sums with what follows from each; the head of the file explains the fields."""

SERIOUS = 1
"""The least weight of a finding that says more than that something is rounded."""


def accounts(scripts: Scripts, texts: list[str]) -> list[dict[str, Any] | None]:
    """The account of each text; None if it is no sum."""
    result: list[dict[str, Any] | None] = scripts.call("sumsAccounted", texts)
    return result


def effects(account: dict[str, Any]) -> list[int]:
    """The error in the writer's total that each serious finding is about."""
    serious = (finding for finding in account["findings"] if finding["weight"] >= SERIOUS)
    return [-finding["amount"] for finding in serious if finding["amount"]]


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "none" not in case])
def test_a_sum_is_accounted_for(scripts: Scripts, name: str) -> None:
    """The model or part, every mistake with its effect, and the right number follow from a sum."""
    case = CASES[name]
    [account] = accounts(scripts, [case["text"]])
    assert account
    assert case["of"] in account["headline"]
    assert sorted(effects(account)) == sorted(case["effects"])
    bridge = account["bridge"]
    if bridge is None:
        assert case["total"] == case["right"]
        assert account["model"]["total"] == case["right"]
    else:
        assert (bridge["start"], bridge["end"]) == (case["total"], case["right"])
        assert bridge["start"] + sum(step["value"] for step in bridge["steps"]) == bridge["end"]


def test_a_line_that_is_right_has_the_right_number(scripts: Scripts) -> None:
    """What the table says of a line agrees with the line: of one that is right, the right number is its own."""
    for account in accounts(scripts, [case["text"] for case in CASES.values()]):
        for line in account["lines"] if account else ():
            if line["verdict"] == "right":
                assert line["right"] == line["stated"], line


def test_layers_that_a_line_multiplies_itself_are_all_layers(scripts: Scripts) -> None:
    """Where the factor is in the line, its terms are parts in all layers; where a later line has it, in one layer."""
    whole = "30522*768 + 512*768 + 12*(4*768*768 + 4*768 + 768*3072 + 3072 + 3072*768 + 768)"
    [account] = accounts(scripts, [whole])
    assert account
    [line] = account["lines"]
    assert "self-attention in all layers" in line["part"]
    assert "one layer" not in line["part"]
    assert (line["stated"], line["right"]) == (108_851_712, 108_851_712)
    apart = "Tables: 30522*768 + 512*768 = 23834112\nEach layer: 4*(768*768 + 768) + 2*768*3072 + 3072 + 768 = 7084800"
    [account] = accounts(scripts, [f"{apart}\nTotal: 23834112 + 12*7084800 = 108851712"])
    assert account
    assert "in one layer" in account["lines"][1]["part"]
    assert account["lines"][1]["right"] == 7_084_800


def test_other_texts_are_no_sums(scripts: Scripts) -> None:
    """Numbers, single products, print-outs and nonsense are left to other readers."""
    texts = {name: case["text"] for name, case in CASES.items() if "none" in case}
    found_by_text = dict(zip(texts, accounts(scripts, [*texts.values()]), strict=True))
    assert found_by_text == dict.fromkeys(texts)


def verdict(case: Sum, account: dict[str, Any] | None) -> str:
    """Whether the fault of a sum is named exactly, or the account is unsure, or states something false."""
    if account is None:
        return "none"
    sentences = " ".join([account["headline"], *(finding["words"] for finding in account["findings"])])
    model = account["model"]
    is_model = model and (model["modelClass"], model["total"]) == ("BertModel", case.right)
    if is_model and effects(account) == case.effects and case.mention in sentences and case.title in sentences:
        return "exact"
    return "unsure" if account["confidence"] == "possible" else "false"


def test_faults_by_chance_are_named(scripts: Scripts) -> None:
    """Of sums at random with one fault, nearly all are named exactly, and at most one in a hundred is named wrongly."""
    random = Random("sums by hand")  # noqa: S311
    sums = [draw_sum(random) for _ in range(sample_size(300, part=6))]
    verdicts = Counter(map(verdict, sums, accounts(scripts, [case.text for case in sums])))
    assert verdicts["exact"] >= 0.95 * len(sums), verdicts
    assert verdicts["false"] <= 0.01 * len(sums), verdicts


def test_hostile_texts_return_quickly(scripts: Scripts) -> None:
    """Brackets without end, numbers of a million digits, and endless sums are refused, or read in part."""
    texts = ["(" * 20_000, "1" * 1_000_000, "+".join(["768*768"] * 5_000), "H^" * 9_000, "((((2+2)*2+2)*2+2)*" * 900]
    texts += ["(1+1)*" * 3_000 + "1", "a=" * 9_000, "1 " * 14_000, "bias: 1e999 * 768\n" * 900, "×" * 20_000]
    for account in accounts(scripts, texts):
        assert account is None or account["confidence"] == "possible"
