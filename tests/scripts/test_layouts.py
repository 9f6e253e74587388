"""The generated print-outs add up to the engine's counts, and their cases state the right totals."""

import json
import random
import re
from math import prod

import pytest

from macros.counting import ARCHITECTURES, Model, Question, load_relatives, model_named
from tests.samples import sample_size
from tests.scripts import layouts
from tests.scripts.layouts import KINDS, cases, draw_subject, hostile_cases, other_models
from tests.scripts.pasted.faults import PLANTERS
from tests.scripts.pasted.lines import Draft, Subject
from tests.scripts.pasted.modules import module_tree

MODELS = {
    "bert": model_named("bert-base-uncased"),
    **{model.architecture.model_type: model for model in reversed([*load_relatives().values()])},
}
"""A published model of each architecture, by its type."""

CLASSES_WITH_TYPES = [
    (model_type, model_class.name)
    for model_type, architecture in ARCHITECTURES.items()
    for model_class in architecture.classes
]
"""Every class that the engine counts, with the type of its architecture."""

LAYOUTS_WITH_OVERLAPS = ("lightning", "fvcore")
"""Layouts with rows that repeat the tensors of other rows, or that represent no tensor."""


def question_about(model_type: str, model_class: str) -> Question:
    """A question about a published model of the architecture in the class."""
    return Question(MODELS[model_type], model_class)


def draw(name: str, number: int) -> tuple[Subject, Draft]:
    """A random subject that the layout `name` can print, and its print-out."""
    chance = random.Random(f"{name} {number}")  # noqa: S311 - drawing samples is not cryptography
    subject = draw_subject(chance, KINDS[name].fits)
    draft = KINDS[name].layout(subject, chance)
    return draft.shown_subject or subject, draft


@pytest.mark.parametrize(("model_type", "model_class"), CLASSES_WITH_TYPES)
def test_module_trees_hold_every_tensor(model_type: str, model_class: str) -> None:
    question = question_about(model_type, model_class)
    assert module_tree(question).number == module_tree(question, is_earlier=True).number == question.number


@pytest.mark.parametrize(("model_type", "model_class"), CLASSES_WITH_TYPES)
def test_named_parameters_add_up(model_type: str, model_class: str) -> None:
    model = MODELS[model_type]
    subject = Subject(model, model.architecture.class_named(model_class))
    draft = KINDS["named size"].layout(subject, random.Random(1))  # noqa: S311
    shapes = re.findall(r"torch\.Size\(\[([0-9, ]+)\]\)", draft.text(draft.lines))
    assert sum(prod(map(int, shape.split(", "))) for shape in shapes) == subject.total


@pytest.mark.parametrize("name", [name for name in KINDS if name not in LAYOUTS_WITH_OVERLAPS])
def test_lines_hold_every_parameter(name: str) -> None:
    for number in range(sample_size(20, part=4)):
        subject, draft = draw(name, number)
        line_sum = sum(line.number for line in draft.lines)
        names_on_lines = {tensor for line in draft.lines for tensor in line.tensor_names}
        omitted_number = sum(tensor.size for tensor in subject.tensors if tensor.transformers not in names_on_lines)
        assert line_sum + omitted_number == subject.total
        may_leave_out = name in ("print torch2", "print torch1", "deepspeed", "torchinfo") or not draft.is_complete
        assert omitted_number == 0 or may_leave_out, (subject.model_class.name, omitted_number)


@pytest.mark.parametrize("name", [name for name in KINDS if name not in LAYOUTS_WITH_OVERLAPS])
def test_faults_change_the_sum_by_their_number(name: str) -> None:
    for number in range(sample_size(20, part=4)):
        subject, draft = draw(name, number)
        old_sum = sum(line.number for line in draft.lines)
        for kind in {"dropped", "doubled", "layer missing", "first layers"}.intersection(draft.faults):
            result = PLANTERS[kind](subject, draft.lines, random.Random(number))  # noqa: S311
            if result:
                lines, fault = result
                assert sum(line.number for line in lines) - old_sum == fault.number
                assert fault.tensors
                assert draft.text(lines) != draft.text(draft.lines)


def test_totals_are_those_of_the_engine() -> None:
    for case in cases(3, 200):
        architecture = ARCHITECTURES[case["architecture"]]
        choices = {key: value for key, value in case["choices"].items() if key == "pooler"}
        model = Model("odd", architecture, case["sizes"])
        question = Question(model, case["modelClass"])
        if choices:
            question = question._replace(choices=question.choices._replace(**choices))
        assert question.number == case["total"]
        sum_of_sizes = sum(tensor.size for tensor in Subject(model, question.resolved_class, question.choices).tensors)
        assert sum_of_sizes == case["total"]


def test_the_same_seed_gives_the_same_texts() -> None:
    for generate in (cases, other_models, hostile_cases):
        assert generate(5, 30) == generate(5, 30)
        assert generate(5, 30) != generate(6, 30)


def test_cases_survive_conversion_to_json() -> None:
    """Scripts receive the cases as JSON."""
    for generate in (cases, other_models, hostile_cases):
        for case in generate(8, 60):
            assert json.loads(json.dumps(case)) == case


def test_many_layouts_and_faults_are_drawn() -> None:
    sample = cases(2, 400)
    assert {case["layout"] for case in sample} == {*KINDS}
    kinds = {case["fault"]["kind"] for case in sample}
    assert kinds >= {"none", "dropped", "doubled", "layer missing", "first layers", "digit", "dimension", "wrapped"}
    assert {case["architecture"] for case in sample} == {*ARCHITECTURES}


def test_cases_can_be_limited_to_one_layout() -> None:
    assert {case["layout"] for case in layouts.cases(1, 5, "torchinfo")} == {"torchinfo"}
