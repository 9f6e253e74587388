"""Scripts count the operations of a batch as the engine does."""

import random

from macros.counting import ARCHITECTURE_OF_CLASS, Question, load_models, load_relatives
from macros.counting.operations import COSTS, Operations, max_tokens, refusal
from macros.rendering.files.operations_of_rows import operations
from tests.scripts.calculating import random_configurations
from tests.scripts.running import Scripts
from tests.scripts.test_changes import MAX_EXACT

SEED = 20181011
"""The seed of the random batches, fixed so that every run compares the same ones."""


def random_batches() -> list[Operations]:
    """Batches of texts up to the maximum length, for every class of the published models and for random models."""
    chance = random.Random(SEED)  # noqa: S311 - drawing samples is not cryptography
    published_models = [*load_models().values(), *load_relatives().values()]
    questions = [
        Question(model, model_class.name) for model in published_models for model_class in model.architecture.classes
    ]
    random_questions = [configuration.question for configuration in random_configurations(300, SEED + 7)]
    questions += [question for question in random_questions if max_tokens(question) > 0]
    batches = []
    for question in questions:
        if refusal(question.architecture, question.resolved_class.name):
            continue
        tokens = chance.choice((1, max_tokens(question), chance.randrange(1, max_tokens(question) + 1)))
        batches.append(Operations(question, tokens, chance.randrange(1, 40)))
    return batches


def test_scripts_count_operations_as_the_engine_does(scripts: Scripts) -> None:
    batches = random_batches()
    class_names = {name for name, architecture in ARCHITECTURE_OF_CLASS.items() if not refusal(architecture, name)}
    assert class_names == {batch.question.resolved_class.name for batch in batches}
    cases = [
        {
            "architecture": batch.question.architecture.model_type,
            "modelClass": batch.question.resolved_class.name,
            "sizes": dict(batch.question.model.sizes),
            "choices": batch.question.resolved_choices.by_name(batch.question.architecture.flags),
            "tokens": batch.tokens,
            "texts": batch.batch,
        }
        for batch in batches
    ]
    kinds = set()
    for batch, (elements, script_max_tokens) in zip(batches, scripts.call("operations", cases), strict=True):
        assert max_tokens(batch.question) == script_max_tokens
        for kind in COSTS:
            expected, script_number = batch.number(kind, cost=1), elements.get(kind, 0)
            # A script need not count numbers beyond MAX_EXACT, but must not give a smaller one.
            if expected > MAX_EXACT:
                assert script_number is None or script_number > MAX_EXACT, (batch, kind)
                continue
            assert expected == script_number, (batch, kind)
            if expected:
                kinds.add(kind)
    assert {*COSTS} == kinds


def test_scripts_count_everything_that_a_convention_prices(scripts: Scripts) -> None:
    """A price for anything else would be ignored, and the number of the convention would be too small."""
    published_models = [*load_models().values(), *load_relatives().values()]
    model_of_each_architecture = {model.architecture.model_type: model for model in published_models}.values()
    models = [
        {"modelClass": model_class.name, "sizes": dict(model.sizes)}
        for model in model_of_each_architecture
        for model_class in model.architecture.classes
        if not refusal(model.architecture, model_class.name)
    ]
    counted_kinds = set().union(*scripts.call("pricedKinds", models))
    assert [] == [
        (convention["words"], kind)
        for convention in operations()["search"]["conventions"]
        for kind in convention["counts"]
        if kind not in counted_kinds
    ]
