"""The space of known numbers: each is counted again, samples are found, and nothing needless is there."""

from collections.abc import Mapping
from itertools import combinations
from random import Random

import pytest

from macros.counting import Question, model_named
from macros.counting.disagreements.known_numbers import Names, Space, Way, load_search, sets_within, spaces

BASE, BARE, PRETRAINING = "bert-base-uncased", "BertModel", "BertForPreTraining"


@pytest.fixture(scope="module")
def known() -> list[Space]:
    """Every space."""
    return list(spaces())


@pytest.fixture(scope="module")
def ways(known: list[Space]) -> dict[tuple[str, str, frozenset[str]], Way]:
    """Every way by each of its models and classes, and by its deviations."""
    return {
        (model, model_class, frozenset(way.deviations)): way
        for space in known
        for way in space.ways
        for model in way.models
        for model_class in way.classes
    }


def test_numbers_hold_for_every_model_and_class(ways: Mapping[tuple[str, str, frozenset[str]], Way]) -> None:
    """What is said of several is true of each, by a sample of them."""
    several = [each for each in ways if each[:2] != (ways[each].models[0], ways[each].classes[0])]
    for each in Random(20181011).sample(several, 3_000):  # noqa: S311
        model, model_class, _ = each
        way = ways[each]
        assert way.number == Question(model_named(model), model_class, deviations=way.deviations).number, way


# Sums by hand of the shapes of base: 109,482,240 parameters, 590,592 of them in the pooler and as many in an output
# projection, 2,362,368 in the attention of a layer. Costs by hand: one more than `usual`, one for a class such as
# the last, two for a relative and two more for counting it otherwise.
SAMPLES = [
    (109_482_240, BASE, BARE, (), 0),
    (109_482_240 - 590_592, BASE, BARE, ("pooler-left-out",), 2),
    (110_106_428 + 30_522 * 768, BASE, PRETRAINING, ("decoder-untied",), 2),
    (109_482_240 - 768, BASE, BARE, ("without:bert/embeddings/LayerNorm/beta:",), 5),
    (124_645_632 - 590_592, "roberta-base", "RobertaModel", ("pooler-left-out",), 5),
    (109_483_778, BASE, "BertForSequenceClassification", (), 1),
    # One changes a size that the other counts with.
    (109_482_240 - 522 * 768 + 30_000 * 768, BASE, BARE, ("vocabulary-rounded", "output-layer-added"), 5),
    (
        109_482_240 - 590_592 - 1_536 - 12 * 590_592,
        BASE,
        BARE,
        ("pooler-left-out", "embedding-norm-forgotten", "output-projection-forgotten"),
        5,
    ),
    # Attention without its biases, once instead of twelve times.
    (
        109_482_240 - 590_592 - 12 * 2_362_368 + 2_362_368 - 4 * 768,
        BASE,
        BARE,
        ("pooler-left-out", "attention-one-layer", "attention-biases-left-out"),
        5,
    ),
    # The same size for the same letter twice; one instead of all; too dear together; needless by another's doing: as
    # many heads as layers, and no output projection, so twelve times a twelfth is left.
    (None, BASE, BARE, ("vocabulary-cased", "vocabulary-rounded"), None),
    (None, BASE, BARE, ("lora-alone",), None),
    (None, BASE, BARE, ("positions-thousand", "default-segments"), None),
    (None, BASE, BARE, ("positions-by-sequence", "norm-by-position"), None),
    (None, BASE, BARE, ("attention-one-layer", "output-projection-forgotten", "full-matrices-per-head"), None),
    # Two in one block that people make together, and two that they do not.
    (
        109_482_240 - 590_592 - 2 * 768 - 512 * 768 - 2 * 768,
        BASE,
        BARE,
        ("segments-forgotten", "positions-forgotten", "embedding-norm-forgotten", "pooler-left-out"),
        4,
    ),
    (None, BASE, BARE, ("feed-forward-one-matrix", "feed-forward-biases-left-out"), None),
    # Its own vocabulary; a class without a decoder; a part that a deviation of another name leaves out.
    (None, BASE, BARE, ("vocabulary-uncased",), None),
    (None, BASE, BARE, ("decoder-untied",), None),
    (None, BASE, BARE, ("without:bert/embeddings/LayerNorm:",), None),
    (None, "roberta-base", "RobertaModel", ("pooler-left-out", "positions-forgotten"), None),
]
"""Numbers, with model, class, deviations and cost; None for what is not in the space."""


