"""What people get of changed models, as lines: each comes to what the engine counts, however much is chosen."""

import pytest

from macros.counting import model_named
from macros.counting.search.changed_lines import MODEL, NAME, NUMBER, TIMES, ChangedLine, changed_lines
from tests.counting.search.changes_in_words import recounted

FAR = 37
"""A choice that no line is made from."""


@pytest.fixture(scope="module")
def lines() -> list[ChangedLine]:
    """All of them."""
    return list(changed_lines())


def on(line: ChangedLine, x: int) -> int:
    """What a line comes to."""
    return sum(times * number for times, number in line.terms) + line.slope * x


def test_every_line_comes_to_what_its_words_say(lines: list[ChangedLine]) -> None:
    """Of every model that is changed: the number, and the whole beside it, however much is chosen."""
    said = set()
    for line in lines:
        model, x = model_named(line.models[0]), min(FAR, line.form.most) if line.slope else 0
        for words, whole in ((line.form.words, 0), (line.form.whole, line.plain)):
            first = f"{line.terms[0][0]}" if line.terms else ""
            for sign, text in ((MODEL, model.title), (NUMBER, f"{x}"), (NAME, line.model_class), (TIMES, first)):
                words = words.replace(sign, text)
            if words:
                assert on(line, x) + whole == recounted(words, model), words
                said.add(words)
    assert len(said) > 1000
    kept = [each.endswith(" and the training step") for each in said if "checkpoint" in each]
    assert {True, False} == set(kept)
    assert len(kept) > 200
