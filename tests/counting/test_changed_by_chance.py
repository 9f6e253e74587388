"""The sums, formulas and bridges of randomly drawn changed models agree with their numbers."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from math import prod
from random import Random

from macros.counting import ChangedModel, CountingError
from macros.counting.changes.methods import load_methods
from tests.counting.test_changed import ALL_CASES, changed_model, counted_cases
from tests.samples import sample_of, sample_size


def randomly_changed_models() -> Iterator[ChangedModel]:
    """Models of random cases with up to three random changes, if the changes fit the class and each other."""
    rng = Random(3)  # noqa: S311
    modules = ("query", "value", "output", "word_embeddings", "classifier", "pooler", "LayerNorm")
    for _ in range(sample_size(700, part=3)):
        changes = []
        for method in rng.choices([*load_methods().values()], k=rng.randint(1, 3)):
            sizes = [f"{letter}={rng.choice((1, 2, 5, 20, 120))}" for letter in method.letters]
            names = [option for option in ("modules", "skip") if option in method.options and rng.random() < 0.7]
            changes.append(":".join([method.name, *sizes, *(f"{option}={rng.choice(modules)}" for option in names)]))
        with suppress(CountingError):
            yield changed_model(rng.choice(ALL_CASES), *changes)


def test_sums_formulas_and_bridges_agree_with_the_numbers() -> None:
    # One case for each method and class is enough.
    cases = {(case["change"].partition(":")[0], case["class"]): case for case in counted_cases()}
    models_after_changes = [*randomly_changed_models()]
    assert len(models_after_changes) > sample_size(200, part=3)
    for model in (*map(changed_model, sample_of([*cases.values()], part=3)), *models_after_changes):
        for polynomial, number, lines in (
            (model.total_formula, model.number, model.sum_lines()),
            (model.trainable_formula, model.trainable, model.sum_lines(only_trained=True)),
        ):
            assert number == (lines[-1].result if lines else 0) == polynomial.simplified().value(model.sizes)
            assert number == evaluate(polynomial.formula(), model.sizes)
        assert model.unchanged_question.number + sum(step.value for step in model.bridge) == model.number
        assert model.unchanged_question.number + sum(step.trainable for step in model.bridge) == model.trainable
        assert [step.value for step in model.bridge] == [evaluate(step.formula, model.sizes) for step in model.bridge]
        assert model.number == sum(weights for weights, _ in model.packing.values())
        assert model.elements == sum(elements for _, elements in model.packing.values())
        number = model.unchanged_question.number
        for step in model.bridge:
            assert step.before == number
            number = step.after
        # With pruned heads, shapes are unknown, because the change does not say which layers lose heads.
        if "h" not in model.sizes:
            tensors = {name: (prod(shape), trained) for name, shape, trained in model.listing()}
            assert model.number == sum(number for number, _ in tensors.values())
            assert model.trainable == sum(number for number, trained in tensors.values() if trained)


def evaluate(formula: str, sizes: Mapping[str, int]) -> int:
    """The value of a formula, evaluated by Python."""
    expression = formula.replace("−", "-").replace("·", "*").replace("²", "**2").replace(",", "")
    return int(eval(expression, {"__builtins__": {}}, dict(sizes)))  # noqa: S307  only letters, digits and signs
