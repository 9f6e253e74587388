"""What people get of changed models, as lines: each comes to what the engine counts, however much is chosen."""

import pytest

from macros.counting import Changed, Question, model_named
from macros.counting.disagreements.changed_lines import NUMBER, ChangedLine, changed_lines
from macros.counting.disagreements.known_numbers import search_rules

FAR = 37
"""A choice that no line is made from."""


@pytest.fixture(scope="module")
def lines() -> list[ChangedLine]:
    """All of them."""
    return list(changed_lines())


def on(line: ChangedLine, x: int) -> int:
    """What a line comes to."""
    return sum(times * number for times, number in line.terms) + line.slope * x


def test_what_is_trained_is_linear_in_what_is_chosen(lines: list[ChangedLine]) -> None:
    """Every change in the data, of base: the number that is trained, and all that there is."""
    beside = [each for each in lines if each.form.words.startswith("what is trained")]
    of_base = [each for each in beside if each.models[0] == "bert-base-uncased"]
    blocks = search_rules()["changed"]
    assert 2 * len(blocks) == len(of_base)
    for place, line in enumerate(of_base):
        change = blocks[place // 2]["change"]
        asked = Question(model_named("bert-base-uncased"), line.model_class)
        ours = Changed.of(asked, [change.replace(NUMBER, str(FAR))])
        x = FAR if line.slope else 0
        assert (bool(line.slope), on(line, x)) == (NUMBER in change, ours.trainable)
        assert not line.plain or on(line, x) + line.plain == ours.number


def test_the_last_layers_and_all_but_pruned_heads(lines: list[ChangedLine]) -> None:
    """Source: 7,087,872 in a layer of base and 590,592 in its pooler; a head is 3 x 64 x 769 and 64 x 768."""
    of_base = [each for each in lines if each.models[0] == "bert-base-uncased"]
    (last,) = (each for each in of_base if "last layer, the pooler and a head" in each.form.words)
    assert 7_087_872 + 590_592 + 3 * 769 == on(last, 3)
    (pruned,) = (each for each in of_base if "pruned" in each.form.words)
    assert (109_482_240 - 12 * 196_800, 132) == (on(pruned, 12), pruned.form.most)


def test_checkpoints_are_of_every_model_that_is_likely(lines: list[ChangedLine]) -> None:
    """Adam keeps two moments of each parameter; where that is a convention with a name, it is found as such."""
    kept = [each for each in lines if "checkpoint" in each.form.words]
    assert {len(each.terms) for each in kept} == {1, 2}
    for line in kept:
        assert on(line, 0) - len(line.terms) + 1 == 3 * Question(model_named(line.models[0]), line.model_class).number
    assert len(kept) > 200
