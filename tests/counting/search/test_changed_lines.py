"""The lines for changed models give the numbers that the engine counts, whatever the rank or other choice."""

import re

import pytest

from macros.counting import model_named
from macros.counting.search.changed_lines import CLASS, FACTOR, MODEL, VALUE, ChangedLine, changed_lines
from tests.counting.search.changes_in_words import recount

UNUSED_X = 37
"""A value of x that no line lists."""

ON_QUERY_AND_VALUE = f"with LoRA of rank {VALUE} on query and value"


@pytest.fixture(scope="module")
def lines() -> list[ChangedLine]:
    """All lines for changed models."""
    return list(changed_lines())


def number_at(line: ChangedLine, x: int) -> int:
    """The number of a line at `x`."""
    return sum(factor * number for factor, number in line.terms) + line.slope * x


def test_ranks_are_those_that_users_choose(lines: list[ChangedLine]) -> None:
    """LoRA's usual ranks are PEFT's default and twice that; the others are also powers of two."""
    template = next(
        line.template for line in lines if line.template.words == f"what is trained in {MODEL} {ON_QUERY_AND_VALUE}"
    )
    assert ((8, 16), (1, 2, 4, 8, 16, 32, 64, 128)) == (template.usual, template.values)


def test_lines_about_layers_are_only_for_base_and_large(lines: list[ChangedLine]) -> None:
    models = {line.models[0] for line in lines if re.search(r"first # layers|last % layers", line.template.words)}
    assert {f"bert-{size}-{letters}" for size in ("base", "large") for letters in ("cased", "uncased")} == models


def test_every_line_agrees_with_its_words(lines: list[ChangedLine]) -> None:
    texts = set()
    for line in lines:
        model = model_named(line.models[0])
        x = min(UNUSED_X, line.template.largest) if line.slope else 0
        first_factor = str(line.terms[0][0]) if line.terms else ""
        texts_by_sign = {MODEL: model.title, VALUE: str(x), CLASS: line.model_class, FACTOR: first_factor}
        for template, rest_of_model in ((line.template.words, 0), (line.template.whole, line.rest_of_model)):
            words = template
            for sign, text in texts_by_sign.items():
                words = words.replace(sign, text)
            if words:
                assert number_at(line, x) + rest_of_model == recount(words, model), words
                texts.add(words)
    assert len(texts) > 1000
    step_mentions = [text.endswith(" and the training step") for text in texts if "checkpoint" in text]
    assert {True, False} == set(step_mentions)
    assert len(step_mentions) > 200