@pytest.mark.parametrize(("number", "model", "model_class", "made", "cost"), SAMPLES)
def test_samples(
    ways: Mapping[tuple[str, str, frozenset[str]], Way],
    number: int | None,
    model: str,
    model_class: str,
    made: Names,
    cost: int | None,
) -> None:
    """What somebody may get is found with what speaks against it; what excludes itself, or is needless, is not."""
    way = ways.get((model, model_class, frozenset(made)))
    assert (number, cost) == ((way.number, way.cost) if way else (None, None))


def needless(numbers: Mapping[Names, int]) -> list[Names]:
    """The sets of which a part gives the same."""
    return [
        made
        for made, number in numbers.items()
        if any(numbers.get(part) == number for size in range(len(made)) for part in combinations(made, size))
    ]


def test_nothing_is_needless_or_too_dear(known: list[Space]) -> None:
    """Each deviation of a way makes a difference beside the others, and no way costs more than is looked for."""
    assert [] == [made for space in known for made in needless(space.numbers)]
    limits = load_search().limits
    for space in known:
        assert all(way.cost <= limits["possible"] for way in space.ways)


# By hand: 7,087,872 in a layer of base, 768 in a row of a table, 769 for a label, and an inner unit of 768 inputs, one
# bias and as many outputs in each of twelve layers; with an untied decoder a token has two rows and a bias.
SLOPES = [
    ("L", BASE, BARE, (), 7_087_872),
    ("V", BASE, PRETRAINING, (), 769),
    ("V", BASE, PRETRAINING, ("decoder-untied",), 1537),
    ("P", BASE, BARE, ("pooler-left-out",), 768),
    ("F", BASE, BARE, ("embedding-norm-forgotten",), 12 * 1537),
    ("C", BASE, "BertForSequenceClassification", (), 769),
    ("C", "roberta-base", "RobertaForTokenClassification", (), 769),
    ("C", BASE, BARE, (), None),
    # Of a relative people train a head; nobody is known to take another size with what few do, or many things.
    ("L", "roberta-base", "RobertaModel", (), None),
    ("L", BASE, BARE, ("without:bert/embeddings/LayerNorm/beta:",), None),
    ("L", BASE, BARE, ("pooler-left-out", "embedding-norm-forgotten"), None),
]


@pytest.mark.parametrize(("letter", "model", "model_class", "made", "slope"), SLOPES)
def test_slopes(known: list[Space], letter: str, model: str, model_class: str, made: Names, slope: int | None) -> None:
    """What one more of a size adds is told where somebody takes another size."""
    (space,) = (each for each in known if model in each.models and model_class in each.classes)
    assert made in space.numbers
    assert slope == space.slopes.get(letter, {}).get(made)


EFFECTS = {"a": 10, "b": 10, "c": -10, "d": 0, "e": 7}


def effect(made: Names) -> int | None:
    """A hundred with the sum of effects; `a` and `b` do the same, `a` and `e` exclude each other."""
    if {"a", "e"} <= set(made):
        return None
    return 100 + sum(EFFECTS[name] for name in made) - (10 if {"a", "b"} <= set(made) else 0)


def test_sets_within() -> None:
    """All that a budget allows, but for what excludes itself, does nothing, is taken back or does the same again."""
    costs = {"a": 1, "b": 1, "c": 2, "d": 2, "e": 3}
    right = {(): 100, ("a",): 110, ("b",): 110, ("c",): 90, ("e",): 107}
    pairs = {("b", "e"): 117, ("c", "e"): 97}
    assert right == sets_within(costs, 3, effect)
    assert right | pairs == sets_within(costs, 5, effect)
    assert {} == sets_within(costs, 5, lambda _: None)
    # Of three, two of which do nothing together, no set is made, whatever they give.
    totals = {(): 9, ("a",): 1, ("b",): 2, ("c",): 3, ("a", "b"): 4, ("a", "c"): 5, ("b", "c"): 9, ("a", "b", "c"): 6}
    assert set(totals) - {("b", "c"), ("a", "b", "c")} == set(sets_within(costs, 9, totals.get))
