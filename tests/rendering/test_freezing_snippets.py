"""The lines of a snippet that freeze a model leave trainable exactly the tensors that `changes.toml` specifies.

The lines are plain Python, so they can run here on a stub that has only tensor names. `make verify` runs them with the
real libraries.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from types import SimpleNamespace

import pytest

from macros.counting import ARCHITECTURE_OF_CLASS, ARCHITECTURES, ChangedModel, Question, load_models, load_relatives
from macros.counting.architecture import DEFAULT_CHOICES
from macros.counting.changes.methods import load_methods
from macros.counting.frameworks.names import body_prefix, transformers_name
from macros.rendering.calculator import METHODS

TRANSFORMERS_METHODS = [name for name in METHODS if load_methods()[name].library == "transformers"]
"""The methods that need no library other than transformers."""

MODELS = {model.architecture.model_type: model for model in [*load_relatives().values(), *load_models().values()]}
"""One model of each architecture."""

Tensors = Mapping[str, bool]
"""Whether a tensor is trained, by its name in transformers, in the order of the model."""


class ModelStub:
    """A stub for a transformers model, with the names of its tensors and the selection of those in its body."""

    def __init__(self, model_class: str, tensors: Tensors) -> None:
        self.tensors = {name: SimpleNamespace(requires_grad=True) for name in tensors}
        architecture = ARCHITECTURE_OF_CLASS[model_class]
        prefix = body_prefix(architecture, model_class)
        # A class that builds its head first lists a table shared with the body under the head's name for it.
        is_tied = architecture.default_choices.with_defaults(DEFAULT_CHOICES).tied
        shared_rows = [row for row in architecture.rows if is_tied and row.tied_to.startswith("bert/")]
        names = {transformers_name(row, architecture, model_class) for row in shared_rows}
        body = [tensor for name, tensor in self.tensors.items() if name.startswith(prefix) or name in names]
        self.base_model = SimpleNamespace(parameters=lambda: body)

    def named_parameters(self) -> Iterator[tuple[str, SimpleNamespace]]:
        """Every tensor by its name in transformers."""
        return iter(self.tensors.items())


def trained_names(code: str, model_class: str, tensors: Tensors) -> list[str]:
    """The names of the tensors that the lines of a snippet leave trainable."""
    model = ModelStub(model_class, tensors)
    exec(code, {"model": model})  # noqa: S102  our own code
    return [name for name, tensor in model.named_parameters() if tensor.requires_grad]


@cache
def tensors_by_class(method: str) -> Mapping[str, Tensors]:
    """The tensors of a model of each class of each architecture after a method."""
    assert {*ARCHITECTURES} == {*MODELS}
    questions = [
        Question(model, model_class.name) for model in MODELS.values() for model_class in model.architecture.classes
    ]
    models = {question.model_class: ChangedModel.build(question, [method]) for question in questions}
    return {
        name: {tensor.name: tensor.is_trained for tensor in model.changed_tensors()} for name, model in models.items()
    }


def classes_trained_differently(method: str, code: str) -> list[str]:
    """The classes in which the lines of a snippet do not train the same tensors as a method."""
    return [
        model_class
        for model_class, tensors in tensors_by_class(method).items()
        if trained_names(code, model_class, tensors) != [name for name, is_trained in tensors.items() if is_trained]
    ]


@pytest.mark.parametrize("method", TRANSFORMERS_METHODS)
def test_lines_train_exactly_what_the_method_trains(method: str) -> None:
    assert [] == classes_trained_differently(method, "\n".join(METHODS[method].arguments))


def test_lines_that_train_weights_instead_of_biases_are_found() -> None:
    classes = [model_class.name for model in MODELS.values() for model_class in model.architecture.classes]
    code = "\n".join(METHODS["bitfit"].arguments)
    assert code.count('"bias"') == 1
    assert classes == classes_trained_differently("bitfit", code.replace('"bias"', '"weight"'))
