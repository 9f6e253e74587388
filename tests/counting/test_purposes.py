"""Classes for the same task have the same purpose in all architectures."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from macros.counting import ARCHITECTURES, ModelClass
from macros.counting.architecture import Architecture


def task(architecture: Architecture, model_class: ModelClass) -> tuple[str, str]:
    """The task of a class: its name without that of the architecture, and its head.

    The head is part of the task, because the heads for pre-training differ between ELECTRA and BERT.
    """
    stem = architecture.classes[0].name.removesuffix("Model")
    # Some architectures have further layers before the output layer that they share with BERT, so the last path counts.
    return model_class.name.removeprefix(stem), model_class.heads[-1] if model_class.heads else ""


def purposes(architectures: Iterable[Architecture]) -> dict[tuple[str, str], set[str]]:
    """The purposes of all classes with a head, by task."""
    purposes_by_task = defaultdict(set)
    for architecture in architectures:
        for model_class in architecture.classes:
            if model_class.heads:
                purposes_by_task[task(architecture, model_class)].add(model_class.purpose)
    return purposes_by_task


def test_a_task_has_one_purpose() -> None:
    purposes_by_task = purposes(ARCHITECTURES.values())
    classes = [model_class for architecture in ARCHITECTURES.values() for model_class in architecture.classes]
    assert len(classes) > 4 * len(purposes_by_task)
    assert {} == {name: texts for name, texts in purposes_by_task.items() if len(texts) > 1}


def test_a_different_purpose_is_noticed() -> None:
    for name, architecture in ARCHITECTURES.items():
        other_architectures = [other for other in ARCHITECTURES.values() if other.model_type != name]
        for index, model_class in enumerate(architecture.classes):
            if not model_class.heads or task(architecture, model_class) not in purposes(other_architectures):
                continue
            classes = list(architecture.classes)
            classes[index] = model_class._replace(purpose="something else")
            altered_purposes = purposes([*other_architectures, replace(architecture, classes=tuple(classes))])
            assert any(len(texts) > 1 for texts in altered_purposes.values()), model_class.name
