"""The cost of an answer is the sum of the costs of its rules, with an example for every rule."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from macros.counting.search.known_numbers import search_data
from tests.scripts.running import Scripts

EXAMPLES: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("costs.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("kind", "text", "example"),
    [(kind, text, example) for kind, examples in EXAMPLES.items() for text, example in examples.items()],
)
def test_the_cost_of_an_answer_is_the_sum_of_its_rules(
    scripts: Scripts, kind: str, text: str, example: dict[str, Any]
) -> None:
    answers = scripts.call("explanations", [[text, ""]])[0]
    costs = [answer["cost"] for answer in answers if answer["kind"] == kind and example["with"] in str(answer)]
    assert costs, f"no {kind} with {example['with']}"
    assert pytest.approx(sum(example["costs"].values())) == min(costs)


def test_every_rule_has_an_example() -> None:
    """A rule without an example could have any cost."""
    names = {name for examples in EXAMPLES.values() for example in examples.values() for name in example["costs"]}
    assert set() == set(search_data()["costs"]["ways"]) - names
