"""The scripts count the operations of a batch as the engine does."""

import random

from macros.counting import ARCHITECTURE_OF_CLASS, USUAL, Question, load_models, load_relatives
from macros.counting.operations import COSTS, Operations, longest
from tests.scripts.calculating import drawn
from tests.scripts.running import Scripts
from tests.scripts.test_changes import MOST

SEED = 20181011


def any_batches() -> list[Operations]:
    """A batch of texts, short and as long as there may be, for published models in every class and for odd ones."""
    chance = random.Random(SEED)  # noqa: S311 - drawing samples is no cryptography
    published = [*load_models().values(), *load_relatives().values()]
    asked = [Question(model, each.name) for model in published for each in model.architecture.classes]
    asked += [each.asked for each in drawn(300, SEED + 7) if longest(each.asked) > 0]
    batches = []
    for each in asked:
        tokens = chance.choice((1, longest(each), chance.randrange(1, longest(each) + 1)))
        batches.append(Operations(each, tokens, chance.randrange(1, 40)))
    return batches


def test_operations_are_counted_alike(scripts: Scripts) -> None:
    """Of every kind, in every class; and how long a text may be."""
    batches = any_batches()
    assert set(ARCHITECTURE_OF_CLASS) == {each.question.chosen.name for each in batches}
    given = [
        {
            "architecture": each.question.architecture.model_type,
            "modelClass": each.question.chosen.name,
            "sizes": dict(each.question.model.sizes),
            "choices": each.question.choices.over(each.question.model.choices).over(USUAL)._asdict(),
            "tokens": each.tokens,
            "texts": each.batch,
        }
        for each in batches
    ]
    kinds = set()
    for each, (elements, most) in zip(batches, scripts.call("operations", given), strict=True):
        assert longest(each.question) == most
        for kind in COSTS:
            ours, theirs = each.number(kind, cost=1), elements.get(kind, 0)
            # Beyond what a script counts exactly, it knows that this is so.
            assert ours == theirs if ours <= MOST else theirs is None or theirs > MOST, (each, kind)
            kinds |= {kind} if 0 < ours <= MOST else set()
    assert {*COSTS} == kinds
